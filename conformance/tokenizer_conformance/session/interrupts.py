"""Ctrl-C that ends a run and loses nothing.

The engine may be interrupted at any moment; reports never are, so that each line of them is whole.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from types import FrameType, TracebackType

E = TypeVar("E")


class InterruptGate(Generic[E]):
    """While it is open, turns SIGINT into a ``KeyboardInterrupt`` inside the engine and nowhere else.

    Used around a run in the main thread; the former handler is put back at the end. ``ends`` says whether an event shows
    that the engine is ending the run: an adapter may swallow a ``KeyboardInterrupt``; the run then goes on, and is
    interrupted at the next event.
    """

    def __init__(self, ends: Callable[[E], bool]) -> None:
        self._ends = ends
        self._requested = False
        self._acknowledged = False
        self._in_engine = False
        self._former: signal.Handlers | object = signal.SIG_DFL

    def __enter__(self) -> Self:
        self._former = signal.signal(signal.SIGINT, self._on_signal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self._former)  # type: ignore[arg-type]  # what signal.signal returned

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._requested = True
        if self._in_engine and not self._acknowledged:
            raise KeyboardInterrupt

    def events(self, engine: Generator[E]) -> Iterator[E]:
        """Yield the events of ``engine``; an interrupt that comes while one is handled reaches the engine next."""
        while True:
            event = self._next(engine)
            if event is None:
                return
            yield event

    def _next(self, engine: Generator[E]) -> E | None:
        self._in_engine = True
        try:
            is_due = self._requested and not self._acknowledged
            event = engine.throw(KeyboardInterrupt()) if is_due else next(engine)
        except StopIteration:
            return None
        finally:
            self._in_engine = False
        self._acknowledged = self._acknowledged or (self._requested and self._ends(event))
        return event
