"""The lines of a record that was written earlier, and whether they are what was written.

A record may have a million lines: they are read one at a time, and read again whenever they are asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from tokenizer_conformance.command_io.record import FOOTER, is_record
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.compression import (
    LONGEST_MAGIC,
    UNREADABLE,
    compression_of,
    decompressed,
    refuse_others,
)
from tokenizer_conformance.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

Json = dict[str, Any]


class LinesOfFile(Sequence[Json]):
    """The first ``count`` lines of the record at ``path``, read anew each time; ``first`` and ``last`` are at hand."""

    def __init__(self, path: Path, count: int, first: Json, last: Json) -> None:
        self._path = path
        self._count = count
        self._ends = {0: first, count - 1: last}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Generator[Json]:
        with closing(_raw_lines(self._path)) as raw:
            for number, line in enumerate(islice(raw, self._count), 1):
                yield parsed_line(self._path, number, line)

    @overload
    def __getitem__(self, place: int) -> Json: ...
    @overload
    def __getitem__(self, place: slice) -> list[Json]: ...
    def __getitem__(self, place: int | slice) -> Json | list[Json]:
        if isinstance(place, slice):
            return list(self)[place]
        number = range(self._count)[place]
        return self._ends[number] if number in self._ends else next(islice(self, number, None))


@dataclass(frozen=True, slots=True)
class RecordedLines:
    """The whole ``lines`` of the record at ``path``, the first of which is a header.

    ``cut`` says where the record ends before its run did; ``None`` where its last line is a footer. ``sha256`` is the
    digest of the record, whether or not its file is compressed.
    """

    path: Path
    lines: Sequence[Json]
    cut: str | None
    sha256: str

    @property
    def header(self) -> Json:
        """The first line."""
        return self.lines[0]

    @property
    def footer(self) -> Json | None:
        """The last line, where it is a footer."""
        return self.lines[-1] if self.lines[-1].get("type") == FOOTER else None

    def fault(self, number: int, what: object) -> BadInputError:
        """Return the error that says ``what`` is wrong with line ``number`` (from 1)."""
        return BadInputError(f"{str(self.path)!r} line {number} is not that of a record: {what}")


def record_content(path: Path) -> bytes:
    """Return what stands in the record at ``path``, which may be compressed by gzip or xz.

    Raises :class:`BadInputError` where it cannot be read.
    """
    with closing(_raw_lines(path)) as lines:
        return b"".join(lines)


def read_lines(path: Path) -> RecordedLines:
    """Read the record at ``path``, which may be compressed by gzip or xz.

    Raises :class:`BadInputError` where it is none, or was altered, with the line.
    """
    digest, content = hashlib.sha256(), hashlib.sha256()
    kept: list[Json] = []
    is_read_once = not path.is_file()  # a pipe
    count, first, last, cut = 0, Json(), Json(), None
    with closing(_raw_lines(path)) as raw:
        for number, written in enumerate(raw, 1):
            if number == 1 and not is_record(written):
                break
            content.update(written)
            if not written.endswith(b"\n"):
                cut = f"line {number} is cut off"
                break
            line = parsed_line(path, number, written)
            _refuse_altered(path, number, line, last, digest.hexdigest)
            digest.update(written)
            count, first, last = number, first or line, line
            if is_read_once:
                kept.append(line)
    if not count and cut is None:
        raise BadInputError(f"{str(path)!r} is no record: it does not begin with the header of one")
    if not count:
        raise BadInputError(f"{str(path)!r} line 1 is cut off: the run was killed before it had begun")
    if cut is None and last.get("type") != FOOTER:
        cut = f"it ends at line {count} without a footer"
    return RecordedLines(path, kept or LinesOfFile(path, count, first, last), cut, content.hexdigest())


def _raw_lines(path: Path) -> Generator[bytes]:
    """Yield the lines of the record at ``path``. Raises :class:`BadInputError` where it cannot be read."""
    try:
        with path.open("rb") as file:
            beginning = file.peek(LONGEST_MAGIC)[:LONGEST_MAGIC]
            refuse_others(beginning, repr(str(path)))
            compression = compression_of(beginning)
            yield from file if compression is None else decompressed(file, compression)
    except OSError as error:
        raise BadInputError(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    except UNREADABLE as error:
        raise BadInputError(f"{str(path)!r} is damaged: it cannot be decompressed to its end ({error})") from error


def parsed_line(path: Path, number: int, line: bytes) -> Json:
    """Return the line of this ``number`` of the record at ``path``. Raises :class:`BadInputError`."""
    try:
        parsed = json.loads(line)
    except RecursionError as error:
        raise BadInputError(f"{str(path)!r} line {number} is not JSON: it is nested too deeply") from error
    except ValueError as error:
        raise BadInputError(f"{str(path)!r} line {number} is not JSON: {error}") from error
    if not isinstance(parsed, dict):
        raise BadInputError(f"{str(path)!r} line {number} is not that of a record: an object is expected")
    return parsed


def _refuse_altered(path: Path, number: int, line: Json, before: Json, digest: Callable[[], str]) -> None:
    """Raise :class:`BadInputError` where line ``number`` cannot stand there; ``digest`` is that of the lines before.

    A footer has to be that of the lines before it, and nothing but the header of a resumption stands after it.
    """
    if before.get("type") == FOOTER and line.get("type") != "resumed":
        raise BadInputError(f"{str(path)!r} was altered: line {number} follows the footer")
    if line.get("type") != FOOTER or "sha256" not in line:
        return
    if line.get("lines") != number - 1:
        raise BadInputError(
            f"{str(path)!r} was altered: line {number}, the footer, counts {line.get('lines')} lines before it, and "
            f"there are {number - 1}"
        )
    if line["sha256"] != digest():
        raise BadInputError(
            f"{str(path)!r} was altered: one of its lines 1 to {number - 1} is not as it was written (line "
            f"{number}, the footer, has another digest of them)"
        )
