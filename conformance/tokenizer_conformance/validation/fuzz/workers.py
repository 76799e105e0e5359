"""Fuzzing in processes of its own, so that an implementation that aborts or hangs costs one tokenizer and not the run.

At first both sides of a comparison answer in one process (``worker``). Where that is lost, the tokenizer that it was
at work on is done again with every side in a process for itself, which is waited for at every answer: so the answer at
fault is found, and stands for a crash or a time-out like any other.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import Crashed, Failed, TimedOut
from tokenizer_adapters.selection import select
from tokenizer_conformance.command_io.worker_pool import LostProcessError, WorkerPool, answer_of
from tokenizer_conformance.comparison.document_reduction import reduced
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.validation.fuzz.results import FuzzDifference, FuzzResult, signature_of
from tokenizer_conformance.validation.fuzz.tokenizer_fuzz import compare_tokenizer, find_difference, load_into
from tokenizer_conformance.validation.fuzz.worker import program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from tokenizer_adapters.contract import Observation, Outcome, Unsupported
    from tokenizer_adapters.protocol.client import ProcessImplementation
    from tokenizer_conformance.comparison.no_value import Refusal
    from tokenizer_conformance.comparison.reduction import Case
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan
    from tokenizer_conformance.validation.fuzz.tokenizer_fuzz import LoadedSide

MOST_LOSSES = 3
"""How often a side may be lost over one tokenizer; the rest is then not asked."""

CHECK_SECONDS = 5.0
"""How long an answer may take at most while a case is made smaller."""

MOST_LOSSES_OF_REDUCTION = 30
"""How often a side may be lost while a case is made smaller; the case then stays as it is."""


def fuzz(plan: ImplementationPlan, jobs: int = 1) -> Iterator[FuzzResult]:
    """Carry out ``plan`` in ``jobs`` processes, and yield the result of each tokenizer, in order.

    Their sum is the result of the plan. Raises :class:`CannotStartError`.
    """
    numbers = iter(range(plan.start, plan.start + plan.tokenizers))
    with tempfile.TemporaryDirectory() as folder:
        pool = WorkerPool[int, FuzzResult](program(), (plan, folder), jobs, plan.isolation.limits, plan.patience)
        with pool:
            for number, future in pool.in_order(numbers):
                try:
                    yield answer_of(future)
                except LostProcessError:
                    yield _with_care(plan, number, folder)


def _with_care(plan: ImplementationPlan, number: int, folder: str) -> FuzzResult:
    result = FuzzResult()
    with GuardedSides(plan, folder, plan.patience, MOST_LOSSES) as guarded:
        try:
            compare_tokenizer(plan, number, guarded.load, result)
        except TooManyLossesError:
            result.given_up += 1
    return result


def reduced_difference(plan: ImplementationPlan, difference: FuzzDifference) -> FuzzDifference:
    """Return ``difference`` with a smaller case that shows one of its kind."""
    found = difference.found
    seconds = min(plan.patience, CHECK_SECONDS)
    with (
        tempfile.TemporaryDirectory() as folder,
        GuardedSides(plan, folder, seconds, MOST_LOSSES_OF_REDUCTION) as guarded,
    ):

        def shows_the_same(case: Case) -> bool:
            nonlocal found
            try:
                seen = find_difference(plan, case, guarded.load)
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


class GuardedSides:
    """The two implementations of a plan, each in a process for itself; an answer may take ``seconds``.

    ``folder`` takes the file of a tokenizer. Once processes have been lost ``most_losses`` times, all that is asked
    raises :class:`TooManyLossesError`.
    """

    def __init__(self, plan: ImplementationPlan, folder: str, seconds: float, most_losses: int) -> None:
        self._folder = folder
        self._most_losses = most_losses
        self._sides: dict[str, ProcessImplementation] = {}
        limits = replace(plan.isolation.limits, seconds=seconds, load_seconds=seconds)
        try:
            for word in plan.sides:
                self._sides[word] = select(word, plan.isolation).start(limits)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._close()

    def _close(self) -> None:
        for implementation in self._sides.values():
            implementation.close()

    def load(self, word: str, document: str) -> LoadedSide | Refusal:
        """Return the implementation that ``word`` selects with a tokenizer.json, or its refusal."""
        self.give_up_in_time()
        side = load_into(self._sides[word], self._folder, document)
        return side if isinstance(side, Failed | Crashed | TimedOut) else _GuardedSide(self, side)

    def give_up_in_time(self) -> None:
        """Raise :class:`TooManyLossesError` where that is due."""
        if sum(implementation.losses for implementation in self._sides.values()) >= self._most_losses:
            raise TooManyLossesError


class _GuardedSide:
    """A side with one tokenizer."""

    def __init__(self, sides: GuardedSides, side: LoadedSide) -> None:
        self.info = side.info
        self._sides = sides
        self._side = side

    def ask(self, question: Observation) -> Outcome:
        self._sides.give_up_in_time()
        return self._side.ask(question)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        self._sides.give_up_in_time()
        return self._side.vocabulary()
