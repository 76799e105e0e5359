"""Ctrl-C, SIGTERM and SIGHUP, which end a run and lose nothing.

The first signal becomes one ``KeyboardInterrupt``, in what may be interrupted: a command that is starting, and after
that an engine at work. Reports and closings never are, so that each line of a report is whole. Further signals are only
noted: what is winding down is left to do so.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tokenizer_conformance.command_io.internal_error import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from types import FrameType

E = TypeVar("E")

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""The signals that end a run: what Ctrl-C sends, what a scheduler or a CI sends, what a closed terminal sends."""

PATIENCE = 10.0
"""After so many seconds an interrupt that the engine has not answered counts as lost in an implementation (which may
hang after it), and a further signal interrupts the engine again; winding down takes far less."""


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return those of :data:`NAMES` that this system has."""
    return tuple(getattr(signal, name) for name in NAMES if hasattr(signal, name))


class Interrupts:
    """What this process makes of the signals that end a run. ``requested`` says whether one has come.

    Used in the main thread; in another one no signal is heard.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.requested = False
        self._clock = clock
        self._raised: float | None = None
        self._may_raise: Callable[[], bool] = _never
        self._former: dict[signal.Signals, Any] = {}

    # Hearing

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Hear signals inside, and put the former handlers back at the end.

        Nothing happens where they are heard already.
        """
        if self._former or threading.current_thread() is not threading.main_thread():
            yield
            return
        self.hear()
        try:
            yield
        finally:
            former, self._former = self._former, {}
            for number, handler in former.items():
                signal.signal(number, handler)

    def hear(self) -> None:
        """Hear signals from now on; the first interrupts whatever is done until :meth:`hold_back`.

        A terminal that is closed is not heard of where that was asked for (``nohup``).
        """
        self.requested = False
        self._raised = None
        self._may_raise = _always
        for number in ending_signals():
            former = signal.getsignal(number)
            if number.name != "SIGHUP" or former is not signal.SIG_IGN:
                self._former[number] = signal.SIG_DFL if former is None else former
                signal.signal(number, self._on_signal)

    def hold_back(self) -> None:
        """From now on have signals noted, and interrupt nothing."""
        self._may_raise = _never

    @contextmanager
    def held(self) -> Iterator[None]:
        """Have a signal that comes inside noted, and answered after that: what is done inside is done whole."""
        former, self._may_raise = self._may_raise, _never
        try:
            yield
        finally:
            self._may_raise = former

    def ignore(self) -> None:
        """From now on have signals ignored, until this process has ended."""
        self.hold_back()
        for number in self._former:
            signal.signal(number, signal.SIG_IGN)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.requested = True
        is_lost = self._raised is None or self._clock() - self._raised >= PATIENCE
        if is_lost and self._may_raise():
            self._raised = self._clock()
            raise KeyboardInterrupt

    # Interrupting

    def answer(self) -> None:
        """Raise the ``KeyboardInterrupt`` of a signal that was held back, or was lost in other people's code."""
        if self.requested:
            self.hold_back()
            raise KeyboardInterrupt

    @contextmanager
    def interrupting(self, engine: Generator[Any]) -> Iterator[None]:
        """Have signals interrupt ``engine``, and nothing else, while it runs."""
        self._may_raise = lambda: engine.gi_running  # type: ignore[attr-defined]  # every generator has it
        try:
            yield
        finally:
            self.hold_back()


def _never() -> bool:
    return False


def _always() -> bool:
    return True


INTERRUPTS = Interrupts()
"""Those of this process, which has one handler for each signal."""


def keep_quiet_about_lost_interrupts() -> None:
    """Print nothing where an interrupt comes in code that can raise no error: it is noted, and answered later."""
    former = sys.unraisablehook

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if unraisable.exc_type is not KeyboardInterrupt:
            former(unraisable)

    sys.unraisablehook = hook


class InterruptGate(Generic[E]):
    """Lets interrupts through to an engine, once.

    ``ends`` says whether an event shows that the engine is ending the run: an adapter may swallow a
    ``KeyboardInterrupt``; the run then goes on, and is interrupted at the next event.
    """

    def __init__(self, interrupts: Interrupts, ends: Callable[[E], bool]) -> None:
        self._interrupts = interrupts
        self._ends = ends
        self._is_answered = False
        self._is_ending = False
        self._has_begun = False

    def events(self, engine: Generator[Any], cut_short: Generator[Any] | None = None) -> Iterator[Any]:
        """Yield the events of ``engine``; an interrupt that comes while one is handled reaches the engine next.

        Where one has come before the engine has begun, what is ``cut_short`` is told in its place, and not interrupted
        again; without that, ``KeyboardInterrupt`` is raised.
        """
        try:
            self._interrupts.answer()
        except KeyboardInterrupt:
            if cut_short is None:
                raise
            yield from cut_short
            return
        with self._interrupts.interrupting(engine):
            while True:
                try:
                    event = self._next(engine)
                except StopIteration:
                    return
                except KeyboardInterrupt:
                    if self._is_ending:  # all has been told; the engine had nothing left to be interrupted in
                        return
                    raise
                if isinstance(event, InternalError):  # it ends of itself
                    self._is_answered = True
                    self._interrupts.hold_back()
                else:
                    self._is_ending = self._ends(event)
                self._is_answered |= self._is_ending and self._interrupts.requested
                yield event

    def _next(self, engine: Generator[Any]) -> Any:
        # An engine that has not begun could answer nothing: the error would leave it at once.
        is_due = self._interrupts.requested and not self._is_answered and self._has_begun
        self._has_begun = True
        return engine.throw(KeyboardInterrupt()) if is_due else next(engine)
