"""Hypotheses about the tokenizer.json: the implementation is right about a file that differs in one thing."""

from __future__ import annotations

import time
import unicodedata
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Decode, DecodeStream, Encode, Encoded, Normalize, Stage, Text, plain_of
from tokenizer_conformance.causes.classes.component_changes import LEFT_OUT, DocumentChange, Seen, put
from tokenizer_conformance.causes.classes.document_changes import changes_of
from tokenizer_conformance.causes.classes.experiment import VALUES, Offsets, inputs_of
from tokenizer_conformance.causes.classes.hypothesis import Hypothesis
from tokenizer_conformance.comparison.questions import texts_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_adapters.variants.change import Rule
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

SECONDS = 4.0
"""How long changes of one tokenizer.json are tried for one witness, in time of the processor."""

LONG_TEXT = "a bc, d " * 600
"""What shows to how many tokens a text is cut."""

MOST_PAIRED = 24
"""Of so many changes at most, pairs are tried."""

_TEXT_PARTS = ("truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "model", "post_processor")

PARTS: dict[Stage, tuple[str, ...]] = {
    Stage.NORMALIZE: ("normalizer",),
    Stage.PRE_TOKENIZE: ("pre_tokenizer",),
    Stage.MODEL: _TEXT_PARTS,
    Stage.POST_PROCESS: _TEXT_PARTS,
    Stage.DECODE: ("decoder", "added_tokens", "normalizer"),
}
"""The members of tokenizer.json that can matter at each stage."""

ASKED_OTHERWISE = frozenset({"added_tokens", "post_processor", "decoder"})
"""Members whose changes show in other kinds of questions, too."""

SHOWN_APART: dict[str, Stage] = {"normalizer": Stage.NORMALIZE, "pre_tokenizer": Stage.PRE_TOKENIZE}
"""Members that are not to blame for a difference of a later stage where an implementation shows theirs."""


def documents_changed_once(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Give the changes of the file that explain ``witness``."""
    if not ground.reference_is_baseline(witness.question):
        return
    telling = [each for each, predicted in _telling(ground, witness) if _is_answer(ground, witness, predicted)]
    for change in telling:  # all are found before any is looked into, which takes longer
        hypothesis = _hypothesis(ground, change, _seen_in(ground, witness))
        is_of_texts = witness.stage is Stage.DECODE and change.part != "decoder" and not change.only_encodes
        yield replace(hypothesis, asks_otherwise=hypothesis.asks_otherwise or is_of_texts)


def documents_changed_twice(ground: Ground, witness: Witness) -> Iterator[Hypothesis]:
    """Give the pairs of changes that explain ``witness``, of those that each alone make a difference."""
    until = time.thread_time() + SECONDS
    if not ground.reference_is_baseline(witness.question):
        return
    telling = [change for change, predicted in _telling(ground, witness) if not _is_answer(ground, witness, predicted)]
    for first, second in combinations(telling[:MOST_PAIRED], 2):
        if time.thread_time() > until:
            return
        change_of_both = _both(ground.document, first, second)
        if change_of_both is None:
            continue
        both = _hypothesis(ground, change_of_both, _seen_in(ground, witness))
        predicted = both.predict(witness.question)
        if predicted is not None and _is_answer(ground, witness, predicted):
            yield both


def _telling(ground: Ground, witness: Witness) -> Iterator[tuple[DocumentChange, Outcome]]:
    """Give the changes that make a difference, with the answer to the question of ``witness``; those proven first."""
    until = time.thread_time() + SECONDS
    seen = _seen_in(ground, witness)
    tried: list[tuple[Json, bool, bool, tuple[Rule, ...]]] = []
    for change in sorted(_relevant(ground, witness), key=lambda change: _rank(change, ground)):
        if time.thread_time() > until:
            return
        made = change.members, change.only_encodes, change.without_added_tokens, change.rules
        if made in tried:  # the same change by another name
            continue
        tried.append(made)
        predicted = _hypothesis(ground, change, seen).predict(witness.question)
        if isinstance(predicted, VALUES) and not ground.is_same(witness.question, predicted, witness.expected):
            yield change, predicted


def _rank(change: DocumentChange, ground: Ground) -> int:
    """Return when ``change`` is tried: what was proven first, then what is left out, the commonest mistake of ports.

    One that puts something else in the place of a rule comes last.
    """
    if change.key in ground.proven:
        return 0
    return {LEFT_OUT: 1, "regex-class-approximation": 3}.get(change.name, 2)


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
        parts -= {"normalizer"} if witness.stage is Stage.DECODE else set()
    text = " ".join(texts_in(witness.question))
    without_pair = not any(each.pair is not None for each in inputs_of(witness.question))
    for change in changes_of(ground.document, _seen_in(ground, witness)):
        if change.part in parts and change.matters(text) and not (without_pair and change.name == PAIRS):
            yield change


def _seen_in(ground: Ground, witness: Witness) -> Seen:
    """Return what answers of the implementation tell of options."""
    text, added = " ".join(texts_in(witness.question)), ground.added_tokens_in(witness.question)
    expected, actual = witness.expected, witness.actual
    if not isinstance(expected, Encoded) or not isinstance(actual, Encoded):
        return Seen(text, added=added, skipped=_skipped(ground, witness.question) if added else None)
    ids = tuple(dict.fromkeys(id_ for id_ in actual.ids if id_ not in expected.ids))
    return Seen(text, len(actual.ids), ids, _longest(ground, witness.question), added)


MOST_SPECIAL = 128
"""Of so many special tokens each is decoded alone."""


def _skipped(ground: Ground, question: Observation) -> frozenset[str] | None:
    """Return which special tokens the implementation leaves out in decoding; ``None`` where that cannot be told."""
    plain = plain_of(question)
    special = [str(each.get("content")) for each in ground.document.get("added_tokens") or () if each.get("special")]
    if not isinstance(plain, Decode) or not plain.skip_special_tokens or len(special) > MOST_SPECIAL:
        return None
    skipped: list[str] = []
    for name in special:
        id_ = ground.vocabulary().get(name)
        answer = Text(name) if id_ is None else ground.actual(Decode((id_,)))
        if not isinstance(answer, Text):  # what ends a program is not asked of each token
            return None
        if not answer.text:
            skipped.append(name)
    return frozenset(skipped)


def _longest(ground: Ground, question: Observation) -> int:
    """Return how many tokens the implementation makes of long texts; 0 where it is as many as the baseline makes."""
    plain = plain_of(question)
    if not isinstance(plain, Encode):
        return 0
    text = LONG_TEXT if isinstance(plain.text, str) else tuple(LONG_TEXT.split())
    # A long second text would have as many overflowing parts again for each part of the first.
    asked = replace(plain, text=text, pair=None if plain.pair is None else plain.pair[:1])
    expected, actual = ground.expected(asked), ground.actual(asked)
    if not isinstance(expected, Encoded) or not isinstance(actual, Encoded):
        return 0
    return len(actual.ids) if len(actual.ids) != len(expected.ids) else 0


PAIRS = "pair-handling"


def _meets_added_tokens(ground: Ground, witness: Witness) -> bool:
    """Return whether an added token, or what a normalizer makes one of, is in what was asked or answered."""
    tokens = ground.document.get("added_tokens") or ()
    match plain_of(witness.question):
        case Decode(ids) | DecodeStream(ids):
            vocabulary = ground.vocabulary()
            return not {vocabulary.get(str(each.get("content")), each.get("id")) for each in tokens}.isdisjoint(ids)
    contents = _forms({str(each.get("content")) for each in tokens}, ground)
    texts = _forms(texts_in(witness.question), ground)
    return any(content.strip() in text for content in contents for text in texts)


def _forms(texts: Collection[str], ground: Ground) -> set[str]:
    """Return ``texts`` as they are, in usual forms, and as the baseline normalizes them."""
    forms = {form for text in texts for form in (text, unicodedata.normalize("NFKC", text), text.lower())}
    normalized = (ground.expected(Normalize(text)) for text in texts)
    return forms | {answer.text for answer in normalized if isinstance(answer, Text)}


def _hypothesis(ground: Ground, change: DocumentChange, seen: Seen) -> Hypothesis:
    def predict(question: Observation) -> Outcome | None:
        if _is_silent(change, ground, question):
            return None
        document = put(ground.document, change)
        reference = ground.reference(change.key, document, change.rules)
        return None if reference is None else reference.ask(question)

    return Hypothesis(
        change.name,
        change.parameter,
        f"With this changed in the tokenizer.json ({change.parameter}), in the reference",
        predict,
        Offsets.OF_REFERENCE,
        on=partial(_on, change, seen),
        asks_otherwise=change.part in ASKED_OTHERWISE and not change.only_encodes,
        texts=change.texts,
    )


def _is_silent(change: DocumentChange, ground: Ground, question: Observation) -> bool:
    """Return whether nothing is supposed of ``question``, whatever would come of the changed file."""
    if isinstance(plain_of(question), Decode | DecodeStream):
        return change.only_encodes
    return change.without_added_tokens and bool(ground.added_tokens_in(question))


def _on(change: DocumentChange, seen: Seen, ground: Ground) -> Hypothesis | None:
    """Return what ``change`` would be on another tokenizer; ``None`` where that has nothing to change so."""
    changes = {each.key: each for each in changes_of(ground.document, seen)}
    found = [changes[key] for key in change.keys if key in changes]
    if len(found) != len(change.keys):
        return None
    made = found[0] if len(found) == 1 else _both(ground.document, *found)
    return None if made is None else _hypothesis(ground, made, seen)


def _both(document: Json, first: DocumentChange, second: DocumentChange) -> DocumentChange | None:
    """Return both changes of ``document`` in one; ``None`` where they are of the same place."""
    parts = {**first.members, **second.members}
    try:
        members = {
            part: _merged(document.get(part), *(each.members.get(part, document.get(part)) for each in (first, second)))
            for part in parts
        }
    except ConflictError:
        return None
    words = f"{first.parameter}; {second.parameter}"
    rules = first.rules + second.rules
    return DocumentChange(
        first.name,
        words,
        first.part,
        members,
        of=(*first.keys, *second.keys),
        only_encodes=first.only_encodes or second.only_encodes,
        without_added_tokens=first.without_added_tokens or second.without_added_tokens,
        rules=rules,
    )


class ConflictError(Exception):
    """Two changes are of the same place."""


def _merged(base: Any, one: Any, other: Any) -> Any:
    """Return ``base`` with what is changed in ``one`` and in ``other``. Raises :class:`ConflictError`."""
    if base in (one, other):
        return other if one == base else one
    if all(isinstance(each, dict) for each in (base, one, other)) and base.keys() == one.keys() == other.keys():
        return {key: _merged(base[key], one[key], other[key]) for key in base}
    if all(isinstance(each, list) for each in (base, one, other)) and len(base) == len(one) == len(other):
        return [_merged(*each) for each in zip(base, one, other, strict=True)]
    raise ConflictError
