"""Tables in files of columns, read by ``pyarrow`` where that is installed: one column, some rows at a time."""

from __future__ import annotations

import importlib
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from os import SEEK_END
from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.magic_numbers import HEAD, by_magic_number
from tokenizer_conformance.inputs.opening import changed, opened, refusal, title_of
from tokenizer_conformance.inputs.places import Partition, RowGroups
from tokenizer_conformance.inputs.remote import SMALL
from tokenizer_conformance.inputs.rows import STRING, Column, no_column

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from tokenizer_conformance.inputs.remote import Location

INSTALL = "pip install 'tokenizer-conformance[parquet]'"

MOST_CUTS = 16
"""Into so many partitions a group of rows is cut at most."""

STRINGS = frozenset({"string", "large_string", "string_view"})
"""The types of strings, as ``pyarrow`` writes them."""

DICTIONARY = "dictionary<values="
"""How the type of a column begins whose values are kept once each."""


@dataclass(frozen=True, slots=True)
class ColumnarTable:
    """The file of columns at ``path``, or a ``part`` of it. Its rows are in groups, each of which can be read alone."""

    path: Location
    name: str
    row: str = "row"
    part: Partition | None = None

    format: ClassVar[str]
    """What the format is called."""

    group: ClassVar[str]
    """What a group of rows is called."""

    magic: ClassVar[tuple[bytes, ...]]
    """How a file may begin."""

    at_once: ClassVar[int]
    """How many bytes are asked for at once where it is elsewhere, apart from the texts."""

    def _opened(self, file: BinaryIO) -> Any:
        """Return what ``pyarrow`` makes of the file."""
        raise NotImplementedError

    def _schema(self, file: Any) -> Any:
        """Return its columns."""
        raise NotImplementedError

    def _groups(self, file: Any, column: str, first: int) -> Iterator[Iterable[Any]]:
        """Yield each group from the ``first`` on, as batches of its rows, of which there is nothing but ``column``."""
        raise NotImplementedError

    def _sizes(self, file: Any, column: str) -> Iterator[tuple[int, int]]:
        """Yield how many rows each group has, and how many bytes these take in ``column``."""
        raise NotImplementedError

    @property
    def title(self) -> str:
        """What messages call it."""
        return title_of(self.path)

    def columns(self) -> list[Column]:
        """Return all columns, those inside others as well."""
        with self._read() as (file, _):
            return list(_columns(self._schema(file)))

    def rows(self, column: str) -> Iterator[tuple[int, object]]:
        """Yield the rows with nothing but ``column``."""
        with self._read() as (file, checksum):
            self._refuse_without(column, file)
            if self.part is not None and self.part.checksum != checksum:
                raise changed(self.path)
            for batch, number in self._batches(file, column):
                (name,) = batch.schema.names
                for at, value in enumerate(batch.column(0), number):
                    yield at, {name: self._as_python(value, at)}

    def _refuse_without(self, column: str, file: Any) -> None:
        """Raise :class:`BadInputError` where ``file`` has no ``column`` of that name, or several."""
        columns = list(_columns(self._schema(file)))
        names = [each.name for each in columns if is_in(column, each.name)]
        if not names:
            raise no_column(self, column, columns)
        if len(set(names)) < len(names):
            raise refusal(self.path, f" has several columns called {column!r}: give each a name of its own")

    def _batches(self, file: Any, column: str) -> Iterator[tuple[Any, int]]:
        """Yield the rows some at a time, with the number of the first of them."""
        part = self.part
        place = RowGroups(0) if part is None or not isinstance(part.place, RowGroups) else part.place
        first, last = (0, inf) if part is None else (part.first, part.first + part.count)
        group, at = place.first, first - place.skipped
        of_group = at
        try:
            for batches in self._groups(file, column, group):
                for batch in batches:
                    begin, end = max(at, first), min(at + batch.num_rows, last)
                    if begin < end:
                        yield batch.slice(begin - at, int(end) - begin), begin + 1
                    at += batch.num_rows
                    if at >= last:
                        return
                group, of_group = group + 1, at
        except (library("pyarrow").ArrowException, OSError) as error:
            rows = self._rows_in_words(file, group, of_group + 1)
            raise refusal(self.path, f", {self.group} {group + 1} ({rows}): {_first_line(error)}") from error

    def _rows_in_words(self, file: Any, group: int, first: int) -> str:  # noqa: ARG002 - what may be known of a group
        return f"row {first:,} and what follows"

    def places(self, column: str, size: int) -> Iterator[Partition]:
        """Yield the partitions of the file in each of which ``column`` has about ``size`` bytes.

        Small groups are read together. A large one is cut, but at most :data:`MOST_CUTS` times: each piece of it is
        read from the beginning of the group.
        """
        with self._read() as (file, checksum):
            self._refuse_without(column, file)
            first = 0
            for place, count in self._places(self._sizes(file, column), size):
                yield Partition(0, first, count, place, checksum)
                first += count

    def _places(self, groups: Iterator[tuple[int, int]], size: int) -> Iterator[tuple[RowGroups, int]]:
        begin = rows = held = 0
        for number, (more, its_bytes) in enumerate(groups):
            cuts = min(-(-its_bytes // size), MOST_CUTS, more)
            if rows and (cuts > 1 or held + its_bytes > size):
                yield RowGroups(begin), rows
                begin, rows, held = number, 0, 0
            if cuts > 1:
                yield from _cut(number, more, cuts)
                begin = number + 1
            else:
                rows, held = rows + more, held + its_bytes
        if rows:
            yield RowGroups(begin), rows

    def _as_python(self, value: Any, number: int) -> object:
        try:
            python: object = value.as_py()
        except UnicodeDecodeError as error:
            raise refusal(self.path, f", row {number}: a string is not UTF-8 ({error.reason})") from error
        return python

    @contextmanager
    def _read(self) -> Iterator[tuple[Any, int]]:
        """Give the file as ``pyarrow`` reads it, and a checksum of its end, where a file of columns tells what it has.

        Says in our words what ``pyarrow`` refuses.
        """
        arrow = library("pyarrow", self.format)
        with opened(self.path, self.at_once) as file:
            head = file.read(HEAD)
            if not head:
                raise refusal(self.path, " is empty: there is no text in it")
            if not head.startswith(self.magic):
                known = by_magic_number(head)
                raise refusal(self.path, f" is not {self.format}{'' if known is None else f'; {known}'}")
            checksum = _checksum_of_end(file)
            try:
                yield self._opened(file), checksum
            except arrow.ArrowException as error:
                raise refusal(self.path, f" cannot be read as {self.format}: {_first_line(error)}") from error


def library(name: str, what: str = "it") -> Any:
    """Return the module ``name`` of pyarrow, which ``what`` needs. Raises :class:`BadInputError` without it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadInputError(f"{what} needs pyarrow, which is not installed; install it with: {INSTALL}") from error


def _checksum_of_end(file: BinaryIO) -> int:
    """Return a checksum of the size of ``file`` and of its end, and go to its beginning."""
    size = file.seek(0, SEEK_END)
    file.seek(max(size - SMALL, 0))
    checksum = zlib.crc32(file.read(SMALL), size & 0xFFFFFFFF)
    file.seek(0)
    return checksum


def _columns(fields: Any, outer: str = "") -> Iterator[Column]:
    """Yield a column for every one of ``fields`` (a schema, or a type with parts), and for what is inside it."""
    for field in fields:
        name = f"{outer}.{field.name}" if outer else field.name
        if str(field.type).startswith("struct<"):
            yield from _columns(field.type, name)
        else:
            yield Column(name, _kind(field.type))


def _kind(of: Any) -> str:
    """Return what a column of type ``of`` holds, in words."""
    words = str(of)
    if words.startswith(DICTIONARY):
        words = words.removeprefix(DICTIONARY).partition(",")[0]
    return STRING if words in STRINGS else words.partition("<")[0]


def _cut(group: int, rows: int, cuts: int) -> Iterator[tuple[RowGroups, int]]:
    for cut in range(cuts):
        begin, end = rows * cut // cuts, rows * (cut + 1) // cuts
        yield RowGroups(group, begin), end - begin


def is_in(column: str, name: str) -> bool:
    """Return whether ``column`` is the one called ``name``, or has it inside."""
    return column == name or name.startswith(f"{column}.")


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
