"""Reading a snapshot: once through to see that it is whole, then in the order of its lines, one in memory at a time."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.paths import irregularity, why_missing
from tokenizer_conformance.session.progress import STATUS, Place
from tokenizer_conformance.snapshot_file.lines import footer_in, header_in, part_in
from tokenizer_conformance.snapshot_file.parts import SCHEMA, VERSION, LoadedTokenizer, SnapshotInput

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from tokenizer_conformance.snapshot_file.parts import Footer, Header, Part

MAGIC = b"\x1f\x8b"
"""How a file of gzip begins."""

LONGEST_HEADER = 1 << 24
"""A first line that is longer, in bytes, is no header."""

TOLD_EVERY = 10_000
"""After so many lines it is said how far the reading has come."""

MALFORMED = (KeyError, TypeError, ValueError, AttributeError)
"""What reading a line raises that is of another form than those of a snapshot."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot that was found whole: its ``path``, its beginning and its end.

    Where it was cut short its ``footer`` says so; one that may be only a beginning (:func:`read_snapshot`) has none.
    ``lines`` are those that are whole, header and footer included.
    """

    path: Path
    header: Header
    footer: Footer | None
    lines: int

    def inputs(self) -> Iterator[SnapshotInput]:
        """Yield the inputs. Raises :class:`BadInputError` as :meth:`parts` does."""
        for part in self.parts():
            if not isinstance(part, SnapshotInput):
                return
            yield part

    def loaded(self) -> Iterator[LoadedTokenizer]:
        """Yield how each tokenizer was loaded. Raises :class:`BadInputError` as :meth:`parts` does."""
        return (part for part in self.parts() if isinstance(part, LoadedTokenizer))

    def parts(self) -> Iterator[Part]:
        """Yield what stands between header and footer.

        Raises :class:`BadInputError` where the file is not what it was when it was looked through.
        """
        return (self.part(number, line) for number, line in self.written())

    def written(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines between header and footer as they are written, with their numbers (from 1).

        Raises :class:`BadInputError` as :meth:`parts` does.
        """
        last = self.lines if self.footer is None else self.lines - 1
        with _opened(self.path) as lines:
            for number, line in enumerate(lines, 1):
                if number > last:
                    return
                if number > 1:
                    yield number, line

    def part(self, number: int, line: bytes) -> Part:
        """Return what stands in ``line``, which has that ``number``. Raises :class:`BadInputError`."""
        part: Part = _read(self.path, number, line, part_in)
        return part


def is_snapshot(path: Path) -> bool:
    """Tell whether the file at ``path`` begins as a snapshot does, whole or not. Raises ``OSError``."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return False
        file.seek(0)
        try:
            with gzip.open(file) as lines:
                return lines.read(200).startswith(b'{"type":"header","schema":"' + SCHEMA.encode() + b'"')
        except (EOFError, OSError, zlib.error):
            return False


def read_snapshot(path: Path, *, partial: bool = False) -> Snapshot:
    """Look through the snapshot at ``path``, and return it.

    Raises :class:`BadInputError`, with the line, where it is no snapshot, or was cut off or changed since it was
    written. ``partial`` allows that it was cut off: what of it is whole is then read.
    """
    STATUS.begin("checking the snapshot", str(path))
    digest = hashlib.sha256()
    header: Header | None = None
    number = 0
    last = b""
    with _opened(path, partial=partial) as lines:
        for number, line in enumerate(lines, 1):
            if number > 1:
                digest.update(last)
            else:
                header = _header(path, line)
            last = line
            if number % TOLD_EVERY == 0:
                STATUS.reach(Place(path.name, number, number, "lines"))
    if header is None:
        _refuse(path, "is empty: there is no line in it")
    footer = _footer(path, number, last)
    if footer is None:
        if not partial:
            _refuse(path, f"was cut off after line {number:,}: there is no footer; --partial reads what is there")
        return Snapshot(path, header, None, number if last.endswith(b"\n") else number - 1)
    if (footer.lines, footer.sha256) != (number - 1, digest.hexdigest()):
        what = (
            f"{number - 1:,} lines, and {footer.lines:,} were written"
            if footer.lines != number - 1
            else "other lines than were written (their SHA-256 is another one)"
        )
        _refuse(path, f"was changed since it was written: it holds {what}; make it anew")
    return Snapshot(path, header, footer, number)


def _refuse(path: Path, reason: str) -> NoReturn:
    raise BadInputError(f"snapshot {str(path)!r} {reason}")


@contextmanager
def _opened(path: Path, *, partial: bool = True) -> Iterator[Iterator[bytes]]:
    """Give the lines of the snapshot at ``path``."""
    try:
        irregular = irregularity(path)
        if irregular is not None:
            _refuse(path, irregular)
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                _refuse(path, "is no snapshot: it is not compressed by gzip")
            file.seek(0)
            yield _lines(path, file, partial=partial)
    except FileNotFoundError as error:
        _refuse(path, f"cannot be read: {error.strerror}{why_missing(path)}")
    except OSError as error:
        _refuse(path, f"cannot be read: {error.strerror or error}")


def _lines(path: Path, file: BinaryIO, *, partial: bool) -> Iterator[bytes]:
    number = 0
    try:
        with gzip.open(file) as lines:
            for number, line in enumerate(lines, 1):  # noqa: B007 - told where it cannot go on
                yield line
    except EOFError:
        if not partial:
            _refuse(path, f"was cut off after line {number:,}; --partial reads what is there")
    except (gzip.BadGzipFile, zlib.error) as error:
        _refuse(path, f"was changed since it was written: after line {number:,} it is no gzip ({error})")


def _json(path: Path, number: int, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        _refuse(path, f"has a line {number:,} that is no JSON: {error}")


def _read(path: Path, number: int, line: bytes, read: Any) -> Any:
    found = _json(path, number, line)
    try:
        return read(found)
    except MALFORMED as error:
        _refuse(path, f"has a line {number:,} of another form than snapshots have ({type(error).__name__}: {error})")


def _header(path: Path, line: bytes) -> Header:
    if len(line) > LONGEST_HEADER:
        _refuse(path, "is no snapshot: its first line has no end")
    found = _json(path, 1, line)
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        _refuse(path, f"is no snapshot: its first line does not say that it is of the schema {SCHEMA!r}")
    version = str(found.get("version"))
    if version.partition(".")[0] != VERSION.partition(".")[0]:
        _refuse(path, f"is of version {version} of the format, and version {VERSION} is read here; use a newer tokconf")
    header: Header = _read(path, 1, line, header_in)
    return header


def _footer(path: Path, number: int, line: bytes) -> Footer | None:
    if not line.startswith(b'{"type":"footer"') or not line.endswith(b"\n"):
        return None
    footer: Footer = _read(path, number, line, footer_in)
    return footer
