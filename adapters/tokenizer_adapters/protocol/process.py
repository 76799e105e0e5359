"""A program that runs beside this one: lines in, lines out, and words for what it does instead.

Requests are written ahead of the answers, so that neither side waits for the other at every line: at most
:data:`WINDOW_LINES` are unanswered, and no further one is written while the unanswered ones have :data:`WINDOW_BYTES`.
Writing, reading answers and reading standard error go on together (``pipes``), so no pipe can fill up and stop both
sides. All that is kept is bounded. The program ends with the harness, and with all that it has started (``launch``).
"""

from __future__ import annotations

import time
import weakref
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import BrokeProtocol, Crashed, TimedOut
from tokenizer_adapters.protocol.json_fields import shown_line
from tokenizer_adapters.protocol.launch import Launched, ending
from tokenizer_adapters.protocol.pipes import pipes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Fault
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.protocol.pipes import Pipes

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
"""Said for want of memory: ``MemoryError``, ``bad_alloc``, ``memory allocation of … failed``."""

_SLICE_SECONDS = 0.5
_MOMENT_SECONDS = 0.01
_ENDING_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may take: ``seconds`` for one observation, others for rarer requests; ``memory`` in bytes."""

    seconds: float = 60.0
    start_seconds: float = 60.0
    load_seconds: float = 300.0
    train_seconds: float = 3600.0
    stop_seconds: float = 1.0
    memory: int | None = None


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
        self._launched = Launched(program, limits.memory)
        self._pipes = pipes_of(self._launched.popen)
        self._received = self._pipes.out
        self._stderr = self._pipes.err
        self._is_new = True
        self._searched = 0
        self._flood = 0
        self._end = weakref.finalize(self, _end, self._launched, self._pipes)

    # Talking

    def exchange(self, lines: Iterable[bytes], seconds: float) -> Iterator[bytes]:
        """Write all ``lines`` and yield one line of the program for each; each may take ``seconds``.

        Raises :class:`FaultError` for the first line that is not answered. The process is of no use after that, nor
        after an iteration that was not carried to its end.
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
            self._pipes.write(line)
            sizes.append(len(line))
            unanswered += len(line)

    def _refuse_unasked(self) -> None:
        """Raise :class:`FaultError` where the program wrote more than it was asked for."""
        self._move(0)
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
        if self._pipes.out_has_ended or (not self._move(min(left, _SLICE_SECONDS)) and self._launched.has_ended()):
            raise FaultError(self._ended())

    def _move(self, seconds: float) -> bool:
        """Write and read what can be within ``seconds``; return whether anything could."""
        before = len(self._stderr)
        moved = self._pipes.move(seconds)
        self._flood += len(self._stderr) - before
        del self._stderr[:-STDERR_KEPT]
        if self._flood > STDERR_FLOOD:
            flood = f"more than {STDERR_FLOOD >> 20} MB on standard error before one answer"
            raise FaultError(BrokeProtocol(flood + self._last_words()))
        if len(self._received) > LONGEST_LINE and b"\n" not in self._received:
            raise FaultError(BrokeProtocol(f"a line of more than {LONGEST_LINE >> 20} MB"))
        return moved

    # Ending

    def close_input(self) -> None:
        """Close the program's standard input, which asks it to end."""
        self._pipes.close_input()

    def ends_within(self, seconds: float) -> bool:
        """Wait until the program has ended, for at most ``seconds``; return whether it has. What it writes is read."""
        deadline = time.monotonic() + seconds
        while not self._launched.has_ended():
            if time.monotonic() >= deadline:
                return False
            self._move(_MOMENT_SECONDS)
        return True

    def unread(self) -> bytes:
        """Return what the program has written since the last answer that was taken, when it has ended."""
        self._read_the_rest()
        return bytes(self._received)

    def interrupt(self) -> None:
        """End the program and what it has started, from another thread than the one that talks to it."""
        self._launched.interrupt()

    def kill(self) -> int:
        """End the program and what it has started, close the pipes, and return its exit status."""
        self._end()
        return self._launched.end()

    def _read_the_rest(self) -> None:
        while self._move(_MOMENT_SECONDS):
            pass

    def _late(self, seconds: float) -> Fault:
        if self._received:
            line = shown_line(bytes(self._received))
            return BrokeProtocol(f"only half a line within {seconds:g} s: {line}{self._last_words()}")
        if self._pipes.input_is_shut():
            return BrokeProtocol(f"it closed its standard input, and no answer came within {seconds:g} s")
        return TimedOut(seconds)

    def _ended(self) -> Fault:
        """Return what is to be said of a program that has ended, or has closed its standard output."""
        if not self.ends_within(_ENDING_SECONDS):
            return BrokeProtocol("it closed its standard output and did not end" + self._last_words())
        self._read_the_rest()
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


def _end(launched: Launched, pipes: Pipes) -> None:
    launched.end()
    pipes.close()
