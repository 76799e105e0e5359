"""Fuzzing from beginning to end: compares each implementation, gathers differences by kind, makes one of each small."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import Isolation
from tokenizer_conformance.environment import current_environment
from tokenizer_conformance.events import Conclusion, ImplementationMissing
from tokenizer_conformance.findings import length_of
from tokenizer_conformance.fuzz_events import (
    FuzzCompared,
    FuzzEvent,
    FuzzFinished,
    FuzzStarted,
    KindFound,
    TokenizerFuzzed,
)
from tokenizer_conformance.fuzz_pool import MEMORY
from tokenizer_conformance.fuzz_workers import fuzz, reduced_difference
from tokenizer_conformance.fuzzing import PATIENCE, TEXTS_PER_TOKENIZER, AnswerDifference, FuzzPlan, FuzzResult
from tokenizer_conformance.verdicts import NO_ANSWER

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.fuzzing import FuzzDifference, Kind
    from tokenizer_conformance.plan import Refusal

MOST_REDUCED = 20
"""Of how many kinds of difference a case is made small."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FuzzRequest:
    """What to fuzz: the ``implementations``, each against the ``baseline``, in ``jobs`` processes.

    They are called by the words that select them; ``isolation`` says in which processes they run.

    ``unavailable`` are implementations that were asked for and cannot be used.
    """

    baseline: ImplementationInfo
    implementations: tuple[ImplementationInfo, ...]
    seed: int
    tokenizers: int
    texts: int = TEXTS_PER_TOKENIZER
    start: int = 0
    patience: float = PATIENCE
    isolation: Isolation = field(default_factory=lambda: Isolation(Limits(memory=MEMORY)))
    jobs: int = 1
    unavailable: tuple[Refusal, ...] = ()
    command: tuple[str, ...] = ()

    def plans(self) -> list[FuzzPlan]:
        """Return what is to be done, an implementation at a time."""
        return [
            FuzzPlan(
                baseline=self.baseline.name,
                implementation=info.name,
                seed=self.seed,
                tokenizers=self.tokenizers,
                texts=self.texts,
                start=self.start,
                patience=self.patience,
                isolation=self.isolation,
            )
            for info in self.implementations
        ]


def fuzz_run(request: FuzzRequest) -> Generator[FuzzEvent]:
    """Carry out ``request`` and yield what happens.

    A ``KeyboardInterrupt`` that is raised at work, or thrown into the generator, ends it early: what was done is reported.
    """
    return _FuzzRun(request).events()


class _FuzzRun:
    """Fuzzing at work."""

    def __init__(self, request: FuzzRequest) -> None:
        self._request = request
        self._began = time.perf_counter()
        self._done: list[FuzzResult] = []
        self._at_work: _Comparison | None = None

    def events(self) -> Generator[FuzzEvent]:
        interrupted = False
        try:
            yield self._started()
            for refusal in self._request.unavailable:
                yield ImplementationMissing(refusal)
            for plan in self._request.plans():
                self._at_work = _Comparison(plan)
                self._done.append(self._at_work.result)
                yield from self._at_work.events(self._request.jobs)
            self._at_work = None
        except KeyboardInterrupt:
            interrupted = True
            if self._at_work is not None:
                yield from self._at_work.rest()
        yield self._finished(interrupted)

    def _started(self) -> FuzzStarted:
        request = self._request
        return FuzzStarted(
            environment=current_environment(request.command),
            baseline=request.baseline,
            implementations=request.implementations,
            seed=request.seed,
            start=request.start,
            tokenizers=request.tokenizers,
            texts=request.texts,
        )

    def _finished(self, interrupted: bool) -> FuzzFinished:
        return FuzzFinished(
            finished=not interrupted,
            conclusion=Conclusion.INTERRUPTED if interrupted else self._conclusion(),
            tokenizers=sum(result.tokenizers for result in self._done),
            cases=sum(result.cases for result in self._done),
            values=sum(result.values for result in self._done),
            differences=sum(len(result.differences) for result in self._done),
            seconds=time.perf_counter() - self._began,
        )

    def _conclusion(self) -> Conclusion:
        differences = [difference for result in self._done for difference in result.differences]
        if self._request.unavailable or any(map(_is_failure, differences)):
            return Conclusion.IMPLEMENTATION_FAILED
        if differences:
            return Conclusion.DIFFERENCES
        if not self._done or not all(result.values for result in self._done):
            return Conclusion.NOTHING_COMPARED
        return Conclusion.CONFORM


def _is_failure(difference: FuzzDifference) -> bool:
    """Whether a side gave no answer at all, where the other did."""
    match difference.found:
        case AnswerDifference(_, answers):
            return answers.verdict in NO_ANSWER
    return False


class _Comparison:
    """One implementation at work."""

    def __init__(self, plan: FuzzPlan) -> None:
        self.plan = plan
        self.result = FuzzResult()
        self._began = time.perf_counter()
        self._is_compared = False
        self._kinds: list[tuple[Kind, list[FuzzDifference]]] = []

    def events(self, jobs: int) -> Iterator[FuzzEvent]:
        for result in fuzz(self.plan, jobs):
            self.result.add(result)
            yield TokenizerFuzzed(self.plan, result, self.result.tokenizers, self.plan.tokenizers)
        yield self._compared(complete=True)
        reduced = 0
        while self._kinds and reduced < MOST_REDUCED:
            smaller = reduced_difference(self.plan, _smallest(self._kinds[0][1]))
            reduced += 1
            yield self._kind(*self._kinds.pop(0), smaller)
        yield from self.rest()

    def rest(self) -> Iterator[FuzzEvent]:
        """Yield what is left to tell when no more work is to be done."""
        if not self._is_compared:
            yield self._compared(complete=False)
        while self._kinds:
            yield self._kind(*self._kinds.pop(0))

    def _compared(self, *, complete: bool) -> FuzzCompared:
        self._is_compared = True
        by_kind: defaultdict[Kind, list[FuzzDifference]] = defaultdict(list)
        for difference in self.result.differences:
            by_kind[difference.kind].append(difference)
        self._kinds = sorted(by_kind.items(), key=lambda item: (-len(item[1]), item[1][0].number))
        return FuzzCompared(self.plan, self.result, time.perf_counter() - self._began, complete)

    def _kind(self, kind: Kind, differences: list[FuzzDifference], smaller: FuzzDifference | None = None) -> KindFound:
        return KindFound(
            plan=self.plan,
            kind=kind,
            tokenizers=len(differences),
            first=min(difference.number for difference in differences),
            difference=smaller or _smallest(differences),
            is_reduced=smaller is not None,
        )


def _smallest(differences: list[FuzzDifference]) -> FuzzDifference:
    return min(differences, key=lambda difference: (_size(difference), difference.number))


def _size(difference: FuzzDifference) -> int:
    question = difference.case.question
    return len(json.dumps(difference.case.document)) + (0 if question is None else length_of(question))
