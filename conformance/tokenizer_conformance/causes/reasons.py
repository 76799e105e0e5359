"""Reasons: the class that explains a witness, with its proof."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.lazy import imported

if TYPE_CHECKING:
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.proving import Experiment
    from tokenizer_conformance.causes.witness import Witness


class Explainer:
    """Finds the reasons of witnesses. What was proven once is tried first, as most differences have few causes.

    Where no ``experiments`` are given, all are made. They are imported with the first witness, since they know the
    whole reference, and most runs find no difference.
    """

    def __init__(self, experiments: tuple[Experiment, ...] | None = None) -> None:
        self._given = experiments
        self._proved: dict[tuple[str, str], Experiment] = {}

    @cached_property
    def _experiments(self) -> tuple[Experiment, ...]:
        every: tuple[Experiment, ...] = imported("tokenizer_conformance.causes.experiments:EXPERIMENTS")
        return every if self._given is None else self._given

    def __call__(self, bench: Bench, witness: Witness) -> Reason:
        """Return the reason of ``witness``: one that was proven before, or what the first experiment proves.

        An experiment that proves something new is no short cut: others come before it. Raises :class:`TimeSpentError`
        where the time of the bench is spent before there is a reason, or before all experiments were made.
        """
        results: dict[Experiment, Reason | None] = {}
        for experiment in dict.fromkeys(self._proved.values()):
            bench.check_time()
            reason = results[experiment] = experiment(bench, witness)
            if reason is not None and (reason.name, reason.parameter) in self._proved:
                return reason
        for experiment in self._experiments:
            bench.check_time()
            reason = results[experiment] if experiment in results else experiment(bench, witness)
            if reason is not None:
                self._proved.setdefault((reason.name, reason.parameter), experiment)
                return reason
        return NO_REASON


def reason_of(bench: Bench, witness: Witness) -> Reason:
    """Return the reason of ``witness``: that of the first experiment that proves one."""
    return Explainer()(bench, witness)
