r"""The record of an audit of offsets as JSON Lines: header, a line for each implementation and tokenizer, footer.

The format has a name and a version of its own, and a JSON Schema that describes one line (:func:`schema`). Only ASCII
is written: other characters stand as ``\u`` escapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import (
    RecordFile,
    footer_record,
    header_record,
    implementation_record,
    refusal_record,
    tokenizer_file_record,
)
from tokenizer_conformance.comparison.record_forms import question_record
from tokenizer_conformance.ledger.audit_entries import known_record
from tokenizer_conformance.research.offsets_audit.events import (
    EncodingsAudited,
    InputsJudged,
    OffsetsAuditFinished,
    OffsetsAuditStarted,
    TokenizerNotLoaded,
)
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.results.records.offsets_audit import FORMAT

if TYPE_CHECKING:
    from tokenizer_conformance.research.offsets_audit.events import KnownFinding, OffsetsAuditEvent


class OffsetsAuditJsonLinesReport(RecordFile):
    """Writes the record to its file, line by line. Opening raises ``OSError``."""

    def handle(self, event: OffsetsAuditEvent) -> None:
        """Write the line of ``event``, if it has one. Raises ``OSError``."""
        record = record_of(event)
        if record is not None:
            self.write(record)


def record_of(event: OffsetsAuditEvent) -> dict[str, Any] | None:
    """Return the line of the record for ``event``, ``None`` where it has none."""
    match event:
        case OffsetsAuditStarted():
            return _header(event)
        case ImplementationMissing() | InputRefused():
            return refusal_record(event)
        case TokenizerNotLoaded():
            return {**_about("not_loaded", event), "reason": event.reason, "unsupported": event.unsupported}
        case EncodingsAudited():
            return _audited(event)
        case OffsetsAuditFinished():
            return _footer(event)
        case InputsJudged():
            return None


def _header(event: OffsetsAuditStarted) -> dict[str, Any]:
    return {
        **header_record(FORMAT.name, FORMAT.version, event.environment),
        "implementations": list(map(implementation_record, event.implementations)),
        "tokenizers": list(map(tokenizer_file_record, event.tokenizers)),
        "inputs": {"count": event.inputs, "sha256": event.inputs_sha256},
        "invariants": [
            {
                "id": each.id,
                "topic": each.topic,
                "severity": each.severity,
                "sentence": each.sentence,
                "needs": sorted(each.needs),
            }
            for each in INVARIANTS
        ],
    }


def _about(kind: str, event: TokenizerNotLoaded | EncodingsAudited) -> dict[str, Any]:
    return {
        "type": kind,
        "tokenizer": event.tokenizer.source.name,
        "implementation": event.implementation.name,
        "implementation_version": event.implementation.version,
    }


def _audited(event: EncodingsAudited) -> dict[str, Any]:
    return {
        **_about("audited", event),
        "finished": event.finished,
        "inputs": event.inputs,
        "answers": event.answers,
        "unsupported": event.unsupported,
        "failed": event.failed,
        "lost": event.lost,
        "trouble": list(event.trouble),
        "left_out": [{"setting": each.setting.name, "reason": each.reason} for each in event.left_out],
        "invariants": [
            {
                "id": id,
                "answers": tally.answers,
                "things": tally.things,
                "violated": tally.violated,
                "unchecked": [{"reason": reason, "answers": count} for reason, count in tally.unchecked.most_common()],
            }
            for id, tally in event.tallies.items()
        ],
        "findings": list(map(_finding, event.findings)),
    }


def _finding(found: KnownFinding) -> dict[str, Any]:
    finding = found.finding
    return {
        "invariant": finding.invariant.id,
        "manner": finding.manner,
        "answers": finding.answers,
        "places": finding.places,
        "setting": finding.asking.setting.name,
        "question": question_record(finding.asking.question),
        "detail": finding.detail,
        "input": finding.input,
        "reduced_from": finding.reduced_from,
        "repeat": found.repeat,
        "known": known_record(found.known),
    }


def _footer(event: OffsetsAuditFinished) -> dict[str, Any]:
    return {
        **footer_record(event),
        "audited": event.audited,
        "violating": event.violating,
        "findings": event.findings,
        "known": event.known,
        "things": event.things,
        "stale": list(map(known_record, event.stale)),
    }
