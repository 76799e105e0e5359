"""The lines of the record of a run of the suite: header, a line for each requirement and implementation, footer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.record import merged_part_record, rounded
from tokenizer_conformance.comparison.record_forms import difference_record
from tokenizer_conformance.comparison.whole_answers import answers_record
from tokenizer_conformance.results.records import suite_run as lines
from tokenizer_conformance.results.records.making import (
    footer_of,
    header_of,
    implementation_of,
    ledger_entries_of,
    ledger_files_of,
    made,
)
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished, SuiteStarted
from tokenizer_conformance.validation.suite.results import score_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.value import Value
    from tokenizer_conformance.validation.suite.events import SuiteEvent
    from tokenizer_conformance.validation.suite.judging import CaseResult, Failure
    from tokenizer_conformance.validation.suite.results import RequirementResult


def lines_of(event: SuiteEvent) -> Iterator[Value]:
    """Yield the lines of the record for ``event``."""
    match event:
        case SuiteStarted():
            yield _header(event)
            entries = event.plan.ledger.entries
            if entries or event.plan.shard is not None:
                yield ledger_entries_of(entries)
        case ImplementationMissing(refusal):
            yield made(lines.ImplementationMissing, refusal)
        case ImplementationJudged():
            yield from (_requirement(event.info.name, result) for result in event.results)
            yield _implementation(event)
        case SuiteFinished():
            yield made(lines.Footer, event, **footer_of(event), stale=[str(entry.place) for entry in event.stale])
        case _:
            return


def _header(event: SuiteStarted) -> lines.Header:
    plan = event.plan
    return made(
        lines.Header,
        plan,
        **header_of(lines.FORMAT, event.environment),
        implementations=list(map(implementation_of, event.implementations)),
        requirements=len({case.requirement.id for case in plan.cases}),
        cases=len(plan.cases),
        selection=plan.wanted.expression,
        features=sorted(plan.wanted.features),
        importances=sorted(plan.wanted.importances),
        fields=None if plan.fields is None else sorted(plan.fields),
        ledgers=ledger_files_of(plan.ledger),
        **({} if not event.merged else {"merged": list(map(merged_part_record, event.merged))}),
    )


def _requirement(implementation: str, result: RequirementResult) -> lines.Requirement:
    return made(
        lines.Requirement,
        result,
        implementation=implementation,
        area=result.area.name,
        requirement=result.requirement.id,
        importance=result.requirement.importance,
        cases=[_case(case) for case in result.results],
    )


def _case(result: CaseResult) -> dict[str, Any]:
    return {
        "case": result.judged.case.name,
        "verdict": result.verdict,
        "blame": result.blame,
        "reason": result.reason,
        "known": [str(entry.place) for entry in result.entries],
        "failures": [failure_record(failure) for failure in result.failures],
        **({"asked": sorted(result.asked)} if result.asked else {}),
        **({"unanswered": sorted(result.unanswered)} if result.unanswered else {}),
    }


def failure_record(failure: Failure) -> dict[str, Any]:
    """Return what is wrong with an answer as a record has it."""
    return {
        "step": failure.step,
        "place": failure.place,
        "wrong": failure.wrong,
        "difference": None if failure.difference is None else difference_record(failure.difference),
        **({} if failure.unit is None else {"unit": failure.unit}),
        **answers_record(failure.answers),
    }


def _implementation(event: ImplementationJudged) -> lines.ImplementationJudged:
    score = score_of(event.results)
    return made(
        lines.ImplementationJudged,
        event,
        implementation=event.info.name,
        requirements={verdict.value: count for verdict, count in sorted(score.requirements.items())},
        cases={verdict.value: count for verdict, count in sorted(score.cases.items())},
        seconds=rounded(event.seconds),
    )
