"""The lines of a record, one in memory at a time: its header, what follows, and whether it came to its end."""

from __future__ import annotations

import json
import stat
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tokenizer_conformance.command_io.record import BEGINNING
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.compression import LONGEST_MAGIC, UNREADABLE, compression_of, decompressed, refuse_others
from tokenizer_conformance.errors import BadInputError, form_words
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.results.records.headers import Footer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import BufferedIOBase
    from pathlib import Path
    from typing import BinaryIO

    from tokenizer_conformance.results.records.ending import Ending
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.value import Value

Json = dict[str, Any]

T = TypeVar("T")

FAMILY = "tokenizer-conformance-"
"""How the names of all formats of records begin."""

MALFORMED = (msgspec.ValidationError, LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
"""What reading a line raises that is of another form than those of a record."""

TOLD_EVERY = 1000
"""After so many lines it is said how far the reading has come."""

LONGEST_MINOR = 9
"""How many digits a minor number of a version may have."""


class ShapeError(ValueError):
    """A line is not of the shape that a record has; the text says why."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A record of which the first line was read: its ``path``, the ``schema`` and the ``version`` of its format.

    ``first`` is that line as it was parsed.
    """

    path: Path
    schema: str
    version: str
    first: Json

    @property
    def name(self) -> str:
        """How messages call the file."""
        return repr(str(self.path))

    def header(self, format_: Format) -> Any:
        """Return the header, one of ``format_``. Raises :class:`BadInputError`, also for another major version."""
        if self.version.partition(".")[0] != format_.major:
            raise BadInputError(
                f"{self.name} is a record of version {one_line(self.version, 40)} of its format; this release reads "
                f"version {format_.version}: use the release of tokconf that wrote it"
            )
        return self.made_of_header(format_.read, self.first)

    def made_of_header(self, make: Callable[..., T], *given: Any) -> T:
        """Return what ``make`` makes of ``given``. Raises :class:`BadInputError` that names the header."""
        try:
            return make(*given)
        except MALFORMED as error:
            raise wrong_line(self.path, 1, error) from error


def is_later_minor(version: str, format_: Format) -> bool:
    """Return whether a record of this ``version`` is of a later minor one than ``format_``: it may have other lines."""
    minor, known = (each.partition(".")[2] for each in (version, format_.version))
    return minor.isdecimal() and len(minor) <= LONGEST_MINOR and int(minor) > int(known)


def opened(path: Path) -> Opening:
    """Read the header of the record at ``path``. Raises :class:`BadInputError`."""
    with _file(path) as file:
        line = _read(path, file)
    if not line.endswith(b"\n") and BEGINNING.startswith(line[: len(BEGINNING)]):
        raise BadInputError(f"{str(path)!r} is cut short in line 1: a command that was killed before it began")
    first = _parsed(path, 1, line)
    try:
        kind, schema, version = (_text(first, name) for name in ("type", "schema", "version"))
    except ShapeError as error:
        raise wrong_line(path, 1, error) from error
    if kind != "header" or not schema.startswith(FAMILY):
        raise BadInputError(f"{str(path)!r} is no record of tokconf: line 1 is no header of one")
    return Opening(path, schema, version, first)


def read_lines(opening: Opening, format_: Format, ending: Ending, take: Callable[[Any], None]) -> None:
    """Hand the lines after the header to ``take``, as those of ``format_``; ``ending`` takes how the record ends.

    Lines of types that only a later minor version has are left out, and a last line that is only half there. Raises
    :class:`BadInputError`, with file and line, for any other line that is no JSON, of another shape, or stands after
    the end; whatever ``take`` raises of :data:`MALFORMED` says that a line is of another shape.
    """
    is_later = is_later_minor(opening.version, format_)
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
                read = _typed(found, format_, ending, is_later=is_later)
                if read is not None:
                    take(read)
                if isinstance(read, Footer):
                    ending.footer = read
            except MALFORMED as error:
                raise wrong_line(path, number, error) from error


def _typed(line: Json, format_: Format, ending: Ending, *, is_later: bool) -> Value | None:
    """Return the line as one of ``format_``; ``None`` for one that says nothing, or that is not known here."""
    kind = _text(line, "type")
    if kind == "resumed":
        ending.footer = None
        return None
    if ending.footer is not None:
        raise ShapeError("the footer stands before it, so the record was altered")
    if kind == "header":
        raise ShapeError("it is a second header, so several records were put together")
    if kind in format_.tags:
        return format_.read(line)
    if not is_later:
        raise ShapeError(f"there is no line of type {kind!r}")
    return None


def _text(line: Json, name: str) -> str:
    if not isinstance(line, dict):
        raise ShapeError("expected an object")
    if not isinstance(line.get(name), str):
        raise ShapeError(f"it has no text {name!r}")
    return str(line[name])


def wrong_line(path: Path, number: int, error: Exception) -> BadInputError:
    """Return the error that says that line ``number`` of the file at ``path`` is not that of a record."""
    return BadInputError(f"{str(path)!r} line {number} is not that of a record: {one_line(form_words(error), 200)}")


@contextmanager
def _file(path: Path) -> Iterator[BinaryIO | BufferedIOBase]:
    """Give what stands in the file at ``path``, which may be compressed by gzip or xz."""
    with ExitStack() as open_files:
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise BadInputError(f"{str(path)!r} is no regular file; give a record that --json has written")
            file = open_files.enter_context(path.open("rb"))
            beginning = file.read(LONGEST_MAGIC)
            refuse_others(beginning, repr(str(path)))
            compression = compression_of(beginning)
            file.seek(0)
            content = file if compression is None else open_files.enter_context(decompressed(file, compression))
        except (OSError, ValueError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else str(error)
            raise BadInputError(f"cannot read {str(path)!r}: {reason}") from error
        yield content


def _read(path: Path, file: BinaryIO | BufferedIOBase) -> bytes:
    try:
        return file.readline()
    except UNREADABLE as error:
        raise BadInputError(
            f"{str(path)!r} is compressed, and damaged or cut off: {str(error) or 'its end is missing'}"
        ) from error
    except OSError as error:
        raise BadInputError(f"cannot read {str(path)!r}: {reason_of(error)}") from error


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(path: Path, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
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
