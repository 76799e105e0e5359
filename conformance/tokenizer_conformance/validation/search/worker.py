"""A process that asks: ``python -m tokenizer_conformance.validation.search.worker`` (``command_io/worker_process.py``).

It is set up with a :class:`Setup`; each task is a :class:`Batch`, answered by what was :class:`Answered`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.command_io.pickled_lines import program_of
from tokenizer_conformance.command_io.worker_process import serve
from tokenizer_conformance.validation.search.asking import results_of
from tokenizer_conformance.validation.search.cases import Answered
from tokenizer_conformance.validation.search.sides import Sides

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_conformance.validation.search.cases import Batch, Setup


def program() -> Program:
    """Return the program that runs this module."""
    return program_of("tokenizer_conformance.validation.search.worker", "a process that asks")


def begin(setup: Setup) -> Callable[[Batch], Answered]:
    """Return what carries batches out."""
    sides = setup.baseline.build(), setup.implementation.build()
    is_apart = any(isinstance(side, ProcessImplementation) for side in sides)
    bench = Bench(*sides)
    loaded = Sides(bench, setup.source)

    def answered(batch: Batch) -> Answered:
        try:
            results = results_of(loaded, setup.known, batch.cases)
            if is_apart and any(result.is_lost for result in results):
                # A program that was lost very often is not asked any more until it loads the tokenizer again.
                loaded.load()
            return Answered(results)
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: it ends the search in good order
            return Answered(error=in_short(error))

    return answered


if __name__ == "__main__":
    serve(begin)
