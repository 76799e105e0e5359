r"""The record of a comparison of two records as JSON Lines: a header, changes, numbers, a footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Outcomes
that are the same and show no difference are only counted, in the footer.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.record import RecordFile, footer_record, header_record
from tokenizer_conformance.releases.diff.records.events import (
    ChangeFound,
    FigureFound,
    RecordDiffEvent,
    RecordDiffFinished,
    RecordSide,
    RecordsOpened,
    SoundFound,
)
from tokenizer_conformance.results.records.record_diff import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.diff.records.changes import Changed
    from tokenizer_conformance.releases.diff.records.outcome import Outcome
    from tokenizer_conformance.results.records.value import Value


class RecordReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: RecordDiffEvent) -> None:
        """Write the line of ``event``, where it has one. Raises ``OSError``."""
        if not isinstance(event, SoundFound):
            self.write(record_of(event))


def lines_of(event: RecordDiffEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``, where it has one."""
    if not isinstance(event, SoundFound):
        yield FORMAT.read(record_of(event))


def record_of(event: RecordsOpened | ChangeFound | FigureFound | RecordDiffFinished) -> dict[str, Any]:
    """Return the line of the record for ``event``."""
    match event:
        case RecordsOpened():
            return {
                **header_record(FORMAT.name, FORMAT.version, event.environment),
                "of": event.schema,
                "old": _side(event.then),
                "new": _side(event.now),
                "names": dict(event.names),
                "matches": list(event.matches),
                "remarks": list(event.remarks),
            }
        case ChangeFound(changed):
            return _change(changed)
        case FigureFound(figure, then, now):
            return {"type": "figure", **asdict(figure), "then": then, "now": now}
        case RecordDiffFinished():
            return {
                **footer_record(event),
                "counts": {change.value: count for change, count in event.counts.items()},
                "sound": event.sound,
            }


def _side(side: RecordSide) -> dict[str, Any]:
    return {**asdict(side), "command": list(side.command)}


def _change(changed: Changed) -> dict[str, Any]:
    key = changed.key
    return {
        "type": "change",
        "change": changed.change,
        "aspect": key.aspect,
        "implementation": key.implementation,
        "subject": key.subject,
        "parts": list(key.parts),
        "title": changed.outcome.title,
        "why": changed.why,
        "then": _outcome(changed.then),
        "now": _outcome(changed.now),
    }


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "state": outcome.state,
        "verdict": outcome.verdict,
        "counts": dict(outcome.counts),
        "lines": list(outcome.lines),
        "repeat": outcome.repeat,
    }
