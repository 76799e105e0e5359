"""Both sides of a search with one tokenizer, which can be loaded again, and questions over which they are lost.

A side that was lost very often in a row over one tokenizer is not asked about it any more until it is loaded again
(``tokenizer_adapters.protocol.client``); its answers then say nothing.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.classes.cutting import cut_for_texts
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.causes.minimizing import Budget
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.question_options import numbered_variants
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.validation.search.generators import PIECES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Implementation, Observation, TokenizerSource
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.validation.search.plan import Pairing, SearchedImplementation, SearchPlan

OVER_LOSSES = Budget(seconds=20.0, checks=100)
"""What making a question smaller may cost where each one that shows the same costs a process."""

MOST_IN_A_ROW = 4
"""After so many losses in a row the tokenizer is loaded again; each costs several answers of one kind."""


class Sides:
    """The sides of ``bench`` with the tokenizer of ``source``. Raises :class:`CannotLoadError`."""

    def __init__(self, bench: Bench, source: TokenizerSource) -> None:
        self._bench = bench
        self._source = source
        self._variants: tuple[Json, ...] = ()
        self.load()

    def trial_for(self, variant: int | None) -> Trial | None:
        """Return both sides with the file as it stands, or with that variant of it; ``None`` where one refuses it."""
        if variant is None:
            return self.trial
        if not self._variants:
            self._variants = numbered_variants(self._small_document())
        return self._bench.trial_of(self._source, self._variants[variant % len(self._variants)])

    def _small_document(self) -> Json:
        """Return the tokenizer.json with the vocabulary that the texts need, so that variants are loaded in no time.

        Where that cannot be made, or a side refuses it, it is the whole one.
        """
        document = self.trial.read()
        try:
            small = cut_for_texts(document, (*PIECES, " ".join(PIECES)))
        except (KeyError, TypeError, ValueError, AttributeError):
            return document
        return document if self._bench.trial_of(self._source, small) is None else small

    def load(self) -> None:
        """Load the tokenizer again. Raises :class:`CannotLoadError`."""
        bench, source = self._bench, self._source
        self.trial = bench.trial_with(source, loaded(bench.baseline, source), loaded(bench.implementation, source))


class BothSides(ExitStack):
    """The baseline and an implementation, once they are needed, and the causes that were found with them.

    ``build`` makes them; it is given this stack, to have processes end with it.
    """

    def __init__(self, build: Callable[[ExitStack], tuple[Implementation, Implementation]]) -> None:
        super().__init__()
        self._build = build
        self._collector: CauseCollector | None = None
        self._pairing: Pairing | None = None
        self._sides: Sides | None = None

    def sides(self, pairing: Pairing) -> Sides:
        """Return both sides with the tokenizer of ``pairing``. Raises :class:`CannotLoadError`."""
        if self._sides is None or self._pairing is not pairing:
            self._sides = Sides(self._bench, pairing.tokenizer.source)
            self._pairing = pairing
        return self._sides

    @property
    def collector(self) -> CauseCollector:
        """What gathers the mismatches that were found here."""
        if self._collector is None:
            self._collector = CauseCollector(self._bench)
        return self._collector

    def causes(self) -> tuple[Cause, ...]:
        """Return the causes that were found here."""
        return () if self._collector is None else self._collector.causes()

    @cached_property
    def _bench(self) -> Bench:
        return self.enter_context(Bench(*self._build(self)))


def careful_sides(plan: SearchPlan, implementation: SearchedImplementation) -> BothSides:
    """Return the sides of ``plan``, each in a process for itself.

    What has killed a process is asked again here, so that the answer at fault is found. An answer, and loading a
    tokenizer, may take each of them as long as the plan's ``patience``.
    """

    def started(side: SearchedImplementation, stack: ExitStack) -> Implementation:
        limits = replace(side.selected.limits, seconds=plan.patience)
        return stack.enter_context(closing(side.selected.start(limits)))

    return BothSides(lambda stack: (started(plan.baseline, stack), started(implementation, stack)))


def shortened(sides: Sides, witness: Witness, budget: Budget = OVER_LOSSES) -> Witness:
    """Return ``witness``, over which a side is lost, with a shorter question that shows the same.

    Raises :class:`CannotLoadError`.
    """
    best = witness
    in_a_row = 0
    until = time.monotonic() + budget.seconds

    def shows_the_same(question: Observation) -> bool:
        nonlocal best, in_a_row
        if time.monotonic() > until:
            raise BudgetSpentError
        if in_a_row >= MOST_IN_A_ROW:
            sides.load()
            in_a_row = 0
        found = sides.trial.witness(question)
        if found is None or found.manner != witness.manner:
            in_a_row = 0
            return False
        in_a_row += 1
        best = found
        return True

    reduced_question(witness.question, shows_the_same, budget.checks, sides.trial.vocabulary)
    sides.load()
    return best
