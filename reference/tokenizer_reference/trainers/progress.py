"""Progress of a training, on standard error."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final, Protocol

from tokenizer_reference.json_text.writer import write_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeVar

    T = TypeVar("T")

FORMATS: Final = {"indicatif": "Indicatif", "json": "JsonLines", "silent": "Silent"}
"""The formats of progress, each with its name in a trainer's state."""


class Report(Protocol):
    """A function that is called as a training proceeds, and shows it, or not."""

    def __call__(self, stage: str, current: int, total: int | None) -> None:
        """Show that ``current`` of ``total`` (``None``: not known) is done of ``stage``."""


_PAUSE: Final = 0.1
"""Seconds between two changes of the line on the terminal."""


def silent(stage: str, current: int, total: int | None) -> None:
    """Show nothing."""


def json_line(stage: str, current: int, total: int | None) -> None:
    """Write a line of JSON, as the target does with the format ``json``."""
    print(write_json({"stage": stage, "current": current, "total": total}), file=sys.stderr)  # noqa: T201


class TerminalLine:
    """Keeps one line of a terminal up to date for each stage, where the target draws a bar."""

    def __init__(self) -> None:
        self._stage = ""
        self._shown = 0.0
        self._is_open = False

    def __call__(self, stage: str, current: int, total: int | None) -> None:
        """Show the stage: when it begins, when it ends, and in between now and then."""
        now = time.monotonic()
        is_new, is_done = stage != self._stage, current == total
        if not is_new and (not self._is_open or not (is_done or now - self._shown >= _PAUSE)):
            return
        before = "\n\r" if is_new and self._is_open else "\r"
        amount = str(current) if total is None else f"{current} of {total}"
        print(f"{before}{stage}: {amount}\x1b[K", end="\n" if is_done else "", file=sys.stderr, flush=True)  # noqa: T201
        self._stage, self._shown, self._is_open = stage, now, not is_done


def report_of(name: str, *, is_shown: bool) -> Report:
    """Return the report of the format ``name``.

    The one for people is given on terminals only, and where it is to be shown; ``json`` is always written (observed).
    """
    if name == "json":
        return json_line
    return TerminalLine() if is_shown and name == "indicatif" and sys.stderr.isatty() else silent


def reported(report: Report, stage: str, items: Iterable[T], total: int | None) -> Iterator[T]:
    """Yield ``items``, reporting how many there were before the first and after each.

    ``total`` is how many there are at most; after the last, it is how many there were.
    """
    report(stage, 0, total)
    current = 0
    for current, item in enumerate(items, 1):
        yield item
        report(stage, current, total)
    report(stage, current, current)
