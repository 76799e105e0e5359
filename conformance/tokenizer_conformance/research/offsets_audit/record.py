"""The lines of the record of an audit of offsets: header, a line for each implementation and tokenizer, footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import RecordFile
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.research.offsets_audit.events import (
    EncodingsAudited,
    InputsJudged,
    OffsetsAuditFinished,
    OffsetsAuditStarted,
    TokenizerNotLoaded,
)
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.results.records import offsets_audit as lines
from tokenizer_conformance.results.records.answers import Question
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.headers import Inputs, NamedEntry
from tokenizer_conformance.results.records.making import (
    footer_of,
    header_of,
    implementation_of,
    refusal_of,
    tokenizer_file_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.research.offsets_audit.events import KnownFinding, OffsetsAuditEvent
    from tokenizer_conformance.results.records.value import Value


class OffsetsAuditJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: OffsetsAuditEvent) -> None:
        """Write the line of ``event``, if it has one. Raises ``OSError``."""
        for line in lines_of(event):
            self.write(json_of(line))


def lines_of(event: OffsetsAuditEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``, if it has one."""
    match event:
        case OffsetsAuditStarted():
            yield _header(event)
        case ImplementationMissing() | InputRefused():
            yield refusal_of(event)
        case TokenizerNotLoaded():
            yield lines.NotLoaded(
                tokenizer=event.tokenizer.source.name,
                implementation=event.implementation.name,
                implementation_version=event.implementation.version,
                reason=event.reason,
                unsupported=event.unsupported,
            )
        case EncodingsAudited():
            yield _audited(event)
        case OffsetsAuditFinished():
            yield lines.Footer(
                **footer_of(event),
                audited=event.audited,
                violating=event.violating,
                findings=event.findings,
                known=event.known,
                things=event.things,
                stale=tuple(map(_entry, event.stale)),
            )
        case InputsJudged():
            return


def _header(event: OffsetsAuditStarted) -> lines.Header:
    return lines.Header(
        **header_of(lines.FORMAT, event.environment),
        implementations=tuple(map(implementation_of, event.implementations)),
        tokenizers=tuple(map(tokenizer_file_of, event.tokenizers)),
        inputs=Inputs(count=event.inputs, sha256=event.inputs_sha256),
        invariants=tuple(
            lines.Invariant(
                id=each.id,
                topic=each.topic,
                severity=each.severity.value,
                sentence=each.sentence,
                needs=tuple(sorted(each.needs)),
            )
            for each in INVARIANTS
        ),
    )


def _audited(event: EncodingsAudited) -> lines.Audited:
    return lines.Audited(
        tokenizer=event.tokenizer.source.name,
        implementation=event.implementation.name,
        implementation_version=event.implementation.version,
        finished=event.finished,
        inputs=event.inputs,
        answers=event.answers,
        unsupported=event.unsupported,
        failed=event.failed,
        lost=event.lost,
        trouble=tuple(event.trouble),
        left_out=tuple(lines.Out(setting=each.setting.name, reason=each.reason) for each in event.left_out),
        invariants=tuple(
            lines.AuditedInvariant(
                id=id,
                answers=tally.answers,
                things=tally.things,
                violated=tally.violated,
                unchecked=tuple(
                    lines.Unchecked(reason=reason, answers=count) for reason, count in tally.unchecked.most_common()
                ),
            )
            for id, tally in event.tallies.items()
        ),
        findings=tuple(map(_finding, event.findings)),
    )


def _finding(found: KnownFinding) -> lines.Finding:
    finding = found.finding
    return lines.Finding(
        invariant=finding.invariant.id,
        manner=finding.manner,
        answers=finding.answers,
        places=finding.places,
        setting=finding.asking.setting.name,
        question=msgspec.convert(question_record(finding.asking.question), Question),
        detail=finding.detail,
        input=finding.input,
        reduced_from=finding.reduced_from,
        repeat=found.repeat,
        known=None if found.known is None else _entry(found.known),
    )


def _entry(entry: Entry) -> NamedEntry:
    return NamedEntry(entry=str(entry.place), reason=entry.reason)
