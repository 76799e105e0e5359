"""All experiments, in the order in which they are made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.causes.classes.answer_changes import answers_of_other_tokenizers, answers_told_otherwise
from tokenizer_conformance.causes.classes.documents import documents_changed_once, documents_changed_twice
from tokenizer_conformance.causes.classes.entries import explained_by_an_entry
from tokenizer_conformance.causes.classes.failures import explained_by_refused_ids
from tokenizer_conformance.causes.classes.hypothesis import proven
from tokenizer_conformance.causes.classes.loaders import saved_pipelines
from tokenizer_conformance.causes.classes.question_changes import other_questions
from tokenizer_conformance.causes.classes.replaced_rules import replaced_rule
from tokenizer_conformance.causes.classes.score_ties import score_tie
from tokenizer_conformance.causes.classes.stream_changes import other_steps
from tokenizer_conformance.causes.classes.unicode_versions import unicode_version
from tokenizer_conformance.causes.classes.variant_study import Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.classes.hypothesis import Supposing
    from tokenizer_conformance.causes.proving import Experiment
    from tokenizer_conformance.causes.witness import Witness

STUDIES: tuple[Callable[[Study], Reason | None], ...] = (score_tie, unicode_version, replaced_rule)
"""What is looked for among variants of the reference, in this order."""


def explained_by_variant(bench: Bench, witness: Witness) -> Reason | None:
    """Prove that a variant of the reference is what the implementation does; the tokenizer is loaded once for all."""
    study = Study.of(bench, witness)
    found = () if study is None else (look(study) for look in STUDIES)
    return next((reason for reason in found if reason is not None), None)


def _supposing(supposing: Supposing, *, leaves_nothing: bool = False) -> Experiment:
    return partial(proven, supposing=supposing, leaves_nothing=leaves_nothing)


EXPERIMENTS: tuple[Experiment, ...] = (
    explained_by_refused_ids,
    _supposing(saved_pipelines),
    _supposing(answers_told_otherwise, leaves_nothing=True),
    _supposing(other_steps),
    explained_by_variant,
    _supposing(other_questions, leaves_nothing=True),
    _supposing(documents_changed_once),
    _supposing(documents_changed_twice),
    explained_by_an_entry,
    # Where no other explains a witness: a changed file says more where it does so.
    _supposing(answers_told_otherwise),
    _supposing(answers_of_other_tokenizers),
    _supposing(other_questions),
)
"""The experiments, in the order in which they are made."""
