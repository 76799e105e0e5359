"""Opening a file of inputs, and reading its lines: every way in which that fails is told with the place."""

from __future__ import annotations

import codecs
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.magic_numbers import HEAD, by_magic_number
from tokenizer_conformance.inputs.paths import irregularity, why_missing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO


READ_AT_ONCE = 1 << 16
"""How many bytes of a line are read at a time where lines are cut."""


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
        raise _undecodable(path, error, start, number, head) from error


def _undecodable(path: Path, error: UnicodeDecodeError, start: int, number: int, head: bytes) -> BadInputError:
    """Return the refusal of a file whose bytes from offset ``start`` on, in line ``number``, are no UTF-8."""
    known = by_magic_number(head)
    return refusal(
        path,
        f" is not UTF-8: byte 0x{error.object[error.start]:02X} at offset {start + error.start} (line {number}): "
        f"{error.reason}{'' if known is None else f'; {known}'}",
    )


@dataclass(frozen=True, slots=True)
class LinePiece:
    """A piece of line ``number`` (from 1), the ``part``-th (from 1); ``is_last`` where the line ends with it."""

    number: int
    part: int
    text: str
    is_last: bool


def decoded_pieces(path: Path, longest: int) -> Iterator[LinePiece]:
    """Yield the lines of the file of inputs at ``path`` without terminators, in pieces of ``longest`` characters.

    A longer line is cut before the last white space of its first ``longest`` characters, the piece after it again, and
    so on; where there is no white space, after these characters. No more of a line than that is in memory. Raises
    :class:`BadInputError` where the file cannot be read, is empty, or is not UTF-8.
    """
    with opened(path) as file:
        head = file.read(HEAD)
        file.seek(0)
        if not head:
            raise refusal(path, " is empty: there is no text in it")
        number, part, start, left = 1, 1, 0, ""
        decoder = codecs.getincrementaldecoder("utf-8")()
        while data := file.readline(READ_AT_ONCE):
            waiting = len(decoder.getstate()[0])
            ends = data.endswith(b"\n")
            try:
                left += decoder.decode(data, final=ends)
            except UnicodeDecodeError as error:
                raise _undecodable(path, error, start - waiting, number, head) from error
            start += len(data)
            if ends:
                left = left[:-1].removesuffix("\r")
            while len(left) > longest:
                place = place_to_cut(left, longest)
                yield LinePiece(number, part, left[:place], is_last=False)
                left, part = left[place:], part + 1
            if ends:
                yield LinePiece(number, part, left, is_last=True)
                number, part, left = number + 1, 1, ""
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError as error:
            raise _undecodable(path, error, start - len(error.object), number, head) from error
        if left:
            yield LinePiece(number, part, left, is_last=True)


def place_to_cut(text: str, longest: int) -> int:
    """Return where ``text``, which is longer, is cut such that at most ``longest`` characters are before that place.

    >>> place_to_cut("one two three", 9), place_to_cut("onetwothree", 9)
    (7, 9)
    """
    before = text[: longest + 1]
    place = max(before.rfind(" "), before.rfind("\t"), before.rfind("\u3000"), before.rfind("\n"))
    return place if place > 0 else longest
