"""A search from beginning to end: one pairing of a tokenizer and an implementation after the other."""

from __future__ import annotations

import time
from contextlib import ExitStack
from itertools import groupby
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.validation.search.dealing import CHANGED, GIVEN
from tokenizer_conformance.validation.search.events import (
    PairingRefused,
    PairingSearched,
    SearchEvent,
    SearchFinished,
    SearchStarted,
)
from tokenizer_conformance.validation.search.isolated_sides import CarefulSides
from tokenizer_conformance.validation.search.numbering import Numbering
from tokenizer_conformance.validation.search.pairing_search import Opening, PairingSearch, in_processes
from tokenizer_conformance.validation.search.sides import Sides

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.validation.search.plan import Pairing, SearchPlan


def search(plan: SearchPlan, opened: Opening = in_processes) -> Generator[SearchEvent | InternalError]:
    """Carry out ``plan`` and yield what happens; ``opened`` makes what asks about the batches of a pairing.

    A ``KeyboardInterrupt`` that is raised at work, or thrown into the generator, ends it early: what was found is
    reported. After an error that nobody expected, which is yielded as an :class:`InternalError`, it ends in the same
    way.
    """
    return _Search(plan, opened).events()


class _Search:
    """A search at work."""

    def __init__(self, plan: SearchPlan, opened: Opening) -> None:
        self._plan = plan
        self._opened = opened
        self._began = time.monotonic()
        self._done: list[PairingSearched] = []
        self._at_work: PairingSearch | None = None
        self._causes_of: list[Callable[[], tuple[Cause, ...]]] = []
        self._numbering = Numbering()
        self._left = len(plan.pairings)
        self._failed = 0

    def events(self) -> Generator[SearchEvent | InternalError]:
        stop = Stop()
        yield from stop.guard(self._work())
        yield from self._rest()
        yield self._finished(stop.conclusion)

    def _work(self) -> Iterator[SearchEvent]:
        yield self._started()
        for refusal in self._plan.refusals:
            yield InputRefused(refusal)
        for missing in self._plan.unavailable:
            yield ImplementationMissing(missing)
        by_implementation = sorted(self._plan.pairings, key=lambda each: self._names.index(_name(each)))
        for _, pairings in groupby(by_implementation, _name):
            yield from self._of_one_implementation(list(pairings))

    @property
    def _names(self) -> list[str]:
        return [info.name for info in self._plan.implementations]

    def _started(self) -> SearchStarted:
        plan = self._plan
        return SearchStarted(
            environment=current_environment(plan.command),
            baseline=plan.baseline.info,
            implementations=plan.implementations,
            tokenizers=tuple({each.tokenizer.source.name: each.tokenizer for each in plan.pairings}.values()),
            seed=plan.seed,
            jobs=plan.jobs,
            seconds=plan.seconds,
            cases=plan.cases,
            generators=(*(generator.name for generator in plan.generators), GIVEN, CHANGED),
            corpus=plan.corpus,
        )

    def _of_one_implementation(self, pairings: list[Pairing]) -> Iterator[SearchEvent]:
        side = pairings[0].implementation
        with ExitStack() as stack:
            bench = stack.enter_context(Bench(self._plan.baseline.built, side.built))
            careful = stack.enter_context(CarefulSides(self._plan, side))
            collector = CauseCollector(bench)
            self._causes_of += [collector.causes, careful.causes]
            for pairing in pairings:
                until = self._until()
                self._left -= 1
                with self._opened(self._plan, pairing) as asking:
                    STATUS.begin(pairing.name, "loading")
                    try:
                        sides = Sides(bench, pairing.tokenizer.source)
                    except CannotLoadError as error:
                        self._failed += pairing.implementation.info.name not in self._plan.optional
                        yield PairingRefused(pairing, str(error))
                        continue
                    at_work = self._at_work = PairingSearch(
                        self._plan, pairing, sides, collector, careful, self._numbering, until, self._began
                    )
                    yield from at_work.events(asking)
                yield self._finish(at_work, complete=True)

    def _until(self) -> float | None:
        """Return when the search of the next pairing ends: those that are left share the time that is."""
        if self._plan.seconds is None:
            return None
        now = time.monotonic()
        return now + max(0.0, self._began + self._plan.seconds - now) / self._left

    def _rest(self) -> Iterator[SearchEvent]:
        """Yield what is left to tell when no more work is to be done."""
        if self._at_work is not None:
            yield self._finish(self._at_work, complete=False)

    def _finish(self, at_work: PairingSearch, *, complete: bool) -> PairingSearched:
        self._at_work = None
        finished = at_work.finished(complete=complete)
        self._done.append(finished)
        return finished

    # The end

    def _finished(self, stopped: Conclusion | None) -> SearchFinished:
        causes = [cause for causes in self._causes_of for cause in causes()]
        numbered = self._numbering.numbered(causes)
        tallies = [done.tally for done in self._done]
        return SearchFinished(
            finished=stopped is None,
            conclusion=stopped or self._conclusion(causes),
            pairings=len(self._done),
            cases=sum(tally.cases for tally in tallies),
            questions=sum(tally.questions for tally in tallies),
            values=sum(tally.values for tally in tallies),
            causes=tuple(sorted(numbered, key=lambda each: (-each.cause.inputs, each.number))),
            known=sum(tally.known.total() for tally in tallies),
            unexamined=sum(tally.unexamined for tally in tallies),
            failed=self._failed,
            seconds=time.monotonic() - self._began,
        )

    def _conclusion(self, causes: list[Cause]) -> Conclusion:
        tallies = [done.tally for done in self._done]
        no_answer = any(cause.signature.manner.verdict in NO_ANSWER for cause in causes)
        failed = self._plan.unavailable or self._failed or no_answer
        compared = tallies and all(tally.values or tally.known or tally.unexamined for tally in tallies)
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._plan.refusals,
                Conclusion.IMPLEMENTATION_FAILED: failed or any(tally.unstable for tally in tallies),
                Conclusion.NOTHING_COMPARED: not compared,
                Conclusion.DIFFERENCES: causes or any(tally.unexamined for tally in tallies),
            }
        )


def _name(pairing: Pairing) -> str:
    return pairing.implementation.info.name
