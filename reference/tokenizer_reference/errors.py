"""Errors of the reference: what can go wrong, and how messages show what a file holds."""

from __future__ import annotations

from typing import Final, TypeVar

_LONGEST_PATH: Final = 200
"""How many characters of a JSON path a message shows: a deeply nested document has paths of any length."""

_PATH_ENDS: Final = 90
"""How many characters are kept at both ends of a longer one."""


_SHOWN: Final = 40
"""How much of a token a message shows, in code points or bytes: a message is one line, whatever the file holds."""


def shown(token: str | bytes) -> str:
    r"""Return ``token`` as messages show it: quoted, escaped, and cut where it is long.

    >>> shown("a\nb"), shown(b"\xff")
    ("'a\\nb'", "b'\\xff'")
    """
    return repr(token) if len(token) <= _SHOWN else f"{token[:_SHOWN]!r}… ({len(token)} long)"


class TokenizerReferenceError(Exception):
    """Base of every error that the reference raises on purpose."""


E = TypeVar("E", bound=Exception)


def with_note(error: E, note: str) -> E:
    """Return ``error``, whose words are those that users look for in errors of the target, with what we know more."""
    error.add_note(note)
    return error


class TokenizerFileError(TokenizerReferenceError, ValueError):
    """A tokenizer file cannot be read as a tokenizer.

    ``path`` is the JSON path of the offending value (``$.model.merges[3]``); ``message`` says what is wrong with it.
    """

    def __init__(self, path: str, message: str) -> None:
        place = path if len(path) <= _LONGEST_PATH else f"{path[:_PATH_ENDS]}…{path[-_PATH_ENDS:]}"
        super().__init__(f"{place}: {message}")
        self.path = path
        self.message = message


class UnsupportedComponentError(TokenizerFileError):
    """A tokenizer file names a component that the reference does not have."""


class OptionError(TokenizerReferenceError, ValueError):
    """An argument has a value of which no component can be made."""


class CharsmapError(TokenizerReferenceError, ValueError):
    """Data given as a precompiled character map is none."""


class UpstreamPanicError(TokenizerReferenceError):
    """``tokenizers`` panics on this input, so there is no behaviour to reproduce.

    The message says what happens there.
    """


class UpstreamFilePanicError(TokenizerFileError, UpstreamPanicError):
    """A tokenizer file at which ``tokenizers`` panics, where it would refuse others."""


class ModelError(TokenizerReferenceError):
    """A model cannot tokenize: an unknown token is needed and there is none, for example."""


class TruncationError(TokenizerReferenceError):
    """A sequence cannot be truncated as asked."""


class CallbackError(TokenizerReferenceError):
    """A function or a component written by the user raised an error, which is the cause of this one.

    The target passes on no more than its text, as a bare ``Exception``.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(f"{type(error).__name__}: {error}")


class DecodeStreamError(TokenizerReferenceError):
    """The text of a stream of tokens does not go on from what was given out before."""
