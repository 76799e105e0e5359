"""Tasks done side by side, in a pool of processes on this machine or on others.

A pool is set up once (:class:`.measuring.Setup`: tokenizers are loaded, nothing of the corpus), and does tasks, which
are small and stand alone. An answer about a task is what was counted, or that its source is bad; answers about
neighbours of one source make one (:func:`.counts.merged`). Another machine may not see a file of this one: the texts of
what a process could not read are read here, and sent to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.pools import pool_of
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.worker_pool import LostProcessError, answer_of
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.metrics.counts import Answer, Bad, Counts, Failure, merged
from tokenizer_conformance.research.metrics.measures.columns import Texts
from tokenizer_conformance.research.metrics.measuring import Broken, begin
from tokenizer_conformance.research.metrics.texts import Reading

if TYPE_CHECKING:
    from concurrent.futures import Future

    from tokenizer_conformance.command_io.pools import Engine
    from tokenizer_conformance.command_io.worker_pool import Pool
    from tokenizer_conformance.research.metrics.measuring import Setup
    from tokenizer_conformance.research.metrics.tasks import Task
    from tokenizer_conformance.research.metrics.tasks import Texts as CorpusTexts

    TaskPool = Pool[Task, Answer | Broken]


class BrokenWorkerError(Exception):
    """A process that measures reports a bug. The message says which."""


def pool_for(engine: Engine, setup: Setup, jobs: int, patience: float) -> TaskPool:
    """Return ``jobs`` processes of ``engine``, set up by ``setup``; a task may take each of them so many seconds."""
    return pool_of(engine, program("a process that measures"), partial(begin, setup), jobs, Limits(), patience)


@dataclass(frozen=True, slots=True)
class Asking:
    """A pool that is asked for answers; ``texts`` and ``unknown_ids`` tell of the text over which a process is lost.

    Processes of the pool do not see the sources in ``unseen``.
    """

    pool: TaskPool
    texts: CorpusTexts
    unknown_ids: tuple[frozenset[int], ...]
    unseen: set[int] = field(default_factory=set)

    def as_seen(self, task: Task) -> Task:
        """Return ``task``, with its texts where a process would not see them."""
        return self.with_texts(task) if task.source in self.unseen and task.texts is None else task

    def with_texts(self, task: Task) -> Task:
        """Return ``task`` with its texts, or with what is wrong with them."""
        reading = Reading()
        try:
            texts = tuple(self.texts.of(task, reading))
        except BadInputError as error:
            return replace(task, texts=(), bad=str(error))
        return replace(task, some=None, texts=texts, noticed=reading)


def answer_from(how: Asking, task: Task, future: Future[Answer | Broken]) -> Answer:
    """Return the outcome of ``future``; where a process is lost over ``task``, its halves are done by another one.

    So it comes down to the text that did it, which is a failure of every row.
    """
    try:
        answer = answer_of(future)
    except LostProcessError as error:
        return _halved(how, task, str(error))
    if isinstance(answer, Broken):
        raise BrokenWorkerError(answer.reason)
    if isinstance(answer, Bad) and task.texts is None and not (sent := how.with_texts(task)).bad:
        if task.source not in how.unseen:
            how.unseen.add(task.source)
            complain(f"{answer.reason}: so a process says, and this one reads it; its texts are sent from here")
        return answer_from(how, sent, how.pool.submit(sent))
    return answer


def _halved(how: Asking, task: Task, lost: str) -> Answer:
    reading, count, only = Reading(), 0, None
    try:
        for count, only in enumerate(how.texts.of(task, reading), 1):  # noqa: B007 - the last one
            pass
    except BadInputError as error:
        return Bad(task.source, str(error))
    if count > 1:
        return merged(answer_from(how, half, how.pool.submit(half)) for half in task.halves(count))
    counts = Counts(how.unknown_ids)
    if reading != Reading():
        counts.readings[task.source] = reading
    if only is not None:
        for group in only.groups:
            counts.read_of(group).add_texts(Texts([only.number], [only.text]), np.array([0]))
        for failures in counts.failures:
            failures.add(Failure(only.id, "crash", f"a process that measures was lost over it: {lost}"))
    return counts
