"""Tasks that processes of a pool do side by side: what comes of them, in the order of the tasks.

A process that is lost ends the command, as a command that works in one process would be ended, but in good order: all
that was done before the lost task is told.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io.worker_pool import Broken, WorkerPool, answers_in_order, told_when_broken
from tokenizer_conformance.command_io.worker_process import program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


T = TypeVar("T")
A = TypeVar("A")


@contextmanager
def side_by_side(
    begin: Callable[[], Callable[[T], A]], jobs: int, does: str
) -> Iterator[Callable[[Iterator[T]], Iterator[A]]]:
    """Yield what has tasks done in ``jobs`` processes: it yields what comes of each, in order.

    ``begin`` makes what does a task, once in each process. It is pickled, and so are tasks and answers. ``does`` is
    what the processes do, in words. One that is lost raises :class:`LostWorkerError`.
    """

    def answers(tasks: Iterator[T]) -> Iterator[A]:
        return (answer for _, answer in answers_in_order(pool, tasks, does))

    setup = partial(_begun, begin)
    with WorkerPool[T, A | Broken](program(f"a process that {does}"), setup, jobs, Limits(), math.inf) as pool:
        yield answers


def _begun(begin: Callable[[], Callable[[T], A]]) -> Callable[[T], A | Broken]:
    return told_when_broken(begin())
