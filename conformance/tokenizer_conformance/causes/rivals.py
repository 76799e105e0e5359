"""Of several reasons that stand for one witness, which one is true.

All that stand predict the answer of the witness. The one that leaves the fewest control questions open wins. Rivals of
another class that leave no more open are told apart by further questions, and by the same questions about changed
tokenizers, where their predictions differ: the implementation refutes one of them. Where nothing tells them apart,
they say the same of this tokenizer, and the simplest is the reason, as long as changed tokenizers could be tried.
Else all are named, and none is proven.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Decode, DecodeStream, plain_of
from tokenizer_conformance.causes.cause import UNEXPLAINED, Reason
from tokenizer_conformance.causes.classes.experiment import VALUES, ground_of
from tokenizer_conformance.comparison.questions import with_texts

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

MORE_TOKENS = ("qz", "Qz", "\u00e9q")
"""Added tokens that a changed tokenizer has: in lower case, with a capital, and with an accent."""

LARGEST = 300_000
"""A document of more characters is not changed to tell rivals apart: it takes too long to load."""

CONTROLS = (
    "qz", "a qz b", "Qz", "a Qz b", "A\u00c9q\u00e9q", "QZ qZ",
    "HELLO World", "Stra\u00dfe \u0130I", "a\u0301 \u212b \u1e9b\u0323", "x  y   z ", "\ta\n\nb\r\n",
    "don't we'll I'M", "3.14 1,000 42nd", "a,b.c!d?e", "foo_bar-baz", "\u4e2d\u6587 \u65e5\u672c",
    "\U0001f600\u200d\ufe0f", "\u00a0a\u3000b", "a\u0000b", "\ufeffa",
)  # fmt: skip
"""Texts that are asked about beside the probes."""


def chosen(bench: Bench, witness: Witness, candidates: Sequence[Candidate]) -> Reason:
    """Return the reason that no rival beats; one that is not proven where several are left."""
    least = min(each.doubt for each in candidates)
    best, *others = [each for each in candidates if each.doubt == least]
    left = []
    for rival in others:
        if best.hypothesis is None:
            break
        if rival.hypothesis is None or rival.reason == best.reason:
            continue
        is_alike = rival.reason.name == best.reason.name
        refuted = _refuted(bench, witness, best.hypothesis, rival.hypothesis, is_alike=is_alike)
        if refuted is best.hypothesis:
            best = rival
        elif refuted is None and not _takes_documents(bench, witness):
            left.append(rival)
    left = [each for each in left if each.reason.name != best.reason.name]
    return _undecided([best, *left]) if left else best.reason


def _takes_documents(bench: Bench, witness: Witness) -> bool:
    trial = bench.trial_for(witness)
    return trial is not None and trial.takes_documents


def _undecided(candidates: Sequence[Candidate]) -> Reason:
    """Return what is said where several reasons are left: all of them, and that none is proven."""
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
    if isinstance(plain_of(question), Decode | DecodeStream):
        probes = ground.probes_like(question)
        yield from (*probes.near, *probes.others)
        return
    for text in CONTROLS:
        yield with_texts(question, lambda _, text=text: text)  # type: ignore[misc]
    yield from ground.probes_like(question).others


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
