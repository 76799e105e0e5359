"""A run as checks: of every implementation on every tokenizer its loading and each stage, and what else can fail.

A stage fails for what differs there for its own sake; where it differs as a consequence of earlier stages alone, these
fail and it is skipped. Its problems are the causes of what differs; a finding of which no cause is known stands for
itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.rules import UNEXPLAINED_RULE, cause_problem, rule_of
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.comparison import verdicts
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.comparison.wording import example_headline, subject_lines, window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.ledger.entry import VOCABULARY
from tokenizer_conformance.plural import counted
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem
from tokenizer_conformance.results.ci_results.location import tokenizer_location
from tokenizer_conformance.results.ci_results.rules import (
    GIVEN,
    LOAD,
    NO_ANSWER,
    NOT_SHOWN_ANY_MORE,
    OTHER_VOCABULARY,
    TOO_LITTLE,
    UNAVAILABLE,
    UNSTABLE,
    group_of,
    load_check,
    stale_check,
    unusable_check,
)
from tokenizer_conformance.results.records import run as lines
from tokenizer_conformance.results.records.headers import Refused
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    Replayed,
    RunFinished,
    RunStarted,
    TokenizerFinished,
)
from tokenizer_conformance.validation.running.vocabularies import names_for_ledger, vocabulary_line
from tokenizer_conformance.validation.running.wording import (
    blame,
    cell,
    coverage,
    finer_offsets,
    hidden_fields,
    known_lines,
    load_reason,
    missing_ids,
    own_groups,
    shortfall_line,
    stale_line,
    summary,
    unanswered_extras,
    unstable_line,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from tokenizer_adapters.contract import Stage
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.comparison.findings import Finding
    from tokenizer_conformance.results.records.run import Result, ResultStage, Shortfall, Vocabulary
    from tokenizer_conformance.validation.running.events import Event
    from tokenizer_conformance.validation.running.wording import FindingGroup

DIFFERENT = frozenset({Verdict.DIFFER, Verdict.ERROR, *verdicts.NO_ANSWER})


class RunChecks:
    """Tells ``write`` in the end what a run has checked; ``optional`` implementations need not load every tokenizer."""

    def __init__(self, write: Callable[[CheckedRun], None], optional: Collection[str] = ()) -> None:
        self._write = write
        self._optional = optional
        self._run: RunStarted | None = None
        self._given: list[Check] = []
        self._tokenizers: dict[str, TokenizerFinished] = {}

    def handle(self, event: Event) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case RunStarted():
                self._run = event
            case Replayed(recorded):
                self.handle(recorded)
            case InputRefused(refusal):
                self._given.append(unusable_check(refusal))
            case ImplementationMissing(refusal, asked):
                self._given.append(unusable_check(refusal, rule=UNAVAILABLE, is_asked=asked))
            # The same as a record that is merged or read again has it.
            case Refused():
                self._given.append(unusable_check(event))
            case lines.ImplementationMissing(name=name, reason=reason, asked=asked):
                missing = Rejected("implementation", name, reason)
                self._given.append(unusable_check(missing, rule=UNAVAILABLE, is_asked=asked is not False))
            case TokenizerFinished():
                self._tokenizers[event.tokenizer] = event
            case CausesSought(tokenizer=tokenizer):
                self._tokenizers[tokenizer] = event.of(self._tokenizers[tokenizer])
            case RunFinished() if self._run is not None:
                self._write(self._checked(self._run, event))
            case _:
                pass

    def _checked(self, run: RunStarted, finished: RunFinished) -> CheckedRun:
        checks = [*self._given]
        tokenizers = list(self._tokenizers.values())
        for each in tokenizers:
            checks += TokenizerChecks(run, each, finished.shortfalls, self._optional).checks()
        if not finished.finished:
            checks += _not_reached(run, self._tokenizers.keys())
        checks += (stale_check(entry, stale_line(entry)) for entry in finished.stale)
        return CheckedRun.of(
            finished,
            title="tokconf run",
            environment=run.environment,
            checks=checks,
            conclusion=summary(finished, tokenizers),
            notes=tuple(coverage(finished)),
        )


def _not_reached(run: RunStarted, reached: Collection[str]) -> Iterator[Check]:
    for tokenizer in run.tokenizers:
        name = tokenizer.source.name
        for info in run.implementations:
            if name not in reached and info.name != run.baseline:
                yield Check(
                    group=group_of(info.name, name),
                    name=LOAD,
                    outcome=CheckOutcome.SKIPPED,
                    message="not reached: the run was cut short before",
                )


class TokenizerChecks:
    """The checks of all implementations on the tokenizer that is ``done`` in a ``run``.

    ``shortfalls`` are what the run did not answer often enough. ``group`` gives the group of the checks of an
    implementation on a tokenizer, by both their names.
    """

    def __init__(
        self,
        run: RunStarted,
        done: TokenizerFinished,
        shortfalls: Sequence[Shortfall] = (),
        optional: Collection[str] = (),
        group: Callable[[str, str], str] = group_of,
    ) -> None:
        self._run = run
        self._done = done
        self._shortfalls = shortfalls
        self._optional = optional
        self._group = group
        self._tokenizer = next(each for each in run.tokenizers if each.source.name == done.tokenizer)
        self._groups = own_groups(done)

    def checks(self) -> Iterator[Check]:
        """Yield them."""
        if self._done.baseline_load_error is not None:
            yield self._load(self._run.baseline, self._done.baseline_load_error, is_needed=True)
        for result in self._done.results:
            needed = result.implementation not in self._optional
            yield self._load(result.implementation, result.load_error, is_needed=needed, result=result)
            yield from self.stages(result)
            if result.vocabulary is not None:
                yield self._vocabulary(result, result.vocabulary)
        ids = missing_ids(self._run, self._done)
        if ids is not None:
            yield Check(
                group=GIVEN,
                name=f"--every-id on {self._done.tokenizer}",
                outcome=CheckOutcome.FAILED,
                problems=(Problem(rule=TOO_LITTLE, message=ids),),
            )

    def _vocabulary(self, result: Result, found: Vocabulary) -> Check:
        line = vocabulary_line(result, found) if found.differing else ""
        outcome, message = CheckOutcome.PASSED, ""
        problems: tuple[Problem, ...] = ()
        if found.unstable:
            outcome, problems = CheckOutcome.ERROR, (Problem(rule=UNSTABLE, message=line, identity=VOCABULARY),)
        elif found.new:
            names = "\n".join(names_for_ledger(found))
            problem = Problem(rule=OTHER_VOCABULARY, message=line, repeat=found.repeat, identity=names)
            outcome, problems = CheckOutcome.FAILED, (problem,)
        elif found.known:
            outcome, message = CheckOutcome.KNOWN, line
        elif not found.is_compared:
            outcome, message = CheckOutcome.SKIPPED, f"not shown: {one_line(found.not_shown)}"
        return Check(
            group=self._group(result.implementation, self._done.tokenizer),
            name=VOCABULARY,
            outcome=outcome,
            message=message,
            problems=problems,
            location=tokenizer_location(self._tokenizer),
        )

    def stages(self, result: Result) -> Iterator[Check]:
        """Yield the checks of the implementation of ``result``, stage by stage."""
        return (self._stage(result, stage) for stage in result.stages)

    def _load(self, name: str, error: str | None, *, is_needed: bool, result: Result | None = None) -> Check:
        reason = None if error is None else load_reason(error, self._done.tokenizer)
        return load_check(
            self._run.info(name),
            self._run.info(self._run.baseline),
            self._tokenizer,
            reason,
            is_needed=is_needed,
            details=() if result is None else tuple(_notes(result)),
        )

    def _stage(self, result: Result, stage: Stage) -> Check:
        name, count = result.implementation, result.stages[stage]
        problems = tuple(self.problems(name, stage))
        outcome, message, details = self._judged(result, stage)
        if problems:
            is_error = any(problem.rule in (NO_ANSWER, UNSTABLE) for problem in problems)
            outcome = CheckOutcome.ERROR if is_error else CheckOutcome.FAILED
        return Check(
            group=self._group(name, self._done.tokenizer),
            name=stage,
            outcome=outcome,
            message=message,
            details=details,
            problems=problems,
            location=tokenizer_location(self._tokenizer, stage if problems else None),
            properties={"inputs": _counts(result, stage), "values": f"{count.compared:,} of {count.total:,}"},
        )

    def _judged(self, result: Result, stage: Stage) -> tuple[CheckOutcome, str, tuple[str, ...]]:
        """Return the result of the stage, where it has no problems of its own."""
        count = result.stages[stage]
        if self._done.baseline_load_error is not None or result.load_error is not None:
            who = result.implementation if self._done.baseline_load_error is None else self._run.baseline
            return CheckOutcome.SKIPPED, f"{who} does not load the tokenizer", ()
        if any(count.inputs.get(verdict) for verdict in DIFFERENT):
            told = blame(result) or "differs"
            return CheckOutcome.SKIPPED, f"differs here as a consequence of what differs elsewhere: {told}", ()
        if not self._done.complete:
            so_far = f"{counted(self._done.inputs, 'input')} so far, {_counts(result, stage)}"
            return CheckOutcome.SKIPPED, f"not finished: {so_far}", ()
        known = self.known(result.implementation, stage)
        if known:
            return CheckOutcome.KNOWN, known[0], known[1:]
        if not count.compared:
            return CheckOutcome.SKIPPED, _not_compared(count), ()
        return CheckOutcome.PASSED, "", ()

    def known(self, implementation: str, stage: Stage) -> tuple[str, ...]:
        """Return lines about the known differences of ``implementation`` at ``stage``."""
        found = [
            finding
            for finding in self._done.known
            if finding.signature.implementation == implementation and finding.signature.stage is stage
        ]
        return tuple(line.removeprefix("known: ") for line in known_lines(found))

    # What is wrong

    def problems(self, implementation: str, stage: Stage) -> Iterator[Problem]:
        """Yield what is wrong with the answers of ``implementation`` at ``stage``."""
        groups = [group for group in self._groups if _is_of(group, implementation, stage)]
        # Between two versions a cause may be told of either, the baseline too.
        about = (implementation, self._run.baseline)
        causes = [each for each in self._done.causes if each.implementation in about]
        here = [cause for cause in causes if cause.signature.manner.stage is stage]
        for cause in here:
            yield cause_problem(cause, self._run.other_than(cause.implementation), _repeat(cause, groups))
        for group in groups:
            cause_of_group = next((cause for cause in [*here, *causes] if _explains(cause, group)), None)
            if cause_of_group is None or cause_of_group not in here:
                yield self._finding(group, cause_of_group)
        for finding in self._done.unstable:
            if finding.signature.implementation == implementation and finding.signature.stage is stage:
                identity = str(finding.signature.field)
                yield Problem(rule=UNSTABLE, message=unstable_line(finding), identity=identity)
        for short in self._shortfalls:
            if (short.tokenizer, short.implementation, short.stage) == (self._done.tokenizer, implementation, stage):
                rule = NOT_SHOWN_ANY_MORE if short.lost else TOO_LITTLE
                identity = f"{short.field} {short.lost}".rstrip()
                yield Problem(rule=rule, message=shortfall_line([short]), identity=identity)

    def _finding(self, group: FindingGroup, cause: Cause | None) -> Problem:
        """Return findings of which no cause stands at their stage; ``cause`` may be known at another one."""
        shown = group.shown
        signature = shown.signature
        rule = UNEXPLAINED_RULE if cause is None else rule_of(cause.reason)
        if signature.verdict in verdicts.NO_ANSWER:
            rule = NO_ANSWER
        example = group.example
        sides = (one_line(self._run.baseline), one_line(signature.implementation))
        fields = ", ".join(str(finding.signature.field) for finding in group.findings)
        return Problem(
            rule=rule,
            message=f"{group.headline} ({group.counts})",
            details=(
                f"smallest: {example_headline(example)}",
                *subject_lines(example.question, example.near),
                *window(example.difference, *sides),
            ),
            repeat=shown.repeat,
            identity=f"{signature.verdict}; {signature.kind}; {signature.party}; {signature.detail}; {fields}",
        )


def _is_of(group: FindingGroup, implementation: str, stage: Stage) -> bool:
    return any(
        finding.signature.implementation == implementation
        and finding.signature.stage is stage
        and not finding.is_consequence
        for finding in group.findings
    )


def _explains(cause: Cause, group: FindingGroup) -> bool:
    """Return whether ``cause`` was seen on an input that shows ``group`` too."""
    return any(set(cause.examples).intersection(_inputs(finding)) for finding in group.findings)


def _inputs(finding: Finding) -> set[str]:
    return {*finding.own_inputs, finding.smallest.input.id, finding.first.input.id}


def _repeat(cause: Cause, groups: list[FindingGroup]) -> str:
    """Return the command that shows ``cause`` again; in older records that of a finding seen on one of its inputs."""
    return cause.repeat or next((group.shown.repeat for group in groups if _explains(cause, group)), "")


def _counts(result: Result, stage: Stage) -> str:
    """Count the inputs by verdict, as the matrix does."""
    return ", ".join(line for line in cell(result, stage) if not line.startswith("("))


def _not_compared(count: ResultStage) -> str:
    if set(count.inputs) == {Verdict.UNSUPPORTED}:
        return "not shown by the implementation, or not by the baseline"
    if count.inputs.get(Verdict.BOTH_ERROR):
        return "nothing was compared: both sides raise errors"
    return "nothing was compared"


def _notes(result: Result) -> Iterator[str]:
    notes = (hidden_fields(result), finer_offsets(result), unanswered_extras(result))
    return (note for note in notes if note is not None)
