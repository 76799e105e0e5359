"""The lines of the record of an audit: what was loaded, each difference, and the result of the answers.

Values of a tokenizer.json stand as their JSON text, cut where it is long.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.comparison.record_forms import (
    LONGEST_TEXT,
    difference_record,
    outcome_record,
    question_record,
)
from tokenizer_conformance.releases.loader_audit.components import STAGES
from tokenizer_conformance.releases.loader_audit.defaults import CallWitness
from tokenizer_conformance.releases.loader_audit.events import (
    DifferenceJudged,
    LoaderAudited,
    LoaderAuditFinished,
    LoaderAuditStarted,
    LoaderRefused,
    TokenizerLoaded,
)
from tokenizer_conformance.releases.loader_audit.structure import ABSENT
from tokenizer_conformance.releases.loader_audit.witness import ComponentWitness, NoWitness
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import loader_audit as lines
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
    from tokenizer_conformance.releases.loader_audit.behaviour import BehaviourFinding
    from tokenizer_conformance.releases.loader_audit.events import LoaderAuditEvent
    from tokenizer_conformance.releases.loader_audit.structure import Change
    from tokenizer_conformance.results.records.value import Value


def lines_of(event: LoaderAuditEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``."""
    match event:
        case LoaderAuditStarted():
            yield _header(event)
        case ImplementationMissing() | InputRefused():
            yield refusal_of(event)
        case LoaderRefused():
            yield made(lines.NotLoaded, event, **_about(event))
        case TokenizerLoaded():
            yield made(lines.Loaded, event, **_about(event))
        case DifferenceJudged():
            yield _difference(event)
        case LoaderAudited():
            yield _answers(event)
        case LoaderAuditFinished():
            yield made(lines.Footer, event, **footer_of(event), stale=tuple(map(_entry, event.stale)))


def _header(event: LoaderAuditStarted) -> lines.Header:
    return lines.Header(
        **header_of(lines.FORMAT, event.environment),
        audit="loader",
        baseline=implementation_of(event.baseline),
        loaders=tuple(map(implementation_of, event.loaders)),
        tokenizers=tuple(map(tokenizer_file_of, event.tokenizers)),
        cases=event.budget.cases,
        seconds=event.budget.seconds,
        seed=event.seed,
        inputs=event.inputs,
        given=event.given,
    )


def _about(event: LoaderRefused | TokenizerLoaded | DifferenceJudged | LoaderAudited) -> dict[str, Any]:
    return {
        "tokenizer": event.tokenizer.source.name,
        "loader": event.loader.name,
        "loader_version": event.loader.version,
    }


def _entry(entry: Entry) -> headers.NamedEntry:
    return headers.NamedEntry(entry=str(entry.place), reason=entry.reason)


def _difference(event: DifferenceJudged) -> lines.Difference:
    difference = event.difference
    return made(
        lines.Difference,
        difference,
        **_about(event),
        stage=STAGES[difference.component],
        changes=tuple(map(_change, difference.changes)),
        witness=_witness(event.witness),
        impact=event.impact,
        known=None if event.known is None else _entry(event.known),
    )


def _change(change: Change) -> lines.DifferenceChange:
    return lines.DifferenceChange(path=change.path, raw=_json_text(change.raw), loaded=_json_text(change.loaded))


def _json_text(value: Any) -> str | None:
    """Return the JSON text of a value, cut where it is long; ``None`` where there is none."""
    return None if value is ABSENT else json.dumps(value)[:LONGEST_TEXT]


def _witness(witness: ComponentWitness | CallWitness | NoWitness) -> dict[str, Any]:
    match witness:
        case NoWitness(inputs, reason):
            return {"found": False, "inputs": inputs, "reason": reason}
        case CallWitness(question, raw, called):
            return {
                "found": True,
                "question": question_record(question),
                "raw": outcome_record(raw),
                "call": {name: list(values) for name, values in called.fields.items()},
            }
        case ComponentWitness():
            return {
                "found": True,
                "inputs": witness.inputs,
                "question": question_record(witness.question),
                "difference": difference_record(witness.difference),
                "raw": outcome_record(witness.raw),
                "replaced": outcome_record(witness.replaced),
                "loaded": outcome_record(witness.loaded),
                "confirmation": witness.confirmation.name.lower(),
            }


def _answers(event: LoaderAudited) -> lines.Answers:
    behaviour = event.behaviour
    return made(
        lines.Answers,
        behaviour,
        **_about(event),
        findings=tuple(
            _finding(finding, entry) for finding, entry in zip(behaviour.findings, event.entries, strict=True)
        ),
    )


def _finding(finding: BehaviourFinding, entry: Entry | None) -> lines.Finding:
    return made(
        lines.Finding,
        finding,
        stage=finding.manner.stage,
        question=question_record(finding.question),
        difference=difference_record(finding.difference),
        raw=outcome_record(finding.raw),
        loaded=outcome_record(finding.loaded),
        **({} if entry is None else {"known": _entry(entry)}),
    )
