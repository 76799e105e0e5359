"""Fuzzing from beginning to end: compares implementations, gathers differences by signature, makes cases small."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.validation.fuzz.events import (
    FuzzCompared,
    FuzzEvent,
    FuzzFinding,
    FuzzFinished,
    FuzzStarted,
    TokenizerFuzzed,
)
from tokenizer_conformance.validation.fuzz.results import AnswerDifference, FuzzResult
from tokenizer_conformance.validation.fuzz.workers import fuzz, reduced_difference

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.validation.fuzz.plan import FuzzPlan, ImplementationPlan
    from tokenizer_conformance.validation.fuzz.results import FuzzDifference, FuzzSignature

MOST_REDUCED = 20
"""Of how many findings a case is made small."""


def fuzz_run(plan: FuzzPlan) -> Generator[FuzzEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` that is raised at work, or thrown into the generator, ends it early: what was done is
    reported. After an error that nobody expected, which is yielded as an :class:`InternalError`, it ends in the same
    way.
    """
    return _FuzzRun(plan).events()


class _FuzzRun:
    """Fuzzing at work."""

    def __init__(self, plan: FuzzPlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._done: list[FuzzResult] = []
        self._at_work: _ImplementationAtWork | None = None

    def events(self) -> Generator[FuzzEvent | InternalError]:
        stop = Stop()
        yield from stop.guard(self._work())
        if self._at_work is not None:
            yield from self._at_work.rest()
        yield self._finished(stop.conclusion)

    def _work(self) -> Iterator[FuzzEvent]:
        yield self._started()
        for refusal in self._plan.unavailable:
            yield ImplementationMissing(refusal)
        for part in self._plan.for_each_implementation():
            self._at_work = _ImplementationAtWork(part)
            self._done.append(self._at_work.result)
            yield from self._at_work.events(self._plan.jobs)
        self._at_work = None

    def _started(self) -> FuzzStarted:
        plan = self._plan
        return FuzzStarted(
            environment=current_environment(plan.command),
            baseline=plan.baseline,
            implementations=plan.implementations,
            seed=plan.seed,
            start=plan.start,
            tokenizers=plan.tokenizers,
            texts=plan.texts,
        )

    def _finished(self, stopped: Conclusion | None) -> FuzzFinished:
        return FuzzFinished(
            finished=stopped is None,
            conclusion=stopped or self._conclusion(),
            tokenizers=sum(result.tokenizers for result in self._done),
            cases=sum(result.cases for result in self._done),
            values=sum(result.values for result in self._done),
            differences=sum(len(result.differences) for result in self._done),
            seconds=time.perf_counter() - self._began,
            known=sum(result.known.total() for result in self._done),
        )

    def _conclusion(self) -> Conclusion:
        differences = [difference for result in self._done for difference in result.differences]
        failed = any(map(_is_failure, differences)) or any(result.unstable for result in self._done)
        compared = self._done and all(result.values or result.differences for result in self._done)
        return conclusion_from(
            {
                Conclusion.IMPLEMENTATION_FAILED: self._plan.unavailable or failed,
                Conclusion.NOTHING_COMPARED: not compared,
                Conclusion.DIFFERENCES: differences,
            }
        )


def _is_failure(difference: FuzzDifference) -> bool:
    """Whether a side gave no answer at all, where the other did."""
    match difference.found:
        case AnswerDifference(_, answers):
            return answers.verdict in NO_ANSWER
    return False


class _ImplementationAtWork:
    """One implementation at work."""

    def __init__(self, plan: ImplementationPlan) -> None:
        self.plan = plan
        self.result = FuzzResult()
        self._began = time.perf_counter()
        self._is_compared = False
        self._by_signature: list[tuple[FuzzSignature, list[FuzzDifference]]] = []

    def events(self, jobs: int) -> Iterator[FuzzEvent]:
        STATUS.begin(self.plan.implementation, "starting processes")
        for result in fuzz(self.plan, jobs):
            self.result.add(result)
            STATUS.at("")
            yield TokenizerFuzzed(self.plan, result, self.result.tokenizers, self.plan.tokenizers)
        yield self._compared(complete=True)
        reduced = 0
        findings = min(len(self._by_signature), MOST_REDUCED)
        while self._by_signature and reduced < MOST_REDUCED:
            STATUS.begin(self.plan.implementation, f"making the case of finding {reduced + 1} of {findings} smaller")
            smaller = reduced_difference(self.plan, _smallest(self._by_signature[0][1]))
            reduced += 1
            yield self._finding(*self._by_signature.pop(0), smaller)
        yield from self.rest()

    def rest(self) -> Iterator[FuzzEvent]:
        """Yield what is left to tell when no more work is to be done."""
        if not self._is_compared:
            yield self._compared(complete=False)
        while self._by_signature:
            yield self._finding(*self._by_signature.pop(0))

    def _compared(self, *, complete: bool) -> FuzzCompared:
        self._is_compared = True
        by_signature: defaultdict[FuzzSignature, list[FuzzDifference]] = defaultdict(list)
        for difference in self.result.differences:
            by_signature[difference.signature].append(difference)
        self._by_signature = sorted(by_signature.items(), key=lambda item: (-len(item[1]), item[1][0].number))
        return FuzzCompared(self.plan, self.result, time.perf_counter() - self._began, complete)

    def _finding(
        self, signature: FuzzSignature, differences: list[FuzzDifference], smaller: FuzzDifference | None = None
    ) -> FuzzFinding:
        return FuzzFinding(
            plan=self.plan,
            signature=signature,
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
