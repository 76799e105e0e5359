"""What a command is at and how far it has come; saying so costs the work next to nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Place:
    """How far a command has come with what is called ``name``: ``done`` of ``total``, which count ``unit``.

    ``has_rate`` says that how many are done in a second is told: not where the command says how fast it is itself.
    """

    name: str
    done: int
    total: int
    unit: str = "inputs"
    has_rate: bool = True


@runtime_checkable
class Advance(Protocol):
    """An event that says how far a command has come; nothing is printed at such an event."""

    @property
    def place(self) -> Place:
        """How far it has come."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A command has come to this ``place``: an :class:`Advance` that says nothing else."""

    place: Place


@dataclass(frozen=True, slots=True)
class _Way:
    """The place that was reached, and where and when the counting began."""

    place: Place
    first: int
    since: float


class Status:
    """What this process is doing. One thread says so, any thread may ask for the :meth:`line`.

    >>> status = Status(clock=lambda: 0.0)
    >>> status.begin("gpt2", "loading into transformers")
    >>> status.line()
    'gpt2: loading into transformers'
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._task = self._doing = self._by = self._part = ""
        self._since = clock()
        self._way: _Way | None = None

    # What the work says

    def begin(self, task: str, doing: str = "", part: str = "") -> None:
        """Say that ``task`` is begun, and with what; ``part`` says which one of how many tasks it is."""
        self._way = None
        self._since = self._clock()
        self._task, self._doing, self._by, self._part = task, doing, "", part

    def at(self, doing: str, by: str = "") -> None:
        """Say what is being done for the task, and ``by`` whom. May be said a million times."""
        self._doing = doing
        self._by = by

    def reach(self, place: Place) -> None:
        """Say how far the task has come."""
        way = self._way
        if way is None or way.place.name != place.name:
            self._way = _Way(place, place.done, self._clock())
        else:
            self._way = _Way(place, way.first, way.since)

    # What is shown

    def line(self) -> str | None:
        """Return one line that says all this, made safe; ``None`` where nothing was said."""
        way, doing, by = self._way, self._doing, self._by
        task = self._task if way is None else way.place.name
        done = "" if way is None else _share(way.place)
        at_work = one_line(f"{doing} ({by})" if doing and by else doing)
        said = ", ".join(filter(None, (done, at_work)))
        if not task and not said:
            return None
        words = ": ".join(filter(None, (one_line(task), said)))
        return ", ".join(filter(None, (words, self._time(way)))) + (f"; {self._part}" if self._part else "")

    @property
    def share(self) -> float | None:
        """The part of the task that is done, from 0 to 1; ``None`` where that is not known."""
        way = self._way
        return None if way is None else way.place.done / max(way.place.total, 1)

    def _time(self, way: _Way | None) -> str:
        now = self._clock()
        if way is None:
            return f"{in_words(now - self._since)} so far" if now - self._since >= 1 else ""
        gone, left = way.place.done - way.first, way.place.total - way.place.done
        if gone <= 0 or left <= 0:
            return ""
        seconds = now - way.since
        rate = f"{_rounded(gone / seconds)} a second, " if way.place.has_rate and seconds >= 1 else ""
        return f"{rate}about {in_words(left * seconds / gone)} left"


def _share(place: Place) -> str:
    percent = 100 * place.done // max(place.total, 1)
    return f"{place.done:,} of {place.total:,} {place.unit} ({percent} %)"


def _rounded(rate: float) -> str:
    """Return a rate with two digits, or all that stand before the point.

    >>> [_rounded(rate) for rate in (0.034, 2.51, 97.6, 1234.5)]
    ['0.034', '2.5', '98', '1,234']
    """
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def in_words(seconds: float) -> str:
    """Return ``seconds`` as people say them, in one unit.

    >>> [in_words(seconds) for seconds in (0.4, 40, 200, 7300)]
    ['1 s', '40 s', '3 min', '2 h']
    """
    if seconds < 100:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 100 * 60 else f"{round(seconds / 3600)} h"


STATUS = Status()
"""What this process is doing."""
