"""Fuzzing in processes of its own, so that an implementation that aborts or hangs costs one tokenizer and not the run.

At first both sides of a comparison answer in one process. Where that is lost, each tokenizer that was at work is done again
with every side in a process for itself, which is waited for at every answer: so the answer at fault is found, and stands for
a crash or a time-out like any other.
"""

from __future__ import annotations

import tempfile
import time
from collections import deque
from concurrent.futures import Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import lru_cache, partial
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from tokenizer_adapters.contract import Crashed, TimedOut, Unsupported
from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance.fuzzing import (
    FuzzDifference,
    FuzzResult,
    compare_tokenizer,
    find_difference,
    kind_of,
    load_here,
)
from tokenizer_conformance.reduction import reduced
from tokenizer_conformance.worker_processes import Worker, WorkerLateError, WorkerLostError, workers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from types import TracebackType

    from tokenizer_adapters.contract import ImplementationInfo, Observation, Outcome
    from tokenizer_conformance.fuzzing import FuzzPlan, Side
    from tokenizer_conformance.reduction import Case

P = ParamSpec("P")
T = TypeVar("T")

POLL_SECONDS = 0.2

MOST_LOSSES = 3
"""How often a side may be lost over one tokenizer; the rest is then not asked."""

CHECK_SECONDS = 5.0
"""How long an answer may take at most while a case is made smaller."""

MOST_LOSSES_OF_REDUCTION = 30
"""How often a side may be lost while a case is made smaller; the case then stays as it is."""


def fuzz(plan: FuzzPlan, jobs: int = 1) -> Iterator[FuzzResult]:
    """Carry out ``plan`` in ``jobs`` processes, and yield the result of each tokenizer, in order; their sum is the result."""
    done: dict[int, FuzzResult] = {}
    number = plan.start
    with tempfile.TemporaryDirectory() as folder:
        for finished, result in _in_any_order(plan, jobs, folder):
            done[finished] = result
            while number in done:
                yield done.pop(number)
                number += 1


def _in_any_order(plan: FuzzPlan, jobs: int, folder: str) -> Iterator[tuple[int, FuzzResult]]:
    waiting = deque(range(plan.start, plan.start + plan.tokenizers))
    while waiting:
        # A process that dies takes the others' work with it: whatever was at work is suspect.
        suspects = yield from _together(plan, waiting, jobs, folder)
        for number in suspects:
            yield number, _with_care(plan, number, folder)


def _together(
    plan: FuzzPlan, waiting: deque[int], jobs: int, folder: str
) -> Generator[tuple[int, FuzzResult], None, list[int]]:
    """Work on ``waiting`` until it is done or a process is lost; return the tokenizers that were at work then."""
    at_work: dict[Future[FuzzResult], int] = {}
    began: dict[int, float] = {}
    with workers(jobs) as pool:
        while waiting or at_work:
            while waiting and len(at_work) < jobs:
                number = waiting.popleft()
                began[number] = time.monotonic()
                try:
                    at_work[pool.submit(fuzz_one, plan, number, folder)] = number
                except BrokenProcessPool:
                    return sorted([number, *at_work.values()])
            done, _ = wait(at_work, POLL_SECONDS, "FIRST_COMPLETED")
            for future in done:
                try:
                    result = future.result()
                except BrokenProcessPool:
                    return sorted(at_work.values())
                yield at_work.pop(future), result
            if any(time.monotonic() - began[number] > plan.patience for number in at_work.values()):
                return sorted(at_work.values())
    return []


def fuzz_one(plan: FuzzPlan, number: int, folder: str) -> FuzzResult:
    """Compare on tokenizer ``number``, in this process; ``folder`` takes its file."""
    result = FuzzResult()
    compare_tokenizer(plan, number, partial(load_here, folder), result)
    return result


def _with_care(plan: FuzzPlan, number: int, folder: str) -> FuzzResult:
    result = FuzzResult()
    with GuardedSides(plan, folder, plan.patience, MOST_LOSSES) as guarded:
        try:
            compare_tokenizer(plan, number, guarded.load, result)
        except TooManyLossesError:
            result.given_up += 1
    return result


def reduced_difference(plan: FuzzPlan, difference: FuzzDifference) -> FuzzDifference:
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
                return False
            if seen is None or kind_of(seen) != difference.kind:
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

    ``folder`` takes the files of tokenizers. Once processes have been lost ``most_losses`` times, all that is asked raises
    :class:`TooManyLossesError`.
    """

    def __init__(self, plan: FuzzPlan, folder: str, seconds: float, most_losses: int) -> None:
        self._stack = ExitStack()
        self._folder = folder
        self._seconds = seconds
        self._losses_left = most_losses
        self._workers = {
            name: self._stack.enter_context(Worker(seconds, partial(_info, name))) for name in dict.fromkeys(plan.sides)
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def load(self, name: str, document: str) -> Side | str:
        """Return the implementation called ``name`` with a tokenizer.json, or why it refuses that."""
        try:
            refusal, info = self._call(name, _load, self._folder, name, document)
        except WorkerLostError as error:
            return str(error)
        return _GuardedSide(self, info, document) if refusal is None else refusal

    def ask(self, name: str, document: str, question: Observation) -> Outcome:
        """Return the answer of the implementation called ``name`` with a tokenizer.json that it loads."""
        try:
            return self._call(name, _ask, self._folder, name, document, question)
        except WorkerLateError:
            return TimedOut(self._seconds)
        except WorkerLostError as error:
            return Crashed(str(error))

    def vocabulary(self, name: str, document: str) -> dict[str, int] | Unsupported:
        """Return the vocabulary that the implementation called ``name`` sees in a tokenizer.json that it loads."""
        try:
            return self._call(name, _vocabulary, self._folder, name, document)
        except WorkerLostError as error:
            return Unsupported(str(error))

    def _call(self, name: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        if self._losses_left <= 0:
            raise TooManyLossesError
        try:
            return self._workers[name].call(function, *args, **kwargs)
        except WorkerLostError:
            self._losses_left -= 1
            raise


class _GuardedSide:
    """A side with one tokenizer."""

    def __init__(self, sides: GuardedSides, info: ImplementationInfo, document: str) -> None:
        self.info = info
        self._sides = sides
        self._document = document

    def ask(self, question: Observation) -> Outcome:
        return self._sides.ask(self.info.name, self._document, question)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        return self._sides.vocabulary(self.info.name, self._document)


# What runs in such a process. The tokenizer stays loaded from one question to the next.

_loaded: Callable[[str, str, str], Side | str] = lru_cache(maxsize=1)(load_here)


def _info(name: str) -> ImplementationInfo:
    return load_implementation(name).info


def _load(folder: str, name: str, document: str) -> tuple[str | None, ImplementationInfo]:
    side = _loaded(folder, name, document)
    return (side, _info(name)) if isinstance(side, str) else (None, side.info)


def _ask(folder: str, name: str, document: str, question: Observation) -> Outcome:
    side = _loaded(folder, name, document)
    return Crashed(side) if isinstance(side, str) else side.ask(question)


def _vocabulary(folder: str, name: str, document: str) -> dict[str, int] | Unsupported:
    side = _loaded(folder, name, document)
    return Unsupported(side) if isinstance(side, str) else side.vocabulary()
