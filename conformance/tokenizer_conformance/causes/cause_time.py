"""The time to look for causes: processor time, handed out in shares.

A machine that is busy with something else makes nobody lose causes by that. Waiting counts too, a little, so that an
implementation that hangs does not go on for ever.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.processor_time import processor_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 5.0
"""So many seconds that pass count at least as much as one second of processor time."""

TICK = 0.02
"""How long the time is not read again, in seconds: a question may take a hundredth of that."""


class TimeSpentError(Exception):
    """The time to look for this cause is spent: what was found about it so far proves nothing."""


class CauseTime:
    """``seconds`` to look for causes, of which a share is lent at a time."""

    def __init__(self, seconds: float, clock: Callable[[], float] | None = None) -> None:
        """Begin to count; ``clock`` returns seconds, those of the processor where none is given."""
        self._clock = clock or _Clock().seconds
        self._began = self._clock()
        self._seconds = seconds
        self._until = seconds

    @property
    def spent(self) -> float:
        """How many seconds were spent."""
        return self._clock() - self._began

    @property
    def left(self) -> float:
        """How many seconds are left of all."""
        return self._seconds - self.spent

    def lend(self, until: float) -> None:
        """Have :meth:`check` raise once so many seconds of all are ``spent``."""
        self._until = min(until, self._seconds)

    def check(self) -> None:
        """Raise :class:`TimeSpentError` where the time that was lent is spent."""
        if self.spent > self._until:
            raise TimeSpentError


class _Clock:
    """Reads both clocks, and not too often."""

    def __init__(self) -> None:
        self._began = time.monotonic(), processor_seconds()
        self._read_at = self._began[0]
        self._seconds = 0.0

    def seconds(self) -> float:
        now = time.monotonic()
        if now - self._read_at >= TICK:
            self._read_at = now
            waited = (now - self._began[0]) / PATIENCE
            self._seconds = max(self._seconds, waited, processor_seconds() - self._began[1])
        return self._seconds
