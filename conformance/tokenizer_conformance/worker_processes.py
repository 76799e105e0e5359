"""Processes for work that may take its process down, never end, or want all of the memory.

Workers write nothing on standard error (panics come by the thousand there) and do not hear of Ctrl-C: whoever started them ends
them. Each may have :data:`MEMORY`; what wants more fails there, and not the machine.
"""

from __future__ import annotations

import contextlib
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

with contextlib.suppress(ImportError):  # only on POSIX systems
    import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.process import BaseProcess
    from types import TracebackType

P = ParamSpec("P")
T = TypeVar("T")


MEMORY = 2 * 2**30
"""How many bytes of data a worker may hold, where the system limits that."""


class WorkerLostError(Exception):
    """A worker was lost over its work; the message says how."""


class WorkerDiedError(WorkerLostError):
    """A worker died over its work."""


class WorkerLateError(WorkerLostError):
    """A worker did not end its work in time, and was ended."""


START_SECONDS = 120.0
"""How long a process may take until it is ready for its work."""


@contextmanager
def workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Give ``count`` processes, which are ended at exit whatever they do then."""
    context = _Recording()
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_prepare)
    try:
        yield pool
    finally:
        for process in context.started:
            process.terminate()
        pool.shutdown(cancel_futures=True)


class _Recording(SpawnContext):
    """Starts processes, and knows which: a pool starts them when it needs them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[BaseProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> BaseProcess:  # type: ignore[override]  # noqa: N802 - a class there
        process = SpawnContext.Process(*args, **kwargs)
        self.started.append(process)
        return process


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    # The backtraces of panics take longer to make than the work itself.
    os.environ["RUST_BACKTRACE"] = "0"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with contextlib.suppress(NameError, ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, however that went."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _nothing() -> None:
    """Prepare a process that needs no preparation."""


class Worker:
    """One process, started when it is needed, and again after it is lost.

    ``seconds`` is how long a call may take. ``prepare`` is called in a new process first; its time does not count.
    """

    def __init__(self, seconds: float, prepare: Callable[[], object] = _nothing) -> None:
        self._seconds = seconds
        self._prepare = prepare
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._end()

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what ``function`` gives in the process, or raise what it raises.

        Raises :class:`WorkerLostError`.
        """
        try:
            pool = self._pool or self._start()
            return pool.submit(function, *args, **kwargs).result(self._seconds)
        except BrokenProcessPool:
            self._end()
            raise WorkerDiedError("the process died") from None
        except TimeoutError:
            self._end()
            raise WorkerLateError(f"no answer came within {self._seconds:g} s") from None

    def _start(self) -> ProcessPoolExecutor:
        self._pool = self._stack.enter_context(workers(1))
        self._pool.submit(self._prepare).result(START_SECONDS)
        return self._pool

    def _end(self) -> None:
        self._pool = None
        self._stack.close()
