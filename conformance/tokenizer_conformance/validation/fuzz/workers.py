"""Fuzzing in processes of its own, so that an implementation that aborts or hangs costs one tokenizer and not the run.

At first both sides of a comparison answer in one process (``worker``). Where that is lost, the tokenizer that it was
at work on is done again with every side in a process for itself, which is waited for at every answer: so the answer at
fault is found, and stands for a crash or a time-out like any other.
"""

from __future__ import annotations

import queue
import tempfile
import threading
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.contract import Crashed, Failed, TimedOut
from tokenizer_adapters.protocol.process import FaultError, Process
from tokenizer_adapters.selection import select
from tokenizer_conformance.command_io.pickled_lines import line_of, value_of
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
    from tokenizer_conformance.validation.fuzz.tokenizer_fuzz import Side

POLL_SECONDS = 0.2
"""How long Ctrl-C may go unheard where waiting cannot be interrupted (Windows)."""

MOST_LOSSES = 3
"""How often a side may be lost over one tokenizer; the rest is then not asked."""

CHECK_SECONDS = 5.0
"""How long an answer may take at most while a case is made smaller."""

MOST_LOSSES_OF_REDUCTION = 30
"""How often a side may be lost while a case is made smaller; the case then stays as it is."""


def fuzz(plan: ImplementationPlan, jobs: int = 1) -> Iterator[FuzzResult]:
    """Carry out ``plan`` in ``jobs`` processes, and yield the result of each tokenizer, in order.

    Their sum is the result of the plan.
    """
    done: dict[int, FuzzResult] = {}
    number = plan.start
    with tempfile.TemporaryDirectory() as folder, _Workers(plan, jobs, folder) as workers:
        for finished, result in workers.results():
            done[finished] = _with_care(plan, finished, folder) if result is None else result
            while number in done:
                yield done.pop(number)
                number += 1


class _Workers:
    """Processes at work on the tokenizers of ``plan``, with a thread for each that talks to it; ended at exit.

    ``folder`` takes their files.
    """

    def __init__(self, plan: ImplementationPlan, jobs: int, folder: str) -> None:
        self._plan = plan
        self._folder = folder
        self._waiting = deque(range(plan.start, plan.start + plan.tokenizers))
        self._ended: queue.SimpleQueue[tuple[int, FuzzResult | None] | Exception] = queue.SimpleQueue()
        self._processes: list[Process | None] = [None] * jobs
        self._is_over = False
        self._threads = [threading.Thread(target=self._work, args=(worker,), daemon=True) for worker in range(jobs)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_over = True
        for process in self._processes:
            if process is not None:
                process.interrupt()
        for thread in self._threads:
            thread.join()

    def results(self) -> Iterator[tuple[int, FuzzResult | None]]:
        """Yield the number and the result of each tokenizer, as they end; ``None``: the process was lost over it.

        Raises :class:`CannotStartError`.
        """
        for _ in range(self._plan.tokenizers):
            ended = self._next()
            if isinstance(ended, Exception):
                raise ended
            yield ended

    def _next(self) -> tuple[int, FuzzResult | None] | Exception:
        while True:
            try:
                return self._ended.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue

    # In the thread of a worker

    def _work(self, worker: int) -> None:
        try:
            while not self._is_over:
                try:
                    number = self._waiting.popleft()
                except IndexError:
                    return
                self._ended.put((number, self._result(worker, number)))
        except Exception as error:  # noqa: BLE001 - raised in the thread that waits for results
            self._ended.put(error)
        finally:
            self._lose(worker)

    def _result(self, worker: int, number: int) -> FuzzResult | None:
        try:
            process = self._processes[worker] or self._started(worker)
            result: FuzzResult = value_of(*process.exchange([line_of(number)], self._plan.patience))
        except FaultError:
            self._lose(worker)
            return None
        return result

    def _started(self, worker: int) -> Process:
        """Start a process, and wait until it can begin: on a busy machine that may take longer than its work."""
        limits = self._plan.isolation.limits
        process = self._processes[worker] = Process(program(), limits)
        if self._is_over:  # too late to be interrupted
            self._lose(worker)
        for _ in process.exchange([line_of((self._plan, self._folder))], limits.start_seconds):
            pass
        return process

    def _lose(self, worker: int) -> None:
        process = self._processes[worker]
        if process is not None:
            process.kill()
        self._processes[worker] = None


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
