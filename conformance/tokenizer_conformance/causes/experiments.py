"""All experiments, in the order in which they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.classes.answer_changes import ANSWER_EXPERIMENTS, LATE_ANSWER_EXPERIMENTS
from tokenizer_conformance.causes.classes.documents import DOCUMENT_EXPERIMENTS
from tokenizer_conformance.causes.classes.entries import ENTRY_EXPERIMENTS
from tokenizer_conformance.causes.classes.failures import FAILURE_EXPERIMENTS
from tokenizer_conformance.causes.classes.loaders import LOADER_EXPERIMENTS
from tokenizer_conformance.causes.classes.question_changes import LATE_QUESTION_EXPERIMENTS, QUESTION_EXPERIMENTS
from tokenizer_conformance.causes.classes.stream_changes import STREAM_EXPERIMENTS
from tokenizer_conformance.causes.classes.variant_experiments import VARIANT_EXPERIMENTS

if TYPE_CHECKING:
    from tokenizer_conformance.causes.proving import Experiment

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
