"""Errors of the reference, for people: each message says what was wrong, where, and what to do."""

from __future__ import annotations


class TokenizerReferenceError(Exception):
    """Base of every error that the reference raises on purpose."""


class TokenizerFileError(TokenizerReferenceError):
    """A tokenizer file cannot be read as a tokenizer.

    ``path`` is the JSON path of the offending value (``$.model.merges[3]``).
    """

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class UnsupportedComponentError(TokenizerFileError):
    """A tokenizer file names a component that the reference does not have."""


class UpstreamPanicError(TokenizerReferenceError):
    """``tokenizers`` panics on this input, so there is no behaviour to reproduce; the message says what happens there."""


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
