"""Reasons: the class that explains a witness, with its proof."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.cause import NO_REASON, Reason
from tokenizer_conformance.causes.classes.answer_changes import ANSWER_EXPERIMENTS, LATE_ANSWER_EXPERIMENTS
from tokenizer_conformance.causes.classes.documents import DOCUMENT_EXPERIMENTS
from tokenizer_conformance.causes.classes.entries import ENTRY_EXPERIMENTS
from tokenizer_conformance.causes.classes.failures import FAILURE_EXPERIMENTS
from tokenizer_conformance.causes.classes.loaders import LOADER_EXPERIMENTS
from tokenizer_conformance.causes.classes.question_changes import LATE_QUESTION_EXPERIMENTS, QUESTION_EXPERIMENTS
from tokenizer_conformance.causes.classes.stream_changes import STREAM_EXPERIMENTS
from tokenizer_conformance.causes.classes.variant_experiments import VARIANT_EXPERIMENTS

if TYPE_CHECKING:
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.witness import Witness

Experiment = Callable[["Bench", "Witness"], Reason | None]
"""Tries to prove that a witness is in one class; ``None``: it is not proven."""

EXPERIMENTS: tuple[Experiment, ...] = (
    *FAILURE_EXPERIMENTS,
    *LOADER_EXPERIMENTS,
    *ANSWER_EXPERIMENTS,
    *STREAM_EXPERIMENTS,
    *VARIANT_EXPERIMENTS,
    *QUESTION_EXPERIMENTS,
    *DOCUMENT_EXPERIMENTS,
    *ENTRY_EXPERIMENTS,
    *LATE_ANSWER_EXPERIMENTS,
    *LATE_QUESTION_EXPERIMENTS,
)
"""The experiments, in the order in which they are made."""


class Explainer:
    """Finds the reasons of witnesses. What was proven once is tried first, as most differences have few causes."""

    def __init__(self, experiments: tuple[Experiment, ...] = EXPERIMENTS) -> None:
        self._experiments = experiments
        self._proved: dict[tuple[str, str], Experiment] = {}

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
