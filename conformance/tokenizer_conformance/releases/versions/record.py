"""The record of a comparison of releases, as JSON Lines."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.command_io.record import RecordFile, footer_record, header_record, rounded
from tokenizer_conformance.releases.versions.events import (
    Bisected,
    Event,
    MatrixMade,
    Refused,
    SpeedMeasured,
    StepFinished,
    VersionsFinished,
    VersionsStarted,
)
from tokenizer_conformance.releases.versions.facts import Fact, FactChange, SectionFinished
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.results.records.versions import FORMAT
from tokenizer_conformance.validation.running.record import entry_reference, tokenizer_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
    from tokenizer_conformance.results.records.value import Value


class RecordReport(RecordFile):
    """Writes a record, a line for each event that has one."""

    def handle(self, event: Event) -> None:
        """Write the line of ``event``. Raises ``OSError``."""
        line = record_of(event)
        if line is not None:
            self.write(line)


def lines_of(event: Event) -> Iterator[Value]:
    """Yield the line of the record for ``event``, where it has one."""
    record = record_of(event)
    if record is not None:
        yield FORMAT.read(record)


def record_of(event: Event) -> dict[str, Any] | None:
    """Return the line of ``event``, ``None`` where it has none."""
    match event:
        case VersionsStarted():
            return {
                **header_record(FORMAT.name, FORMAT.version, event.environment),
                "releases": [{"word": word, "version": version} for word, version in event.releases],
                "tokenizers": [{"name": each.source.name, "sha256": each.sha256} for each in event.tokenizers],
                "inputs": {"count": event.inputs, "sha256": event.inputs_sha256},
                "sections": {"compared": list(event.sections), "left_out": list(event.left_out)},
                "ledgers": [{"name": Path(file.name).name, "sha256": file.sha256} for file in event.ledgers],
            }
        case Refused(refusal, is_release):
            return {
                "type": "refused",
                "what": refusal.what,
                "name": refusal.name,
                "reason": refusal.reason,
                "is_release": is_release,
            }
        case SnapshotReady():
            return {
                "type": "release",
                "release": event.release,
                "version": event.version,
                "loaded": event.loaded,
                "refused": event.refused,
                "kept": event.is_kept,
                "seconds": rounded(event.seconds),
                "asking": rounded(event.asking),
            }
        case MatrixMade(matrix):
            return {"type": "matrix", **_matrix(matrix)}
        case StepFinished():
            return {"type": "step", **_step(event)}
        case Bisected():
            return {"type": "bisected", **_bisected(event)}
        case SectionFinished():
            return {"type": "section", **_section(event)}
        case SpeedMeasured(tokenizer, speeds):
            return {
                "type": "speed",
                "tokenizer": tokenizer,
                "rows": [asdict(row) for row in speeds.rows],
                "missing": dict(speeds.missing),
            }
        case VersionsFinished():
            return {
                **footer_record(event),
                "reason": event.reason,
                "releases": event.releases,
                "tokenizers": event.tokenizers,
                "stale": list(map(entry_reference, event.stale)),
            }
        case _:
            return None


def _matrix(matrix: TokenizerMatrix) -> dict[str, Any]:
    return {
        "tokenizer": matrix.tokenizer,
        "loaded": list(matrix.loaded),
        "differing": [
            {
                "releases": list(pair),
                "inputs": count,
                "stages": {stage: number for (other, stage), number in matrix.differing.items() if other == pair},
            }
            for pair, count in matrix.inputs.items()
        ],
    }


def _step(step: StepFinished) -> dict[str, Any]:
    return {
        "old": step.old,
        "new": step.new,
        "inputs": step.inputs,
        "unstable": step.unstable,
        "unconfirmed": step.unconfirmed,
        "loading": [
            {
                **asdict(each.change),
                "known": None if each.entry is None else entry_reference(each.entry),
                "explained_by": None if each.explained_by is None else [asdict(one) for one in each.explained_by],
            }
            for each in step.loading
        ],
        "tokenizers": list(map(tokenizer_record, step.tokenizers)),
        "asked_again": list(map(asdict, step.asked_again)),
        "causes": list(map(cause_record, step.causes)),
        "uncounted": step.uncounted,
        "seconds": rounded(step.seconds),
    }


def _bisected(event: Bisected) -> dict[str, Any]:
    found = event.boundary
    return {
        "old": event.old,
        "new": event.new,
        "what": event.what,
        "number": event.number,
        "until": None if found is None else found.until,
        "since": None if found is None else found.since,
        "skipped": dict(event.missing),
        "goes_back": [] if found is None else list(found.goes_back),
        "is_final": None if found is None else found.is_final,
    }


def _section(section: SectionFinished) -> dict[str, Any]:
    return {
        "section": section.section,
        "facts": dict(section.facts),
        "missing": dict(section.missing),
        "unstable": {release: list(names) for release, names in section.unstable.items()},
        "changes": list(map(_change, section.changes)),
    }


def _change(change: FactChange) -> dict[str, Any]:
    return {
        "name": change.name,
        "until": change.until,
        "since": change.since,
        "old": _fact(change.old),
        "new": _fact(change.new),
        "known": None if change.entry is None else entry_reference(change.entry),
    }


def _fact(fact: Fact | None) -> dict[str, Any] | None:
    return None if fact is None else {"value": fact.value, "shown": fact.shown}
