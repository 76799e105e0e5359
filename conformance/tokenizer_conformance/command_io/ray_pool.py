"""Processes on the nodes of a Ray cluster that do tasks side by side.

The cluster is the one at ``RAY_ADDRESS``, or one that is started here and ends with the pool. Ray chooses the nodes,
and does a task again elsewhere where a node is lost (``ray_driver``, ``ray_node``). A task that kills its process is
told as in a pool of this machine.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import itertools
import os
import pickle
import subprocess
import sysconfig
import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tokenizer_adapters.protocol.launch import Launched
from tokenizer_conformance.command_io.parcels import packed, releases
from tokenizer_conformance.command_io.pickled_lines import line_of, program_of, value_of
from tokenizer_conformance.command_io.ray_messages import Job, Join, Joined, Setup
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.worker_pool import LostPoolError, Pool, answer_of
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.protocol.process import Limits
    from tokenizer_conformance.command_io.parcels import Listed, Packed

T = TypeVar("T")
A = TypeVar("A")

ADDRESS = "RAY_ADDRESS"
"""The environment variable that says where a cluster is."""

SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_TASK_OOM_RETRIES": "3"}
"""What holds for Ray where the environment says nothing else: it reports to nobody, and a text that takes all memory is
not tried for ever."""

LOST = (
    "the Ray cluster is lost: its head, or this machine's part of it, has ended or cannot be reached; start it again, "
    "then repeat the command, with --resume if it has that"
)

LINES_KEPT = 50
"""How many lines of what Ray writes on standard error are kept, the last ones."""

BUFFER = 1 << 20
"""How many bytes of answers, which may be long, are read at a time."""

ENDING_SECONDS = 10.0
"""How long a cluster that was started here may take to end."""


class RayPool(Pool[T, A]):
    """``jobs`` processes of a Ray cluster (0: as many as it has processors) that run ``program``, under ``limits``."""

    def __init__(self, program: Program, setup: object, jobs: int, limits: Limits, patience: float) -> None:
        super().__init__(jobs, patience)
        self._setup = packed((program, setup, limits))
        self._sent: set[Listed] = set()
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[Any]] = {}
        self._lock = threading.Lock()
        self._has_joined = False
        self._lost: LostPoolError | None = None
        self._words: deque[bytes] = deque(maxlen=LINES_KEPT)

    # Beginning and ending

    def begin(self) -> None:
        """Join the cluster. Raises :class:`LostPoolError`, and ``CannotStartError``."""
        address = os.environ.get(ADDRESS, "")
        began = time.monotonic()
        STATUS.begin("joining the Ray cluster" if address else "starting Ray", address)
        self._start()
        try:
            joined: Joined = answer_of(self._send(Join(address, self.jobs, folders_of(self._setup.modules))))
            self._write(Setup(self._setup.pickled, self._parcels_of(self._setup), releases()))
        except BaseException:
            self.end()
            raise
        self._has_joined = True
        self.jobs = self.jobs or max(joined.processors, 1)
        complain(
            f"Ray was {'joined' if address else 'started'} in {time.monotonic() - began:.1f} s: {joined.nodes:,} "
            f"node{'' if joined.nodes == 1 else 's'}, {joined.processors:,} processors"
        )

    def _start(self) -> None:
        program = program_of("tokenizer_conformance.command_io.ray_driver", "Ray")
        settings = {name: value for name, value in SETTINGS.items() if name not in os.environ}
        self._driver = Launched(replace(program, environment={**program.environment, **settings}), None)
        popen = self._driver.popen
        self._requests = io.BufferedWriter(cast("io.RawIOBase", popen.stdin))
        answers, words = (
            io.BufferedReader(cast("io.RawIOBase", pipe), BUFFER) for pipe in (popen.stdout, popen.stderr)
        )
        self._listening = threading.Thread(target=self._words.extend, args=(words,), daemon=True)
        self._reading = {
            self._listening: words,
            threading.Thread(target=self._take, args=(answers,), daemon=True): answers,
        }
        for thread in self._reading:
            thread.start()

    def end(self) -> None:
        """End all processes, with what they are at; a cluster that was started here, too."""
        with self._lock:
            self._lost = self._lost or LostPoolError("the command has ended")
            for future in self._waiting.values():
                future.cancel()
        with contextlib.suppress(OSError):
            self._requests.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._driver.popen.wait(ENDING_SECONDS)
        self._driver.end()
        for thread, stream in self._reading.items():
            thread.join()
            stream.close()

    # Tasks

    def submit(self, task: T) -> Future[A]:
        """Have a process do ``task`` as soon as one can."""
        given = packed(task)
        return self._send(Job(given.pickled, self._parcels_of(given), self.patience))

    def prepare(self, task: T) -> None:
        """Have so many processes as there are do ``task``, and do not wait for that."""
        for _ in range(self.jobs):
            self.submit(task)

    def _parcels_of(self, given: Packed) -> tuple[Listed, ...]:
        """Return what the parcels of ``given`` hold, and send those that were not sent yet."""
        for parcel in given.parcels:
            if parcel.listed not in self._sent:
                self._sent.add(parcel.listed)
                self._write(parcel)
        return tuple(parcel.listed for parcel in given.parcels)

    def _send(self, wanted: Join | Job) -> Future[Any]:
        future: Future[Any] = Future()
        number = next(self._numbers)
        with self._lock:
            if self._lost is None:
                self._waiting[number] = future
            else:
                future.set_exception(self._lost)
        self._write((number, wanted))
        return future

    def _write(self, value: object) -> None:
        with contextlib.suppress(OSError, ValueError):  # it has ended: who takes its answers sees that, too
            self._requests.write(line_of(value))
            self._requests.flush()

    # In a thread

    def _take(self, answers: Iterable[bytes]) -> None:
        """Take what comes of tasks, until nothing does any more."""
        for line in answers:
            number, answer = value_of(line)
            with self._lock:
                future = self._waiting.pop(number)
            if future.set_running_or_notify_cancel():
                _set(future, answer)
        self._lose()

    def _lose(self) -> None:
        self._listening.join()
        with self._lock:
            self._lost = self._lost or LostPoolError(LOST if self._has_joined else self._why_not_joined())
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(self._lost)

    def _why_not_joined(self) -> str:
        last = b"".join(self._words).decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"Ray has ended before it began: {one_line(last, 500) or 'it does not say why'}"


def _set(future: Future[Any], answer: object) -> None:
    if isinstance(answer, Exception):
        future.set_exception(answer)
    else:
        future.set_result(pickle.loads(answer) if isinstance(answer, bytes) else answer)  # noqa: S301 - of this package


# What users have written ---------------------------------------------------------------------------------------------


def folders_of(modules: Iterable[str]) -> tuple[str, ...]:
    """Return the files and folders of ``modules``, but for those that are installed: nodes have these themselves."""
    installed = {Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")}
    found = [Path(spec.origin) for name in modules if (spec := importlib.util.find_spec(name)) and spec.origin]
    places = [path.parent if path.name == "__init__.py" else path for path in found]
    return tuple(str(place) for place in places if not installed.intersection(place.parents))
