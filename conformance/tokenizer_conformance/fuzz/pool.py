"""Processes that fuzz side by side, each a tokenizer at a time; they may be lost over it, and somebody has to watch them.

They write nothing on standard error (panics come by the thousand there) and do not hear of Ctrl-C: whoever started them ends
them. What wants more memory than it may have fails there, and not the machine.
"""

from __future__ import annotations

import contextlib
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import TYPE_CHECKING, Any

with contextlib.suppress(ImportError):  # only on POSIX systems
    import resource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.process import BaseProcess

MEMORY = 2 * 2**30
"""How many bytes of data a process may hold where nothing else is said, and the system limits that."""


@contextmanager
def workers(count: int, memory: int | None = MEMORY) -> Iterator[ProcessPoolExecutor]:
    """Give ``count`` processes, which are ended at exit whatever they do then; each may hold ``memory`` bytes of data."""
    context = _Recording()
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_prepare, initargs=(memory,))
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


def _prepare(memory: int | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    # The backtraces of panics take longer to make than the work itself.
    os.environ["RUST_BACKTRACE"] = "0"
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if memory is None:
        return
    with contextlib.suppress(NameError, ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, however that went."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
