"""A search as checks: one for each implementation on each tokenizer, whose problems are the causes that were found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.rules import UNEXPLAINED_RULE, cause_problem
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.comparison.verdicts import NO_ANSWER as NO_ANSWERS
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import (
    NO_ANSWER,
    UNAVAILABLE,
    UNSTABLE,
    group_of,
    load_check,
    unusable_check,
)
from tokenizer_conformance.validation.search.events import (
    PairingRefused,
    PairingSearched,
    SearchFinished,
    SearchStarted,
)
from tokenizer_conformance.validation.search.wording import cause_lines, summary, unexamined_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tokenizer_conformance.validation.search.events import SearchEvent

SEARCH = "search"
"""The name of the check that a search finds nothing."""


class SearchChecks:
    """Tells ``write`` in the end what a search has checked; ``optional`` implementations need not load everything."""

    def __init__(self, write: Callable[[CheckedRun], None], optional: Collection[str] = ()) -> None:
        self._write = write
        self._optional = optional
        self._started: SearchStarted | None = None
        self._given: list[Check] = []
        self._searched: list[PairingSearched] = []

    def handle(self, event: SearchEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case SearchStarted():
                self._started = event
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case PairingRefused(pairing, reason) if self._started is not None:
                info = pairing.implementation.info
                needed = info.name not in self._optional
                check = load_check(info, self._started.baseline, pairing.tokenizer, reason, is_needed=needed)
                self._given.append(check)
            case PairingSearched():
                self._searched.append(event)
            case SearchFinished() if self._started is not None:
                self._write(self._checked(self._started, event))
            case _:
                pass

    def _checked(self, started: SearchStarted, finished: SearchFinished) -> CheckedRun:
        return CheckedRun.of(
            finished,
            title="tokconf fuzz",
            environment=started.environment,
            checks=(*self._given, *(_searched(each, finished, started.baseline.name) for each in self._searched)),
            conclusion=summary(finished),
            notes=(f"seed {started.seed}",),
        )


def _searched(searched: PairingSearched, finished: SearchFinished, baseline: str) -> Check:
    pairing, tally = searched.pairing, searched.tally
    problems = tuple(_problems(searched, finished, baseline))
    is_error = any(problem.rule in (NO_ANSWER, UNSTABLE) for problem in problems)
    outcome = CheckOutcome.PASSED
    if problems:
        outcome = CheckOutcome.ERROR if is_error else CheckOutcome.FAILED
    elif not searched.complete or not (tally.values or tally.known):
        outcome = CheckOutcome.SKIPPED
    elif tally.known:
        outcome = CheckOutcome.KNOWN
    so_far = f"{counted(tally.cases, 'case')}, {counted(tally.values, 'value')} agree"
    return Check(
        group=group_of(pairing.implementation.info.name, pairing.tokenizer.source.name),
        name=SEARCH,
        outcome=outcome,
        message=so_far if searched.complete else f"not finished: {so_far}",
        details=tuple(f"known: {counted(count, 'difference')}: {entry.reason}" for entry, count in tally.known.items()),
        problems=problems,
        location=tokenizer_location(pairing.tokenizer),
        seconds=tally.seconds,
    )


def _problems(searched: PairingSearched, finished: SearchFinished, baseline: str) -> Iterator[Problem]:
    pairing, tally = searched.pairing, searched.tally
    for each in finished.causes:
        cause = each.cause
        is_here = pairing.tokenizer.source.name in cause.tokenizers
        if is_here and cause.implementation == pairing.implementation.info.name:
            stage = cause.signature.manner.stage
            place = tokenizer_location(pairing.tokenizer, stage)
            rule = NO_ANSWER if cause.signature.manner.verdict in NO_ANSWERS else None
            problem = cause_problem(cause, baseline, location=place, rule=rule)
            yield replace(problem, details=tuple(cause_lines(cause, baseline)))
    if tally.unstable:
        yield Problem(
            rule=UNSTABLE,
            message=f"{counted(tally.unstable, 'answer')} differed, and were others when asked again",
        )
    if tally.unexamined:
        yield Problem(
            rule=UNEXPLAINED_RULE,
            message=f"{counted(tally.unexamined, 'case')} differ and were not looked at, since the search was over",
            details=tuple(unexamined_lines(tally)),
            identity="unexamined",
        )
