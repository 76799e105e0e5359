"""A run of the suite as checks: one for each requirement and implementation, by area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, Rule
from tokenizer_conformance.results.ci_results.location import packaged
from tokenizer_conformance.results.ci_results.rules import (
    NO_ANSWER,
    TOO_LITTLE,
    UNAVAILABLE,
    stale_check,
    unusable_check,
)
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished, SuiteStarted
from tokenizer_conformance.validation.suite.judging import CaseVerdict
from tokenizer_conformance.validation.suite.reader import requirement_lines_of
from tokenizer_conformance.validation.suite.results import shortfalls
from tokenizer_conformance.validation.suite.wording import (
    failure_lines,
    known_entry,
    repeating,
    shortfall_line,
    stale_entry,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.results.ci_results.check import Location
    from tokenizer_conformance.validation.suite.events import SuiteEvent
    from tokenizer_conformance.validation.suite.plan import SuitePlan
    from tokenizer_conformance.validation.suite.requirement import Area, Requirement
    from tokenizer_conformance.validation.suite.results import RequirementResult

OUTCOMES: dict[CaseVerdict, CheckOutcome] = {
    CaseVerdict.PASSED: CheckOutcome.PASSED,
    CaseVerdict.KNOWN: CheckOutcome.KNOWN,
    CaseVerdict.FAILED: CheckOutcome.FAILED,
    CaseVerdict.UNSUPPORTED: CheckOutcome.SKIPPED,
    CaseVerdict.ERROR: CheckOutcome.ERROR,
}
"""The outcome of a requirement as a check."""


class SuiteChecks:
    """Tells ``write`` in the end what a run of the suite has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: SuiteStarted | None = None
        self._checks: list[Check] = []
        self._reached: set[str] = set()

    def handle(self, event: SuiteEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case SuiteStarted():
                self._started = event
            case ImplementationMissing(refusal, asked):
                self._checks.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case ImplementationJudged() if self._started is not None:
                self._reached.add(event.info.name)
                self._checks += _judged(event, self._started.plan)
            case SuiteFinished() if self._started is not None:
                self._write(self._checked(self._started, event))
            case _:
                pass

    def _checked(self, started: SuiteStarted, finished: SuiteFinished) -> CheckedRun:
        checks = [*self._checks]
        if not finished.finished:
            left = (info.name for info in started.implementations if info.name not in self._reached)
            checks += (_left_out(name, "not reached: the run was cut short before") for name in left)
        checks += (stale_check(entry, stale_entry(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished,
            title="tokconf suite run",
            environment=started.environment,
            checks=checks,
            conclusion=finished.conclusion.value,
        )


def _judged(event: ImplementationJudged, plan: SuitePlan) -> Iterator[Check]:
    name = event.info.name
    for result in event.results:
        yield _requirement(name, result, plan)
    if not event.complete:
        yield _left_out(name, f"not every case was asked: {counted(len(event.results), 'requirement')} so far")
    for short in shortfalls(event.info, event.results):
        problem = Problem(rule=TOO_LITTLE, message=shortfall_line(name, short))
        yield Check(group=name, name=f"answers {short.stage}", outcome=CheckOutcome.FAILED, problems=(problem,))


def _left_out(name: str, message: str) -> Check:
    return Check(group=name, name="all cases", outcome=CheckOutcome.SKIPPED, message=message)


def _requirement(name: str, result: RequirementResult, plan: SuitePlan) -> Check:
    requirement = result.requirement
    message, details = _why(result)
    is_wrong = OUTCOMES[result.verdict].is_wrong
    return Check(
        group=f"{name} on {result.area.name}",
        name=requirement.id,
        outcome=OUTCOMES[result.verdict],
        message=message,
        details=details,
        problems=(_problem(name, result, plan),) if is_wrong else (),
        location=requirement_location(result.area, requirement) if is_wrong else None,
        properties={
            "title": requirement.title,
            "importance": requirement.importance,
            "cases": _counted(result),
            **({"blame": str(result.blame)} if result.blame is not None else {}),
        },
    )


def requirement_location(area: Area, requirement: Requirement) -> Location:
    """Return where ``requirement`` stands in the files of the suite."""
    line = requirement_lines_of(area.name).get(requirement.id)
    return packaged("validation", "suite", "requirements", f"{area.name}.json", line=line)


def _counted(result: RequirementResult) -> str:
    verdicts = [case.verdict for case in result.results]
    return ", ".join(f"{verdict} {verdicts.count(verdict):,}" for verdict in CaseVerdict if verdict in verdicts)


def _why(result: RequirementResult) -> tuple[str, tuple[str, ...]]:
    """Say why nothing can be said of a requirement, or why its failures are known."""
    if result.verdict is CaseVerdict.UNSUPPORTED:
        reasons = dict.fromkeys(case.reason or "not shown" for case in result.results)
        return next(iter(reasons)), tuple(reasons)[1:]
    if result.verdict is CaseVerdict.KNOWN:
        entries = dict.fromkeys(entry for case in result.results for entry in case.entries)
        told = tuple(map(known_entry, entries))
        return told[0], told[1:]
    return "", ()


def _problem(name: str, result: RequirementResult, plan: SuitePlan) -> Problem:
    requirement = result.requirement
    first = result.wrong[0]
    cases = f"{len(result.wrong):,} of {counted(len(result.results), 'case')}"
    rule = Rule(requirement.id, requirement.title, (requirement.rule, f"Why: {requirement.why}", *requirement.links))
    return Problem(
        rule=NO_ANSWER if result.verdict is CaseVerdict.ERROR else rule,
        message=f"{requirement.title}: {cases} fail, blame: {result.blame}",
        details=(
            requirement.rule,
            f"case {first.judged.case.name}, {counted(len(first.failures), 'difference')}",
            *failure_lines(first.failures[0], first, name),
        ),
        repeat=repeating(plan, name, requirement.id),
        identity=requirement.id,
    )
