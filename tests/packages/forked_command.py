"""A program in a process of its own that is forked from one that has imported it: importing takes most of the time.

The program is ``tokconf``, or ``pytest`` with the plugin; either finds the suite read.

Such a process has its own descriptors, folder, environment and end, as one that is started anew. What is told to the
interpreter as it starts (an encoding, a path) cannot be told to it, and that little is imported for a command cannot be
seen with it.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import selectors
import socket
import struct
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

NUMBER = struct.Struct("!i")
"""The length of a request, and the status that answers it."""

PATIENCE = 120.0
"""Seconds after which a command counts as hanging."""

OTHERS = ("jsonschema", "rich.live", "rich.table", "tokenizer_conformance.pytest_suite")
"""What is imported when it is used, besides the modules of the packages."""

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""What keeps numpy from starting threads, of which a fork has none."""

NOT_IMPORTED = ("peers", "pytest_plugin", "pytest_suite", "ray_driver", "ray_node", "__main__")
"""Modules, and packages, that only some programs import, which look at what else is there."""


@dataclass(frozen=True)
class Finished:
    """What a command gave."""

    status: int
    out: str
    err: str


class Template:
    """The process that is forked; it ends with the one that made it.

    ``environment`` is what its interpreter is told. Its streams are pipes, as those of its forks are: the objects of
    ``sys`` note at their start whether one can seek in them.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self._socket, other = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(other.fileno())],
            env=os.environ | environment | ONE_THREAD,
            pass_fds=[other.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        other.close()

    def run(
        self,
        arguments: tuple[str, ...],
        folder: Path,
        environment: dict[str, str],
        bug: str = "",
        program: str = "tokconf",
    ) -> Finished:
        """Run ``tokconf`` or ``pytest`` with ``arguments`` and nothing but ``environment``, in ``folder``.

        The environment has a ``PYTHONPATH``. ``bug`` is Python that is run before the program. All modules are there
        already: what a bug puts in the place of a name is not seen by modules that have imported the name itself.
        """
        request = json.dumps([program, arguments, str(folder), environment, bug]).encode()
        streams = [os.pipe(), os.pipe()]
        try:
            socket.send_fds(self._socket, [NUMBER.pack(len(request))], [end for _, end in streams])
        finally:
            for _, end in streams:
                os.close(end)
        self._socket.sendall(request)
        out, err = _read([start for start, _ in streams])
        self._socket.settimeout(PATIENCE)
        answer = _exactly(self._socket, NUMBER.size)
        assert len(answer) == NUMBER.size, self._process.communicate(timeout=PATIENCE)
        (status,) = NUMBER.unpack(answer)
        return Finished(status, out.decode(), err.decode())

    def close(self) -> None:
        self._socket.close()
        self._process.communicate(timeout=PATIENCE)


def _read(descriptors: list[int]) -> list[bytes]:
    """Return what comes from each of ``descriptors`` until it ends."""
    found: dict[int, list[bytes]] = {descriptor: [] for descriptor in descriptors}
    with selectors.DefaultSelector() as selector:
        for descriptor in descriptors:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(PATIENCE)
            assert ready, "the command hangs"
            for key, _ in ready:
                part = os.read(key.fd, 1 << 16)
                found[key.fd].append(part)
                if not part:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return [b"".join(parts) for parts in found.values()]


def _exactly(source: socket.socket, size: int) -> bytes:
    """Return so many bytes, or fewer if the other end is closed."""
    read = b""
    while len(read) < size and (part := source.recv(size - len(read))):
        read += part
    return read


# In the process that is forked ----------------------------------------------------------------------------------------


def _serve(channel: socket.socket) -> tuple[str, str]:
    """Answer each request by a fork; return in the fork, which is to be the program, and end the process otherwise.

    What is returned is the program, and the bug to be planted in it.
    """
    while True:
        head, descriptors, _, _ = socket.recv_fds(channel, NUMBER.size, 2)
        if not head:
            sys.exit()
        program, arguments, folder, environment, bug = json.loads(_exactly(channel, *NUMBER.unpack(head)))
        child = os.fork()
        if not child:
            channel.close()
            _become(program, arguments, folder, environment, descriptors)
            return program, bug
        for descriptor in descriptors:
            os.close(descriptor)
        _, status = os.waitpid(child, 0)
        channel.sendall(NUMBER.pack(os.waitstatus_to_exitcode(status)))


def _become(
    program: str, arguments: list[str], folder: str, environment: dict[str, str], descriptors: list[int]
) -> None:
    """Have this process look as if it had been started with ``python -m`` and the program."""
    for stream, descriptor in enumerate(descriptors, 1):
        os.dup2(descriptor, stream)
        os.close(descriptor)
    os.chdir(folder)
    former = os.environ["PYTHONPATH"].split(os.pathsep)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[: 1 + len(former)] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
    importlib.invalidate_caches()
    sys.argv = [str(importlib.import_module(PROGRAMS[program]).__file__), *arguments]


def _end(ending: str | int | None) -> NoReturn:
    """End as the interpreter does, but leave its memory alone: taking it apart copies the pages that a fork shares.

    That takes nine tenths of the time of a short command. An ending in words, or output that nobody takes, is left to
    the interpreter.
    """
    if not isinstance(ending, str):
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        with contextlib.suppress(OSError):
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
            os._exit(ending or 0)
    sys.exit(ending)


def _import_packages() -> None:
    """Import every module, so that none is imported in a fork, and make the tables that are made once a process."""
    for package in ("tokenizer_reference", "tokenizer_adapters", "tokenizer_conformance"):
        _import_below(importlib.import_module(package))
    for name in OTHERS:
        importlib.import_module(name)
    characters_like = importlib.import_module("tokenizer_conformance.comparison.simplicity").characters_like
    assert list(characters_like("a"))
    classes_of = importlib.import_module("tokenizer_conformance.causes.character_classes")
    assert classes_of._drawn()
    importlib.import_module("tokenizer_conformance.validation.suite.reader").suite_identity()


def _import_below(package: ModuleType) -> None:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name.rpartition(".")[2] not in NOT_IMPORTED:
            module = importlib.import_module(found.name)
            if found.ispkg:
                _import_below(module)


PROGRAMS = {"tokconf": "tokenizer_conformance.__main__", "pytest": "pytest"}
"""The modules of the programs."""

if __name__ == "__main__":
    for name in PROGRAMS.values():
        importlib.import_module(name)
    _import_packages()
    gc.freeze()
    wanted, planted = _serve(socket.socket(fileno=int(sys.argv[1])))
    program = importlib.import_module(PROGRAMS[wanted])
    exec(planted, {"__name__": "__main__"})
    try:
        status = program.main()
    except SystemExit as end:
        status = end.code
    _end(status)
