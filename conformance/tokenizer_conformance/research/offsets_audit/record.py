"""The lines of the record of an audit of offsets: header, a line for each implementation and tokenizer, footer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
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
from tokenizer_conformance.results.records.headers import Inputs, NamedEntry
from tokenizer_conformance.results.records.making import (
    footer_of,
    header_of,
    implementation_of,
    made,
    refusal_of,
    tokenizer_file_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.research.offsets_audit.events import KnownFinding, OffsetsAuditEvent
    from tokenizer_conformance.results.records.value import Value


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
            yield made(lines.Footer, event, **footer_of(event), stale=tuple(map(_entry, event.stale)))
        case InputsJudged():
            return


def _header(event: OffsetsAuditStarted) -> lines.Header:
    return lines.Header(
        **header_of(lines.FORMAT, event.environment),
        implementations=tuple(map(implementation_of, event.implementations)),
        tokenizers=tuple(map(tokenizer_file_of, event.tokenizers)),
        inputs=Inputs(count=event.inputs, sha256=event.inputs_sha256),
        invariants=tuple(made(lines.Invariant, each, needs=sorted(each.needs)) for each in INVARIANTS),
    )


def _audited(event: EncodingsAudited) -> lines.Audited:
    return made(
        lines.Audited,
        event,
        tokenizer=event.tokenizer.source.name,
        implementation=event.implementation.name,
        implementation_version=event.implementation.version,
        left_out=tuple(lines.Out(setting=each.setting.name, reason=each.reason) for each in event.left_out),
        invariants=tuple(
            made(
                lines.AuditedInvariant,
                tally,
                id=id,
                unchecked=[{"reason": reason, "answers": count} for reason, count in tally.unchecked.most_common()],
            )
            for id, tally in event.tallies.items()
        ),
        findings=tuple(map(_finding, event.findings)),
    )


def _finding(found: KnownFinding) -> lines.Finding:
    finding = found.finding
    return made(
        lines.Finding,
        finding,
        invariant=finding.invariant.id,
        setting=finding.asking.setting.name,
        question=question_record(finding.asking.question),
        repeat=found.repeat,
        known=None if found.known is None else _entry(found.known),
    )


def _entry(entry: Entry) -> NamedEntry:
    return NamedEntry(entry=str(entry.place), reason=entry.reason)
