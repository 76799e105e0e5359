"""The measurements as Parquet, by ``pyarrow`` where that is installed; a row each."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.parquet import INSTALL
from tokenizer_conformance.metrics.events import Measured
from tokenizer_conformance.metrics.flat_table import COLUMNS, flat_rows

if TYPE_CHECKING:
    from tokenizer_conformance.metrics.events import MetricsEvent
    from tokenizer_conformance.session.sinks import Sink

TYPES = {str: "string", float: "float64", bool: "bool_"}
"""What ``pyarrow`` calls the types of columns."""

METADATA = {"schema": "tokenizer-conformance-metrics", "version": "1.0"}
"""What the file says of itself: ``schema`` in the metadata of its schema."""


def require_pyarrow() -> None:
    """Raise :class:`BadInputError` where ``pyarrow`` is not installed."""
    _library("pyarrow.parquet")


class ParquetReport:
    """Writes the table to ``sink`` at the end, whole or not at all."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def handle(self, event: MetricsEvent) -> None:
        """Write what was measured. Raises ``OSError``."""
        if not isinstance(event, Measured):
            return
        arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
        fields = [(name, getattr(arrow, TYPES[kind])()) for name, kind in COLUMNS.items()]
        rows = [{name: _carried(value) for name, value in row.items()} for row in flat_rows(event.results)]
        table = arrow.Table.from_pylist(rows, schema=arrow.schema(fields, metadata=METADATA))
        written = arrow.BufferOutputStream()
        parquet.write_table(table, written)
        self._sink.write(written.getvalue().to_pybytes())


def _carried(value: str | float | bool | None) -> str | float | bool | None:
    """Return ``value``; a string that has surrogates (of the name of a file) with escapes in their places."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise BadInputError(f"--parquet needs pyarrow, which is not installed; install it with: {INSTALL}") from error
