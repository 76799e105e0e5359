"""A process that fuzzes, a tokenizer at a time: ``python -m tokenizer_conformance.validation.fuzz.worker``.

The first line has a plan and a folder for files; it is answered when the implementations of the plan are built. Each
further line has the number of a tokenizer, and is answered by its :class:`FuzzResult`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.pickled_lines import program_of
from tokenizer_conformance.command_io.worker_process import serve
from tokenizer_conformance.validation.fuzz.results import FuzzResult
from tokenizer_conformance.validation.fuzz.tokenizer_fuzz import built, compare_tokenizer, load_here

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_conformance.validation.fuzz.plan import ImplementationPlan


def program() -> Program:
    """Return the program that runs this module, where all can be imported that can be imported here."""
    return program_of("tokenizer_conformance.validation.fuzz.worker", "a process that fuzzes")


def begin(setup: tuple[ImplementationPlan, str]) -> Callable[[int], FuzzResult]:
    """Return what compares on a tokenizer, by its number, as a plan says; a folder takes its file."""
    plan, folder = setup
    for word in plan.sides:
        built(word, plan.isolation)

    def fuzz_one(number: int) -> FuzzResult:
        result = FuzzResult()
        compare_tokenizer(plan, number, partial(load_here, folder, isolation=plan.isolation), result)
        return result

    return fuzz_one


if __name__ == "__main__":
    serve(begin)
