"""How far a command has come, shown on standard error: as a bar on a terminal, as a line every so often elsewhere."""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.command_io.status import STATUS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.command_io.status import Status

VARIABLE = "TOKCONF_PROGRESS"
"""The environment variable that turns progress off with ``off``; ``--quiet`` does the same."""

SCHEDULE: tuple[tuple[float, float], ...] = ((0, 5), (5, 10), (60, 30))
"""How many seconds pass until the next line, by the seconds that have passed since the first one was waited for."""


class Display(Protocol):
    """Shows a status on standard error until it is ended."""

    def show(self) -> None:
        """Show it, where it was hidden."""

    def hide(self) -> None:
        """Take it out of the way of what is to be printed."""

    def end(self) -> None:
        """Show nothing more."""


class NoDisplay:
    """Shows nothing."""

    def show(self) -> None:
        """Show nothing."""

    def hide(self) -> None:
        """Show nothing."""

    def end(self) -> None:
        """Show nothing."""


def pause_after(seconds: float) -> float:
    """Return how many seconds to wait for the next line, when so many have passed.

    >>> [pause_after(seconds) for seconds in (0, 5, 59, 60, 1000)]
    [5, 10, 10, 30, 30]
    """
    return next(pause for start, pause in reversed(SCHEDULE) if seconds >= start)


class ProgressLines(NoDisplay):
    """Has a thread ``write`` a line every so often; ``pause`` says how long to wait after so many seconds."""

    def __init__(
        self,
        status: Status,
        write: Callable[[str], object],
        pause: Callable[[float], float] = pause_after,
    ) -> None:
        self._status = status
        self._write = write
        self._pause = pause
        self._ended = threading.Event()
        # Does not keep the process from ending, whatever it waits for.
        self._thread = threading.Thread(target=self._work, name="progress", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        began = time.monotonic()
        while not self._ended.wait(self._pause(time.monotonic() - began)):
            line = self._status.line()
            try:
                if line is not None:
                    self._write(f"tokconf: {line}\n")
            except (OSError, ValueError):  # standard error is closed, or nobody reads it
                return

    def end(self) -> None:
        """Write no further line."""
        self._ended.set()
        self._thread.join()


class Progress:
    """What is shown of a ``status``; at first nothing."""

    def __init__(self, status: Status) -> None:
        self.status = status
        self.display: Display = NoDisplay()

    @contextmanager
    def shown(self, *, quiet: bool = False) -> Iterator[None]:
        """Show the status inside: as a bar where standard error is a terminal, else in lines; nothing if ``quiet``."""
        self.status.begin("", "starting")
        self.display = NoDisplay() if quiet or is_turned_off() else _fitting_display(self.status)
        try:
            self.display.show()
            yield
        finally:
            self.display.end()
            self.display = NoDisplay()


def is_turned_off() -> bool:
    """Return whether the environment turns progress off."""
    return os.environ.get(VARIABLE, "").strip().lower() in {"off", "0", "no", "false"}


def _fitting_display(status: Status) -> Display:
    if sys.stderr.isatty() and os.environ.get("TERM", "") not in {"dumb", "unknown"}:
        bar: Display = importlib.import_module("tokenizer_conformance.command_io.bar").ProgressBar(status)
        return bar
    return ProgressLines(status, _to_standard_error)


def _to_standard_error(line: str) -> None:
    sys.stderr.write(line)
    sys.stderr.flush()


PROGRESS = Progress(STATUS)
"""What is shown of it."""
