"""Errors of tokenizer files of other formats, each with the file, the place and what is wrong; and reading bytes."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from tokenizer_reference.errors import TokenizerFileError

FilePath = str | PathLike[str]


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
