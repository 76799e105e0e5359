"""A process for calls that may take their process down, or never end; run as a program, it is that process."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import FaultError, Limits, Process
from tokenizer_adapters.protocol.server import taken_over
from tokenizer_conformance.command_io.pickled_lines import line_of, value_of
from tokenizer_conformance.validation.search.plan import MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

START_SECONDS = 120.0


class ProcessLostError(Exception):
    """The process died over a call, or did not end it in time and was ended."""


class LoneProcess:
    """One process, started when it is needed, and again after it is lost. ``seconds`` is how long a call may take."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: Process | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what ``function`` gives in the process, or raise what it raises.

        Raises :class:`ProcessLostError`.
        """
        try:
            process = self._process or self._start()
            value, error = value_of(*process.exchange([line_of((function, args, kwargs))], self._seconds))
        except FaultError as fault:
            self._end()
            raise ProcessLostError(str(fault)) from None
        if error is not None:
            raise error
        found: T = value
        return found

    def _start(self) -> Process:
        program = Program(
            command=(sys.executable, "-P", str(Path(__file__))),
            label="a process for calls",
            environment={"PYTHONPATH": os.pathsep.join(sys.path), "RUST_BACKTRACE": "0"},
        )
        self._process = Process(program, Limits(memory=MEMORY))
        list(self._process.exchange([line_of((int, (), {}))], START_SECONDS))
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._process = None


def main() -> None:
    """Answer calls, which are lines of standard input, on standard output."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 2)  # panics come by the thousand
    with taken_over(0, nothing, "rb") as calls, taken_over(1, nothing, "wb") as answers:
        for line in calls:
            function, args, kwargs = value_of(line)
            try:
                answer = function(*args, **kwargs), None
            except Exception as error:
                answer = None, error
            answers.write(line_of(answer))
            answers.flush()


if __name__ == "__main__":
    main()
