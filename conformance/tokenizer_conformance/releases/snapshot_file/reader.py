"""Reading a snapshot: once through to see that it is whole, then in the order of its lines, one in memory at a time."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from tokenizer_adapters.protocol.json_fields import FieldError
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.compression import DAMAGED, LONGEST_MAGIC, compression_of, decompressed, refuse_others
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.paths import irregularity, why_missing
from tokenizer_conformance.releases.snapshot_file.lines import footer_in, header_in, input_in, tokenizer_in
from tokenizer_conformance.releases.snapshot_file.parts import LONGEST_LINE
from tokenizer_conformance.results.records.snapshot import FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
    from tokenizer_conformance.results.records.snapshot import Footer, Header, Input

T = TypeVar("T")

LONGEST_HEADER = 1 << 24
"""A first line that is longer, in bytes, is no header."""

TOLD_EVERY = 10_000
"""After so many lines it is said how far the reading has come."""

BEGINNINGS = {
    kind: f'{{"type":"{kind}"'.encode("ascii") for kind in ("answers", "input", "tokenizer", "footer", "header")
}
"""How a line of each type begins: it need not be parsed to know what it is."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it stands in the file: its ``number``, from 1, its ``kind``, which is its type, and its ``content``."""

    number: int
    kind: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot that was found whole: its ``path``, its beginning and its end.

    Where it was cut short its ``footer`` says so; one that may be only a beginning (:func:`read_snapshot`) has none.
    ``lines`` are those that are whole, header and footer included, ``count`` the inputs that are there. ``tokenizers``
    say how each was loaded, in the order of the file.
    """

    path: Path
    header: Header
    footer: Footer | None
    lines: int
    count: int
    tokenizers: tuple[LoadedTokenizer, ...]

    @property
    def is_whole(self) -> bool:
        """Whether it was made to the end."""
        return self.footer is not None and self.footer.finished

    def inputs(self) -> Iterator[Input]:
        """Yield the inputs. Raises :class:`BadInputError` as :meth:`between` does, and where one is of another form."""
        for line in self.between():
            if line.kind != "input":
                return
            yield self.read(line, input_in)

    def answers(self, name: str) -> Iterator[Line]:
        """Yield the lines of answers about the tokenizer called ``name``, unread. Raises as :meth:`between` does."""
        number = next((number for number, each in enumerate(self.tokenizers) if each.name == name), -1)
        for line in self.between():
            if line.kind == "tokenizer":
                number -= 1
            elif line.kind == "answers" and number == -1:
                yield line
            if number < -1:
                return

    def between(self) -> Iterator[Line]:
        """Yield the lines between header and footer.

        Raises :class:`BadInputError` where the file is not what it was when it was looked through.
        """
        last = self.lines if self.footer is None else self.lines - 1
        number = 0
        for number, content in enumerate(_lines(self.path), 1):
            if number > last:
                return
            if number > 1:
                yield Line(number, _kind(content), content)
        if number < last:
            _refuse(self.path, f"was changed while it was read: it ends after line {number:,}")

    def read(self, line: Line, read: Callable[[Any], T]) -> T:
        """Return what ``read`` reads in ``line``. Raises :class:`BadInputError` where it is of another form."""
        return _read(self.path, line.number, line.content, read)

    def refuse(self, reason: str) -> NoReturn:
        """Raise the :class:`BadInputError` that says of this snapshot ``reason``."""
        _refuse(self.path, reason)


def is_snapshot(path: Path) -> bool:
    """Return whether the file at ``path`` begins as a snapshot does, whole or not. Raises ``OSError``."""
    if not path.is_file():  # to open a pipe waits for whoever writes to it
        return False
    with path.open("rb") as file:
        compression = compression_of(file.read(LONGEST_MAGIC))
        if compression is None:
            return False
        file.seek(0)
        try:
            with decompressed(file, compression) as lines:
                return lines.read(200).startswith(b'{"type":"header","schema":"' + FORMAT.name.encode() + b'"')
        except (EOFError, OSError):
            return False
        except DAMAGED:
            return False


def read_snapshot(path: Path, *, partial: bool = False) -> Snapshot:
    """Look through the snapshot at ``path``, and return it.

    Raises :class:`BadInputError`, with the line, where it is no snapshot, or was cut off or changed since it was
    written. ``partial`` allows that it was cut off: what of it is whole is then read.
    """
    STATUS.begin("checking the snapshot", str(path))
    digest = hashlib.sha256()
    looking: _Looking | None = None
    number = 0
    last = b""
    for number, line in enumerate(_lines(path, partial=partial), 1):
        if looking is None:
            looking = _Looking(path, _header(path, line))
        else:
            digest.update(last)
            if number > 2:
                looking.see(number - 1, last)
        last = line
        if number % TOLD_EVERY == 0:
            STATUS.reach(Place(path.name, number, number, "lines"))
    if looking is None:
        _refuse(path, "is empty: there is no line in it")
    footer = _footer(path, number, last) if number > 1 else None
    if footer is None:
        if not partial:
            _refuse(path, f"was cut off after line {number:,}: there is no footer; --partial reads what is there")
        whole = number if last.endswith(b"\n") else number - 1
        if whole > 1 and whole == number:
            looking.see(number, last)
        return looking.seen(None, whole)
    if (footer.lines, footer.sha256) != (number - 1, digest.hexdigest()):
        what = (
            f"{number - 1:,} lines, and {footer.lines:,} were written"
            if footer.lines != number - 1
            else "other lines than were written (their SHA-256 is another one)"
        )
        _refuse(path, f"was changed since it was written: it holds {what}; make it anew")
    return looking.seen(footer, number)


class _Looking:
    """Looks at the lines of the snapshot at ``path`` one after the other: whether they stand in their order."""

    def __init__(self, path: Path, header: Header) -> None:
        self._path = path
        self._header = header
        self._inputs = 0
        self._answers = 0
        self._tokenizers: list[LoadedTokenizer] = []
        self._names = {each.name for each in header.tokenizers}

    def see(self, number: int, content: bytes) -> None:
        """Look at a line between header and footer."""
        kind = _kind(content)
        if kind == "input" and not self._tokenizers:
            self._inputs += 1
        elif kind == "tokenizer":
            self._check_answers()
            loaded = _read(self._path, number, content, tokenizer_in)
            if loaded.name not in self._names:
                self._refuse(number, "a tokenizer that the header does not have, or that stands there twice")
            self._names.remove(loaded.name)
            self._tokenizers.append(loaded)
            self._answers = 0
        elif kind == "answers" and self._tokenizers and self._answers < self._inputs:
            self._answers += 1
        else:
            self._refuse(number, f"{kind or 'none of the known types'}, which does not belong there")

    def _check_answers(self) -> None:
        if self._tokenizers and self._tokenizers[-1].error is None and self._answers < self._inputs:
            name = self._tokenizers[-1].name
            _refuse(self._path, f"has {self._answers:,} lines of answers about {name!r}, and {self._inputs:,} inputs")

    def _refuse(self, number: int, what: str) -> NoReturn:
        _refuse(self._path, f"has a line {number:,} of another form than snapshots have: it is {what}")

    def seen(self, footer: Footer | None, lines: int) -> Snapshot:
        """Return the snapshot, all lines of which were seen."""
        if footer is not None and footer.finished:
            self._check_answers()
            is_short = self._inputs != self._header.inputs.count and self._header.part is None
            if is_short or self._names:
                _refuse(self._path, "is not what its header says: inputs or tokenizers are missing")
        return Snapshot(self._path, self._header, footer, lines, self._inputs, tuple(self._tokenizers))


def _kind(content: bytes) -> str:
    return next((kind for kind, beginning in BEGINNINGS.items() if content.startswith(beginning)), "")


def _refuse(path: Path, reason: str) -> NoReturn:
    raise BadInputError(f"snapshot {str(path)!r} {reason}")


def _open_file(path: Path) -> BinaryIO:
    try:
        irregular = irregularity(path)
        file = None if irregular is not None else path.open("rb")
    except FileNotFoundError as error:
        _refuse(path, f"cannot be read: {error.strerror}{why_missing(path)}")
    except OSError as error:
        _refuse(path, f"cannot be read: {error.strerror or error}")
    except ValueError as error:  # a name with a NUL in it
        _refuse(path, f"cannot be read: {error}")
    if file is None:
        _refuse(path, str(irregular))
    return file


def _lines(path: Path, *, partial: bool = True) -> Iterator[bytes]:
    """Yield the lines of the snapshot at ``path``."""
    with _open_file(path) as file:
        yield from _lines_of(path, file, partial=partial)


def _lines_of(path: Path, file: BinaryIO, *, partial: bool) -> Iterator[bytes]:
    number = 0
    compression: str | None = None
    try:
        beginning = file.read(LONGEST_MAGIC)
        compression = compression_of(beginning)
        refuse_others(beginning, f"snapshot {str(path)!r}")
        if compression is None:
            _refuse(path, "is no snapshot: it is not compressed by gzip or xz" if beginning else "is empty")
        file.seek(0)
        with decompressed(file, compression) as lines:
            while line := lines.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    _refuse(path, f"has a line {number + 1:,} of more than {LONGEST_LINE >> 20} MB, as no snapshot has")
                number += 1
                yield line
    except EOFError:
        if not partial:
            _refuse(path, f"was cut off after line {number:,}; --partial reads what is there")
    except DAMAGED as error:
        _refuse(path, f"was changed since it was written: after line {number:,} it is no {compression} ({error})")
    except OSError as error:
        _refuse(path, f"cannot be read: {error.strerror or error}")


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


_decoder = json.JSONDecoder(parse_constant=_constant)


def parsed_line(line: bytes) -> Any:
    """Return the JSON of ``line``. Raises ``ValueError`` or ``RecursionError``."""
    return _decoder.decode(line.decode("ascii"))


def _json(path: Path, number: int, line: bytes) -> Any:
    try:
        return parsed_line(line)
    except (ValueError, RecursionError) as error:
        _refuse(path, f"has a line {number:,} that is no JSON: {error}")


def _read(path: Path, number: int, line: bytes, read: Callable[[Any], T]) -> T:
    found = _json(path, number, line)
    try:
        return read(found)
    except FieldError as error:
        _refuse(path, f"has a line {number:,} of another form than snapshots have: {error}")
    except RecursionError:
        _refuse(path, f"has a line {number:,} of another form than snapshots have: encodings within each other")


def _header(path: Path, line: bytes) -> Header:
    if len(line) > LONGEST_HEADER:
        _refuse(path, "is no snapshot: its first line has no end")
    found = _json(path, 1, line)
    if not isinstance(found, dict) or found.get("schema") != FORMAT.name:
        _refuse(path, f"is no snapshot: its first line does not say that it is of the schema {FORMAT.name!r}")
    version = str(found.get("version"))
    if version.partition(".")[0] != FORMAT.version.partition(".")[0]:
        _refuse(
            path,
            f"is of version {version} of the format, and version {FORMAT.version} is read here; use a newer tokconf",
        )
    return _read(path, 1, line, header_in)


def _footer(path: Path, number: int, line: bytes) -> Footer | None:
    if not line.startswith(BEGINNINGS["footer"]) or not line.endswith(b"\n"):
        return None
    return _read(path, number, line, footer_in)
