"""A search with random tokenizers: an implementation is compared on them, and differences of one kind are gathered.

At first both sides of a comparison answer in one process. Where that is lost, the tokenizer that it was at work on is
done again with every side in a process for itself, which is waited for at every answer: so the answer at fault is
found, and stands for a crash or a time-out like any other.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_adapters.selection import select
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.worker_pool import LostProcessError, WorkerPool, answer_of
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.comparison.document_reduction import reduced
from tokenizer_conformance.comparison.no_value import Refusal
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.results.records import fuzz as lines
from tokenizer_conformance.validation.search.events import BatchTaken
from tokenizer_conformance.validation.search.random_results import FuzzDifference, FuzzResult, Kinds, signature_of
from tokenizer_conformance.validation.search.random_tokenizers import (
    compare_tokenizer,
    find_difference,
    in_worker,
    load_into,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation, Outcome, Unsupported
    from tokenizer_conformance.comparison.reduction import Case
    from tokenizer_conformance.validation.search.plan import FuzzPlan
    from tokenizer_conformance.validation.search.random_results import Kind
    from tokenizer_conformance.validation.search.random_tokenizers import Load, LoadedSide

MOST_REDUCED = 20
"""Of how many findings a case is made small. A part makes all small: it cannot know which are those of the whole."""

MOST_LOSSES = 3
"""How often a side may be lost over one tokenizer; the rest is then not asked."""

CHECK_SECONDS = 5.0
"""How long an answer may take at most while a case is made smaller."""

MOST_LOSSES_OF_REDUCTION = 30
"""How often a side may be lost while a case is made smaller; the case then stays as it is."""


class RandomSearch:
    """The search of the one implementation of ``plan``.

    ``result`` is the sum of what was compared, without the differences; ``kinds`` has these.
    """

    def __init__(self, plan: FuzzPlan) -> None:
        self.result = FuzzResult()
        self.kinds = Kinds()
        self._plan = plan
        self._began = time.perf_counter()
        self._is_compared = False
        self._ranked: list[Kind] = []

    def events(self) -> Iterator[lines.Difference | lines.Result | lines.Finding | BatchTaken]:
        """Yield what happens until the implementation has been searched."""
        name = self._plan.implementation
        STATUS.begin(name, "starting processes")
        for result in fuzz(self._plan, self._plan.jobs):
            self.result.add(replace(result, differences=[]))
            STATUS.at("")
            for each in result.differences:
                self.kinds.take(each)
                yield lines.Difference(implementation=name, **each.told)
            yield BatchTaken(Place(name, self.result.tokenizers, len(self._plan.numbers), "tokenizers"))
        yield self._compared(complete=True)
        findings = len(self._ranked) if self._plan.shard else min(len(self._ranked), MOST_REDUCED)
        for number in range(1, findings + 1):
            STATUS.begin(name, f"making the case of finding {number} of {findings} smaller")
            smaller = reduced_difference(self._plan, self._ranked[0].smallest)
            yield finding_of(self._plan, self._ranked.pop(0), lines.Case(**smaller.told))
        yield from self.rest()

    def rest(self) -> Iterator[lines.Result | lines.Finding]:
        """Yield what is left to tell when no more work is to be done."""
        if not self._is_compared:
            yield self._compared(complete=False)
        while self._ranked:
            yield finding_of(self._plan, self._ranked.pop(0))

    def _compared(self, *, complete: bool) -> lines.Result:
        self._is_compared = True
        self._ranked = self.kinds.ranked()
        seconds = time.perf_counter() - self._began
        return self.result.line(self._plan.implementation, seconds, self.kinds.total, complete=complete)


def finding_of(plan: FuzzPlan, kind: Kind, smaller: lines.Case | None = None) -> lines.Finding:
    """Return the line about differences of a ``kind``, with a ``smaller`` case where one was looked for."""
    return lines.Finding(
        implementation=plan.implementation,
        signature=tuple(map(str, kind.signature)),
        tokenizers=kind.count,
        first=kind.first,
        is_reduced=smaller is not None,
        smallest=smaller or lines.Case(**kind.smallest.told),
        repeat=plan.repeating(kind.first),
    )


# In processes --------------------------------------------------------------------------------------------------------


def fuzz(plan: FuzzPlan, jobs: int = 1) -> Iterator[FuzzResult]:
    """Carry out ``plan`` in ``jobs`` processes, and yield the result of each tokenizer, in order.

    Their sum is the result of the plan. Raises :class:`CannotStartError`.
    """
    with tempfile.TemporaryDirectory() as folder:
        setup = partial(in_worker, plan, folder)
        limits = plan.isolation.limits
        with WorkerPool[int, FuzzResult](program("a process that fuzzes"), setup, jobs, limits, plan.patience) as pool:
            for number, future in pool.in_order(iter(plan.numbers)):
                try:
                    yield answer_of(future)
                except LostProcessError:
                    yield _with_care(plan, number, folder)


def _with_care(plan: FuzzPlan, number: int, folder: str) -> FuzzResult:
    result = FuzzResult()
    with guarded(plan, folder, plan.patience, MOST_LOSSES) as load:
        try:
            compare_tokenizer(plan, number, load, result)
        except TooManyLossesError:
            result.given_up += 1
    return result


def reduced_difference(plan: FuzzPlan, difference: FuzzDifference) -> FuzzDifference:
    """Return ``difference`` with a smaller case that shows one of its kind."""
    found = difference.found
    seconds = min(plan.patience, CHECK_SECONDS)
    with (
        tempfile.TemporaryDirectory() as folder,
        guarded(plan, folder, seconds, MOST_LOSSES_OF_REDUCTION) as load,
    ):

        def shows_the_same(case: Case) -> bool:
            nonlocal found
            try:
                seen = find_difference(plan, case, load)
            except TooManyLossesError:
                raise BudgetSpentError from None
            if seen is None or signature_of(seen) != difference.signature:
                return False
            found = seen
            return True

        case = reduced(difference.case, shows_the_same)
    return FuzzDifference(difference.number, case, found)


# Each side in a process for itself -----------------------------------------------------------------------------------


class TooManyLossesError(Exception):
    """A side was lost so often that nothing more is asked."""


@contextmanager
def guarded(plan: FuzzPlan, folder: str, seconds: float, most_losses: int) -> Iterator[Load]:
    """Yield what loads a tokenizer into a side of ``plan``, each in a process for itself; ``folder`` takes its file.

    An answer may take ``seconds``. Once processes have been lost ``most_losses`` times, all that is asked raises
    :class:`TooManyLossesError`.
    """
    limits = replace(plan.isolation.limits, seconds=seconds, load_seconds=seconds)
    with ExitStack() as stack:
        started = {
            word: stack.enter_context(closing(select(word, plan.isolation).start(limits))) for word in plan.sides
        }

        def give_up_in_time() -> None:
            if sum(implementation.losses for implementation in started.values()) >= most_losses:
                raise TooManyLossesError

        def load(word: str, document: str) -> LoadedSide | Refusal:
            give_up_in_time()
            side = load_into(started[word], folder, document)
            return side if isinstance(side, Refusal) else _GuardedSide(side, give_up_in_time)

        yield load


class _GuardedSide:
    """A side with one tokenizer."""

    def __init__(self, side: LoadedSide, give_up_in_time: Callable[[], None]) -> None:
        self.info = side.info
        self._side = side
        self._give_up_in_time = give_up_in_time

    def ask(self, question: Observation) -> Outcome:
        self._give_up_in_time()
        return self._side.ask(question)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        self._give_up_in_time()
        return self._side.vocabulary()
