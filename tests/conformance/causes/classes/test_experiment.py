"""What is asked of a tokenizer for an experiment, and which fields are left aside."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from planted.fakes import Fault, Faulty

from tokenizer_adapters.contract import (
    Decode,
    DecodeStream,
    Encode,
    Encoded,
    Failed,
    Field,
    Normalize,
    OffsetUnit,
    Text,
    TokenizerSource,
)
from tokenizer_adapters.reference import ReferenceImplementation
from tokenizer_adapters.variants.change import Rule
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.classes import experiment
from tokenizer_conformance.causes.classes.experiment import Ground, Offsets, ground_of
from tokenizer_conformance.causes.classes.probes import PROBES
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.causes.witness import Witness

WORDS = ["[UNK]", "<t>", "<u>", "one", "two", "three", "a", "b"]
DOCUMENT: dict[str, Any] = {
    "version": "1.0",
    **dict.fromkeys(("truncation", "padding", "normalizer", "post_processor", "decoder")),
    "added_tokens": [
        {"id": id_, "content": WORDS[id_], "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False, "special": True}
        for id_ in (1, 2)
    ],
    "pre_tokenizer": {"type": "WhitespaceSplit"},
    "model": {"type": "WordLevel", "vocab": {word: id_ for id_, word in enumerate(WORDS)}, "unk_token": "[UNK]"},
}  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> TokenizerSource:
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(DOCUMENT))
    return TokenizerSource("words", str(file))


@pytest.fixture
def grounded(source: TokenizerSource) -> Iterator[Callable[..., tuple[Ground, Witness]]]:
    """Gives the ground of a difference that an implementation with other answers shows."""
    benches = []

    def made(spoil: Callable[[Observation, Outcome], Outcome], question: Observation) -> tuple[Ground, Witness]:
        bench = Bench(ReferenceImplementation(), Faulty("port", Fault(spoil=spoil)))
        benches.append(bench)
        witness = bench.trial(source).witness(question)
        assert witness is not None
        ground = ground_of(bench, witness)
        assert ground is not None
        assert ground_of(bench, witness) is ground
        return ground, witness

    yield made
    for bench in benches:
        bench.close()


ONE = Encode("one", add_special_tokens=False)


def spoiled(where: Callable[[str], bool], **fields: Any) -> Callable[[Observation, Outcome], Outcome]:
    """Return what changes fields of the encodings of texts: offsets are all 0, and ids are one more."""

    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        if not isinstance(question, Encode) or not isinstance(outcome, Encoded) or not where(str(question.text)):
            return outcome
        made = outcome
        if fields.get("offsets"):
            made = replace(made, offsets=tuple((0, 0) for _ in made.ids))
        return replace(made, ids=tuple(id_ + 1 for id_ in made.ids)) if fields.get("ids") else made

    return spoil


def test_a_field_that_differs_on_many_texts_where_ids_agree_has_a_cause_of_its_own(
    grounded: Callable[..., tuple[Ground, Witness]],
) -> None:
    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        changed = spoiled(lambda _text: True, offsets=True)(question, outcome)
        return spoiled(lambda text: text == "one", ids=True)(question, changed)

    ground, witness = grounded(spoil, ONE)
    assert witness.difference.field is Field.IDS
    assert ground.apart(witness) == {Field.OFFSETS}
    for question in (Decode((3,)), Encode(("one",))):
        assert ground.apart(replace(witness, question=question)) == frozenset()
    own = replace(witness, difference=replace(witness.difference, field=Field.OFFSETS))
    assert ground.apart(own) == frozenset()


@pytest.mark.parametrize(("every", "aside"), [(2, {Field.OFFSETS}), (12, set())])
def test_a_field_that_differs_now_and_then_has_not(
    every: int, aside: set[Field], grounded: Callable[..., tuple[Ground, Witness]]
) -> None:
    some = {text for text in PROBES if text.strip()}
    some = set(sorted(some)[::every])

    def spoil(question: Observation, outcome: Outcome) -> Outcome:
        changed = spoiled(lambda text: text in some, offsets=True)(question, outcome)
        return spoiled(lambda text: text == "one", ids=True)(question, changed)

    ground, witness = grounded(spoil, ONE)
    assert ground.apart(witness) == aside


def test_a_field_that_differs_with_the_ids_is_of_their_cause(
    grounded: Callable[..., tuple[Ground, Witness]],
) -> None:
    ground, witness = grounded(spoiled(lambda _text: True, offsets=True, ids=True), ONE)
    assert ground.apart(witness) == frozenset()


def test_answers_are_the_same_in_the_fields_that_both_show(grounded: Callable[..., tuple[Ground, Witness]]) -> None:
    ground, _ = grounded(spoiled(lambda text: text == "one", ids=True), ONE)
    whole, ids, other = Encoded((3,), ("one",), ((0, 3),)), Encoded((3,)), Encoded((3,), ("one",), ((0, 2),))
    assert ground.is_same(ONE, whole, ids)
    assert not ground.is_same(ONE, Encoded((4,)), ids)
    assert not ground.is_same(ONE, whole, other)
    assert ground.is_same(ONE, whole, other, without=frozenset({Field.OFFSETS}))
    assert not ground.is_same(ONE, Failed("", ""), Failed("", ""))
    assert not ground.is_same(ONE, Text("a"), whole)
    assert not ground.agrees(ONE)
    assert ground.agrees(Encode("two", add_special_tokens=False))


def test_offsets_count_what_they_are_said_to_count(grounded: Callable[..., tuple[Ground, Witness]]) -> None:
    ground, _ = grounded(spoiled(lambda text: text == "one", ids=True), ONE)
    question = Encode("\u00e9", add_special_tokens=False)
    points, octets = (Encoded((0,), ("[UNK]",), ((0, end),)) for end in (1, 2))
    side = ground.trial.implementation
    in_bytes = replace(side.info, offset_unit=OffsetUnit.UTF8_BYTES)
    object.__setattr__(side, "info", in_bytes)
    assert ground.is_same(question, points, octets)
    assert ground.is_same(question, points, octets, Offsets.OF_REFERENCE)
    assert not ground.is_same(question, points, octets, Offsets.AS_GIVEN)
    assert ground.is_same(question, octets, octets, Offsets.AS_GIVEN)


def test_added_tokens_are_found_in_texts_and_among_ids(grounded: Callable[..., tuple[Ground, Witness]]) -> None:
    ground, _ = grounded(spoiled(lambda text: text == "one", ids=True), ONE)
    assert ground.added_tokens_in(Encode("one<u>", "<t>")) == ("<t>", "<u>")
    assert ground.added_tokens_in(Normalize("a<u>")) == ("<u>",)
    assert ground.added_tokens_in(Decode((2, 3))) == ("<u>",)
    assert ground.added_tokens_in(DecodeStream((1,))) == ("<t>",)
    assert ground.added_tokens_in(Encode("one")) == ()
    assert ground.vocabulary() == {word: id_ for id_, word in enumerate(WORDS)}
    assert ground.reference_is_baseline(ONE)


def test_questions_of_other_kinds_are_about_added_tokens_and_pairs(
    grounded: Callable[..., tuple[Ground, Witness]],
) -> None:
    ground, _ = grounded(spoiled(lambda text: text == "one", ids=True), ONE)
    found = ground.probes_of_other_kinds(Encode(PROBES[0]))
    texts = [*PROBES[:4], *(pattern.format(token) for token in ("<t>", "<u>") for pattern in
             ("a{}b", " {} ", "{}b", "a {}"))]  # fmt: skip
    plain = [Encode(text, add_special_tokens=each) for text in texts for each in (False, True)]
    pairs = [Encode(PROBES[at], PROBES[at + 1]) for at in range(3)]
    decoded = [each for each in found if isinstance(each, Decode)]
    assert list(found) == [each for each in plain if each != Encode(PROBES[0])] + pairs + decoded
    assert {each.skip_special_tokens for each in decoded} == {True, False}
    assert Decode((6, 1, 7)) in decoded
    about = ground.probes_of_other_kinds(Encode("<u>"))
    assert about.index(Encode("a<u>b")) < about.index(Encode("a<t>b"))


@pytest.mark.parametrize("small", [experiment.SMALL, 0], ids=["whole", "cut to what is asked about"])
def test_rules_are_replaced_with_another_document(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiment, "SMALL", small)
    faulty = Faulty("port", Fault(spoil=spoiled(lambda _text: True, ids=(1,))))
    with Bench(ReferenceImplementation(), faulty) as bench:
        witness = bench.trial(TokenizerSource("t5", str(bundled_file("t5-mini")))).witness(ONE)
        assert witness is not None
        ground = ground_of(bench, witness)
        assert ground is not None
        alone = {**ground.document, "normalizer": ground.document["normalizer"]["normalizers"][0]}
        asked = Normalize("\u304b\u3099")
        texts = []
        for key, rules in ((("a", "alone"), ()), (("a", "longest"), (Rule.CHARSMAP_LONGEST,))):
            reference = ground.reference(key, alone, rules)
            assert reference is not None
            texts.append(reference.ask(asked))
    assert texts == [Text(asked.text), Text("\u304c")]
