"""The engine: asks every implementation about every input, compares with the baseline, and says so in events.

Causes of what differs are looked for when all tokenizers are finished and told.
:mod:`tokenizer_conformance.comparison.questions` says what one input is asked about. A batch of inputs is held in
memory, never all.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.internal_error import InternalError, in_short
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.worker_pool import LostPoolError
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.lazy import lazy
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.validation.running.concluding import INTERRUPTED, Course, concluded
from tokenizer_conformance.validation.running.earlier_questions import NAME as EARLIER
from tokenizer_conformance.validation.running.events import (
    Event,
    InputCompared,
    Replayed,
    Resumption,
    RunFinished,
    RunStarted,
    TokenizerFinished,
    WhyNot,
)
from tokenizer_conformance.validation.running.stale import entries_in_play, stale_entries
from tokenizer_conformance.validation.running.tokenizer_run import TokenizerRun
from tokenizer_conformance.validation.running.workers import workers_for

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.running.gathered import Subject
    from tokenizer_conformance.validation.running.plan import RunPlan
    from tokenizer_conformance.validation.running.workers import Workers


_cause_search = lazy("tokenizer_conformance.validation.running.causes:CauseSearch")
"""Imported once something differs."""

_speeds = lazy("tokenizer_conformance.validation.running.speed:speeds")
"""Imported where speed is to be measured."""


def run(plan: RunPlan, resumed: Resumption | None = None) -> Generator[Event | InternalError]:
    """Carry out ``plan`` and yield what happens; ``resumed`` is what an earlier run of the same plan has recorded.

    A ``KeyboardInterrupt`` that is raised while the engine works, or thrown into the generator, ends the run early: the
    tokenizer at work is reported as it stands, and :class:`RunFinished` says that the run was interrupted.
    After an error that nobody expected, which is yielded as an :class:`InternalError`, it ends in the same way.
    """
    return _Run(plan, resumed or Resumption()).events()


def run_started(plan: RunPlan) -> RunStarted:
    """Return how a run of ``plan`` begins."""
    return RunStarted(
        environment=current_environment(plan.command),
        baseline=plan.baseline,
        implementations=tuple(implementation.info for implementation in plan.implementations),
        tokenizers=plan.tokenizers,
        inputs=plan.corpus.count,
        inputs_sha256=plan.corpus.sha256,
        stages=plan.observed_stages(),
        fields=tuple(sorted(plan.fields)),
        every_id=plan.every_id,
        seed=plan.seed,
        required=plan.required,
        ledgers=plan.ledger.files,
        optional=plan.optional,
        options=plan.options,
        shard=plan.shard,
        repeats=plan.repeats,
        sources_sha256=plan.corpus.sources_sha256,
    )


class _Run:
    """A run at work: what it has counted so far."""

    def __init__(self, plan: RunPlan, resumed: Resumption) -> None:
        self._plan = plan
        self._resumed = resumed
        self._began = time.perf_counter()
        self._started = run_started(plan)
        self._current: TokenizerRun | None = None
        self._workers: Workers | None = None
        self._complete = False
        self._done: dict[str, TokenizerFinished] = {}
        self._subjects: dict[str, Subject] = {}
        self._refused = False
        self._failed = False
        self._failing = 0
        self._broken = False
        self._incomplete = False

    def events(self) -> Generator[Event | InternalError]:
        reason: str | None = None
        try:
            yield self._started
            yield from self._refusals()
            if self._plan.shard is not None:
                yield entries_in_play(self._plan)
            with workers_for(self._plan) as self._workers:
                tokenizers = self._tokenizers()
                for number, tokenizer in enumerate(tokenizers, 1):
                    STATUS.begin(tokenizer.source.name, part=_part(number, len(tokenizers)))
                    yield from self._tokenizer(tokenizer)
                    if self._enough():
                        reason = f"stopped at failing input number {self._failing}, as asked"
                        break
            yield from self._causes()
            if self._plan.speed is not None:
                yield from _speeds(self._plan, self._plan.speed)
        except KeyboardInterrupt:
            reason = INTERRUPTED
            yield from self._end_early()
        except LostPoolError as error:
            self._incomplete = True
            reason = str(error)
            yield from self._end_early()
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: what was found is not lost by it
            self._broken = True
            reason = in_short(error)
            yield InternalError(error)
            yield from self._end_early()
        yield self._finished(reason)

    def _end_early(self) -> Iterator[Event]:
        if self._current is not None:
            yield from self._current.failed(ends=True)
            yield from self._finish(self._current, complete=self._complete)

    def _refusals(self) -> Iterator[Event]:
        for refusal in self._plan.refusals:
            self._refused = True
            yield InputRefused(refusal)
        for refusal in self._plan.unavailable:
            self._failed = True
            yield ImplementationMissing(refusal)
        yield from (ImplementationMissing(refusal, asked=False) for refusal in self._plan.absent)

    def _tokenizers(self) -> list[TokenizerFile]:
        """Return the tokenizers on which there is anything to compare."""
        plan = self._plan
        return [
            each
            for each in plan.tokenizers
            if not plan.portions or not plan.portion_of(each.source.name).is_empty(with_ids=plan.decodes_ids())
        ]

    def _tokenizer(self, tokenizer: TokenizerFile) -> Iterator[Event | InternalError]:
        name = tokenizer.source.name
        if name in self._resumed.finished:
            yield from self._replay(name)
            return
        begun = self._resumed.begun.get(name)
        self._let_go()
        at_work = TokenizerRun(self._plan, tokenizer.source, begun, self._workers)
        yield from at_work.load()
        if at_work.refusal is not None:
            self._refused = True
            yield InputRefused(at_work.refusal)
            return
        self._current = at_work
        self._complete = False
        complete = True
        if begun is not None:
            at_work.gather_again(self._resumed.failing.get(name, ()))
        try:
            for event in at_work.compare_inputs():
                yield event
                self._broken |= isinstance(event, InternalError)
                if isinstance(event, InputCompared) and self._enough():
                    complete = event.done == event.total
                    break
        except BadInputError as error:  # the file was readable when the run was planned
            self._refused = True
            complete = False
            yield InputRefused(Rejected("inputs file", "", str(error)))
        self._complete = complete
        for implementation in at_work.shrink_examples():
            STATUS.at("making examples smaller", implementation)
        yield from at_work.failed()
        yield from self._finish(at_work, complete=complete)

    def _replay(self, name: str) -> Iterator[Replayed]:
        yield from (Replayed(failure) for failure in self._resumed.load_failures if failure.tokenizer == name)
        finished = self._done[name] = _without_half_of_the_causes(self._resumed.finished[name])
        yield Replayed(finished)

    def _enough(self) -> bool:
        """Whether as many inputs have failed as the plan allows."""
        current = 0 if self._current is None else self._current.failing
        self._failing = sum(row.failing_inputs for done in self._done.values() for row in done.results) + current
        return self._plan.max_failing is not None and self._failing >= self._plan.max_failing

    def _finish(self, at_work: TokenizerRun, *, complete: bool) -> Iterator[Event]:
        self._current = None
        finished = self._done[at_work.name] = at_work.finished(complete=complete)
        subject = at_work.subject()
        if subject is not None:
            self._subjects[at_work.name] = subject
        yield finished
        if self._plan.ledger.takes_new:
            yield at_work.seen()

    def _let_go(self) -> None:
        """Have no tokenizer loaded but the next one."""
        for subject in self._subjects.values():
            subject.loaded.clear()

    # Causes

    def _causes(self) -> Iterator[Event | InternalError]:
        """Look for the causes of all that differs; what was told by then is not lost by it."""
        subjects: list[Subject] = []
        for at_work in self._compared_again():
            if self._plan.ledger.takes_new:
                yield at_work.seen()
            subject = at_work.subject()
            if subject is not None and not _was_sought(self._done[at_work.name]):
                subject.loaded.clear()
                subjects.append(subject)
        subjects += self._subjects.values()
        if not subjects or not self._plan.cause_seconds:
            return
        for sought, errors in _cause_search(self._plan).found(subjects):
            yield from map(InternalError, errors)
            self._broken |= bool(errors)
            self._done[sought.tokenizer] = sought.of(self._done[sought.tokenizer])
            yield sought

    def _compared_again(self) -> Iterator[TokenizerRun]:
        """Compare again what failed in an earlier run that did not reach its causes, or is to be in a ledger."""
        for tokenizer in self._tokenizers():
            name = tokenizer.source.name
            finished = self._done.get(name) if name in self._resumed.finished else None
            if finished is None or not self._resumed.failing.get(name):
                continue
            if not self._plan.ledger.takes_new and (_was_sought(finished) or not self._plan.cause_seconds):
                continue
            STATUS.begin(name, "comparing again what failed")
            at_work = TokenizerRun(self._plan, tokenizer.source, finished)
            for _ in at_work.load():
                pass  # it was told
            at_work.gather_again(self._resumed.failing[name])
            yield at_work

    def _finished(self, reason: str | None) -> RunFinished:
        course = Course(
            done=list(self._done.values()),
            reason=reason,
            seconds=time.perf_counter() - self._began,
            refused=self._refused,
            failed=self._failed,
            broken=self._broken,
            incomplete=self._incomplete,
        )
        is_whole = reason is None and not self._started.is_part
        return concluded(self._started, course, stale_entries(self._plan, course.done) if is_whole else ())


def _was_sought(finished: TokenizerFinished) -> bool:
    """Return whether causes were looked for, beside those that are known before."""
    return bool(finished.unexamined) or any(each.reason.name != EARLIER for each in finished.causes)


def _without_half_of_the_causes(finished: TokenizerFinished) -> TokenizerFinished:
    """Return ``finished`` without causes where the search for them was interrupted: it is begun anew."""
    if all(each.why is not WhyNot.INTERRUPTED for each in finished.unexamined):
        return finished
    return replace(finished, causes=(), uncounted=0, unexamined=())


def _part(number: int, total: int) -> str:
    return f"tokenizer {number} of {total}" if total > 1 else ""
