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
    *VARIANT_EXPERIMENTS,
    *QUESTION_EXPERIMENTS,
    *DOCUMENT_EXPERIMENTS,
    *ENTRY_EXPERIMENTS,
    *LATE_ANSWER_EXPERIMENTS,
    *LATE_QUESTION_EXPERIMENTS,
)
"""The experiments, in the order in which they are made."""


def reason_of(bench: Bench, witness: Witness) -> Reason:
    """Return the reason of ``witness``: the first class whose experiment proves it."""
    found = (experiment(bench, witness) for experiment in EXPERIMENTS)
    return next((reason for reason in found if reason is not None), NO_REASON)
