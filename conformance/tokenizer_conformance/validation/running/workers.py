"""Comparing in several processes, so that a run has the use of several processors.

A process takes a batch of inputs at a time (``worker``); what comes of them is taken in the order of the inputs, so
that all that is counted, told and recorded is that of a run in one process. A few batches for each process are under
way or wait to be taken: what is held in memory is bounded, and what an interrupted run loses is, too.
What a process is lost over is asked of another one; if that is lost too, the run ends, as a run in one process would be
ended, but in good order.
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.pools import pool_of
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.worker_pool import LostProcessError, answer_of
from tokenizer_conformance.comparison.batching import Pace, batches, batches_of_ids
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.running.compared import Differing, Setup, Task
from tokenizer_conformance.validation.running.worker import program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.command_io.worker_pool import Pool
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.validation.running.compared import Compared, Done
    from tokenizer_conformance.validation.running.plan import RunPlan
    from tokenizer_conformance.validation.running.sides import Sides

    Workers = Pool[Task, Done]


class LostWorkerError(Exception):
    """A process that compares has ended, or reports a bug. The message says which."""


class WorkersComparer:
    """Compares in the processes of ``workers``; what they wait for an implementation is added up in ``sides``.

    These are asked about the smallest examples here, so ``reach`` is told of each input that differs.
    """

    def __init__(
        self, workers: Workers, source: TokenizerSource, sides: Sides, reach: Callable[[PairedInput], None]
    ) -> None:
        self._workers = workers
        self._source = source
        self._sides = sides
        self._reach = reach
        self._others = tuple(sides.others)
        self._asked = {asked.info.name: asked for asked in (sides.baseline, *sides.others.values())}

    def texts(self, inputs: Iterable[PairedInput]) -> Iterator[tuple[PairedInput, Mapping[str, Compared]]]:
        """Yield each of ``inputs``, in order, and its result; those before a place that cannot be read, too."""
        pace = Pace()
        tasks = (Task(self._source, self._others, texts=tuple(batch)) for batch in batches(inputs, pace))
        for task, done in self._done(tasks):
            pace.took(done.seconds)
            for each, compared in zip(task.texts, done.compared, strict=done.unreadable is None):
                if any(isinstance(found, Differing) for found in compared.values()):
                    self._sides.forgetful()
                    self._reach(each)
                yield each, compared
            if done.unreadable is not None:
                raise BadInputError(done.unreadable)

    def ids(self, ids: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Compared]]]:
        """Yield each of ``ids``, in order, and the result of decoding it alone."""
        tasks = (Task(self._source, self._others, ids=tuple(batch)) for batch in batches_of_ids(ids))
        for task, done in self._done(tasks):
            yield from zip(task.ids, done.compared, strict=True)

    def _done(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Done]]:
        """Yield ``tasks`` in their order, as they are done; those before a place that cannot be read, too."""
        for task, future in self._workers.in_order(tasks):
            STATUS.at(f"comparing in {self._workers.jobs} processes")
            try:
                done = answer_of(future)
            except LostProcessError:
                done = self._done_again(task)
            if done.error is not None:
                raise LostWorkerError(f"in a process that compares: {done.error}")
            for name, seconds in done.waited.items():
                self._asked[name].seconds += seconds
            for name, counts in done.again.items():
                self._asked[name].add_again(counts)
            yield task, done

    def _done_again(self, task: Task) -> Done:
        """Have another process do what one was lost over: the system, and not the task, may have ended that."""
        try:
            return answer_of(self._workers.submit(task))
        except LostProcessError as error:
            raise LostWorkerError(f"a process that compares is lost: {error}") from None


def workers_for(plan: RunPlan) -> AbstractContextManager[Workers | None]:
    """Return the processes in which ``plan`` is to be compared, ``None`` where it is in this one."""
    if not plan.has_workers:
        return nullcontext()
    stages = frozenset(plan.observed_stages())
    setup = Setup(plan.selected, plan.baseline, stages, plan.fields, plan.asks, plan.reach, plan.asks_further)
    return pool_of(plan.engine, program(), setup, plan.jobs, Limits(), math.inf)
