"""Comparing in several processes, so that a run has the use of several processors.

A process takes a batch of inputs at a time (``worker``); what comes of them is taken in the order of the inputs, so
that all that is counted, told and recorded is that of a run in one process. At most :data:`AHEAD` batches for each
process are under way or wait to be taken: what is held in memory is bounded, and what an interrupted run loses is, too.
A process that is lost ends the run, as a run in one process would be ended, but in good order.
"""

from __future__ import annotations

import math
import queue
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from contextlib import nullcontext
from typing import TYPE_CHECKING, Self

from tokenizer_adapters.protocol.client import in_words
from tokenizer_adapters.protocol.process import FaultError, Limits, Process
from tokenizer_conformance.command_io.pickled_lines import line_of, value_of
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.batching import Pace, batches, batches_of_ids
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.running.tasks import Done, Setup, Task
from tokenizer_conformance.validation.running.worker import program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from types import TracebackType

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.validation.running.compared import Compared
    from tokenizer_conformance.validation.running.plan import RunPlan
    from tokenizer_conformance.validation.running.sides import Sides

AHEAD = 4
"""How many batches for each process are under way or wait to be taken."""

POLL_SECONDS = 0.2
"""How long Ctrl-C may go unheard where waiting cannot be interrupted (Windows)."""


class LostWorkerError(Exception):
    """A process that compares has ended, or reports a bug. The message says which."""


class Workers:
    """``plan.jobs`` processes that compare; started at once, ended at exit."""

    def __init__(self, plan: RunPlan) -> None:
        stages = frozenset(plan.observed_stages())
        self._setup = Setup(plan.selected, plan.baseline, stages, plan.fields, plan.asks)
        self.jobs = plan.jobs
        self._processes: list[Process] = []
        self._idle: queue.SimpleQueue[Process | Exception] = queue.SimpleQueue()
        self._source: TokenizerSource | None = None
        self._is_over = False

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self.jobs)
        for _ in range(self.jobs):
            self._threads.submit(self._start)
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

    def prepare(self, source: TokenizerSource) -> None:
        """Have those processes that are idle load the tokenizer of ``source``, and do not wait for that."""
        self._source = source
        for _ in range(self._idle.qsize()):
            self.submit(Task(source))

    def comparer(self, source: TokenizerSource, sides: Sides) -> WorkersComparer:
        """Return what compares on the tokenizer of ``source`` in these processes; ``sides`` count what they wait."""
        return WorkersComparer(self, source, sides)

    def submit(self, task: Task) -> Future[Done]:
        """Have a process carry out ``task`` as soon as one can."""
        return self._threads.submit(self._carried_out, task)

    # In a thread

    def _start(self) -> None:
        """Start a process, and wait until it can begin: on a busy machine that may take longer than its work."""
        try:
            process = Process(program(), Limits())
            self._processes.append(process)
            if self._is_over:  # too late to be interrupted
                process.kill()
            self._exchanged(process, self._setup, Limits().start_seconds)
            if self._source is not None:
                self._exchanged(process, Task(self._source), math.inf)
        except Exception as error:  # noqa: BLE001 - raised where a process is needed
            self._idle.put(error)
        else:
            self._idle.put(process)

    def _carried_out(self, task: Task) -> Done:
        process = self._idle.get()
        if isinstance(process, Exception):
            self._idle.put(process)  # for whoever else waits
            raise process
        try:
            done = self._exchanged(process, task, math.inf)
        except Exception as error:
            self._idle.put(error)
            raise
        self._idle.put(process)
        if done.error is not None:
            raise LostWorkerError(f"in a process that compares: {done.error}")
        return done

    def _exchanged(self, process: Process, value: object, seconds: float) -> Done:
        try:
            (line,) = process.exchange([line_of(value)], seconds)
        except FaultError as error:
            raise LostWorkerError(f"a process that compares is lost: {in_words(error.outcome)}") from None
        done: Done = value_of(line)
        return done


class WorkersComparer:
    """Compares in the processes of ``workers``; what they wait for an implementation is added up in ``sides``."""

    def __init__(self, workers: Workers, source: TokenizerSource, sides: Sides) -> None:
        self._workers = workers
        self._source = source
        self._others = tuple(sides.others)
        self._asked = {asked.info.name: asked for asked in (sides.baseline, *sides.others.values())}

    def texts(self, inputs: Iterable[PairedInput]) -> Iterator[tuple[PairedInput, Mapping[str, Compared]]]:
        """Yield each of ``inputs``, in order, and what it comes to; those before a place that cannot be read, too."""
        pace = Pace()
        tasks = (Task(self._source, self._others, texts=tuple(batch)) for batch in batches(inputs, pace))
        for task, done in self._done(tasks):
            pace.took(done.seconds)
            yield from zip(task.texts, done.compared, strict=True)

    def ids(self, ids: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Compared]]]:
        """Yield each of ``ids``, in order, and what decoding it alone comes to."""
        tasks = (Task(self._source, self._others, ids=tuple(batch)) for batch in batches_of_ids(ids))
        for task, done in self._done(tasks):
            yield from zip(task.ids, done.compared, strict=True)

    def _done(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Done]]:
        """Yield ``tasks`` in their order, as they are done; those before a place that cannot be read, too."""
        ahead: deque[tuple[Task, Future[Done]]] = deque()
        unreadable: BadInputError | None = None
        while True:
            try:
                while len(ahead) < AHEAD * self._workers.jobs and unreadable is None:
                    task = next(tasks)
                    ahead.append((task, self._workers.submit(task)))
            except StopIteration:
                pass
            except BadInputError as error:
                unreadable = error
            if not ahead:
                break
            task, waiting = ahead.popleft()
            yield task, self._result(waiting)
        if unreadable is not None:
            raise unreadable

    def _result(self, waiting: Future[Done]) -> Done:
        STATUS.at(f"comparing in {self._workers.jobs} processes")
        while True:
            try:
                done = waiting.result(POLL_SECONDS)
            except NotYetError:
                continue
            for name, seconds in done.waited.items():
                self._asked[name].seconds += seconds
            return done


def workers_for(plan: RunPlan) -> AbstractContextManager[Workers | None]:
    """Return the processes in which ``plan`` is to be compared, ``None`` where it is in this one."""
    return Workers(plan) if plan.jobs > 1 else nullcontext()
