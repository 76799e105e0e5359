"""Fuzzing with random tokenizers as checks: one for each implementation, whose problems are kinds of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.comparison.wording import describe, subject_lines
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.rules import UNAVAILABLE, UNSTABLE, unusable_check
from tokenizer_conformance.validation.fuzz.events import FuzzCompared, FuzzFinding, FuzzFinished, FuzzStarted
from tokenizer_conformance.validation.fuzz.wording import as_ascii, found_lines, repeating

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.validation.fuzz.events import FuzzEvent

RANDOM_TOKENIZER = plain_rule(
    "random-tokenizer-differs",
    "Answers about a random tokenizer differ",
    "The tokenizer.json is made at random and made small; the seed and its number give it again.",
)

LONGEST_DOCUMENT = 2000
"""How many characters of a tokenizer.json are shown."""


class FuzzChecks:
    """Tells ``write`` in the end what fuzzing has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: FuzzStarted | None = None
        self._given: list[Check] = []
        self._compared: list[FuzzCompared] = []
        self._findings: list[FuzzFinding] = []

    def handle(self, event: FuzzEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case FuzzStarted():
                self._started = event
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case FuzzCompared():
                self._compared.append(event)
            case FuzzFinding():
                self._findings.append(event)
            case FuzzFinished() if self._started is not None:
                self._write(self._checked(self._started, event))
            case _:
                pass

    def _checked(self, started: FuzzStarted, finished: FuzzFinished) -> CheckedRun:
        return CheckedRun.of(
            finished,
            title="tokconf fuzz",
            environment=started.environment,
            checks=(*self._given, *map(self._implementation, self._compared)),
            conclusion=finished.conclusion.value,
            notes=(f"seed {started.seed}",),
        )

    def _implementation(self, compared: FuzzCompared) -> Check:
        result = compared.result
        problems = tuple(self._problems(compared))
        outcome = CheckOutcome.PASSED
        if problems:
            outcome = CheckOutcome.ERROR if result.unstable else CheckOutcome.FAILED
        elif not compared.complete or not result.values:
            outcome = CheckOutcome.SKIPPED
        elif result.known:
            outcome = CheckOutcome.KNOWN
        so_far = f"{counted(result.tokenizers, 'tokenizer')}, {counted(result.values, 'value')} agree"
        return Check(
            group=f"{compared.plan.implementation} on random tokenizers",
            name="fuzz",
            outcome=outcome,
            message=so_far if compared.complete else f"not finished: {so_far}",
            details=tuple(
                f"known: {counted(count, 'difference')}: {each.reason}" for each, count in result.known.items()
            ),
            problems=problems,
            seconds=compared.seconds,
        )

    def _problems(self, compared: FuzzCompared) -> Iterator[Problem]:
        for finding in self._findings:
            if finding.plan == compared.plan:
                yield _problem(finding)
        if compared.result.unstable:
            told = f"{counted(compared.result.unstable, 'answer')} differed, and were others when asked again"
            yield Problem(rule=UNSTABLE, message=told)


def _problem(finding: FuzzFinding) -> Problem:
    case = finding.difference.case
    asked = [] if case.question is None else [describe(case.question), *subject_lines(case.question)]
    signature = ": ".join(finding.signature)
    return Problem(
        rule=RANDOM_TOKENIZER,
        message=f"{signature} ({counted(finding.tokenizers, 'tokenizer')})",
        details=(
            f"tokenizer.json  {one_line(as_ascii(case.document), LONGEST_DOCUMENT)}",
            *asked,
            *found_lines(finding.difference.found, finding.plan),
        ),
        repeat=repeating(finding.plan, finding.first),
        identity=signature,
    )
