"""A process that fuzzes, a tokenizer at a time: ``python -m tokenizer_conformance.validation.fuzz.worker``.

The first line has a plan and a folder for files; it is answered when the implementations of the plan are built. Each
further line has the number of a tokenizer, and is answered by its :class:`FuzzResult` (``command_io/pickled_lines``).
Nothing is written on standard error while it works: panics come by the thousand.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.server import taken_over
from tokenizer_conformance.command_io.pickled_lines import line_of, program_of, value_of
from tokenizer_conformance.validation.fuzz.results import FuzzResult
from tokenizer_conformance.validation.fuzz.tokenizer_fuzz import built, compare_tokenizer, load_here

if TYPE_CHECKING:
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan


def program() -> Program:
    """Return the program that runs this module, where all can be imported that can be imported here."""
    return program_of("tokenizer_conformance.validation.fuzz.worker", "a process that fuzzes")


def fuzz_one(plan: ImplementationPlan, number: int, folder: str) -> FuzzResult:
    """Compare on tokenizer ``number``, in this process; ``folder`` takes its file."""
    result = FuzzResult()
    compare_tokenizer(plan, number, partial(load_here, folder, isolation=plan.isolation), result)
    return result


def main() -> None:
    """Answer the lines of standard input on standard output."""
    nothing = os.open(os.devnull, os.O_RDWR)
    with taken_over(0, nothing, "rb") as requests, taken_over(1, nothing, "wb") as answers:
        plan, folder = value_of(requests.readline())
        for word in plan.sides:
            built(word, plan.isolation)
        os.dup2(nothing, 2)
        answer: object = None
        while True:
            answers.write(line_of(answer))
            answers.flush()
            line = requests.readline()
            if not line:
                return
            answer = fuzz_one(plan, value_of(line), folder)


if __name__ == "__main__":
    main()
