"""Hypotheses about the tokenizer.json: the implementation is right about a file that differs in one thing."""

from __future__ import annotations

import time
import unicodedata
from itertools import combinations
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, DecodeStream, Normalize, Stage, Text, plain_of
from tokenizer_conformance.causes.classes.document_changes import DocumentChange, changes_of, put
from tokenizer_conformance.causes.classes.experiment import VALUES, Offsets, inputs_of
from tokenizer_conformance.causes.classes.hypothesis import Hypothesis
from tokenizer_conformance.comparison.questions import texts_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.classes.experiment import Ground, Key
    from tokenizer_conformance.causes.witness import Witness

SECONDS = 4.0
"""How long changes of one tokenizer.json are tried for one witness, in time of the processor."""

MOST_PAIRED = 24
"""Of so many changes at most, pairs are tried."""

_TEXT_PARTS = ("truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "model", "post_processor")

PARTS: dict[Stage, tuple[str, ...]] = {
    Stage.NORMALIZE: ("normalizer",),
    Stage.PRE_TOKENIZE: ("pre_tokenizer",),
    Stage.MODEL: _TEXT_PARTS,
    Stage.POST_PROCESS: _TEXT_PARTS,
    Stage.DECODE: ("decoder", "added_tokens"),
}
"""The members of tokenizer.json that can matter at each stage."""

SHOWN_APART: dict[str, Stage] = {"normalizer": Stage.NORMALIZE, "pre_tokenizer": Stage.PRE_TOKENIZE}
"""Members that are not to blame for a difference of a later stage where an implementation shows theirs."""


def documents_changed_once(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Give the changes of the file that explain ``witness``."""
    if not ground.reference_is_baseline(witness.question):
        return
    whole = _by_key(ground, witness)
    for change, predicted in _telling(ground, witness):
        if change.key in whole and _is_answer(ground, witness, predicted):
            yield _hypothesis(ground, whole[change.key])


def documents_changed_twice(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Give the pairs of changes that explain ``witness``, of those that each alone make a difference."""
    until = time.thread_time() + SECONDS
    if not ground.reference_is_baseline(witness.question):
        return
    whole = _by_key(ground, witness)
    cut = ground.cut_for(witness)
    telling = [
        change
        for change, predicted in _telling(ground, witness)
        if change.key in whole and not _is_answer(ground, witness, predicted)
    ]
    for first, second in combinations(telling[:MOST_PAIRED], 2):
        if time.thread_time() > until:
            return
        if first.part == second.part:
            continue
        predicted = _hypothesis(cut, _both(first, second)).predict(witness.question)
        if predicted is not None and _is_answer(ground, witness, predicted):
            yield _hypothesis(ground, _both(whole[first.key], whole[second.key]))


def _by_key(ground: Ground, witness: Witness) -> dict[Key, DocumentChange]:
    return {change.key: change for change in _relevant(ground, witness)}


def _telling(ground: Ground, witness: Witness) -> Iterator[tuple[DocumentChange, Outcome]]:
    """Give the changes that make a difference, with the answer to the question of ``witness``; those proven first."""
    until = time.thread_time() + SECONDS
    cut = ground.cut_for(witness)
    for change in sorted(_relevant(cut, witness), key=lambda change: change.key not in ground.proven):
        if time.thread_time() > until:
            return
        predicted = _hypothesis(cut, change).predict(witness.question)
        if isinstance(predicted, VALUES) and not ground.is_same(witness.question, predicted, witness.expected):
            yield change, predicted


def _is_answer(ground: Ground, witness: Witness, predicted: Outcome) -> bool:
    return ground.is_same(witness.question, predicted, witness.actual, Offsets.OF_REFERENCE, ground.apart(witness))


def _relevant(ground: Ground, witness: Witness) -> Iterator[DocumentChange]:
    """Give the changes of members that can be to blame for ``witness``."""
    shows = ground.trial.implementation.shows
    # Between added tokens, normalizer and pre-tokenizer see texts that they were not asked about alone.
    meets = _meets_added_tokens(ground, witness)
    parts = {
        part
        for part in PARTS[witness.stage]
        if meets or part not in SHOWN_APART or SHOWN_APART[part] is witness.stage or SHOWN_APART[part] not in shows
    }
    if not meets:
        parts -= {"added_tokens"}
    text = " ".join(texts_in(witness.question))
    without_pair = not any(each.pair is not None for each in inputs_of(witness.question))
    for change in changes_of(ground.document, text):
        if change.part in parts and change.matters(text) and not (without_pair and change.name == PAIRS):
            yield change


PAIRS = "pair-handling"


def _meets_added_tokens(ground: Ground, witness: Witness) -> bool:
    """Return whether an added token, or what a normalizer makes one of, is in what was asked or answered."""
    tokens = ground.document.get("added_tokens") or ()
    match plain_of(witness.question):
        case Decode(ids) | DecodeStream(ids):
            return not {each.get("id") for each in tokens}.isdisjoint(ids)
    contents = _forms({str(each.get("content")) for each in tokens}, ground)
    texts = _forms(texts_in(witness.question), ground)
    return any(content.strip() in text for content in contents for text in texts)


def _forms(texts: Collection[str], ground: Ground) -> set[str]:
    """Return ``texts`` as they are, in usual forms, and as the baseline normalizes them."""
    forms = {form for text in texts for form in (text, unicodedata.normalize("NFKC", text), text.lower())}
    normalized = (ground.expected(Normalize(text)) for text in texts)
    return forms | {answer.text for answer in normalized if isinstance(answer, Text)}


def _hypothesis(ground: Ground, change: DocumentChange) -> Hypothesis:
    def predict(question: Observation) -> Outcome | None:
        reference = ground.reference(change.key, put(ground.document, change))
        return None if reference is None else ground.answer(reference, question)

    return Hypothesis(
        change.name,
        change.parameter,
        f"With this changed in the tokenizer.json ({change.parameter}), in the reference",
        predict,
        Offsets.OF_REFERENCE,
    )


def _both(first: DocumentChange, second: DocumentChange) -> DocumentChange:
    return DocumentChange(
        first.name, f"{first.parameter}; {second.parameter}", first.part, {**first.members, **second.members}
    )
