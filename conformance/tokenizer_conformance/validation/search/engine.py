"""A search from beginning to end, whatever it searches: given tokenizers, or random ones."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from itertools import groupby
from typing import TYPE_CHECKING, Generic, TypeVar

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.validation.search.events import (
    FuzzFinished,
    NumberedCause,
    PairingRefused,
    PairingSearched,
    SearchEvent,
    SearchFinished,
    Started,
)
from tokenizer_conformance.validation.search.pairing_search import Numbering, Opening, PairingSearch, in_processes
from tokenizer_conformance.validation.search.plan import FuzzPlan, SearchPlan
from tokenizer_conformance.validation.search.random_results import AnswerDifference
from tokenizer_conformance.validation.search.random_search import RandomSearch
from tokenizer_conformance.validation.search.sides import BothSides, careful_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.results.records import fuzz
    from tokenizer_conformance.results.records import search as lines
    from tokenizer_conformance.validation.search.plan import Pairing
    from tokenizer_conformance.validation.search.random_results import FuzzDifference, FuzzResult, Kinds

P = TypeVar("P", SearchPlan, FuzzPlan)


def search(plan: SearchPlan | FuzzPlan, opened: Opening = in_processes) -> Generator[SearchEvent | InternalError]:
    """Carry out ``plan`` and yield what happens; ``opened`` makes what asks about the batches of a pairing.

    A ``KeyboardInterrupt`` that is raised at work, or thrown into the generator, ends it early: what was found is
    reported. After an error that nobody expected, which is yielded as an :class:`InternalError`, it ends in the same
    way.
    """
    return (RandomTokenizers(plan) if isinstance(plan, FuzzPlan) else GivenTokenizers(plan, opened)).events()


class Search(ABC, Generic[P]):
    """A search at work."""

    def __init__(self, plan: P) -> None:
        self._plan: P = plan
        self._began = time.monotonic()

    def events(self) -> Generator[SearchEvent | InternalError]:
        """Yield what happens."""
        stop = Stop()
        yield from stop.guard(self._begun())
        yield from self._rest()
        yield self._finished(stop.conclusion)

    def _begun(self) -> Iterator[SearchEvent]:
        yield Started(current_environment(self._plan.command), self._plan)
        for refusal in self._plan.refusals:
            yield InputRefused(refusal)
        for missing in self._plan.unavailable:
            yield ImplementationMissing(missing)
        yield from self._work()

    def _seconds(self) -> float:
        return time.monotonic() - self._began

    @abstractmethod
    def _work(self) -> Iterator[SearchEvent]:
        """Search for what differs."""

    @abstractmethod
    def _rest(self) -> Iterator[SearchEvent]:
        """Yield what is left to tell when no more work is to be done."""

    @abstractmethod
    def _finished(self, stopped: Conclusion | None) -> SearchEvent:
        """Return the last event; ``stopped`` says what has ended the work early."""


class GivenTokenizers(Search[SearchPlan]):
    """One pairing of a tokenizer and an implementation after the other."""

    def __init__(self, plan: SearchPlan, opened: Opening) -> None:
        super().__init__(plan)
        self._opened = opened
        self._done: list[lines.Result] = []
        self._at_work: PairingSearch | None = None
        self._causes_of: list[Callable[[], tuple[Cause, ...]]] = []
        self._numbering = Numbering()
        self._left = len(plan.pairings)
        self._failed = 0

    def _work(self) -> Iterator[SearchEvent]:
        names = [info.name for info in self._plan.implementations]
        by_implementation = sorted(self._plan.pairings, key=lambda each: names.index(_name(each)))
        for _, pairings in groupby(by_implementation, _name):
            yield from self._of_one_implementation(list(pairings))

    def _of_one_implementation(self, pairings: list[Pairing]) -> Iterator[SearchEvent]:
        side = pairings[0].implementation
        with (
            BothSides(lambda _: (self._plan.baseline.built, side.built)) as both,
            careful_sides(self._plan, side) as careful,
        ):
            self._causes_of += [both.causes, careful.causes]
            for pairing in pairings:
                until = self._until()
                self._left -= 1
                with self._opened(self._plan, pairing) as asking:
                    STATUS.begin(pairing.name, "loading")
                    try:
                        both.sides(pairing)
                    except CannotLoadError as error:
                        is_failure = pairing.implementation.info.name not in self._plan.optional
                        self._failed += is_failure
                        yield PairingRefused(pairing, why_not_loaded(error), is_failure)
                        continue
                    at_work = self._at_work = PairingSearch(
                        self._plan, pairing, both, careful, self._numbering, until, self._began
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
        if self._at_work is not None:
            yield self._finish(self._at_work, complete=False)

    def _finish(self, at_work: PairingSearch, *, complete: bool) -> PairingSearched:
        self._at_work = None
        finished = at_work.finished(complete=complete)
        self._done.append(finished.line)
        return finished

    def _finished(self, stopped: Conclusion | None) -> SearchFinished:
        causes = [cause for causes in self._causes_of for cause in causes()]
        numbered = [NumberedCause(number, cause) for number, cause in self._numbering.numbered(causes)]
        return SearchFinished(
            finished=stopped is None,
            conclusion=stopped or self._conclusion(causes),
            pairings=len(self._done),
            cases=sum(done.cases for done in self._done),
            questions=sum(done.questions for done in self._done),
            values=sum(done.values for done in self._done),
            causes=tuple(sorted(numbered, key=lambda each: (-each.cause.inputs, each.number))),
            known=sum(known.count for done in self._done for known in done.known),
            unexamined=sum(done.unexamined for done in self._done),
            failed=self._failed,
            seconds=self._seconds(),
        )

    def _conclusion(self, causes: list[Cause]) -> Conclusion:
        no_answer = any(cause.signature.manner.verdict in NO_ANSWER for cause in causes)
        failed = self._plan.unavailable or self._failed or no_answer
        compared = self._done and all(done.values or done.known or done.unexamined for done in self._done)
        return conclusion_from(
            {
                Conclusion.BAD_INPUT: self._plan.refusals,
                Conclusion.IMPLEMENTATION_FAILED: failed or any(done.unstable for done in self._done),
                Conclusion.NOTHING_COMPARED: not compared,
                Conclusion.DIFFERENCES: causes or any(done.unexamined for done in self._done),
            }
        )


def _name(pairing: Pairing) -> str:
    return pairing.implementation.info.name


class RandomTokenizers(Search[FuzzPlan]):
    """One implementation after the other, each on the same random tokenizers."""

    def __init__(self, plan: FuzzPlan) -> None:
        super().__init__(plan)
        self._searches: list[RandomSearch] = []

    def _work(self) -> Iterator[SearchEvent]:
        for plan in self._plan.for_each_implementation():
            self._searches.append(RandomSearch(plan))
            yield from self._searches[-1].events()

    def _rest(self) -> Iterator[SearchEvent]:
        if self._searches:
            yield from self._searches[-1].rest()

    def _finished(self, stopped: Conclusion | None) -> FuzzFinished:
        done = [each.result for each in self._searches]
        return FuzzFinished(
            finished=stopped is None,
            conclusion=stopped or conclusion_of(self._plan, [(each.result, each.kinds) for each in self._searches]),
            tokenizers=sum(result.tokenizers for result in done),
            cases=sum(result.cases for result in done),
            values=sum(result.values for result in done),
            differences=sum(each.kinds.total for each in self._searches),
            seconds=self._seconds(),
            known=sum(result.known.total() for result in done),
        )


def conclusion_of(plan: FuzzPlan, done: Sequence[tuple[FuzzResult | fuzz.Result, Kinds]]) -> Conclusion:
    """Return the conclusion of a search with random tokenizers that has ``done`` this, an implementation each.

    Whether anything was compared can be known of a whole search, and not of a part of one.
    """
    kinds = [kind for _, found in done for kind in found.ranked()]
    failed = any(_is_failure(kind.smallest) for kind in kinds) or any(result.unstable for result, _ in done)
    compared = done and all(result.values or result.known or found.total for result, found in done)
    return conclusion_from(
        {
            Conclusion.IMPLEMENTATION_FAILED: plan.unavailable or failed,
            Conclusion.NOTHING_COMPARED: plan.shard is None and not compared,
            Conclusion.DIFFERENCES: kinds,
        }
    )


def _is_failure(difference: FuzzDifference) -> bool:
    """Whether a side gave no answer at all, where the other did."""
    match difference.found:
        case AnswerDifference(_, answers):
            return answers.verdict in NO_ANSWER
    return False
