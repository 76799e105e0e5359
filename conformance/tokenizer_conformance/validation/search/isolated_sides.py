"""What has killed a process is asked again, each side in a process for itself: so the answer at fault is found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Self

from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.validation.search.sides import Sides

if TYPE_CHECKING:
    from types import TracebackType

    from tokenizer_adapters.protocol.client import ProcessImplementation
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.validation.search.plan import Pairing, SearchedImplementation, SearchPlan


class CarefulSides:
    """The baseline and an implementation of ``plan``, each in a process for itself once they are needed.

    An answer, and loading a tokenizer, may take each of them as long as the plan's ``patience``.
    """

    def __init__(self, plan: SearchPlan, implementation: SearchedImplementation) -> None:
        self._plan = plan
        self._implementation = implementation
        self._started: list[ProcessImplementation] = []
        self._bench: Bench | None = None
        self._collector: CauseCollector | None = None
        self._pairing: Pairing | None = None
        self._sides: Sides | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bench is not None:
            self._bench.close()
        for implementation in self._started:
            implementation.close()

    def sides(self, pairing: Pairing) -> Sides:
        """Return both sides with the tokenizer of ``pairing``. Raises :class:`CannotLoadError`."""
        if self._sides is None or self._pairing is not pairing:
            self._sides = Sides(self._benched(), pairing.tokenizer.source)
            self._pairing = pairing
        return self._sides

    @property
    def collector(self) -> CauseCollector:
        """What gathers the mismatches that were found here."""
        if self._collector is None:
            self._collector = CauseCollector(self._benched())
        return self._collector

    def causes(self) -> tuple[Cause, ...]:
        """Return the causes that were found here."""
        return () if self._collector is None else self._collector.causes()

    def _benched(self) -> Bench:
        if self._bench is None:
            self._bench = Bench(self._start(self._plan.baseline), self._start(self._implementation))
        return self._bench

    def _start(self, side: SearchedImplementation) -> ProcessImplementation:
        limits = replace(side.selected.limits, seconds=self._plan.patience)
        started = side.selected.start(limits)
        self._started.append(started)
        return started
