"""The record of a diff: that of a run, with lines about the sides and about loading."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.record import RecordFile
from tokenizer_conformance.releases.diff.events import Ending, Event, LoadingChanged, LoadingCompared
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.run import FORMAT, AskedAgain, Sides
from tokenizer_conformance.validation.running.record import NOT_ON_PAGES, entry_reference, record_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.results.records.value import Value


class DiffRecords:
    """Makes the lines of events; what comes before the header waits for it."""

    def __init__(self) -> None:
        self._waiting: list[dict[str, Any]] = []
        self._is_begun = False

    def of(self, event: Event) -> Iterator[dict[str, Any]]:
        """Yield the lines that can be written now that ``event`` has come."""
        record = _record_of(event)
        if record is None:
            return
        if not self._is_begun and record["type"] != "header":
            self._waiting.append(record)
            return
        self._is_begun = True
        yield record
        yield from self._waiting
        self._waiting = []


class RecordReport(RecordFile):
    """Writes the record, a line for each event that has one. Opening raises ``OSError``."""

    sealed = True

    def __init__(self, to: Path | Sink) -> None:
        super().__init__(to)
        self._records = DiffRecords()

    def handle(self, event: Event) -> None:
        """Write the line of ``event``, where it has one. Raises ``OSError``."""
        for record in self._records.of(event):
            self.write(record)


class DiffLines:
    """Makes the typed lines of which a page tells."""

    def __init__(self) -> None:
        self._records = DiffRecords()

    def __call__(self, event: Event) -> Iterator[Value]:
        """Return the lines for ``event``."""
        return iter(()) if isinstance(event, NOT_ON_PAGES) else map(FORMAT.read, self._records.of(event))


def _record_of(event: Event) -> dict[str, Any] | None:
    match event:
        case Sides() | AskedAgain():
            return json_of(event)
        case LoadingChanged(change, entry, explained, faults):
            return {
                "type": "loading_change",
                "tokenizer": change.tokenizer,
                "what": change.what,
                "path": change.path,
                "old": change.old,
                "new": change.new,
                "known": None if entry is None else entry_reference(entry),
                "explained_by": None if explained is None else [asdict(each) for each in explained],
                "faults": list(faults),
            }
        case LoadingCompared(tokenizer, left_out, shown, loaded):
            return {
                "type": "loading_compared",
                "tokenizer": tokenizer.source.name,
                "left_out": dict(left_out),
                "shown": list(shown),
                "loaded": loaded,
            }
        case Ending():
            return None
        case _:
            return record_of(event)
