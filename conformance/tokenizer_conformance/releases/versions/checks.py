"""A comparison of releases as checks: of every release, of every step to the next one each tokenizer, and of sections.

A tokenizer fails in a step where anything changed that no ledger knows.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.rules import UNEXPLAINED_RULE
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.checks import loading_problems
from tokenizer_conformance.releases.diff.wording import asked_again_line, change_line
from tokenizer_conformance.releases.versions.alike import alike
from tokenizer_conformance.releases.versions.events import StepFinished, VersionsFinished
from tokenizer_conformance.releases.versions.matrix import TokenizerMatrix
from tokenizer_conformance.releases.versions.sections.table import TITLES
from tokenizer_conformance.releases.versions.snapshots import SnapshotReady
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, judged, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import UNAVAILABLE, UNSTABLE, stale_check, unusable_check
from tokenizer_conformance.results.records import versions as lines
from tokenizer_conformance.validation.running.checks import TokenizerChecks
from tokenizer_conformance.validation.running.wording import stale_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.versions.alike import AlikeChanges
    from tokenizer_conformance.releases.versions.events import Event
    from tokenizer_conformance.releases.versions.plan import VersionsPlan
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
    """Tells ``write`` in the end what the comparison of releases by ``plan`` has checked."""

    def __init__(self, plan: VersionsPlan, write: Callable[[CheckedRun], None]) -> None:
        self._plan = plan
        self._write = write
        self._header: lines.Header | None = None
        self._given: list[Check] = []
        self._missing: dict[str, lines.Refused] = {}
        self._ready: list[SnapshotReady] = []
        self._matrices: dict[str, TokenizerMatrix] = {}
        self._steps: dict[tuple[str, str], StepFinished] = {}
        self._sections: list[lines.Section] = []

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case lines.Header():
                self._header = event
            case lines.Refused(is_release=True):
                self._missing[event.name] = event
            case lines.Refused():
                self._given.append(unusable_check(event))
            case SnapshotReady():
                self._ready.append(event)
            case TokenizerMatrix():
                self._matrices[event.tokenizer] = event
            case StepFinished():
                self._steps[event.old, event.new] = event
            case lines.Section():
                self._sections.append(event)
            case VersionsFinished() if self._header is not None:
                self._write(self._checked(self._header, event))
            case _:
                pass

    def _checked(self, header: lines.Header, finished: VersionsFinished) -> CheckedRun:
        checks = [*self._given, *self._releases()]
        for number, (old, new) in enumerate(pairwise(self._ready)):
            pair = (number, number + 1)
            checks += (self._of_step(old.release, new.release, pair, each) for each in self._plan.asked)
        for section in self._sections:
            checks += self._of_section(section)
        checks += (stale_check(entry, _stale_line(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished,
            title=TITLE,
            environment=header.environment,
            checks=checks,
            conclusion=_last_word(finished),
            notes=tuple(_left_out(header.sections.left_out)),
        )

    # Releases

    def _releases(self) -> Iterator[Check]:
        ready = {each.release: each for each in self._ready}
        for release in dict.fromkeys((*(each.word for each in self._plan.releases), *self._missing)):
            missing, found = self._missing.get(release), ready.get(release)
            if missing is not None:
                problem = Problem(rule=UNAVAILABLE, message=missing.reason)
                yield Check(group=RELEASES, name=release, outcome=CheckOutcome.ERROR, problems=(problem,))
            elif found is None:
                yield Check(group=RELEASES, name=release, outcome=CheckOutcome.SKIPPED, message=NOT_REACHED)
            else:
                counts = {"loaded": f"{found.loaded:,}", "refused": f"{found.refused:,}", "version": found.version}
                message = _release_line(found)
                yield Check(
                    group=RELEASES, name=release, outcome=CheckOutcome.PASSED, message=message, properties=counts
                )

    # Steps

    def _of_step(self, old: str, new: str, pair: tuple[int, int], tokenizer: TokenizerFile) -> Check:
        name = tokenizer.source.name
        step, matrix = self._steps.get((old, new)), self._matrices.get(name)
        problems = () if step is None else tuple(_problems(step, name))
        known = () if step is None else tuple(_known(step, name))
        is_compared = matrix is not None and {*pair} <= {*matrix.loaded}
        skipped = NOT_REACHED if step is None else "" if is_compared else "not loaded by both releases"
        outcome, message, details = judged(problems, known, skipped)
        if step is not None and problems:
            details += tuple(asked_again_line(each) for each in step.asked_again if each.tokenizer == name)
            if any(problem.rule is UNSTABLE for problem in problems):
                outcome = CheckOutcome.ERROR
        return Check(
            group=f"{old} -> {new}",
            name=name,
            outcome=outcome,
            message=message,
            details=details,
            problems=problems,
            location=tokenizer_location(tokenizer),
            properties={_inputs_are(step, name): f"{0 if matrix is None else matrix.inputs.get(pair, 0):,}"},
        )

    # Sections

    def _of_section(self, section: lines.Section) -> Iterator[Check]:
        name = f"{section.section} of releases"
        for release, reason in section.missing.items():
            yield Check(group=name, name=release, outcome=CheckOutcome.SKIPPED, message=reason)
        for old, new in pairwise(section.facts):
            changes = [each for each in section.changes if (each.until, each.since) == (old, new)]
            groups = alike(section.section, changes)
            problems = tuple(_changed_fact(each) for each in groups if each.first.known is None)
            known = tuple(each.line(self._reason(each)) for each in groups if each.first.known is not None)
            outcome, message, details = judged(problems, known)
            yield Check(
                group=name,
                name=f"{old} -> {new}",
                outcome=outcome,
                message=message,
                details=details,
                problems=problems,
                properties={"facts": f"{section.facts[new]:,}"},
            )

    def _reason(self, group: AlikeChanges) -> str:
        """Return why facts that a ledger knows have changed."""
        known = group.first.known
        places = ((each.place, each.reason) for each in self._plan.ledger.entries)
        return next(
            (reason for at, reason in places if known and (at.ledger, at.number) == (known.ledger, known.entry)), ""
        )


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


def _changed_fact(group: AlikeChanges) -> Problem:
    """Return the problem that facts changed alike."""
    names = [change.name for change in group.changes]
    return Problem(
        rule=FACT_CHANGED,
        message=group.line(),
        details=tuple(names) if len(names) > 1 else (),
        identity="; ".join(sorted(names)),
    )


# Words ---------------------------------------------------------------------------------------------------------------


def _release_line(ready: SnapshotReady) -> str:
    """Return one line about a release that was asked."""
    refused = f", {ready.refused:,} refused" if ready.refused else ""
    made = "kept from an earlier run" if ready.is_kept else f"{ready.seconds:.1f} s"
    return (
        f"{one_line(ready.release)}: {counted(ready.loaded, 'tokenizer')} loaded{refused}; "
        f"{ready.size / 1e6:,.1f} MB, {made}"
    )


def _left_out(sections: tuple[str, ...]) -> Iterator[str]:
    """Say which sections were not compared, and how to ask for them; nothing where all were."""
    if sections:
        named = ", ".join(f"{name} ({TITLES[name]})" for name in sections)
        yield f"not compared: {named}; --section all compares them too"


def _stale_line(entry: Entry) -> str:
    """Say that ``entry`` is stale, and what to do."""
    if not entry.sections:
        return stale_line(entry)
    return (
        f"{one_line(str(entry.place))}: what {one_line(entry.implementation)} shows of {', '.join(entry.sections)} has "
        "not changed in this way, and all that the entry is about was compared; take it out, or narrow its `version` "
        "to what it was true of"
    )


def _last_word(finished: VersionsFinished) -> str:
    """Return the last line of the report."""
    state = "" if finished.finished else f"INCOMPLETE ({one_line(finished.reason or '')}): "
    changed = sum(bool(step.inputs or step.loading) for step in finished.steps)
    noisy = sum(step.is_unstable for step in finished.steps)
    unstable = f", {counted(noisy, 'step')} with unstable answers" if noisy else ""
    return (
        f"{state}{finished.conclusion.value}; {counted(finished.releases, 'release')}, "
        f"{counted(finished.tokenizers, 'tokenizer')}, {counted(changed, 'step')} with changes{unstable}"
    )
