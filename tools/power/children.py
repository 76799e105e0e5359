"""Calling a function in forked processes, a few at a time, under limits of time and memory.

What a call changes in its process is gone with it, and a call that hangs, crashes or fills the memory costs itself
alone. Times are of the processor, so that a busy machine does not make a call hang.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import resource
import signal
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.process import BaseProcess
    from types import FrameType

T = TypeVar("T")
R = TypeVar("R")

MEMORY = 2 * 2**30
"""How many bytes a process may take beside what it is forked with."""

WALL_FACTOR = 20
"""A process that has waited so many times its processor time is ended as well."""

_FORK = multiprocessing.get_context("fork")


class HangError(BaseException):
    """Something took too long. It is no :class:`Exception`, so that no handler of what hangs takes it for an error."""


@dataclass(frozen=True, slots=True)
class Died:
    """A call that gave nothing: its process came to an end, or was ended (``how``)."""

    how: str


@dataclass(frozen=True, slots=True)
class _Running(Generic[T]):
    index: int
    process: BaseProcess
    started: float


def each_in_child(
    function: Callable[[T], R], items: Sequence[T], jobs: int, seconds: float
) -> Iterator[tuple[int, R | Died]]:
    """Call ``function`` with each of ``items``, ``jobs`` at a time, each in a process of its own.

    Yield the index of the item and what the call returned, which must be pickled easily, as the calls end. A call has
    ``seconds`` of processor time. Raises nothing for what a call does.
    """
    gc.collect()
    gc.freeze()  # the children share these objects, and would copy them at their first collection
    waiting = list(enumerate(items))[::-1]
    running: dict[Connection, _Running[T]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                index, item = waiting.pop()
                receiver, sender = _FORK.Pipe(duplex=False)
                process = _FORK.Process(target=_call, args=(function, item, sender, seconds), daemon=True)
                process.start()
                sender.close()
                running[receiver] = _Running(index, process, time.monotonic())
            ready = set(wait(list(running), timeout=1.0))
            for receiver in [receiver for receiver in running if receiver in ready]:
                yield _ended(receiver, running.pop(receiver))
            for receiver, child in list(running.items()):
                if time.monotonic() - child.started > WALL_FACTOR * seconds:
                    child.process.kill()
                    yield _ended(receiver, running.pop(receiver))
    finally:
        for child in running.values():
            child.process.kill()
        gc.unfreeze()


def _ended(receiver: Connection, child: _Running[Any]) -> tuple[int, Any]:
    try:
        found = receiver.recv()
    except (EOFError, OSError):
        found = None
    receiver.close()
    child.process.join()
    if found is not None:
        return child.index, found[0]
    code = child.process.exitcode or 0
    return child.index, Died(signal.Signals(-code).name if code < 0 else f"exit status {code}")


def _call(function: Callable[[T], R], item: T, sender: Connection, seconds: float) -> None:
    taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, taken + MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # whatever a changed module prints is of no use
        os.dup2(nothing, stream)
    sender.send((function(item),))


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise :class:`HangError` where what is done takes more than ``seconds`` of processor time.

    It comes between two steps of the interpreter: an endless search of a regular expression ends the process instead
    (:func:`each_in_child`).
    """

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
