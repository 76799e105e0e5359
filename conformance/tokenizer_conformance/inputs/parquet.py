"""Parquet as a table, read by ``pyarrow`` where that is installed: one column, some rows at a time."""

from __future__ import annotations

import importlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.magic_numbers import HEAD, by_magic_number
from tokenizer_conformance.inputs.opening import opened, refusal, title_of
from tokenizer_conformance.inputs.rows import STRING, Column, no_column

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INSTALL = "pip install 'tokenizer-conformance[parquet]'"

MAGIC = b"PAR1"

ROWS_AT_A_TIME = 1024

STRINGS = frozenset({"string", "large_string", "string_view"})
"""The types of strings, as ``pyarrow`` writes them."""

DICTIONARY = "dictionary<values="
"""How the type of a column begins whose values are kept once each."""


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """The Parquet file at ``path``."""

    path: Path
    name: str
    row: str = "row"

    @property
    def title(self) -> str:
        """What messages call it."""
        return title_of(self.path)

    def columns(self) -> list[Column]:
        """Return all columns, those inside others as well."""
        with self._read() as file:
            return list(_columns(file.schema_arrow))

    def rows(self, column: str) -> Iterator[tuple[int, object]]:
        """Yield the rows with nothing but ``column``."""
        with self._read() as file:
            if not any(_is_in(column, each.name) for each in _columns(file.schema_arrow)):
                raise no_column(self, column, list(_columns(file.schema_arrow)))
            number = 0
            for batch in file.iter_batches(ROWS_AT_A_TIME, columns=[column], use_threads=False):
                (name,) = batch.schema.names
                for value in batch.column(0):
                    number += 1
                    yield number, {name: self._as_python(value, number)}

    def _as_python(self, value: Any, number: int) -> object:
        try:
            python: object = value.as_py()
        except UnicodeDecodeError as error:
            raise refusal(self.path, f", row {number}: a string is not UTF-8 ({error.reason})") from error
        return python

    @contextmanager
    def _read(self) -> Iterator[Any]:
        """Give the file as ``pyarrow`` reads it, and say in our words what that refuses."""
        arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
        with opened(self.path) as file:
            head = file.read(HEAD)
            if not head:
                raise refusal(self.path, " is empty: there is no text in it")
            if not head.startswith(MAGIC):
                known = by_magic_number(head)
                raise refusal(self.path, f" is not Parquet{'' if known is None else f'; {known}'}")
            file.seek(0)
            try:
                yield parquet.ParquetFile(file, pre_buffer=False)
            except arrow.ArrowException as error:
                raise refusal(self.path, f" cannot be read as Parquet: {_first_line(error)}") from error


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadInputError(f"Parquet needs pyarrow, which is not installed; install it with: {INSTALL}") from error


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


def _is_in(column: str, name: str) -> bool:
    """Return whether ``column`` is the one called ``name``, or has it inside."""
    return column == name or name.startswith(f"{column}.")


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
