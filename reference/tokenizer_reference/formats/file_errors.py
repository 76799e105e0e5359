"""Reading tokenizer files of other formats, and what their errors have in common: the file, the place, what is wrong."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from tokenizer_reference.errors import TokenizerFileError

FilePath = str | PathLike[str]

_SHOWN = 40
"""How much of a token a message shows, in code points or bytes: a message is one line, whatever the file holds."""


def shown(token: str | bytes) -> str:
    r"""Return ``token`` as messages show it: quoted, escaped, and cut where it is long.

    >>> shown("a\nb"), shown(b"\xff")
    ("'a\\nb'", "b'\\xff'")
    """
    return repr(token) if len(token) <= _SHOWN else f"{token[:_SHOWN]!r}… ({len(token)} long)"


def at_line(path: FilePath, line: int, message: str) -> TokenizerFileError:
    """Return the error to raise for a line of a file, counted from 1."""
    return TokenizerFileError(f"{fspath(path)}, line {line}", message)


def at_byte(path: FilePath, offset: int, message: str) -> TokenizerFileError:
    """Return the error to raise for a byte of a file, counted from 0."""
    return TokenizerFileError(f"{fspath(path)}, byte {offset}", message)


def of_file(path: FilePath, message: str) -> TokenizerFileError:
    """Return the error to raise for a file as a whole."""
    return TokenizerFileError(fspath(path), message)


def read_bytes(path: FilePath) -> bytes:
    """Return the content of a file. Raises :class:`TokenizerFileError` where it cannot be read, or there is none."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise of_file(path, f"cannot be read: {error.strerror}") from error
    if not content:
        raise of_file(path, "is empty")
    return content
