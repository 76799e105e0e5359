"""All experiments, in the order in which they are made: rivals together, and others where no rival stands."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Field
from tokenizer_conformance.causes.classes.answer_changes import answers_of_other_tokenizers, answers_told_otherwise
from tokenizer_conformance.causes.classes.chat_changes import other_prompts
from tokenizer_conformance.causes.classes.documents import documents_changed_once, documents_changed_twice
from tokenizer_conformance.causes.classes.entries import explained_by_an_entry
from tokenizer_conformance.causes.classes.experiment import Offsets
from tokenizer_conformance.causes.classes.failures import explained_by_refused_ids
from tokenizer_conformance.causes.classes.hypothesis import (
    Candidate,
    Hypothesis,
    concerns,
    evidence_for,
    is_refuted_by,
    standing,
)
from tokenizer_conformance.causes.classes.loaders import saved_pipelines
from tokenizer_conformance.causes.classes.question_changes import other_questions
from tokenizer_conformance.causes.classes.replaced_rules import replaced_rules
from tokenizer_conformance.causes.classes.score_ties import score_tie
from tokenizer_conformance.causes.classes.stream_changes import other_steps
from tokenizer_conformance.causes.classes.unicode_versions import unicode_version
from tokenizer_conformance.causes.classes.variant_study import Study, Varying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.cause import Reason
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.classes.hypothesis import Supposing
    from tokenizer_conformance.causes.proving import Experiment
    from tokenizer_conformance.causes.witness import Witness


def variants(bench: Bench, witness: Witness) -> Iterator[Candidate]:
    """Give the variants of the reference that are what the implementation does; a tie of scores is no mistake."""
    study = Study.of(bench, witness)
    if study is None:
        return
    tie = score_tie(study)
    if tie is not None and _others_are_ties(bench, study):
        yield Candidate(tie)
        return
    for look in (unicode_version, replaced_rules):
        for varying in look(study):
            hypothesis = _varied(varying, study.ground)
            evidence = evidence_for(hypothesis, study.ground, witness)
            is_refuted = varying.reason.name in OF_MOST and not evidence.is_of_most
            if not evidence.against_it and not evidence.neither and not is_refuted:
                told = replace(
                    varying.reason,
                    is_refuted=partial(is_refuted_by, hypothesis, study.ground, witness),
                    concerns=partial(concerns, hypothesis, study.ground, witness),
                )
                yield Candidate(told, evidence.doubt, hypothesis)


OF_MOST = frozenset({"merge-order", "greedy-against-ranked", "score-precision", "normalization-form"})
"""Classes that say of every word or character what becomes of it: of what differs, they must explain the most."""

MOST_TIES = 4


def _others_are_ties(bench: Bench, study: Study) -> bool:
    """Say whether drawn entries of the model that differ are ties, too: else there is more that may explain this."""
    drawn = (each.singly for each in study.ground.drawn_like(Encode("", add_special_tokens=False)))
    differing = (each for singly in drawn for each in singly if _has_other_ids(study, each))
    witnesses = islice(filter(None, map(study.trial.witness, differing)), MOST_TIES)
    studies = (Study.of(bench, each) for each in witnesses)
    return all(other is not None and score_tie(other) is not None for other in studies)


def _has_other_ids(study: Study, question: Observation) -> bool:
    return any(each.field is Field.IDS for each in study.trial.compared(question).differences)


def _varied(varying: Varying, ground: Ground) -> Hypothesis:
    def predict(question: Observation) -> Outcome | None:
        variant = ground.variant(*varying.changes)
        return None if variant is None else variant.ask(question)

    reason = varying.reason
    return Hypothesis(reason.name, reason.parameter, "", predict, Offsets.OF_REFERENCE, on=partial(_varied, varying))


def _alone(find: Callable[[Bench, Witness], Reason | None], bench: Bench, witness: Witness) -> Iterator[Candidate]:
    reason = find(bench, witness)
    if reason is not None:
        yield Candidate(reason)


def _supposing(supposing: Supposing, *, leaves_nothing: bool = False) -> Experiment:
    return partial(standing, supposing=supposing, leaves_nothing=leaves_nothing)


CHAT_EXPERIMENTS: tuple[tuple[Experiment, ...], ...] = ((other_prompts,),)
"""The experiments about conversations."""

EXPERIMENTS: tuple[tuple[Experiment, ...], ...] = (
    (partial(_alone, explained_by_refused_ids), _supposing(saved_pipelines)),
    (
        _supposing(documents_changed_once),
        _supposing(answers_told_otherwise, leaves_nothing=True),
        _supposing(other_steps),
        variants,
        _supposing(other_questions, leaves_nothing=True),
    ),
    (_supposing(documents_changed_twice),),
    (partial(_alone, explained_by_an_entry),),
    # Where no other explains a witness: a changed file says more where it does so.
    (_supposing(answers_told_otherwise), _supposing(answers_of_other_tokenizers), _supposing(other_questions)),
)
"""The experiments: those of a group are rivals, the simpler first; a later group is tried where none stands."""
