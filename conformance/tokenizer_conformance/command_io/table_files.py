"""Tables for other programs: CSV (RFC 4180) in UTF-8, and Parquet, by ``pyarrow`` where that is installed."""

from __future__ import annotations

import csv
import importlib
import io
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import visible
from tokenizer_conformance.inputs.columnar import INSTALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Value = str | float | bool | None
    Row = Mapping[str, Value]

FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""What a spreadsheet takes for the beginning of a formula, some in full width, too; an apostrophe is put before it."""

TYPES = {str: "string", float: "float64", bool: "bool_", int: "int64"}
"""What ``pyarrow`` calls the types of columns."""


def csv_table(columns: Iterable[str], rows: Iterable[Row]) -> bytes:
    """Return ``rows`` as CSV: hidden characters visible, and nothing that a spreadsheet would calculate."""
    written = io.StringIO(newline="")
    table = csv.writer(written, lineterminator="\r\n")
    names = list(columns)
    table.writerow(names)
    for row in rows:
        table.writerow([_cell(row[name]) for name in names])
    return written.getvalue().encode("utf-8", "backslashreplace")


def _cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | int):
        return repr(value)
    shown = visible(value)
    return f"'{shown}" if shown.startswith(FORMULA) else shown


def require_pyarrow() -> None:
    """Raise :class:`BadInputError` where ``pyarrow`` is not installed."""
    _library("pyarrow.parquet")


def parquet_table(columns: Mapping[str, type], rows: Iterable[Row], metadata: Mapping[str, str]) -> bytes:
    """Return ``rows`` as Parquet, with ``columns`` of these types; ``metadata`` is what the file says of itself.

    Raises :class:`BadInputError` where ``pyarrow`` is not installed.
    """
    arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
    fields = [(name, getattr(arrow, TYPES[kind])()) for name, kind in columns.items()]
    carried = [{name: _carried(value) for name, value in row.items()} for row in rows]
    table = arrow.Table.from_pylist(carried, schema=arrow.schema(fields, metadata=dict(metadata)))
    written = arrow.BufferOutputStream()
    parquet.write_table(table, written)
    made: bytes = written.getvalue().to_pybytes()
    return made


def _carried(value: Value) -> Value:
    """Return ``value``; a string that has surrogates (of the name of a file) with escapes in their places."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadInputError(f"--parquet needs pyarrow, which is not installed; install it with: {INSTALL}") from error
