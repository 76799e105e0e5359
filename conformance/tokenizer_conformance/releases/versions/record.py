"""The record of a comparison of releases, as JSON Lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.command_io.record import rounded
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
from tokenizer_conformance.releases.versions.facts import SectionFinished
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.results.records import run
from tokenizer_conformance.results.records import versions as lines
from tokenizer_conformance.results.records.making import footer_of, header_of, made
from tokenizer_conformance.validation.running.record import entry_reference, tokenizer_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
    from tokenizer_conformance.results.records.value import Value


def lines_of(event: Event) -> Iterator[Value]:
    """Yield the line of the record for ``event``, where it has one."""
    match event:
        case VersionsStarted():
            yield _header(event)
        case Refused(refusal, is_release):
            yield made(lines.Refused, refusal, is_release=is_release)
        case SnapshotReady():
            seconds = {"seconds": rounded(event.seconds), "asking": rounded(event.asking)}
            yield made(lines.Release, event, kept=event.is_kept, **seconds)
        case MatrixMade(matrix):
            yield _matrix(matrix)
        case StepFinished():
            yield _step(event)
        case Bisected():
            yield _bisected(event)
        case SectionFinished():
            changes = [made(lines.SectionChange, each, known=_reference(each.entry)) for each in event.changes]
            yield made(lines.Section, event, changes=changes)
        case SpeedMeasured(tokenizer, speeds):
            yield made(lines.Speed, speeds, tokenizer=tokenizer)
        case VersionsFinished():
            yield made(lines.Footer, event, **footer_of(event), stale=list(map(entry_reference, event.stale)))
        case _:
            return


def _reference(entry: Entry | None) -> dict[str, Any] | None:
    return None if entry is None else entry_reference(entry)


def _header(event: VersionsStarted) -> lines.Header:
    return made(
        lines.Header,
        event,
        **header_of(lines.FORMAT, event.environment),
        releases=[{"word": word, "version": version} for word, version in event.releases],
        tokenizers=[{"name": each.source.name, "sha256": each.sha256} for each in event.tokenizers],
        inputs={"count": event.inputs, "sha256": event.inputs_sha256},
        sections={"compared": event.sections, "left_out": list(event.left_out)},
        ledgers=[{"name": Path(file.name).name, "sha256": file.sha256} for file in event.ledgers],
    )


def _matrix(matrix: TokenizerMatrix) -> lines.Matrix:
    return made(
        lines.Matrix,
        matrix,
        differing=[
            {
                "releases": pair,
                "inputs": count,
                "stages": {stage: number for (other, stage), number in matrix.differing.items() if other == pair},
            }
            for pair, count in matrix.inputs.items()
        ],
    )


def _step(step: StepFinished) -> lines.Step:
    return made(
        lines.Step,
        step,
        loading=[
            made(run.Loading, each.change, known=_reference(each.entry), explained_by=each.explained_by)
            for each in step.loading
        ],
        tokenizers=list(map(tokenizer_record, step.tokenizers)),
        causes=list(map(cause_record, step.causes)),
        seconds=rounded(step.seconds),
    )


def _bisected(event: Bisected) -> lines.Bisected:
    if event.boundary is None:
        return made(lines.Bisected, event, skipped=event.missing, until=None, since=None, goes_back=(), is_final=None)
    found = {name: getattr(event.boundary, name) for name in ("until", "since", "goes_back", "is_final")}
    return made(lines.Bisected, event, skipped=event.missing, **found)
