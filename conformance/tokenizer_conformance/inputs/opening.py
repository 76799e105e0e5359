"""Opening a file of inputs, and reading its lines: every way in which that fails is told with the place."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.magic_numbers import HEAD, by_magic_number
from tokenizer_conformance.inputs.paths import irregularity, why_missing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO


def title_of(path: Path) -> str:
    """Return what messages call the file of inputs at ``path``."""
    return f"inputs file {str(path)!r}"


def refusal(path: Path, reason: str) -> BadInputError:
    """Return the error that refuses the file of inputs at ``path``, for a ``reason`` that goes on the sentence."""
    return BadInputError(f"{title_of(path)}{reason}")


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Give the bytes of the file of inputs at ``path``.

    Raises :class:`BadInputError` where it cannot be read again and again, or not at all.
    """
    try:
        irregular = irregularity(path)
        if irregular is not None:
            raise refusal(path, f" {irregular}")
        with path.open("rb") as file:
            yield file
    except FileNotFoundError as error:
        raise refusal(path, f": {error.strerror}{why_missing(path)}") from error
    except IsADirectoryError as error:
        raise refusal(path, f": {error.strerror}; give the files in it, as in --inputs {path}/*.txt") from error
    except OSError as error:
        raise refusal(path, f": {error.strerror or error}") from error


def decoded_lines(path: Path) -> Iterator[str]:
    """Yield the lines of the file of inputs at ``path``, terminators included.

    Raises :class:`BadInputError` where it cannot be read, is empty, or is not UTF-8.
    """
    start = 0
    with opened(path) as file:
        head = file.read(HEAD)
        file.seek(0)
        for number, line in enumerate(file, 1):
            yield _decoded(path, line, number, start, head)
            start += len(line)
    if start == 0:
        raise refusal(path, " is empty: there is no text in it")


def _decoded(path: Path, line: bytes, number: int, start: int, head: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        known = by_magic_number(head)
        raise refusal(
            path,
            f" is not UTF-8: byte 0x{line[error.start]:02X} at offset {start + error.start} (line {number}): "
            f"{error.reason}{'' if known is None else f'; {known}'}",
        ) from error
