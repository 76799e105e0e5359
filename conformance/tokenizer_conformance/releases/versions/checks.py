"""A comparison of releases as checks: of every release, of every step to the next one each tokenizer, and of sections.

A tokenizer fails in a step where anything changed that no ledger knows.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.rules import UNEXPLAINED_RULE
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.loading_problems import loading_problems
from tokenizer_conformance.releases.diff.wording import asked_again_line, change_line
from tokenizer_conformance.releases.versions.alike import alike
from tokenizer_conformance.releases.versions.events import (
    MatrixMade,
    Refused,
    StepFinished,
    VersionsFinished,
    VersionsStarted,
)
from tokenizer_conformance.releases.versions.facts import SectionFinished
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.releases.versions.wording import (
    fact_line,
    last_word,
    left_out_line,
    release_line,
    stale_entry_line,
)
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import UNAVAILABLE, UNSTABLE, stale_check, unusable_check
from tokenizer_conformance.validation.running.checks import TokenizerChecks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.rejected import Rejected
    from tokenizer_conformance.releases.versions.alike import AlikeChanges
    from tokenizer_conformance.releases.versions.events import Event
    from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
    from tokenizer_conformance.validation.running.events import RunStarted, TokenizerFinished

TITLE = "tokconf versions"

RELEASES = "releases"
"""The group of the checks that a release could be had, and was asked."""

FACT_CHANGED = plain_rule(
    "fact-changed",
    "A fact about a release is another one than before",
    "Facts are defaults, refusals, saved files and what else is no answer to a text. The message has both values.",
)
NOT_REACHED = "not reached: the comparison was cut short before"


class VersionsChecks:
    """Tells ``write`` in the end what a comparison of releases has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._started: VersionsStarted | None = None
        self._given: list[Check] = []
        self._missing: dict[str, Rejected] = {}
        self._ready: list[SnapshotReady] = []
        self._matrices: list[TokenizerMatrix] = []
        self._steps: dict[tuple[str, str], StepFinished] = {}
        self._sections: list[SectionFinished] = []

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case VersionsStarted():
                self._started = event
            case Refused(refusal, is_release=True):
                self._missing[refusal.name] = refusal
            case Refused(refusal):
                self._given.append(unusable_check(refusal))
            case SnapshotReady():
                self._ready.append(event)
            case MatrixMade(matrix):
                self._matrices.append(matrix)
            case StepFinished():
                self._steps[event.old, event.new] = event
            case SectionFinished():
                self._sections.append(event)
            case VersionsFinished() if self._started is not None:
                self._write(self._checked(self._started, event))
            case _:
                pass

    def _checked(self, started: VersionsStarted, finished: VersionsFinished) -> CheckedRun:
        checks = [*self._given, *self._releases(started)]
        for number, (old, new) in enumerate(pairwise(self._ready)):
            pair = (number, number + 1)
            checks += (self._of_step(old.release, new.release, pair, each) for each in started.tokenizers)
        for section in self._sections:
            checks += _of_section(section)
        checks += (stale_check(entry, stale_entry_line(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished,
            title=TITLE,
            environment=started.environment,
            checks=checks,
            conclusion=last_word(finished),
            notes=tuple(filter(None, [left_out_line(started)])),
        )

    # Releases

    def _releases(self, started: VersionsStarted) -> Iterator[Check]:
        ready = {each.release: each for each in self._ready}
        for release in dict.fromkeys((*(word for word, _ in started.releases), *self._missing)):
            outcome, message = CheckOutcome.PASSED, ""
            problems: tuple[Problem, ...] = ()
            properties: dict[str, str] = {}
            if release in self._missing:
                outcome = CheckOutcome.ERROR
                problems = (Problem(rule=UNAVAILABLE, message=self._missing[release].reason),)
            elif release in ready:
                found = ready[release]
                message = release_line(found)
                properties = {"loaded": f"{found.loaded:,}", "refused": f"{found.refused:,}", "version": found.version}
            else:
                outcome, message = CheckOutcome.SKIPPED, NOT_REACHED
            yield Check(
                group=RELEASES,
                name=release,
                outcome=outcome,
                message=message,
                problems=problems,
                properties=properties,
            )

    # Steps

    def _of_step(self, old: str, new: str, pair: tuple[int, int], tokenizer: TokenizerFile) -> Check:
        name = tokenizer.source.name
        step = self._steps.get((old, new))
        outcome, message = CheckOutcome.PASSED, ""
        details: tuple[str, ...] = ()
        problems: tuple[Problem, ...] = ()
        if step is None:
            outcome, message = CheckOutcome.SKIPPED, NOT_REACHED
        else:
            problems = tuple(_problems(step, name))
            known = tuple(_known(step, name))
            noise = tuple(asked_again_line(each) for each in step.asked_again if each.tokenizer == name)
            if problems:
                is_error = any(problem.rule is UNSTABLE for problem in problems)
                outcome = CheckOutcome.ERROR if is_error else CheckOutcome.FAILED
                details = (*known, *noise)
            elif known:
                outcome, message, details = CheckOutcome.KNOWN, known[0], known[1:]
            elif not self._is_compared(name, pair):
                outcome, message = CheckOutcome.SKIPPED, "not loaded by both releases"
        return Check(
            group=f"{old} -> {new}",
            name=name,
            outcome=outcome,
            message=message,
            details=details,
            problems=problems,
            location=tokenizer_location(tokenizer),
            properties={_inputs_are(step, name): f"{self._inputs(name, pair):,}"},
        )

    def _is_compared(self, tokenizer: str, pair: tuple[int, int]) -> bool:
        return any(
            each.tokenizer == tokenizer and all(number in each.loaded for number in pair) for each in self._matrices
        )

    def _inputs(self, tokenizer: str, pair: tuple[int, int]) -> int:
        return sum(each.inputs.get(pair, 0) for each in self._matrices if each.tokenizer == tokenizer)


def _inputs_are(step: StepFinished | None, tokenizer: str) -> str:
    """Return what the inputs on which two snapshots differ are called."""
    noisy = step is not None and any(each.unstable for each in step.tokenizers if each.tokenizer == tokenizer)
    return "inputs with other answers, unstable ones among them" if noisy else "inputs that changed"


def _problems(step: StepFinished, tokenizer: str) -> Iterator[Problem]:
    yield from loading_problems(each for each in step.loading if each.change.tokenizer == tokenizer)
    for done in step.tokenizers:
        if done.tokenizer == tokenizer and step.run is not None:
            yield from _of_answers(step.run, done)


def _of_answers(run: RunStarted, done: TokenizerFinished) -> Iterator[Problem]:
    """Yield what changed in the answers, stage by stage: a cause is told at its stage."""
    if not done.findings and not done.unstable:
        return
    checks = TokenizerChecks(run, done)
    found = [
        replace(problem, message=f"{stage}: {problem.message}", identity=f"{stage}; {problem.identity}")
        for result in done.results
        for stage in result.stages
        for problem in checks.problems(result.implementation, stage)
    ]
    yield from found or [
        Problem(rule=UNEXPLAINED_RULE, message=f"{counted(len(done.findings), 'finding')}: other answers")
    ]


def _known(step: StepFinished, tokenizer: str) -> Iterator[str]:
    for each in step.loading:
        if each.change.tokenizer == tokenizer and each.entry is not None:
            yield change_line(each)
    for done in step.tokenizers:
        if done.tokenizer == tokenizer and step.run is not None:
            checks = TokenizerChecks(step.run, done)
            for result in done.results:
                for stage in result.stages:
                    yield from checks.known(result.implementation, stage)


# Sections -------------------------------------------------------------------------------------------------------------


def _of_section(section: SectionFinished) -> Iterator[Check]:
    group = f"{section.section} of releases"
    for release, reason in section.missing.items():
        yield Check(group=group, name=release, outcome=CheckOutcome.SKIPPED, message=reason)
    for old, new in pairwise(section.facts):
        groups = alike(each for each in section.changes if (each.until, each.since) == (old, new))
        problems = tuple(_changed_fact(each) for each in groups if each.first.entry is None)
        known = [fact_line(each) for each in groups if each.first.entry is not None]
        outcome = CheckOutcome.FAILED if problems else CheckOutcome.KNOWN if known else CheckOutcome.PASSED
        yield Check(
            group=group,
            name=f"{old} -> {new}",
            outcome=outcome,
            message="" if problems or not known else known[0],
            details=tuple(known if problems else known[1:]),
            problems=problems,
            properties={"facts": f"{section.facts[new]:,}"},
        )


def _changed_fact(group: AlikeChanges) -> Problem:
    """Return the problem that facts changed alike."""
    names = [change.name for change in group.changes]
    return Problem(
        rule=FACT_CHANGED,
        message=fact_line(group),
        details=tuple(names) if len(names) > 1 else (),
        identity="; ".join(sorted(names)),
    )
