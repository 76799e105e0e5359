"""Running the suite from beginning to end: every implementation is asked every case, one after the other."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.validation.suite.events import (
    CaseJudged,
    ImplementationJudged,
    SuiteEvent,
    SuiteFinished,
    SuiteStarted,
)
from tokenizer_conformance.validation.suite.judging import WRONG, CaseVerdict
from tokenizer_conformance.validation.suite.known import scope_of, with_known
from tokenizer_conformance.validation.suite.results import by_requirement, score_of, shortfalls
from tokenizer_conformance.validation.suite.workers import asking

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.suite.judging import CaseResult
    from tokenizer_conformance.validation.suite.plan import SuitePlan


def run_suite(plan: SuitePlan) -> Generator[SuiteEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` that is raised at work, or thrown into the generator, ends it early: what was done is
    reported. After an error that nobody expected, which is yielded as an :class:`InternalError`, it ends in the same
    way.
    """
    return _SuiteRun(plan).events()


class _SuiteRun:
    """The suite at work."""

    def __init__(self, plan: SuitePlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._judged: list[ImplementationJudged] = []
        self._at_work: _ImplementationAtWork | None = None

    def events(self) -> Generator[SuiteEvent | InternalError]:
        stop = Stop()
        yield from stop.guard(self._work())
        if self._at_work is not None:
            yield self._done(complete=False)
        stale = self._stale() if stop.conclusion is None else ()
        conclusion = stop.conclusion or conclusion_of(self._plan, self._judged, is_stale=bool(stale))
        yield SuiteFinished(
            finished=stop.conclusion is None,
            conclusion=conclusion,
            seconds=time.perf_counter() - self._began,
            stale=stale,
        )

    def _work(self) -> Iterator[SuiteEvent]:
        yield self._started()
        for refusal in self._plan.unavailable:
            yield ImplementationMissing(refusal)
        with asking(self._plan) as results:
            for number, implementation in enumerate(self._plan.implementations):
                self._at_work = _ImplementationAtWork(self._plan, implementation)
                yield from self._at_work.events(results(number))
                yield self._done(complete=True)

    def _started(self) -> SuiteStarted:
        plan = self._plan
        infos = tuple(implementation.info for implementation in plan.implementations)
        return SuiteStarted(current_environment(plan.command), plan, infos)

    def _done(self, *, complete: bool) -> ImplementationJudged:
        assert self._at_work is not None  # noqa: S101 - called while one is
        judged = self._at_work.judged(complete=complete)
        self._judged.append(judged)
        self._at_work = None
        return judged

    def _stale(self) -> tuple[Entry, ...]:
        complete = [(judged.info, judged.results) for judged in self._judged if judged.complete]
        return self._plan.ledger.stale(scope_of(complete, every_requirement=self._plan.every_requirement))


def conclusion_of(plan: SuitePlan, found: Sequence[ImplementationJudged], *, is_stale: bool) -> Conclusion:
    """Return the conclusion of a run of the suite, which has ``found`` all this.

    Whether enough was answered can be known of a whole run, and not of a part of one.
    """
    verdicts = {verdict for judged in found for verdict in score_of(judged.results).requirements}
    is_whole = plan.shard is None and not plan.is_repetition
    return conclusion_from(
        {
            Conclusion.IMPLEMENTATION_FAILED: plan.unavailable or CaseVerdict.ERROR in verdicts,
            Conclusion.NOTHING_COMPARED: is_whole and not (found and all(map(_says_anything, found))),
            Conclusion.TOO_LITTLE: is_whole and any(shortfalls(judged.info, judged.results) for judged in found),
            Conclusion.DIFFERENCES: CaseVerdict.FAILED in verdicts,
            Conclusion.STALE: is_stale,
        }
    )


def _says_anything(judged: ImplementationJudged) -> bool:
    """Return whether anything was compared."""
    cases = score_of(judged.results).cases
    return any(count for verdict, count in cases.items() if verdict is not CaseVerdict.UNSUPPORTED)


class _ImplementationAtWork:
    """One implementation at work."""

    def __init__(self, plan: SuitePlan, implementation: Implementation) -> None:
        self._plan = plan
        self._implementation = implementation
        self._results: list[CaseResult] = []
        self._wrong: set[str] = set()
        self._began = time.perf_counter()
        self._stopped = False

    def events(self, results: Iterator[CaseResult]) -> Iterator[CaseJudged]:
        info = self._implementation.info
        name = info.name
        STATUS.begin(name, "asking the suite")
        for judged in results:
            result = with_known(judged, info, self._plan.ledger)
            self._results.append(result)
            yield CaseJudged(name, result, len(self._results), len(self._plan.cases))
            if self._is_enough(result):
                self._stopped = True
                return

    def _is_enough(self, result: CaseResult) -> bool:
        if result.verdict in WRONG:
            self._wrong.add(result.judged.requirement.id)
        return 0 < self._plan.max_fail <= len(self._wrong)

    def judged(self, *, complete: bool) -> ImplementationJudged:
        """Return the result of the implementation."""
        return ImplementationJudged(
            self._implementation.info,
            by_requirement(self._results),
            time.perf_counter() - self._began,
            complete and not self._stopped,
        )
