"""A program that runs beside this one: lines in, lines out, and words for what it does instead.

Requests are written ahead of the answers, so that neither side waits for the other at every line: at most
:data:`WINDOW_LINES` are unanswered, and no further one is written while the unanswered ones have :data:`WINDOW_BYTES`. One
thread writes, reads answers and reads standard error as each becomes possible, so no pipe can fill up and stop both sides.
All that is kept is bounded. The program leads a process group of its own, which is killed as a whole.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tokenizer_adapters.contract import BrokeProtocol, Crashed, TimedOut
from tokenizer_adapters.protocol import memory_limit
from tokenizer_adapters.protocol.json_fields import shown_line
from tokenizer_adapters.registry import RegistryError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import Fault

WINDOW_LINES = 256
WINDOW_BYTES = 1 << 18

LONGEST_LINE = 1 << 28
"""How many bytes an answer may have."""

STDERR_FLOOD = 1 << 24
"""How many bytes a program may write on standard error over one answer."""

STDERR_KEPT = 4096
"""How many bytes of standard error are kept, the last ones."""

STDERR_SHOWN = 300
"""How many characters of them are shown with a crash."""

_OUT_OF_MEMORY = (b"memory", b"alloc", b"oom")
"""What a program says when it gets no more memory: ``MemoryError``, ``bad_alloc``, ``memory allocation of … failed``."""

_CHUNK = 1 << 18
_SLICE_SECONDS = 0.5
_MOMENT_SECONDS = 0.01
_ENDING_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run: the words of its command, what it is called in messages, and variables added to its environment."""

    command: tuple[str, ...]
    label: str
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may take: ``seconds`` for one observation, others for rarer requests; ``memory`` in bytes."""

    seconds: float = 60.0
    start_seconds: float = 120.0
    load_seconds: float = 300.0
    train_seconds: float = 3600.0
    stop_seconds: float = 1.0
    memory: int | None = None


class CannotStartError(RegistryError):
    """A program cannot be started, or does not answer when it is. The message is one line that says which, and why."""


class FaultError(Exception):
    """A program gave no answer to the first request that it had not answered; ``outcome`` is what it did instead."""

    def __init__(self, outcome: Fault) -> None:
        super().__init__(str(outcome))
        self.outcome = outcome


class Process:
    """``program``, running under ``limits``.

    Raises :class:`CannotStartError`.
    """

    def __init__(self, program: Program, limits: Limits) -> None:
        self._limits = limits
        self._popen = _started(program, limits.memory)
        self._in = _descriptor(self._popen.stdin)
        self._out = _descriptor(self._popen.stdout)
        self._err = _descriptor(self._popen.stderr)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._is_new = True
        self._unsent = bytearray()
        self._received = bytearray()
        self._searched = 0
        self._at_end = False
        self._stderr = bytearray()
        self._flood = 0
        weakref.finalize(self, _end, self._popen)

    # Talking

    def exchange(self, lines: Iterable[bytes], seconds: float) -> Iterator[bytes]:
        """Write all ``lines`` and yield one line of the program for each; each may take ``seconds``.

        Raises :class:`FaultError` for the first line that is not answered. The process is of no use after that, nor after
        an iteration that was not carried to its end.
        """
        if not self._is_new:
            self._refuse_unasked()
        self._is_new = False
        source = iter(lines)
        sizes: deque[int] = deque()
        while True:
            self._write_ahead(source, sizes)
            if not sizes:
                return
            deadline = time.monotonic() + seconds
            while (line := self._next_line()) is None:
                self._wait(deadline, seconds)
            while line is not None and sizes:
                sizes.popleft()
                yield line
                line = self._next_line() if sizes else None

    def _write_ahead(self, source: Iterator[bytes], sizes: deque[int]) -> None:
        unanswered = sum(sizes)
        while len(sizes) < WINDOW_LINES and unanswered < WINDOW_BYTES:
            line = next(source, None)
            if line is None:
                return
            self._unsent += line
            sizes.append(len(line))
            unanswered += len(line)

    def _refuse_unasked(self) -> None:
        """Raise :class:`FaultError` where the program wrote more than it was asked for."""
        self._read_answers()
        if self._received:
            line = bytes(self._received.partition(b"\n")[0])
            raise FaultError(BrokeProtocol(f"it wrote a line that no request asked for: {shown_line(line)}"))

    def _next_line(self) -> bytes | None:
        """Take the next whole line that was received."""
        end = self._received.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._received)
            return None
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        self._searched = self._flood = 0
        return line

    def _wait(self, deadline: float, seconds: float) -> None:
        """Write and read what can be, or wait until something can, for a moment."""
        left = deadline - time.monotonic()
        if left <= 0:
            raise FaultError(self._late(seconds))
        # Its standard output may also be held open by a child that it has left behind.
        if self._at_end or (not self._turn(min(left, _SLICE_SECONDS)) and self._has_ended()):
            raise FaultError(self._ended())

    def _turn(self, seconds: float) -> bool:
        """Write and read what can be within ``seconds``; return whether anything could."""
        if self._unsent:
            self._poll.register(self._in, select.POLLOUT)
        happened = self._poll.poll(math.ceil(seconds * 1000))
        for descriptor, _ in happened:
            if descriptor == self._out:
                self._read_answers()
            elif descriptor == self._err:
                self._read_stderr()
            else:
                self._write()
        return bool(happened)

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._in, self._unsent[:_CHUNK])]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unsent.clear()  # it reads no more; whether that is a fault, its answers will show
        if not self._unsent:
            self._unwatch(self._in)

    def _unwatch(self, descriptor: int) -> None:
        with contextlib.suppress(KeyError):
            self._poll.unregister(descriptor)

    def _read_answers(self) -> None:
        try:
            data = os.read(self._out, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._at_end = True
            self._unwatch(self._out)
        self._received += data
        if len(self._received) > LONGEST_LINE and b"\n" not in self._received:
            raise FaultError(BrokeProtocol(f"a line of more than {LONGEST_LINE >> 20} MB"))

    def _read_stderr(self) -> bool:
        """Read what there is of standard error; return whether there may be more."""
        try:
            data = os.read(self._err, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._unwatch(self._err)
        self._stderr += data
        del self._stderr[:-STDERR_KEPT]
        self._flood += len(data)
        if self._flood > STDERR_FLOOD:
            flood = f"more than {STDERR_FLOOD >> 20} MB on standard error before one answer"
            raise FaultError(BrokeProtocol(flood + self._last_words()))
        return bool(data)

    # Ending

    def close_input(self) -> None:
        """Close the program's standard input, which asks it to end."""
        self._unsent.clear()
        self._unwatch(self._in)
        _close(self._popen.stdin)

    def ends_within(self, seconds: float) -> bool:
        """Wait until the program has ended, for at most ``seconds``; return whether it has. What it writes is read."""
        deadline = time.monotonic() + seconds
        while not self._has_ended():
            if time.monotonic() >= deadline:
                return False
            self._turn(_MOMENT_SECONDS)
        return True

    def unread(self) -> bytes:
        """Return what the program has written since the last answer that was taken."""
        self._read_answers()
        return bytes(self._received)

    def interrupt(self) -> None:
        """End the program and what it has started, from another thread than the one that talks to it."""
        if self._popen.returncode is None:
            _kill_group(self._popen)

    def kill(self) -> int:
        """End the program and what it has started, close the pipes, and return its exit status."""
        # Not before the group is gone is the status taken: until then no other process can have its number.
        return _end(self._popen)

    def _has_ended(self) -> bool:
        return _has_ended(self._popen)

    def _late(self, seconds: float) -> Fault:
        if self._received:
            line = shown_line(bytes(self._received))
            return BrokeProtocol(f"only half a line within {seconds:g} s: {line}{self._last_words()}")
        if _is_shut(self._in):
            return BrokeProtocol(f"it closed its standard input, and no answer came within {seconds:g} s")
        return TimedOut(seconds)

    def _ended(self) -> Fault:
        """Return what is to be said of a program that has ended, or has closed its standard output."""
        if not self.ends_within(_ENDING_SECONDS):
            return BrokeProtocol("it closed its standard output and did not end" + self._last_words())
        self._read_answers()
        while self._read_stderr():
            pass
        status = self.kill()
        half = f" in the middle of a line: {shown_line(bytes(self._received))}" if self._received else ""
        if half and status == 0:
            return BrokeProtocol(f"it ended{half}{self._last_words()}")
        return Crashed(f"{ending(status)}{half}{self._limit_words()}{self._last_words()}")

    def _limit_words(self) -> str:
        """Name the memory limit where the program's last words speak of memory."""
        memory = self._limits.memory
        last_words = self._stderr.lower()
        if memory is None or not any(word in last_words for word in _OUT_OF_MEMORY):
            return ""
        return f" (memory limit {memory >> 20} MB)"

    def _last_words(self) -> str:
        """Return the end of standard error, for a message; nothing where there is none."""
        text = self._stderr.decode("utf-8", "replace").strip()
        cut = f"…{text[-STDERR_SHOWN:]}" if len(text) > STDERR_SHOWN else text
        return f"; its standard error: {cut}" if cut else ""


def ending(status: int) -> str:
    """Say how a process ended, given its exit status as ``subprocess`` has it.

    >>> ending(-6), ending(3)
    ('killed by signal 6 (SIGABRT)', 'ended with exit status 3')
    """
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:  # a real-time signal
        name = "unnamed"
    return f"killed by signal {-status} ({name})"


def _started(program: Program, memory: int | None) -> subprocess.Popen[bytes]:
    words = list(program.command)
    environment = {**os.environ, **program.environment}
    if not hasattr(select, "poll"):
        raise CannotStartError("cannot start a program beside this one: that needs a POSIX system")
    if not words or shutil.which(words[0], path=environment.get("PATH")) is None:
        raise CannotStartError(_why_not(words))
    if memory is not None:
        words = [sys.executable, "-I", "-S", memory_limit.__file__, str(memory), *words]
    try:
        popen = subprocess.Popen(  # noqa: S603 - the user's program, by the user's wish
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise CannotStartError(f"cannot start {program.command[0]!r}: {error.strerror}") from error
    return popen


def _why_not(words: list[str]) -> str:
    if not words:
        return "cannot start a program: the command is empty"
    if Path(words[0]).is_file():
        return f"cannot start {words[0]!r}: it may not be executed; chmod +x it, or name its interpreter before it"
    where = "no such file" if os.sep in words[0] else "no such program in PATH (a file here is ./NAME)"
    return f"cannot start {words[0]!r}: {where}"


def _descriptor(pipe: IO[bytes] | None) -> int:
    """Return the descriptor of ``pipe``, which from now on never blocks."""
    if pipe is None:
        raise TypeError("a pipe was asked for")
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _is_shut(descriptor: int) -> bool:
    """Tell whether nobody reads any more what is written to the pipe ``descriptor``."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return bool(poll.poll(0))


def _has_ended(popen: subprocess.Popen[bytes]) -> bool:
    """Tell whether the process has ended, and leave its exit status to be taken."""
    if popen.returncode is not None:
        return True
    if not hasattr(os, "waitid"):  # macOS, before Python 3.13
        return popen.poll() is not None
    return os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(popen: subprocess.Popen[bytes]) -> int:
    if popen.returncode is None:
        _kill_group(popen)
        popen.wait()
    for pipe in (popen.stdin, popen.stdout, popen.stderr):
        _close(pipe)
    return popen.returncode


def _kill_group(popen: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # gone; or, on macOS, all of it zombies
        os.killpg(popen.pid, signal.SIGKILL)


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        with contextlib.suppress(BrokenPipeError):
            pipe.close()
