"""Processes of this installation that do tasks side by side, each with a thread that talks to it.

A process is started when its first task comes, and another one in its place after a loss: what kills a process costs
one task, and whoever waits for that is told. All end with the pool. Where the processes are is the pool's affair: here
(:class:`WorkerPool`), or on the nodes of a cluster (``ray_pool``).
"""

from __future__ import annotations

import queue
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.protocol.process import FaultError, Process
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.command_io.pickled_lines import line_of, value_of
from tokenizer_conformance.command_io.standard_streams import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.protocol.process import Limits

T = TypeVar("T")
A = TypeVar("A")


AHEAD = 4
"""How many tasks for each process are under way, or done and waiting to be taken."""

POLL_SECONDS = 0.2
"""How long Ctrl-C may go unheard where waiting cannot be interrupted (Windows)."""


class LostProcessError(Exception):
    """A process ended, or gave no answer in time, over a task. The message says which, in words."""


class LostPoolError(Exception):
    """No process of a pool can be reached any more, or none can be used. The message says why, and what to do."""


class LostWorkerError(Exception):
    """A process of a pool is lost, or reports a bug. The message says what it did, and what came of it."""


@dataclass(frozen=True, slots=True)
class Broken:
    """An answer: a bug, here or in an adapter, was met over a task (:func:`told_when_broken`)."""

    reason: str


class Pool(ABC, Generic[T, A]):
    """``jobs`` processes; a task may take each of them ``patience`` seconds.

    That may be changed: it holds for tasks that are begun after it.
    """

    def __init__(self, jobs: int, patience: float) -> None:
        self.jobs = jobs
        self.patience = patience

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    @abstractmethod
    def begin(self) -> None:
        """Be ready for tasks. Raises :class:`LostPoolError`."""

    @abstractmethod
    def end(self) -> None:
        """End all processes, with what they are at."""

    @abstractmethod
    def submit(self, task: T) -> Future[A]:
        """Have a process do ``task`` as soon as one can.

        The future raises :class:`LostProcessError`, ``CannotStartError`` where no process can be started, or
        :class:`LostPoolError`.
        """

    @abstractmethod
    def prepare(self, task: T) -> None:
        """Have those processes that are idle, or not started yet, do ``task``, and do not wait for that."""

    def in_order(self, tasks: Iterator[T], ahead: int = AHEAD) -> Iterator[tuple[T, Future[A]]]:
        """Yield ``tasks`` in their order, each with what will come of it; ``ahead`` for each process are under way.

        Where ``tasks`` raises, that is raised after all tasks before it.
        """
        waiting: deque[tuple[T, Future[A]]] = deque()
        ended: Exception | None = None
        while True:
            try:
                while ended is None and len(waiting) < ahead * self.jobs:
                    task = next(tasks)
                    waiting.append((task, self.submit(task)))
            except StopIteration:
                pass
            except Exception as error:  # noqa: BLE001 - raised below
                ended = error
            if not waiting:
                break
            yield waiting.popleft()
        if ended is not None:
            raise ended


class HeldProcess:
    """A process of ``program`` under ``limits``, which is started when its first task comes, and anew after a loss.

    The first line that it is sent is ``setup``, and its answer says that it can begin; every further line is a task
    (``command_io/worker_process.py`` is the other end).
    """

    def __init__(self, program: Program, setup: bytes, limits: Limits) -> None:
        self._program = program
        self._setup = setup
        self._limits = limits
        self._process: Process | None = None
        self._is_over = False

    def answer(self, line: bytes, seconds: float) -> bytes:
        """Return what the process answers to ``line`` within ``seconds``, both without a line end or with one.

        Raises :class:`LostProcessError`, or ``CannotStartError``.
        """
        try:
            return _exchanged(self._process or self._started(), line, seconds)
        except BaseException:
            self.kill()
            raise

    def _started(self) -> Process:
        """Start a process, and wait until it can begin: on a busy machine that may take longer than its work."""
        process = self._process = Process(self._program, self._limits)
        if self._is_over:  # too late to be interrupted
            process.kill()
        _exchanged(process, self._setup, self._limits.start_seconds + self._limits.load_seconds)
        return process

    def interrupt(self) -> None:
        """Have the process end, from another thread than the one that talks to it; none is started any more."""
        self._is_over = True
        process = self._process
        if process is not None:
            process.interrupt()

    def kill(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()


def _exchanged(process: Process, line: bytes, seconds: float) -> bytes:
    try:
        (answer,) = process.exchange([line], seconds)
    except FaultError as error:
        raise LostProcessError(in_words(error.outcome)) from None
    return answer


class WorkerPool(Pool[T, A]):
    """``jobs`` processes on this machine that run ``program``, under ``limits``, all set up with ``setup``."""

    def __init__(self, program: Program, setup: object, jobs: int, limits: Limits, patience: float) -> None:
        super().__init__(jobs, patience)
        line = line_of(setup)
        self._processes = [HeldProcess(program, line, limits) for _ in range(jobs)]
        self._idle: queue.SimpleQueue[HeldProcess] = queue.SimpleQueue()
        for process in self._processes:
            self._idle.put(process)

    def begin(self) -> None:
        """Be ready for tasks."""
        self._threads = ThreadPoolExecutor(self.jobs)

    def end(self) -> None:
        """End all processes, with what they are at."""
        for process in self._processes:
            process.interrupt()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.kill()

    def submit(self, task: T) -> Future[A]:
        """Have a process do ``task`` as soon as one can."""
        return self._threads.submit(self._done, task)

    def prepare(self, task: T) -> None:
        """Have those processes that are idle, or not started yet, do ``task``, and do not wait for that."""
        for _ in range(self._idle.qsize()):
            self.submit(task)

    def _done(self, task: T) -> A:
        """Do ``task``, in a thread."""
        process = self._idle.get()
        try:
            answer: A = value_of(process.answer(line_of(task), self.patience))
        finally:
            self._idle.put(process)
        return answer


def answer_of(future: Future[A]) -> A:
    """Wait for what comes of a task. Raises what :meth:`Pool.submit` says."""
    while True:
        try:
            return future.result(POLL_SECONDS)
        except NotYetError:
            if future.done():
                raise


def told_when_broken(do: Callable[[T], A]) -> Callable[[T], A | Broken]:
    """Return what does a task as ``do`` does; a bug that is met over it is the answer, and the process goes on."""

    def done(task: T) -> A | Broken:
        try:
            return do(task)
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: it ends the command in good order
            return Broken(in_short(error))

    return done


def answers_in_order(pool: Pool[T, A | Broken], tasks: Iterator[T], does: str) -> Iterator[tuple[T, A]]:
    """Yield ``tasks`` in their order, each with its answer; ``does`` is what the processes do, in words.

    A task that a process was lost over is done once more: it may have been killed for its memory, or by hand. Raises
    :class:`LostWorkerError` after all before the task that two were lost over, and what ``tasks`` raises.
    """
    for task, future in pool.in_order(tasks):
        try:
            answer = _answer_again(pool, task, future, does)
        except LostProcessError as error:
            raise LostWorkerError(
                f"a process that {does} is lost twice over the same texts: {error}; with --isolate NAME an "
                "implementation that crashes costs its answer alone"
            ) from None
        if isinstance(answer, Broken):
            raise LostWorkerError(f"in a process that {does}: {answer.reason}")
        yield task, answer


def _answer_again(pool: Pool[T, A | Broken], task: T, future: Future[A | Broken], does: str) -> A | Broken:
    try:
        return answer_of(future)
    except LostProcessError as error:
        complain(f"a process that {does} is lost: {error}; what it was at is done again")
        return answer_of(pool.submit(task))
