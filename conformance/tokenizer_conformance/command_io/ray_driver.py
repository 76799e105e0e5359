"""What speaks with Ray, as a program of its own: ``python -m tokenizer_conformance.command_io.ray_driver``.

Ray ends a process that has joined a cluster when the head of the cluster is lost, and writes what it likes on standard
error. So the command itself does not join: it sends lines (``pickled_lines``) to this program, and sees it end. The
first line says which cluster (:class:`Join`); each further one is how processes are set up (:class:`Setup`), a
:class:`Parcel` that they need, or a numbered :class:`Job`. What comes of a job is answered with its number, in the
order in which jobs are done. Ray decides where and when a job is done, and does it again elsewhere where a node is
lost.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
from typing import TYPE_CHECKING, Any

import ray
from ray.exceptions import RayError

from tokenizer_adapters.protocol.server import taken_over
from tokenizer_conformance.command_io.parcels import Parcel
from tokenizer_conformance.command_io.pickled_lines import line_of, value_of
from tokenizer_conformance.command_io.ray_messages import Join, Joined, Setup
from tokenizer_conformance.command_io.ray_node import Sent, answered
from tokenizer_conformance.command_io.worker_pool import LostPoolError, LostProcessError

if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import BinaryIO

    from tokenizer_conformance.command_io.ray_messages import Job

RETRIES = 10
"""How often a job is done again because its node, or Ray's process there, was lost."""

HEAD_SECONDS = 10.0
"""How long the head of a cluster may take to be reached."""

OBJECTS = 256 << 20
"""The memory of Ray's object store on this machine, in bytes, where Ray is started here: little is kept in it."""


def join(wanted: Join) -> Joined:
    """Join a cluster. Raises :class:`LostPoolError`."""
    here: dict[str, Any] = {"num_cpus": wanted.jobs or None, "include_dashboard": False, "object_store_memory": OBJECTS}
    environment = {"py_modules": list(wanted.modules)} if wanted.modules and wanted.address else {}
    try:
        _see_head(wanted.address)
        ray.init(
            address=wanted.address or "local",
            log_to_driver=False,
            logging_level=logging.ERROR,
            runtime_env=environment,
            **({} if wanted.address else here),
        )
    except (RayError, ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise LostPoolError(f"{_where(wanted.address)}: {error}") from error
    nodes = [node for node in ray.nodes() if node["Alive"]]
    return Joined(len(nodes), int(ray.cluster_resources().get("CPU", 0)))


def _see_head(address: str) -> None:
    """Raise ``OSError`` where nobody listens at ``address``: Ray would wait for that for ever."""
    if address.startswith("ray://"):
        raise ValueError("that is the address of a Ray Client server; run the command on a node, and give HOST:PORT")
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), HEAD_SECONDS).close()


def _where(address: str) -> str:
    return f"the Ray cluster at {address!r} (RAY_ADDRESS) cannot be joined" if address else "Ray cannot be started here"


class Driver:
    """Has the cluster do jobs, at most ``most`` at a time (0: as many as come), and writes down what comes of them."""

    _setup: ray.ObjectRef[Setup]

    def __init__(self, most: int, answers: BinaryIO) -> None:
        self._parcels: dict[str, ray.ObjectRef[Parcel]] = {}
        self._answers = answers
        self._writing = threading.Lock()
        self._free = threading.Semaphore(most) if most else None
        self._answered = ray.remote(num_cpus=1, max_retries=RETRIES)(answered)

    def take(self, wanted: Setup | Parcel | tuple[int, Job]) -> None:
        """Keep, or begin, what is ``wanted``."""
        match wanted:
            case Setup():
                self._setup = ray.put(wanted)
            case Parcel():
                self._parcels[wanted.listed.digest] = ray.put(wanted)
            case (number, job):
                self._begin(number, job)

    def _begin(self, number: int, job: Job) -> None:
        if self._free is not None:
            self._free.acquire()
        done = self._answered.remote(Sent(self._setup, self._parcels), job).future()
        done.add_done_callback(lambda future: self._give(number, future))

    def _give(self, number: int, future: Future[bytes | Exception]) -> None:
        if self._free is not None:
            self._free.release()
        try:
            answer = future.result()
        except RayError as error:
            answer = LostProcessError(f"Ray gave it up: {' '.join(str(error).split())[:300]}")
        except Exception as error:  # noqa: BLE001 - the other side says what it was
            answer = RuntimeError(f"{type(error).__name__}: {error}")
        with self._writing, contextlib.suppress(OSError):  # nobody waits for it any more
            write(self._answers, (number, answer))


def write(answers: BinaryIO, value: object) -> None:
    """Write ``value`` as a line."""
    answers.write(line_of(value))
    answers.flush()


def serve() -> None:
    """Answer the lines of standard input on standard output."""
    nothing = os.open(os.devnull, os.O_RDWR)
    with taken_over(0, nothing, "rb") as requests, taken_over(1, nothing, "wb") as answers:
        number, wanted = value_of(requests.readline())
        try:
            write(answers, (number, join(wanted)))
        except LostPoolError as error:
            write(answers, (number, error))
            return
        driver = Driver(wanted.jobs, answers)
        for line in requests:
            driver.take(value_of(line))
        ray.shutdown()


if __name__ == "__main__":
    serve()
