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
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import Crashed, Failed, TimedOut
from tokenizer_adapters.selection import select
from tokenizer_conformance.comparing.reduction import reduced
from tokenizer_conformance.fuzz.pool import workers
from tokenizer_conformance.fuzz.results import FuzzDifference, FuzzResult, signature_of
from tokenizer_conformance.fuzz.tokenizer_fuzz import built, compare_tokenizer, find_difference, load_here, load_into

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from types import TracebackType

    from tokenizer_adapters.contract import Observation, Outcome, Unsupported
    from tokenizer_adapters.protocol.client import ProcessImplementation
    from tokenizer_conformance.comparing.no_value import Refusal
    from tokenizer_conformance.comparing.reduction import Case
    from tokenizer_conformance.fuzz.plan import ImplementationPlan
    from tokenizer_conformance.fuzz.tokenizer_fuzz import Side

POLL_SECONDS = 0.2

START_SECONDS = 120.0
"""How long a process may take until it begins with its work."""

MOST_LOSSES = 3
"""How often a side may be lost over one tokenizer; the rest is then not asked."""

CHECK_SECONDS = 5.0
"""How long an answer may take at most while a case is made smaller."""

MOST_LOSSES_OF_REDUCTION = 30
"""How often a side may be lost while a case is made smaller; the case then stays as it is."""


def fuzz(plan: ImplementationPlan, jobs: int = 1) -> Iterator[FuzzResult]:
    """Carry out ``plan`` in ``jobs`` processes, and yield the result of each tokenizer, in order; their sum is the result."""
    done: dict[int, FuzzResult] = {}
    number = plan.start
    with tempfile.TemporaryDirectory() as folder:
        for finished, result in _in_any_order(plan, jobs, folder):
            done[finished] = result
            while number in done:
                yield done.pop(number)
                number += 1


def _in_any_order(plan: ImplementationPlan, jobs: int, folder: str) -> Iterator[tuple[int, FuzzResult]]:
    waiting = deque(range(plan.start, plan.start + plan.tokenizers))
    while waiting:
        # A process that dies takes the others' work with it: whatever was at work is suspect.
        suspects = yield from _together(plan, waiting, jobs, folder)
        for number in suspects:
            yield number, _with_care(plan, number, folder)


def _together(
    plan: ImplementationPlan, waiting: deque[int], jobs: int, folder: str
) -> Generator[tuple[int, FuzzResult], None, list[int]]:
    """Work on ``waiting`` until it is done or a process is lost; return the tokenizers that were at work then."""
    at_work: dict[Future[FuzzResult], _AtWork] = {}
    with workers(jobs, plan.isolation.limits.memory) as pool:
        while waiting or at_work:
            while waiting and len(at_work) < jobs:
                begun = _AtWork(waiting.popleft(), folder)
                try:
                    at_work[pool.submit(fuzz_one, plan, begun.number, folder)] = begun
                except BrokenProcessPool:
                    return _numbers([begun, *at_work.values()])
            done, _ = wait(at_work, POLL_SECONDS, "FIRST_COMPLETED")
            for future in done:
                try:
                    result = future.result()
                except BrokenProcessPool:
                    return _numbers(at_work.values())
                yield at_work.pop(future).end(), result
            if any(each.is_late(plan.patience) for each in at_work.values()):
                return _numbers(at_work.values())
    return []


class _AtWork:
    """Tokenizer ``number``, given to a process, which puts a mark into ``folder`` when it begins.

    On a busy machine a process may take longer to start than its work may take.
    """

    def __init__(self, number: int, folder: str) -> None:
        self.number = number
        self._mark = _mark(folder, number)
        self._given = time.monotonic()
        self._begun: float | None = None

    def is_late(self, patience: float) -> bool:
        """Whether it has been at work for more than ``patience`` seconds, or waits for its process for far longer."""
        now = time.monotonic()
        if self._begun is None and self._mark.exists():
            self._begun = now
        return now - self._given > START_SECONDS if self._begun is None else now - self._begun > patience

    def end(self) -> int:
        """Return the number, and take the mark away."""
        self._mark.unlink(missing_ok=True)
        return self.number


def _mark(folder: str, number: int) -> Path:
    return Path(folder) / f"{number}.begun"


def _numbers(at_work: Iterable[_AtWork]) -> list[int]:
    return sorted(each.number for each in at_work)


def fuzz_one(plan: ImplementationPlan, number: int, folder: str) -> FuzzResult:
    """Compare on tokenizer ``number``, in this process; ``folder`` takes its file."""
    result = FuzzResult()
    for word in plan.sides:
        built(word, plan.isolation)
    _mark(folder, number).touch()
    compare_tokenizer(plan, number, partial(load_here, folder, isolation=plan.isolation), result)
    return result


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
                return False
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

    ``folder`` takes the file of a tokenizer. Once processes have been lost ``most_losses`` times, all that is asked raises
    :class:`TooManyLossesError`.
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

    def load(self, word: str, document: str) -> Side | Refusal:
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

    def __init__(self, sides: GuardedSides, side: Side) -> None:
        self.info = side.info
        self._sides = sides
        self._side = side

    def ask(self, question: Observation) -> Outcome:
        self._sides.give_up_in_time()
        return self._side.ask(question)

    def vocabulary(self) -> dict[str, int] | Unsupported:
        self._sides.give_up_in_time()
        return self._side.vocabulary()
