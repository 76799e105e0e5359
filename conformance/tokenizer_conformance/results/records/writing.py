"""A record written line by line, of the typed lines of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from tokenizer_conformance.command_io.record import RecordFile
from tokenizer_conformance.results.records.format import json_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.results.records.format import Format
    from tokenizer_conformance.results.records.value import Value

E = TypeVar("E")


class LinesFile(RecordFile, Generic[E]):
    """Writes a record of ``format_`` ``to`` a path, or to what is open already; ``lines_of`` makes lines of events.

    Opening raises ``OSError``.
    """

    def __init__(self, format_: Format, lines_of: Callable[[E], Iterator[Value]], to: Path | Sink) -> None:
        super().__init__(to)
        self.sealed = format_.is_sealed
        self._lines_of = lines_of

    def handle(self, event: E) -> None:
        """Write the lines of ``event``. Raises ``OSError``."""
        for line in self._lines_of(event):
            self.write(json_of(line))
