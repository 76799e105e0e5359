"""Moving bytes to and from a program whose three standard streams are pipes, so that none of them can fill up.

:class:`PolledPipes` moves them in the thread that talks to the program, where the system can tell which pipe is ready
(POSIX). :class:`ThreadedPipes` has a thread for each pipe, where it cannot (Windows); that costs more for short
answers. Both keep a bounded amount of what nobody has taken yet.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import select
import threading
from typing import IO, TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

CHUNK = 1 << 18
"""How many bytes are moved at once."""

MOST_WAITING = 16
"""How many chunks threads read ahead."""


class Pipes(Protocol):
    """The pipes of a program. ``out`` and ``err`` are the bytes that it has written and nobody has taken yet.

    ``out_has_ended`` tells whether it has closed its standard output.
    """

    out: bytearray
    err: bytearray
    out_has_ended: bool

    def write(self, data: bytes) -> None:
        """Have ``data`` written on the program's standard input when it is read."""

    def move(self, seconds: float) -> bool:
        """Move what can be moved, or wait for that within ``seconds``; return whether anything was."""

    def input_is_shut(self) -> bool:
        """Return whether the program reads its standard input no more, as far as that is known."""

    def close_input(self) -> None:
        """Close the program's standard input; what was not written yet is not."""

    def close(self) -> None:
        """Close all pipes; the program has ended."""


class PolledPipes:
    """Pipes that never block, and are asked which of them is ready."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.out = bytearray()
        self.err = bytearray()
        self.out_has_ended = False
        self._files = _files(popen)
        self._in, self._out, self._err = (file.fileno() for file in self._files)
        for descriptor in (self._in, self._out, self._err):
            os.set_blocking(descriptor, False)
        self._unsent = bytearray()
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)

    def write(self, data: bytes) -> None:
        """Have ``data`` written on the program's standard input when it is read."""
        self._unsent += data

    def move(self, seconds: float) -> bool:
        """Move what can be moved, or wait for that within ``seconds``; return whether anything was."""
        if self._unsent:
            self._poll.register(self._in, select.POLLOUT)
        ready = self._poll.poll(math.ceil(seconds * 1000))
        for descriptor, _ in ready:
            if descriptor == self._out:
                self.out_has_ended = not self._read(self._out, self.out)
            elif descriptor == self._err:
                self._read(self._err, self.err)
            else:
                self._write()
        return bool(ready)

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._in, self._unsent[:CHUNK])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent.clear()  # it reads no more; whether that is a fault, its answers will show
        if not self._unsent:
            self._unwatch(self._in)

    def _read(self, descriptor: int, into: bytearray) -> bool:
        """Read what there is; return whether there may be more at some time."""
        try:
            data = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return True
        into += data
        if not data:
            self._unwatch(descriptor)
        return bool(data)

    def _unwatch(self, descriptor: int) -> None:
        with contextlib.suppress(KeyError):
            self._poll.unregister(descriptor)

    def input_is_shut(self) -> bool:
        """Return whether the program reads its standard input no more."""
        poll = select.poll()
        poll.register(self._in, 0)
        return bool(poll.poll(0))

    def close_input(self) -> None:
        """Close the program's standard input; what was not written yet is not."""
        self._unsent.clear()
        self._unwatch(self._in)
        self._files[0].close()

    def close(self) -> None:
        """Close all pipes."""
        for file in self._files:
            file.close()


class ThreadedPipes:
    """Pipes that block, with a thread for each; a thread ends with its pipe."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.out = bytearray()
        self.err = bytearray()
        self.out_has_ended = False
        self._input_is_shut = False
        self._is_closed = False
        self._unsent = bytearray()
        self._sent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._read: queue.Queue[tuple[bytearray, bytes]] = queue.Queue(MOST_WAITING)
        in_, out, err = _files(popen)
        _in_a_thread(self._write_all, in_)
        _in_a_thread(self._read_all, out, self.out)
        _in_a_thread(self._read_all, err, self.err)

    def write(self, data: bytes) -> None:
        """Have ``data`` written on the program's standard input when it is read."""
        self._unsent += data

    def move(self, seconds: float) -> bool:
        """Hand over what is to be written and take what was read, or wait for that within ``seconds``."""
        if self._unsent:
            self._sent.put(bytes(self._unsent))
            self._unsent.clear()
        moved = 0
        with contextlib.suppress(queue.Empty):
            while moved < MOST_WAITING:
                into, data = self._read.get(timeout=seconds) if not moved else self._read.get_nowait()
                into += data
                moved += 1
                self.out_has_ended |= into is self.out and not data
        return moved > 0

    def _write_all(self, file: IO[bytes]) -> None:
        with file, contextlib.suppress(OSError):
            while (data := self._sent.get()) is not None:
                while data:
                    data = data[file.write(data) :]
            return
        self._input_is_shut = True  # it reads no more; whether that is a fault, its answers will show

    def _read_all(self, file: IO[bytes], into: bytearray) -> None:
        data = b"unread"
        with file:
            while data and not self._is_closed:
                data = os.read(file.fileno(), CHUNK)
                self._read.put((into, data))

    def input_is_shut(self) -> bool:
        """Return whether writing on the program's standard input has failed."""
        return self._input_is_shut

    def close_input(self) -> None:
        """Have the program's standard input closed as soon as what is being written is."""
        self._unsent.clear()
        self._sent.put(None)

    def close(self) -> None:
        """Have the threads end, each with its pipe: the program has ended, and so do they."""
        self.close_input()
        self._is_closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                self._read.get_nowait()


def _in_a_thread(work: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=work, args=arguments, daemon=True).start()


def _files(popen: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """Return the pipes to the program's standard input, from its standard output, and from its standard error."""
    if popen.stdin is None or popen.stdout is None or popen.stderr is None:
        raise TypeError("three pipes were asked for")
    return popen.stdin, popen.stdout, popen.stderr


def pipes_of(popen: subprocess.Popen[bytes]) -> Pipes:
    """Return the pipes of a program that was just started, in the way that is best on this system."""
    return PolledPipes(popen) if hasattr(select, "poll") else ThreadedPipes(popen)
