"""The measurements as CSV (RFC 4180), in UTF-8; a row each."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from tokenizer_conformance.escape import visible
from tokenizer_conformance.metrics.events import Measured
from tokenizer_conformance.metrics.flat_table import COLUMNS, flat_rows

if TYPE_CHECKING:
    from tokenizer_conformance.metrics.events import MetricsEvent
    from tokenizer_conformance.session.sinks import Sink

FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet takes for the beginning of a formula: such a name gets an apostrophe before it."""


class CsvReport:
    """Writes the table to ``sink`` at the end, whole or not at all."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def handle(self, event: MetricsEvent) -> None:
        """Write what was measured. Raises ``OSError``."""
        if not isinstance(event, Measured):
            return
        written = io.StringIO(newline="")
        table = csv.writer(written, lineterminator="\r\n")
        table.writerow(COLUMNS)
        for row in flat_rows(event.results):
            table.writerow([_cell(row[name]) for name in COLUMNS])
        self._sink.write(written.getvalue().encode("utf-8", "backslashreplace"))


def _cell(value: str | float | bool | None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | int):
        return repr(value)
    shown = visible(value)
    return f"'{shown}" if shown.startswith(FORMULA) else shown
