"""The measurements as CSV; a row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.table_files import csv_table
from tokenizer_conformance.research.metrics.events import Measured
from tokenizer_conformance.research.metrics.flat_table import COLUMNS, flat_rows

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.metrics.events import MetricsEvent


class CsvReport:
    """Writes the table to ``sink`` at the end, whole or not at all."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def handle(self, event: MetricsEvent) -> None:
        """Write what was measured. Raises ``OSError``."""
        if isinstance(event, Measured):
            self._sink.write(csv_table(COLUMNS, flat_rows(event.results)))
