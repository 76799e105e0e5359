"""All measurements as one table, a row each: what other programs read (CSV, Parquet)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.table_files import csv_table, parquet_table
from tokenizer_conformance.research.metrics.events import Measured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.metrics.events import MetricsEvent
    from tokenizer_conformance.research.metrics.results import Results

COLUMNS: dict[str, type] = {
    "tokenizer": str,
    "implementation": str,
    "version": str,
    "by": str,
    "group": str,
    "measure": str,
    "other": str,
    "unit": str,
    "value": float,
    "low": float,
    "high": float,
    "missing": str,
    "partial": bool,
}
"""The columns with the types of their values. ``by`` is empty, and ``group`` says so, where all texts are meant."""

VERSION = "1.0"
"""The version of the table: a column that is added raises the minor number, any other change the major one."""

Row = dict[str, str | float | bool | None]


def flat_rows(results: Results) -> Iterator[Row]:
    """Yield the rows of the table, which have all columns; ``None`` where there is no number."""
    rows = {each.name: each for each in results.rows}
    units = {measure.id: measure.unit for measure in results.measures}
    for each in results.measurements:
        row = rows[each.row]
        yield {
            "tokenizer": row.tokenizer,
            "implementation": row.implementation,
            "version": row.version,
            "by": each.group.by,
            "group": each.group.name,
            "measure": each.measure,
            "other": each.other,
            "unit": units[each.measure],
            "value": each.value,
            "low": each.low,
            "high": each.high,
            "missing": each.missing,
            "partial": results.partial,
        }


class CsvReport:
    """Writes the table to ``sink`` at the end, whole or not at all."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def handle(self, event: MetricsEvent) -> None:
        """Write what was measured. Raises ``OSError``."""
        if isinstance(event, Measured):
            self._sink.write(csv_table(COLUMNS, flat_rows(event.results)))


METADATA = {"schema": "tokenizer-conformance-metrics", "version": VERSION}
"""What the file says of itself, in the metadata of its schema."""


class ParquetReport:
    """Writes the table to ``sink`` at the end, whole or not at all."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def handle(self, event: MetricsEvent) -> None:
        """Write what was measured. Raises ``OSError``."""
        if isinstance(event, Measured):
            self._sink.write(parquet_table(COLUMNS, flat_rows(event.results), METADATA))
