"""A process that compares: ``python -m tokenizer_conformance.validation.running.worker``.

The first line is a :class:`Setup` (``compared``), and is answered when its implementations are built. Each further line
is a :class:`Task`, answered by what was :class:`Done`. Nothing is written on standard error while it works, as in a run
that compares in its own process.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.command_io.pickled_lines import program_of
from tokenizer_conformance.command_io.worker_process import serve
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.running.compared import Done, HereComparer
from tokenizer_conformance.validation.running.sides import Sides

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_adapters.protocol.launch import Program
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.corpus import PairedInput
    from tokenizer_conformance.validation.running.compared import Compared, Setup, Task


def program() -> Program:
    """Return the program that runs this module."""
    return program_of("tokenizer_conformance.validation.running.worker", "a process that compares")


class Comparing:
    """Carries out tasks."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._implementations = [selected.build() for selected in setup.selected]
        self._source: TokenizerSource | None = None
        self._asked: dict[str, Asked] = {}
        self._comparer: tuple[tuple[str, ...], HereComparer] | None = None
        """What compares, beside the names of those that are compared with the baseline."""

    def done(self, task: Task) -> Done:
        """Carry out ``task``."""
        began = time.perf_counter()
        before = {name: asked.seconds for name, asked in self._asked.items()}
        try:
            if task.source != self._source:
                self._load(task.source)
                before = {}
            compared, unreadable = self._compared(task)
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: it ends the run in good order
            return Done(error=in_short(error))
        waited = {name: asked.seconds - before.get(name, 0.0) for name, asked in self._asked.items()}
        again = {name: asked.taken_again() for name, asked in self._asked.items()}
        return Done(compared, time.perf_counter() - began, waited, again, unreadable)

    def _load(self, source: TokenizerSource) -> None:
        self._asked, self._comparer = {}, None
        self._refusals: dict[str, str] = {}
        for implementation in self._implementations:
            name = implementation.info.name
            try:
                self._asked[name] = loaded(implementation, source)
            except CannotLoadError as error:
                self._refusals[name] = str(error)
        self._source = source

    def _compared(self, task: Task) -> tuple[tuple[Mapping[str, Compared], ...], str | None]:
        """Return the outcomes, and what is wrong with the first input that cannot be read."""
        if not (task.texts or task.ids):
            return (), None
        comparer = self._comparer_with(task.others)
        if task.ids:
            comparer.ask_ahead_about_ids(task.ids)
            return tuple(map(comparer.id, task.ids)), None
        texts: list[PairedInput] = []
        unreadable = None
        try:
            texts.extend(comparer.reached(task.texts))
        except BadInputError as error:
            unreadable = str(error)
        comparer.ask_ahead(texts)
        return tuple(map(comparer.text, texts)), unreadable

    def _comparer_with(self, others: tuple[str, ...]) -> HereComparer:
        if self._comparer is None or self._comparer[0] != others:
            for name in (self._setup.baseline, *others):
                if name in self._refusals:
                    raise CannotLoadError(f"one process has loaded what another cannot: {self._refusals[name]}")
            sides = Sides(
                self._asked[self._setup.baseline],
                {name: self._asked[name] for name in others},
                self._setup.stages,
                self._setup.fields,
                self._setup.asks,
            )
            setup = self._setup
            self._comparer = others, HereComparer(sides, asks_further=setup.asks_further, reach=setup.reach)
        return self._comparer[1]


if __name__ == "__main__":
    serve(lambda setup: Comparing(setup).done)
