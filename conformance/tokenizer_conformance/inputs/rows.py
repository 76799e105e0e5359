"""Texts that stand in a column of a table: in JSON Lines, Parquet or a dataset.

Reading goes row by row. Rows without a string in the column are left out and counted; only where no row has one, the
table is refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.text import Input, lone_surrogate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STRING = "string"
DEFAULT_COLUMN = "text"
"""The column that is taken where none is named and several have strings."""

LISTED = 12
"""How many columns a message lists."""

MISSING = object()
"""What stands in a row that has no such column."""

KINDS: dict[type, str] = {
    type(MISSING): "without it",
    type(None): "null",
    bool: "true or false",
    int: "number",
    float: "number",
    str: STRING,
    bytes: "bytes",
    dict: "object",
    list: "list",
}
"""What a value is called, by its type."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its ``name``, and in ``kind`` what stands in it, in words.

    A column inside an object is named ``outer.inner``. The empty name is that of rows which are no objects themselves.
    """

    name: str
    kind: str

    def __str__(self) -> str:
        return f"{self.name!r} ({self.kind})" if self.name else f"rows that are no objects ({self.kind})"


class Table(Protocol):
    """What has rows. ``name`` begins the ids of its inputs, ``title`` is what messages call it, ``row`` its rows."""

    @property
    def name(self) -> str: ...  # noqa: D102 - see the class

    @property
    def title(self) -> str: ...  # noqa: D102

    @property
    def row(self) -> str: ...  # noqa: D102

    def columns(self) -> Sequence[Column]:
        """Return the columns, as far as they are known without reading every row. Raises :class:`BadInputError`."""

    def rows(self, column: str) -> Iterator[tuple[int, object]]:
        """Yield the rows with their numbers, counted from 1; of each no more than ``column`` need be there.

        Raises :class:`BadInputError`.
        """


@dataclass(slots=True)
class LeftOut:
    """The rows without a text in ``column``: how many of each kind, and the number of the ``first``.

    ``rows`` counts all rows, with and without one.
    """

    column: str = ""
    rows: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    first: int = 0

    def add(self, others: LeftOut) -> None:
        """Add those of ``others``, which come later in the same table."""
        self.column = others.column
        self.rows += others.rows
        self.kinds += others.kinds
        self.first = self.first or others.first

    def __str__(self) -> str:
        return ", ".join(f"{count:,} {kind}" for kind, count in self.kinds.most_common())

    def said_of(self, title: str, row: str) -> str | None:
        """Say which rows of the table that messages call ``title`` have no text, ``None`` where all have one."""
        if not self.kinds:
            return None
        return (
            f"{title}: {self.kinds.total():,} of {self.rows:,} rows have no string"
            f"{_in(self.column)} and are left out: {self} (the first in {row} {self.first:,})"
        )


@dataclass(slots=True)
class RowTexts:
    """The texts in one ``column`` of a ``table``. Iterating reads it anew and yields an input a row.

    Where no column is named, it is that called ``text``, or the only one with strings. Ids are ``name:12:column``, with
    the number of the line or row; the category is ``name``. ``left_out`` says which rows had no text when this was last
    read through. With a ``category_column`` the category of an input is the string that its row has there; empty where
    it has none. Where ``is_part``, the table is a part of another one, and need not have a text.

    Iterating raises :class:`BadInputError` where the table cannot be read, has no such column, or no text in it, and
    for a text with a lone surrogate.
    """

    table: Table
    column: str | None = None
    left_out: LeftOut = field(default_factory=LeftOut)
    category_column: str | None = None
    is_part: bool = False
    chosen: str | None = None
    """The column that was found to be meant."""

    def __iter__(self) -> Iterator[Input]:
        return (each for _, each in self.numbered())

    def numbered(self) -> Iterator[tuple[int, Input]]:
        """Yield the inputs with the numbers of their rows, from 1."""
        column = self.chosen_column()
        left_out = LeftOut(column)
        for (number, row), category in zip(self.table.rows(column), self._categories(), strict=False):
            left_out.rows += 1
            value = value_at(row, column)
            if isinstance(value, str):
                yield number, self._input(number, column, value, category)
            else:
                left_out.kinds[kind_of(value)] += 1
                left_out.first = left_out.first or number
        self.left_out = left_out
        if not self.is_part:
            self.refuse_without_text()

    def refuse_without_text(self) -> None:
        """Raise :class:`BadInputError` where no row had a text when this was last read through."""
        if self.left_out.rows == self.left_out.kinds.total():
            raise self._without_text(self.left_out.column, self.left_out)

    def _categories(self) -> Iterator[str]:
        """Yield the category of each row; that column is read beside the other, since a table gives one at a time."""
        if self.category_column is None:
            yield from repeat(self.table.name)
            return
        for _, row in self.table.rows(self.category_column):
            value = value_at(row, self.category_column)
            yield value if isinstance(value, str) else ""

    def said_of_left_out(self) -> str | None:
        """Say which rows had no text when this was last read through, ``None`` where all had one."""
        return self.left_out.said_of(self.table.title, self.table.row)

    def chosen_column(self) -> str:
        """Return the column with the texts. Raises :class:`BadInputError` where it is not clear which is meant."""
        if self.chosen is None:
            self.chosen = self._meant() if self.column is None else self.column
        return self.chosen

    def _meant(self) -> str:
        columns = self.table.columns()
        names = [column.name for column in columns if column.kind == STRING]
        if DEFAULT_COLUMN in names:
            return DEFAULT_COLUMN
        if len(names) == 1:
            return names.pop()
        if not columns:
            raise self._empty()
        if not names:
            raise BadInputError(f"{self.table.title} has no column of strings; its columns are {_listed(columns)}")
        several = _listed(list(map(repr, names)))
        raise BadInputError(f"{self.table.title}: say which column with --column NAME; strings are in {several}")

    def _empty(self) -> BadInputError:
        return BadInputError(f"{self.table.title} is empty: there is no text in it")

    def _input(self, number: int, column: str, text: str, category: str) -> Input:
        position = lone_surrogate(text)
        if position is not None:
            raise BadInputError(
                f"{self.table.title}, {self.table.row} {number}{_in(column)}: character {position} is the lone "
                f"surrogate U+{ord(text[position]):04X}, which is no text; correct that {self.table.row}, or remove it"
            )
        place = f"{self.table.name}:{number}"
        return Input(f"{place}:{column}" if column else place, category, text)

    def _without_text(self, column: str, left_out: LeftOut) -> BadInputError:
        if left_out.rows == 0:
            return self._empty()
        columns = self.table.columns()
        if left_out.kinds.keys() == {KINDS[type(MISSING)]}:
            return no_column(self.table, column, columns)
        return BadInputError(
            f"{self.table.title} has no string{_in(column)}: {left_out}; its columns are {_listed(columns)}"
        )


def no_column(table: Table, column: str, columns: Sequence[Column]) -> BadInputError:
    """Return the error that refuses ``table`` for want of a ``column``."""
    return BadInputError(f"{table.title} has no column {column!r}; its columns are {_listed(columns)}")


def value_at(row: object, column: str) -> object:
    """Return what stands in ``column`` of ``row``, :data:`MISSING` where there is no such column.

    A dot leads into an object, unless there is a column with that very name.

    >>> value_at({"a": {"b": 1}, "a.c": 2}, "a.b"), value_at({"a": {"b": 1}, "a.c": 2}, "a.c"), value_at("x", "")
    (1, 2, 'x')
    """
    if not column:
        return row
    if not isinstance(row, dict):
        return MISSING
    parts = column.split(".")
    for length in range(len(parts), 0, -1):
        outer = ".".join(parts[:length])
        if outer in row:
            return value_at(row[outer], ".".join(parts[length:]))
    return MISSING


def kind_of(value: object) -> str:
    """Return what ``value`` is called.

    >>> kind_of(None), kind_of([1])
    ('null', 'list')
    """
    return KINDS.get(type(value), type(value).__name__)


def columns_of(rows: Sequence[object]) -> list[Column]:
    """Return the columns of ``rows``, those inside objects as well, each with the first kind of it that is not null."""
    kinds: dict[str, str] = {}
    for row in rows:
        for name, value in _flattened("", row):
            if kinds.get(name, KINDS[type(None)]) == KINDS[type(None)]:
                kinds[name] = kind_of(value)
    return [Column(name, kind) for name, kind in kinds.items()]


def _flattened(name: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flattened(f"{name}.{key}" if name else str(key), inner)
    else:
        yield name, value


def _listed(columns: Sequence[object]) -> str:
    more = f" and {len(columns) - LISTED:,} more" if len(columns) > LISTED else ""
    return f"{', '.join(map(str, columns[:LISTED]))}{more}"


def _in(column: str) -> str:
    return f" in column {column!r}" if column else ""
