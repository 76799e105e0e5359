"""The other end of a pool of processes: lines in, lines out (``pickled_lines``).

The first line sets a process up and is answered when it can begin; each further line is a task, answered by what came
of it. Nothing is written on standard error while it works: panics come by the thousand.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.protocol.server import taken_over
from tokenizer_conformance.command_io.pickled_lines import line_of, program_of, value_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.protocol.launch import Program


def serve(begin: Callable[[Any], Callable[[Any], object]]) -> None:
    """Answer the lines of standard input on standard output; ``begin`` makes of the setup what does the tasks."""
    nothing = os.open(os.devnull, os.O_RDWR)
    with taken_over(0, nothing, "rb") as requests, taken_over(1, nothing, "wb") as answers:
        done = begin(value_of(requests.readline()))
        os.dup2(nothing, 2)
        answer: object = None
        while True:
            answers.write(line_of(answer))
            answers.flush()
            line = requests.readline()
            if not line:
                return
            answer = done(value_of(line))


def program(label: str) -> Program:
    """Return the program that runs this module; it is set up with what makes what does the tasks."""
    return program_of("tokenizer_conformance.command_io.worker_process", label)


if __name__ == "__main__":
    serve(lambda begin: begin())
