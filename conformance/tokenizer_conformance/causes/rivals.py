"""Of several reasons that stand for one witness, which one is true.

All that stand predict the answer of the witness. The one that leaves the fewest control questions open wins; of these,
one that explains more questions of other kinds; and one that supposes what another does, and more, is left out. Rivals
of another class that leave no more open are told apart by further questions, and by the same questions about changed
tokenizers, where their predictions differ: the implementation refutes one of them. Where nothing tells them apart, they
say the same of this tokenizer, and the simplest is the reason, as long as the implementation could be asked about
changed tokenizers, or they say the same of these. Else all are named: where they are of one class, that is proven, and
which of them it is, is not; where they are of several, none is.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, DecodeStream, plain_of
from tokenizer_conformance.causes.cause import NO_REASON, UNEXPLAINED, Reason
from tokenizer_conformance.causes.classes.cutting import cut_for_texts
from tokenizer_conformance.causes.classes.experiment import VALUES, ground_of
from tokenizer_conformance.causes.classes.small_documents import added_tokens
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.questions import texts_of, with_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.causes.bench import Bench
    from tokenizer_conformance.causes.classes.experiment import Ground
    from tokenizer_conformance.causes.classes.hypothesis import Candidate, Hypothesis
    from tokenizer_conformance.causes.witness import Witness
    from tokenizer_conformance.comparison.reduction import Json

MOST_NAMED = 3
"""Of so many rivals at most the names are told."""

LEFT_OUT_ONE_BY_ONE = ("normalizer", "pre_tokenizer", "post_processor", "decoder", "truncation", "padding")

MORE_TOKENS = ("qz", "Qz", "\u00e9q", "\u03c9q")
"""Added tokens that a changed tokenizer has: in lower case, with a capital, an accent, and a Greek letter."""

LARGEST = 300_000
"""A document of more characters is not changed to tell rivals apart: it takes too long to load."""

CONTROLS = (
    "qz", "a qz b", "Qz", "a Qz b", "A\u00c9q\u00e9q", "QZ qZ",
    "HELLO World", "Stra\u00dfe \u0130I", "a\u0301 \u212b \u1e9b\u0323", "x  y   z ", "\ta\n\nb\r\n",
    "don't we'll I'M", "3.14 1,000 42nd", "a,b.c!d?e", "foo_bar-baz", "\u4e2d\u6587 \u65e5\u672c",
    "\U0001f600\u200d\ufe0f", "\u00a0a\u3000b", "a\u0000b", "\ufeffa",
    "a\u20acb \xa9c!\xae? +d=e $5 ^x^", "\xa6\xa8a", "\xab1\xbb \u201cx\u201d \u2013", "\u06635 \xbd5 \xb2 \u2167",
    "\u1100\u1161\u11a8 \uac01", "a\u340fb\uf900c",
    "a \n b\n\nc", "\u03a9q \u03c9q", "\u01c5 \ufb01 \u017f",
    "a\u0903b\u20dd \u0e01\u0e33", "a\u2028b\x85c\x1fd\u200be", "ab12cd 3e4", "\xad\u200c",
)  # fmt: skip
"""Texts that are asked about beside the probes."""


def chosen(bench: Bench, witness: Witness, candidates: Sequence[Candidate]) -> Reason:
    """Return the reason that no rival beats; one that is not proven where several are left."""
    candidates = list(_holding_with_more_tokens(bench, witness, candidates))
    if not candidates:
        return NO_REASON
    least = min(each.doubt for each in candidates)
    best, *others = _simplest(_explaining_most(bench, witness, [each for each in candidates if each.doubt == least]))
    left = []
    for rival in others:
        one, other = best.hypothesis, rival.hypothesis
        if one is None:
            break
        if other is None or rival.reason == best.reason:
            continue
        is_alike = rival.reason.name == best.reason.name
        refuted = _refuted(bench, witness, one, other, is_alike=is_alike)
        if refuted is one:
            best = rival
        elif refuted is None and not _takes_documents(bench, witness):
            left.append(rival)
    left = [each for each in left if not _say_the_same(bench, witness, best.hypothesis, each.hypothesis)]
    return _undecided([best, *left]) if left else best.reason


def _holding_with_more_tokens(bench: Bench, witness: Witness, candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Give those of ``candidates`` that hold where there are more added tokens.

    That is asked of a witness with an added token only: what a text becomes shows there in what is found, and there may
    be too few other tokens to see which characters it is about.
    """
    ground = ground_of(bench, witness)
    contents = added_tokens(ground.document) if ground else ()
    meets = any(content in text for content in contents for text in texts_of(witness.question))
    grounds = islice(_grounds(bench, witness, ground, is_alike=False), 1, 2) if meets else ()
    changed = next(iter(grounds), None)
    for each in candidates:
        hypothesis = None if changed is None or each.hypothesis is None else each.hypothesis.on(changed)
        if changed is None or hypothesis is None or not _speaks_against(changed, witness.question, hypothesis):
            yield each


def _speaks_against(ground: Ground, question: Observation, hypothesis: Hypothesis) -> bool:
    """Say whether the implementation answers any control as the baseline, and not as ``hypothesis`` predicts."""
    for control in _controls(ground, question):
        predicted = hypothesis.predict(control)
        if not isinstance(predicted, VALUES) or not ground.agrees(control):
            continue
        if not ground.is_same(control, predicted, ground.actual(control), hypothesis.offsets):
            return True
    return False


def _explaining_most(bench: Bench, witness: Witness, candidates: list[Candidate]) -> list[Candidate]:
    """Return those of ``candidates`` that explain most of what questions of other kinds show, if there are several.

    One that none of these questions refutes goes before all others.
    """
    ground = ground_of(bench, witness)
    if ground is None or len({each.reason.name for each in candidates}) == 1:
        return candidates
    showing = [each for each in ground.probes_of_other_kinds(witness.question) if not ground.agrees(each)]
    standing = [each for each in candidates if not any(map(each.reason.is_refuted or _never, showing))] or candidates
    counts = [sum(map(each.reason.explains or _never, showing)) for each in standing]
    return [each for each, count in zip(standing, counts, strict=True) if count == max(counts)]


def _simplest(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Give those of ``candidates`` that do not suppose what another one does, and more: they explain no more by it."""
    keys = {each.hypothesis.key for each in candidates if each.hypothesis is not None}
    return (each for each in candidates if each.hypothesis is None or not each.hypothesis.includes & keys)


def _never(_question: Observation) -> bool:
    return False


def _say_the_same(bench: Bench, witness: Witness, one: Hypothesis | None, other: Hypothesis | None) -> bool:
    """Return whether two hypotheses predict the same of changed tokenizers, in the fields that are shown.

    The implementation takes no changed tokenizer, so the baseline stands in its place: only predictions are compared.
    """
    ground = ground_of(bench, witness)
    if ground is None or one is None or other is None:
        return False
    fields = ground.trial.implementation.info.fields
    small = cut_for_texts(ground.document, CONTROLS)
    is_tried = False
    for document in (small, *_changed(small)):
        changed = ground.with_baseline_alone(bench, document)
        first, second = (each.on(changed) for each in (one, other)) if changed is not None else (None, None)
        if changed is None or first is None or second is None:
            continue
        is_tried = True
        for question in _controls(changed, witness.question):
            says, says_other = (
                OutcomeInUnit(each.predict(question) or changed.expected(question)) for each in (first, second)
            )
            if compare(question, says, says_other, fields).differences:
                return False
    return is_tried


def _takes_documents(bench: Bench, witness: Witness) -> bool:
    trial = bench.trial_for(witness)
    return trial is not None and trial.takes_documents


def _undecided(candidates: Sequence[Candidate]) -> Reason:
    """Return what is said where several reasons are left: all of them. Proven is at most their class."""
    names = {each.reason.name for each in candidates}
    if len(names) == 1:
        first = candidates[0].reason
        parameters = "; or ".join(each.reason.parameter for each in candidates[:MOST_NAMED])
        proof = (*first.proof, f"So would it be for another reason of this class: {parameters}.")
        return replace(first, parameter=f"either {parameters}", proof=proof)
    named = [f"{each.reason.name}, {each.reason.parameter}" for each in candidates[:MOST_NAMED]]
    return Reason(
        UNEXPLAINED,
        f"either {'; or '.join(named)}",
        ("No question that was put tells these reasons apart.",),
    )


def _refuted(
    bench: Bench, witness: Witness, one: Hypothesis, other: Hypothesis, *, is_alike: bool
) -> Hypothesis | None:
    """Return which of two hypotheses an answer of the implementation refutes; ``None`` where none does.

    Those that are alike, of one class, are not tried on changed tokenizers.
    """
    ground = ground_of(bench, witness)
    for at_work in _grounds(bench, witness, ground, is_alike=is_alike):
        first = one if at_work is ground else one.on(at_work)
        second = other if at_work is ground else other.on(at_work)
        if first is None or second is None:
            continue
        for question in _controls(at_work, witness.question):
            found = _refuted_by(at_work, question, first, second)
            if found is not None:
                return one if found is first else other
    return None


def _refuted_by(ground: Ground, question: Observation, one: Hypothesis, other: Hypothesis) -> Hypothesis | None:
    first, second = one.predict(question), other.predict(question)
    if not isinstance(first, VALUES) or not isinstance(second, VALUES) or first == second:
        return None
    actual = ground.actual(question)
    is_first = ground.is_same(question, first, actual, one.offsets)
    is_second = ground.is_same(question, second, actual, other.offsets)
    if is_first == is_second:
        return None
    return other if is_first else one


def _controls(ground: Ground, question: Observation) -> Iterator[Observation]:
    """Give what is asked beside the witness; of ids, also with the first and the last twice."""
    plain = plain_of(question)
    if isinstance(plain, Decode | DecodeStream):
        yield replace(plain, ids=plain.ids + plain.ids[-1:])
        yield replace(plain, ids=plain.ids[:1] + plain.ids)
        probes = ground.probes_like(question)
        yield from (*probes.near, *probes.others)
        return
    for text in CONTROLS:
        yield with_texts(question, partial(_instead, text))
    yield from ground.probes_like(question).others


def _instead(text: str, _asked: str) -> str:
    return text


def _grounds(bench: Bench, witness: Witness, ground: Ground | None, *, is_alike: bool) -> Iterator[Ground]:
    """Give the tokenizer of ``witness``, then changed ones that both sides take."""
    if ground is None:
        return
    yield ground
    if is_alike or not ground.trial.takes_documents or not ground.is_small:
        return
    for document in _changed(ground.document):
        if len(json.dumps(document)) > LARGEST:
            return
        changed = ground_of(bench, replace(witness, document=document))
        if changed is not None:
            yield changed


def _changed(document: Json) -> Iterable[Json]:
    """Give ``document`` with more added tokens, and without each of its components."""
    tokens = document.get("added_tokens") or []
    first = max([-1, *_ids(document["model"].get("vocab")), *(each["id"] for each in tokens)]) + 1
    more = [
        {"id": first + at, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False, "special": False}
        for at, content in enumerate(MORE_TOKENS)
    ]  # fmt: skip
    yield {**document, "added_tokens": [*tokens, *more]}
    for part in LEFT_OUT_ONE_BY_ONE:
        if document.get(part) is not None:
            yield {**document, part: None}


def _ids(vocab: object) -> Iterable[int]:
    if isinstance(vocab, dict):
        return vocab.values()
    return range(len(vocab)) if isinstance(vocab, list) else ()
