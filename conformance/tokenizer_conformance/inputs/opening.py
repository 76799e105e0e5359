"""Opening a file of inputs, and reading its lines: every way in which that fails is told with the place."""

from __future__ import annotations

import codecs
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from math import inf
from typing import TYPE_CHECKING
from zlib import crc32

from tokenizer_conformance.compression import (
    DAMAGED,
    LONGEST_MAGIC,
    MAGIC_OF_TEXTS,
    UNREADABLE,
    compression_of,
    decompressed,
)
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.magic_numbers import HEAD, by_magic_number
from tokenizer_conformance.inputs.paths import irregularity, why_missing
from tokenizer_conformance.inputs.places import Bytes
from tokenizer_conformance.inputs.remote import AT_ONCE, Url, open_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedIOBase
    from typing import BinaryIO

    from tokenizer_conformance.inputs.places import Partition
    from tokenizer_conformance.inputs.remote import Location


READ_AT_ONCE = 1 << 16
"""How many bytes of a line are read at a time where lines are cut."""


def title_of(path: Location) -> str:
    """Return what messages call the file of inputs at ``path``."""
    return f"inputs file {str(path)!r}"


def refusal(path: Location, reason: str) -> BadInputError:
    """Return the error that refuses the file of inputs at ``path``, for a ``reason`` that goes on the sentence."""
    return BadInputError(f"{title_of(path)}{reason}")


CHANGED = "has changed while it was used: it is read more than once; run this again when it is at rest"
"""What is said of a file that is another one than it was when it was read first."""


def changed(path: Location) -> BadInputError:
    """Return the error that refuses the file at ``path`` since it has changed."""
    return refusal(path, f" {CHANGED}")


@contextmanager
def opened(path: Location, at_once: int = AT_ONCE) -> Iterator[BinaryIO]:
    """Give the bytes of the file of inputs at ``path``; from elsewhere ``at_once`` are asked for.

    Raises :class:`BadInputError` where it cannot be read again and again, or not at all.
    """
    try:
        with _open(path, at_once) as file:
            yield file
    except FileNotFoundError as error:
        raise refusal(path, f": {_missing(path, error)}") from error
    except IsADirectoryError as error:
        raise refusal(path, f": Is a directory; give the files in it, as in --inputs {path}/*.txt") from error
    except OSError as error:
        raise refusal(path, f": {error.strerror or error}") from error


def _open(path: Location, at_once: int) -> BinaryIO:
    if isinstance(path, Url):
        return open_url(path, at_once)
    irregular = irregularity(path)
    if irregular is not None:
        raise refusal(path, f" {irregular}")
    return path.open("rb")


def _missing(path: Location, error: FileNotFoundError) -> str:
    if isinstance(path, Url):
        nothing = "as a pattern it matches nothing there" if path.is_pattern else "nothing is there"
        return f"{nothing}, or nothing that your credentials may see"
    return f"{error.strerror}{why_missing(path)}"


@contextmanager
def opened_lines(path: Location) -> Iterator[BinaryIO | BufferedIOBase]:
    """Give what is in the file of lines at ``path``, decompressed where anything has compressed it.

    Raises :class:`BadInputError`, for reading it as well.
    """
    with opened(path) as file:
        compression = compression_of(file.read(LONGEST_MAGIC), MAGIC_OF_TEXTS)
        file.seek(0)
        if compression is None:
            yield file
            return
        try:
            with decompressed(file, compression) as lines:
                yield lines
        except UNREADABLE as error:  # some of which are errors of the system, too
            reason = str(error) if isinstance(error, DAMAGED) else "its end is missing"
            raise refusal(path, f" is compressed with {compression}, and damaged or cut off: {reason}") from error


def has_places(file: BinaryIO | BufferedIOBase) -> bool:
    """Return whether a file that :func:`opened_lines` gives can be read from any place on: it is not compressed."""
    return isinstance(file, BufferedReader) and file.seekable()


def decoded_lines(path: Location, part: Partition | None = None) -> Iterator[str]:
    """Yield the lines of the file of inputs at ``path``, or of a ``part`` of it, terminators included.

    Raises :class:`BadInputError` where it cannot be read, is empty, or is not UTF-8.
    """
    with _lines_from(path, part) as (file, at):
        while line := at.next_of(file):
            yield _decoded(path, line, at)
            at.number += 1


@dataclass(slots=True)
class _At:
    """Where reading is: at byte ``start``, in line ``number``, on the way to ``end``.

    ``begun`` is where what was read last began, ``checksum`` that of all that was read.
    """

    start: int = 0
    number: int = 1
    end: float = inf
    begun: int = 0
    checksum: int = 0

    def next_of(self, file: BinaryIO | BufferedIOBase, most: int = -1) -> bytes:
        """Return the next line of ``file``, or so many bytes of it; none at the end."""
        data = file.readline(most) if self.start < self.end else b""
        self.begun, self.start = self.start, self.start + len(data)
        self.checksum = crc32(data, self.checksum)
        return data


@contextmanager
def _lines_from(path: Location, part: Partition | None) -> Iterator[tuple[BinaryIO | BufferedIOBase, _At]]:
    """Give the file at ``path``, at the first of its lines or of ``part``; see in the end that all of it was read."""
    at, opening = _At(), opened_lines
    if part is not None and isinstance(part.place, Bytes):
        at, opening = _At(part.place.start, part.first + 1, part.place.end), opened
    with opening(path) as file:
        if at.start:
            file.seek(at.start)
        yield file, at
    if part is not None and (at.number, at.checksum) != (part.first + part.count + 1, part.checksum):
        raise changed(path)
    if at.start == 0:
        raise refusal(path, " is empty: there is no text in it")


def _decoded(path: Location, line: bytes, at: _At) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _undecodable(path, error, at.begun, at) from error


def _undecodable(path: Location, error: UnicodeDecodeError, start: int, at: _At) -> BadInputError:
    """Return the refusal of a file whose bytes from ``start`` on, in the line where reading is ``at``, are no UTF-8."""
    with opened_lines(path) as file:
        known = by_magic_number(file.read(HEAD))
    return refusal(
        path,
        f" is not UTF-8: byte 0x{error.object[error.start]:02X} at offset {start + error.start} (line {at.number}): "
        f"{error.reason}{'' if known is None else f'; {known}'}",
    )


@dataclass(frozen=True, slots=True)
class LinePiece:
    """A piece of line ``number`` (from 1), the ``part``-th (from 1); ``is_last`` where the line ends with it."""

    number: int
    part: int
    text: str
    is_last: bool


def decoded_pieces(path: Location, longest: int, part: Partition | None = None) -> Iterator[LinePiece]:
    """Yield the lines of the file of inputs at ``path``, or of a ``part`` of it, in pieces of ``longest`` characters.

    They are without terminators. A longer line is cut before the last white space of its first ``longest`` characters,
    the piece after it again, and so on; where there is no white space, after these characters. No more of a line than
    that is in memory. Raises :class:`BadInputError` where the file cannot be read, is empty, or is not UTF-8.
    """
    with _lines_from(path, part) as (file, at):
        piece, left = 1, ""
        decoder = codecs.getincrementaldecoder("utf-8")()
        while data := at.next_of(file, READ_AT_ONCE):
            ends = data.endswith(b"\n")
            left += _decoded_further(path, decoder, data, at, final=ends)
            if ends:
                left = left[:-1].removesuffix("\r")
            while len(left) > longest:
                place = place_to_cut(left, longest)
                yield LinePiece(at.number, piece, left[:place], is_last=False)
                left, piece = left[place:], piece + 1
            if ends:
                yield LinePiece(at.number, piece, left, is_last=True)
                piece, left = 1, ""
                at.number += 1
        _decoded_further(path, decoder, b"", at, final=True)
        if left:
            yield LinePiece(at.number, piece, left, is_last=True)
            at.number += 1


def _decoded_further(path: Location, decoder: codecs.IncrementalDecoder, data: bytes, at: _At, *, final: bool) -> str:
    waiting = len(decoder.getstate()[0])
    try:
        return decoder.decode(data, final=final)
    except UnicodeDecodeError as error:
        raise _undecodable(path, error, at.begun - waiting, at) from error


def place_to_cut(text: str, longest: int) -> int:
    """Return where ``text``, which is longer, is cut such that at most ``longest`` characters are before that place.

    >>> place_to_cut("one two three", 9), place_to_cut("onetwothree", 9)
    (7, 9)
    """
    before = text[: longest + 1]
    place = max(before.rfind(" "), before.rfind("\t"), before.rfind("\u3000"), before.rfind("\n"))
    return place if place > 0 else longest
