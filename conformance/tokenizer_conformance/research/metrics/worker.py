"""A process that measures: ``python -m tokenizer_conformance.research.metrics.worker`` (``command_io/worker_process``).

It is set up with a :class:`Setup`; each task is a :class:`Chunk`, answered by the :class:`Counts` of its texts, or by a
:class:`Broken` where there is a bug.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.command_io.pickled_lines import program_of
from tokenizer_conformance.command_io.worker_process import serve
from tokenizer_conformance.research.metrics.measuring import Measurer
from tokenizer_conformance.research.segmentation.segmenter import segmenter

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.research.metrics.chunks import Chunk
    from tokenizer_conformance.research.metrics.counts import Counts
    from tokenizer_conformance.research.metrics.measuring import Counting


@dataclass(frozen=True, slots=True)
class Setup:
    """What a process measures: ``rows`` by their numbers, each a tokenizer with who cuts by it.

    ``unknown_ids`` are those of all rows.
    """

    rows: Mapping[int, tuple[Selected, TokenizerSource]]
    unknown_ids: tuple[frozenset[int], ...]
    counting: Counting


@dataclass(frozen=True, slots=True)
class Broken:
    """A chunk was not measured, for a bug here or in an adapter."""

    reason: str


def program() -> Program:
    """Return the program that runs this module."""
    return program_of("tokenizer_conformance.research.metrics.worker", "a process that measures")


def begin(setup: Setup) -> Callable[[Chunk], Counts | Broken]:
    """Return what measures chunks."""
    # What a tokenizer needs of a temporary folder stays until this process ends.
    stack = ExitStack()
    built = {selected.word: selected.build() for selected, _ in setup.rows.values()}
    segmenters = {
        number: stack.enter_context(segmenter(built[selected.word], source))
        for number, (selected, source) in setup.rows.items()
    }
    measurer = Measurer(segmenters, setup.unknown_ids, setup.counting)

    def measured(chunk: Chunk) -> Counts | Broken:
        try:
            return measurer.measure(chunk)
        except Exception as error:  # noqa: BLE001 - it ends the command in good order
            return Broken(in_short(error))

    return measured


if __name__ == "__main__":
    serve(begin)
