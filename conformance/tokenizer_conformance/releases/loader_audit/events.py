"""What happens in an audit of loaders, and the lines of its record; what needs no live object happens as its line.

It begins with a header and ends with :class:`LoaderAuditFinished`, also when it is interrupted. For each tokenizer and
loader it tells what was loaded, each difference when its witness was looked for, and the result of the answers; or why
the loader does not load it. Values of a tokenizer.json stand in lines as their JSON text, cut where it is long.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused
from tokenizer_conformance.comparison.component_differences import ABSENT
from tokenizer_conformance.comparison.record_forms import (
    LONGEST_TEXT,
    difference_record,
    outcome_record,
    question_record,
)
from tokenizer_conformance.releases.loader_audit.defaults import CallWitness
from tokenizer_conformance.releases.loader_audit.stages import STAGES
from tokenizer_conformance.releases.loader_audit.witness import ComponentWitness, NoWitness, Shown
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
from tokenizer_conformance.results.records.value import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.comparison.component_differences import Change, Replacement
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.loader_audit.behaviour import Behaviour, BehaviourFinding
    from tokenizer_conformance.releases.loader_audit.plan import Conversion, LoaderAuditPlan
    from tokenizer_conformance.releases.loader_audit.witness import Impact
    from tokenizer_conformance.results.records.value import Value


@dataclass(frozen=True, slots=True)
class DifferenceJudged:
    """A difference, with what shows it. ``impact`` is ``None`` where no document has that difference alone.

    ``known`` is the entry of a ledger that is about it.
    """

    tokenizer: str
    loader: ImplementationInfo
    difference: Replacement
    witness: Shown
    impact: Impact | None
    known: Entry | None = None


@dataclass(frozen=True, slots=True)
class LoaderAudited:
    """A loader has been audited on a tokenizer: the result of its answers.

    ``entries`` are those of a ledger that are about its findings, one for each, ``None`` where it is new.
    """

    tokenizer: str
    loader: ImplementationInfo
    behaviour: Behaviour
    entries: tuple[Entry | None, ...]


@dataclass(frozen=True, slots=True)
class LoaderAuditFinished(Finished):
    """The audit is over; ``finished`` is false where it was interrupted.

    ``audited`` counts pairs of tokenizer and loader, ``differing`` those with any new difference, ``differences`` the
    replaced components, ``witnessed`` those of them that something shows, ``known`` those that a ledger has. ``stale``
    are entries of it that were not met although all that they name was audited.
    """

    audited: int
    differing: int
    differences: int
    witnessed: int
    known: int
    stale: tuple[Entry, ...]


LoaderAuditEvent = (
    lines.Header
    | ImplementationMissing
    | InputRefused
    | lines.NotLoaded
    | lines.Loaded
    | DifferenceJudged
    | LoaderAudited
    | lines.Texts
    | LoaderAuditFinished
)


def lines_of(event: LoaderAuditEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``."""
    match event:
        case Line():
            yield event
        case ImplementationMissing() | InputRefused():
            yield refusal_of(event)
        case DifferenceJudged():
            yield _difference(event)
        case LoaderAudited():
            yield _answers(event)
        case LoaderAuditFinished():
            yield made(lines.Footer, event, **footer_of(event), stale=tuple(map(_entry, event.stale)))


def header_line(plan: LoaderAuditPlan) -> lines.Header:
    """Return the header of the record of ``plan``, which is carried out now."""
    return lines.Header(
        **header_of(lines.FORMAT, current_environment(plan.command)),
        audit=_audit_of(plan),
        new=None if plan.new is None else tokenizer_file_of(plan.new),
        **_of_conversion(plan.conversion),
        baseline=implementation_of(plan.baseline.info),
        loaders=tuple(implementation_of(each.info) for each in plan.loaders),
        tokenizers=tuple(map(tokenizer_file_of, plan.tokenizers)),
        cases=plan.budget.cases,
        seconds=plan.budget.seconds,
        seed=plan.seed,
        inputs=len(plan.inputs),
        given=len(plan.given),
    )


def _of_conversion(conversion: Conversion | None) -> dict[str, Any]:
    if conversion is None:
        return {}
    engine = None if conversion.engine is None else implementation_of(conversion.engine.info)
    compared = tuple(each.value for each in conversion.compared)
    return {"engine": engine, "compared": compared, "unsaid": conversion.unsaid}


def _audit_of(plan: LoaderAuditPlan) -> Literal["loader", "files", "conversion"]:
    if plan.conversion is not None:
        return "conversion"
    return "loader" if plan.new is None else "files"


def about(tokenizer: str, loader: ImplementationInfo) -> dict[str, Any]:
    """Return what every line about a ``loader`` on a ``tokenizer`` says."""
    return {"tokenizer": tokenizer, "loader": loader.name, "loader_version": loader.version}


def _entry(entry: Entry) -> headers.NamedEntry:
    return headers.NamedEntry(entry=str(entry.place) if entry.place.file else "", reason=entry.reason)


def _difference(event: DifferenceJudged) -> lines.Difference:
    difference = event.difference
    return made(
        lines.Difference,
        difference,
        **about(event.tokenizer, event.loader),
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


def _witness(witness: Shown) -> dict[str, Any]:
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
        **about(event.tokenizer, event.loader),
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
