"""Processes of this installation that do tasks side by side, each with a thread that talks to it.

A process is started when its first task comes, and another one in its place after a loss: what kills a process costs
one task, and whoever waits for that is told. All end with the pool.
"""

from __future__ import annotations

import queue
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.protocol.process import FaultError, Process
from tokenizer_conformance.command_io.pickled_lines import line_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator
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


class WorkerPool(Generic[T, A]):
    """``jobs`` processes that run ``program``, under ``limits``; a task may take each of them ``patience`` seconds.

    That may be changed: it holds for tasks that are begun after it.

    The first line that a process is sent is ``setup``, and its answer says that it can begin; every further line is a
    task (``command_io/worker_process.py`` is the other end).
    """

    def __init__(self, program: Program, setup: object, jobs: int, limits: Limits, patience: float) -> None:
        self._program = program
        self._setup = setup
        self._jobs = jobs
        self._limits = limits
        self.patience = patience
        self._idle: queue.SimpleQueue[Process | None] = queue.SimpleQueue()
        self._processes: list[Process] = []
        self._is_over = False
        for _ in range(jobs):
            self._idle.put(None)

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self._jobs)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_over = True
        for process in list(self._processes):
            process.interrupt()
        self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.kill()

    def submit(self, task: T) -> Future[A]:
        """Have a process do ``task`` as soon as one can.

        The future raises :class:`LostProcessError`, or ``CannotStartError`` where no process can be started.
        """
        return self._threads.submit(self._done, task)

    def prepare(self, task: T) -> None:
        """Have those processes that are idle, or not started yet, do ``task``, and do not wait for that."""
        for _ in range(self._idle.qsize()):
            self.submit(task)

    def in_order(self, tasks: Iterator[T], ahead: int = AHEAD) -> Iterator[tuple[T, Future[A]]]:
        """Yield ``tasks`` in their order, each with what will come of it; ``ahead`` for each process are under way.

        Where ``tasks`` raises, that is raised after all tasks before it.
        """
        waiting: deque[tuple[T, Future[A]]] = deque()
        ended: Exception | None = None
        while True:
            try:
                while ended is None and len(waiting) < ahead * self._jobs:
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

    # In a thread

    def _done(self, task: T) -> A:
        process = self._idle.get()
        try:
            if process is None:
                process = self._started()
            answer: A = self._exchanged(process, task, self.patience)
        except BaseException:
            self._lose(process)
            self._idle.put(None)
            raise
        self._idle.put(process)
        return answer

    def _started(self) -> Process:
        """Start a process, and wait until it can begin: on a busy machine that may take longer than its work."""
        process = Process(self._program, self._limits)
        self._processes.append(process)
        if self._is_over:  # too late to be interrupted
            process.kill()
        try:
            self._exchanged(process, self._setup, self._limits.start_seconds + self._limits.load_seconds)
        except LostProcessError:
            self._lose(process)
            raise
        return process

    def _exchanged(self, process: Process, value: object, seconds: float) -> A:
        try:
            (line,) = process.exchange([line_of(value)], seconds)
        except FaultError as error:
            raise LostProcessError(in_words(error.outcome)) from None
        answer: A = value_of(line)
        return answer

    def _lose(self, process: Process | None) -> None:
        if process in self._processes:
            self._processes.remove(process)
            process.kill()


def answer_of(future: Future[A]) -> A:
    """Wait for what comes of a task. Raises what :meth:`WorkerPool.submit` says."""
    while True:
        try:
            return future.result(POLL_SECONDS)
        except NotYetError:
            if future.done():
                raise
