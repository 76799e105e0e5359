"""The lines of a record, one in memory at a time: its header, what follows, and whether it came to its end."""

from __future__ import annotations

import json
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import ValidationError

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.record import BEGINNING
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.compression import LONGEST_MAGIC, UNREADABLE, compression_of, decompressed
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.results.records.node import Node, ShapeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedIOBase
    from pathlib import Path
    from typing import BinaryIO

FAMILY = "tokenizer-conformance-"
"""How the names of all formats of records begin."""

CUT_SHORT = (Conclusion.INTERRUPTED, Conclusion.INTERNAL_ERROR)
"""The conclusions of commands that did not come to their end."""

MALFORMED = (ValidationError, LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
"""What reading a line raises that is of another form than those of a record."""

TOLD_EVERY = 1000
"""After so many lines it is said how far the reading has come."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A record of which the header was read: its ``path``, the name of its ``schema``, and the ``header``.

    ``types`` are those of the lines that it may have, ``None`` where it may have any.
    """

    path: Path
    schema: str
    header: Node
    types: frozenset[str] | None = None

    @property
    def name(self) -> str:
        """How messages call the file."""
        return repr(str(self.path))

    @property
    def version(self) -> str:
        """The version of the format."""
        return self.header.text("version")


@dataclass(slots=True)
class Ending:
    """How a record ends, known once all its lines were read: the ``footer``, ``None`` where it was killed.

    ``half_line`` is the number of a last line that was cut off.
    """

    footer: Node | None = None
    is_resumed: bool = False
    half_line: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the command came to its end, for all that was to be compared."""
        if self.footer is None:
            return False
        return self.footer.flag("finished") and self.footer.text("conclusion") not in CUT_SHORT

    @property
    def words(self) -> str:
        """How the command ended, in words, to stand behind the name of its record."""
        if self.footer is None:
            half = "" if self.half_line is None else f", and line {self.half_line:,} is half a line"
            return f"the command was killed: there is no footer{half}; only what it had recorded is compared"
        conclusion = one_line(self.footer.text("conclusion"), 80)
        if self.is_whole:
            return conclusion
        reason = self.footer.text_or_none("reason") or conclusion
        return f"it did not finish ({one_line(reason, 200)}); only what it had recorded is compared"


def opened(path: Path) -> Opening:
    """Read the header of the record at ``path``. Raises :class:`BadInputError`."""
    with _file(path) as file:
        line = _read(path, file)
    if not line.endswith(b"\n") and BEGINNING.startswith(line[: len(BEGINNING)]):
        raise BadInputError(f"{str(path)!r} is cut short in line 1: a command that was killed before it began")
    header = _parsed(path, 1, line)
    try:
        schema, kind = header.text("schema"), header.text("type")
        header.text("version")
    except ShapeError as error:
        raise wrong_line(path, 1, error) from error
    if kind != "header" or not schema.startswith(FAMILY):
        raise BadInputError(f"{str(path)!r} is no record of tokconf: line 1 is no header of one")
    return Opening(path, schema, header)


def read_lines(opening: Opening, ending: Ending, take: Callable[[str, Node], None]) -> None:
    """Hand the lines after the header to ``take``, each with its type; ``ending`` takes how the record ends.

    A last line that is only half there is left out. Raises :class:`BadInputError`, with file and line, for any other
    line that is no JSON, of another shape, or stands after the end; whatever ``take`` raises of :data:`MALFORMED` says
    that a line is of another shape.
    """
    path = opening.path
    # Of a compressed file there is more to read than its size; how far the reading is, is then only guessed.
    size = max(1, path.stat().st_size)
    done = 0
    STATUS.begin(str(path), "reading")
    with _file(path) as file:
        for number, line in enumerate(iter(lambda: _read(path, file), b""), 1):
            done += len(line)
            if number % TOLD_EVERY == 0:
                STATUS.reach(Place(str(path), min(done, size), size, "bytes"))
            if number == 1:
                continue
            if not line.endswith(b"\n") and not _is_json(line):
                ending.half_line = number
                return
            found = _parsed(path, number, line)
            try:
                _take(found, opening, ending, take)
            except MALFORMED as error:
                raise wrong_line(path, number, error) from error


def _take(line: Node, opening: Opening, ending: Ending, take: Callable[[str, Node], None]) -> None:
    kind = line.text("type")
    if opening.types is not None and kind not in opening.types:
        raise ShapeError(f"its type is {kind!r}")
    if kind == "resumed":
        ending.is_resumed, ending.footer = True, None
        return
    if ending.footer is not None:
        raise ShapeError("the footer stands before it, so the record was altered")
    if kind == "header":
        raise ShapeError("it is a second header, so several records were put together")
    take(kind, line)
    if kind == "footer":
        line.flag("finished")
        line.text("conclusion")
        ending.footer = line


def wrong_line(path: Path, number: int, error: Exception) -> BadInputError:
    """Return the error that says that line ``number`` of the file at ``path`` is not that of a record."""
    said = str(error) if isinstance(error, ShapeError) else f"{type(error).__name__}: {error}"
    return BadInputError(f"{str(path)!r} line {number} is not that of a record: {one_line(said, 200)}")


def _file(path: Path) -> BinaryIO | BufferedIOBase:
    """Return what stands in the file at ``path``, which may be compressed by gzip or xz."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInputError(f"{str(path)!r} is no regular file; give a record that --json has written")
        file = path.open("rb")
        compression = compression_of(file.read(LONGEST_MAGIC))
        file.seek(0)
        return file if compression is None else decompressed(file, compression)
    except (OSError, ValueError) as error:
        reason = reason_of(error) if isinstance(error, OSError) else str(error)
        raise BadInputError(f"cannot read {str(path)!r}: {reason}") from error


def _read(path: Path, file: BinaryIO | BufferedIOBase) -> bytes:
    try:
        return file.readline()
    except UNREADABLE as error:
        raise BadInputError(
            f"{str(path)!r} is compressed, and damaged or cut off: {error or 'its end is missing'}"
        ) from error
    except OSError as error:
        raise BadInputError(f"cannot read {str(path)!r}: {reason_of(error)}") from error


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(path: Path, number: int, line: bytes) -> Node:
    try:
        return Node(json.loads(line))
    except (ValueError, RecursionError) as error:
        said = "" if isinstance(error, RecursionError) else f": {one_line(str(error), 120)}"
        raise BadInputError(f"{str(path)!r} line {number} is no JSON{said}") from error


def begins_as_record(path: Path) -> bool:
    """Return whether the file at ``path`` begins as a record does; ``False`` where it cannot be read."""
    try:
        if not path.is_file():  # to open a pipe waits for whoever writes to it
            return False
        with path.open("rb") as file:
            return file.read(len(BEGINNING)) == BEGINNING
    except (OSError, ValueError):
        return False
