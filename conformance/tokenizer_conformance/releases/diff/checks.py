"""A diff as checks: of every tokenizer how it is loaded and saved, its vocabulary and each stage.

Checks are named by the implementation without its version, so that they are the same from one release to the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.releases.diff.events import LoadingChanged, LoadingCompared
from tokenizer_conformance.releases.diff.loading_changes import PARTS
from tokenizer_conformance.releases.diff.sides import plain_name
from tokenizer_conformance.releases.diff.wording import asked_again_line, change_line, files_line, inputs_line
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import (
    LOAD,
    NOT_LOADED,
    OTHER_VOCABULARY,
    UNAVAILABLE,
    group_of,
    stale_check,
    unusable_check,
)
from tokenizer_conformance.results.records.run import AskedAgain, Sides
from tokenizer_conformance.validation.running.checks import TokenizerChecks
from tokenizer_conformance.validation.running.events import RunFinished, RunStarted, TokenizerFinished
from tokenizer_conformance.validation.running.wording import coverage, stale_line, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_conformance.releases.diff.events import Event
    from tokenizer_conformance.results.ci_results.check import Rule

TITLE = "tokconf diff"

LOADING_RULES: dict[str, Rule] = {
    "load": plain_rule(
        "loading-changed",
        "A tokenizer is refused that was loaded, or the other way round, or in other words",
        "Where only one side loads a tokenizer, no answers about it are compared.",
    ),
    "vocabulary": OTHER_VOCABULARY,
    "save": plain_rule(
        "saved-file-changed",
        "A tokenizer is saved as another tokenizer.json",
        "The message has the JSON path, and what stood and stands there. It is loaded from the same file.",
    ),
}
"""The rule for a change of each part, in the words of ledgers."""


class DiffChecks:
    """Tells ``write`` in the end what a diff has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._sides: list[str] = []
        self._run: RunStarted | None = None
        self._given: list[Check] = []
        self._changes: list[LoadingChanged] = []
        self._compared: list[LoadingCompared] = []
        self._tokenizers: dict[str, TokenizerFinished] = {}

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case Sides():
                notes = filter(None, [inputs_line(event), files_line(event)])
                self._sides = [f"old: {event.old}", f"new: {event.new}", *notes]
            case LoadingChanged():
                self._changes.append(event)
            case LoadingCompared():
                self._compared.append(event)
            case AskedAgain() if event.is_told:
                self._sides.append(asked_again_line(event))
            case RunStarted():
                self._run = event
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            case TokenizerFinished():
                self._tokenizers[event.tokenizer] = event
            case RunFinished() if self._run is not None:
                self._write(self._checked(self._run, event))
            case _:
                pass

    def _checked(self, run: RunStarted, finished: RunFinished) -> CheckedRun:
        checks = [*self._given]
        for each in self._compared:
            (new,) = (info for info in run.implementations if info.name != run.baseline)
            group = group_of(plain_name(new), each.tokenizer.source.name)
            checks += self._of_tokenizer(run, finished, each, group)
        checks += (stale_check(entry, stale_line(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished,
            title=TITLE,
            environment=run.environment,
            checks=checks,
            conclusion=summary(finished, list(self._tokenizers.values())),
            notes=(*self._sides, *coverage(finished)),
        )

    def _of_tokenizer(
        self, run: RunStarted, finished: RunFinished, compared: LoadingCompared, group: str
    ) -> Iterator[Check]:
        name = compared.tokenizer.source.name
        done = self._tokenizers.get(name)
        for part in PARTS:
            changes = [each for each in self._changes if (each.change.tokenizer, each.change.what) == (name, part)]
            yield _of_part(compared, part, changes, group, _refused_now(done) if part == LOAD else ())
        if done is not None:
            of_answers = TokenizerChecks(run, done, finished.shortfalls, group=lambda _name, _tokenizer: group)
            for result in done.results:
                yield from of_answers.stages(result)
            return
        is_left = any(each.source.name == name for each in run.tokenizers)
        why = "not reached: the run was cut short before" if is_left else "not loaded by both sides"
        for stage in run.stages:
            yield Check(group=group, name=stage, outcome=CheckOutcome.SKIPPED, message=why)


def _refused_now(done: TokenizerFinished | None) -> tuple[Problem, ...]:
    """Return what is wrong where a side has loaded the tokenizer before, and does not when it is asked."""
    if done is None:
        return ()
    errors = (done.baseline_load_error, *(result.load_error for result in done.results))
    found = next((error for error in errors if error is not None), None)
    return () if found is None else (Problem(rule=NOT_LOADED, message=found),)


def _of_part(
    compared: LoadingCompared, part: str, changes: list[LoadingChanged], group: str, further: tuple[Problem, ...]
) -> Check:
    """Return the check of one ``part`` of how a tokenizer is loaded; ``further`` is wrong with it besides."""
    problems = (*loading_problems(changes), *further)
    outcome, message = CheckOutcome.PASSED, ""
    details: tuple[str, ...] = ()
    if problems:
        outcome = CheckOutcome.ERROR if further else CheckOutcome.FAILED
    elif changes:
        message, *more = map(change_line, changes)
        outcome, details = CheckOutcome.KNOWN, tuple(more)
    elif part in compared.left_out:
        outcome, message = CheckOutcome.SKIPPED, compared.left_out[part]
    return Check(
        group=group,
        name=part,
        outcome=outcome,
        message=message,
        details=details,
        problems=problems,
        location=tokenizer_location(compared.tokenizer),
    )


def loading_problems(changes: Iterable[LoadingChanged]) -> list[Problem]:
    """Return those of ``changes`` as problems that no ledger knows; what known changes explain is said."""
    return [
        Problem(rule=LOADING_RULES[each.change.what], message=change_line(each), identity=each.change.path)
        for each in changes
        if each.entry is None
    ]
