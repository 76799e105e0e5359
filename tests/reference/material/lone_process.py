"""A process for calls that may take their process down, or never end."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from tokenizer_conformance.fuzz.pool import workers

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import ProcessPoolExecutor

P = ParamSpec("P")
T = TypeVar("T")

START_SECONDS = 120.0


class ProcessLostError(Exception):
    """The process died over a call, or did not end it in time and was ended."""


class LoneProcess:
    """One process, started when it is needed, and again after it is lost. ``seconds`` is how long a call may take."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._stack = ExitStack()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what ``function`` gives in the process, or raise what it raises.

        Raises :class:`ProcessLostError`.
        """
        try:
            pool = self._pool or self._start()
            return pool.submit(function, *args, **kwargs).result(self._seconds)
        except BrokenProcessPool:
            self._end()
            raise ProcessLostError("the process died") from None
        except TimeoutError:
            self._end()
            raise ProcessLostError(f"no answer came within {self._seconds:g} s") from None

    def _start(self) -> ProcessPoolExecutor:
        self._pool = self._stack.enter_context(workers(1))
        self._pool.submit(int).result(START_SECONDS)
        return self._pool

    def _end(self) -> None:
        self._pool = None
        self._stack.close()
