"""Witnesses are made small: the text, then the tokenizer.json; they show the same fault then."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from planted.fakes import Faulty, in_file
from planted_faults import answering

from tokenizer_adapters.contract import Decode, Encode, Encoded, Normalize, Text, TokenizerSource
from tokenizer_adapters.tokenizers import TokenizersImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.minimizing import (
    Budget,
    contrast,
    minimized_document,
    minimized_question,
)
from tokenizer_conformance.comparison.document_parts import document_size
from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from planted.fakes import FaultySubject

    from tokenizer_adapters.contract import Implementation, Observation, Outcome
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.causes.witness import Witness

Json = dict[str, Any]


def one_character(character: str) -> Implementation:
    """Return what adds a mark to the normalization of whatever holds one character."""

    def marked(question: Normalize, outcome: Text) -> Outcome:
        return Text(f"{outcome.text}!") if character in question.text else outcome

    return Faulty("one-character", answering(Normalize, marked))


def takes_for(change: Callable[[Json], None]) -> Implementation:
    """Return what takes the tokenizer.json for another one: what ``change`` makes of it."""
    return Faulty("takes-for", in_file(change))


class ReadsMore(Faulty):
    """The same, and reads another file too."""

    def load(self, source: TokenizerSource) -> FaultySubject:
        subject = super().load(source)
        subject.files = (*subject.files, "beside.txt")
        return subject


def without_merge(left: str, right: str) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        merges = document["model"]["merges"]
        document["model"]["merges"] = [each for each in merges if each not in (f"{left} {right}", [left, right])]

    return change


def without_token(token: str) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        document["model"]["vocab"].pop(token, None)

    return change


def with_score(piece: str, score: float) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        vocabulary = document["model"]["vocab"]
        document["model"]["vocab"] = [[each, score if each == piece else old] for each, old in vocabulary]

    return change


def bundled(name: str) -> TokenizerSource:
    return TokenizerSource(name, str(bundled_file(name)))


def witness_of(trial: Trial, question: Observation) -> Witness:
    witness = trial.witness(question)
    assert witness is not None
    return witness


# Questions -----------------------------------------------------------------------------------------------------------

CHARACTERS = "ǰéßÑⅧ①½İ𝔘한東😀\u0301\u200b\u00a0\tqZ7;"
"""Twenty characters, each the fault of one implementation."""


def test_the_fault_of_a_single_character_keeps_that_character() -> None:
    rng = Random(3)
    for character in CHARACTERS:
        with Bench(TokenizersImplementation(), one_character(character)) as bench:
            trial = bench.trial(bundled("wordlevel-mini"))
            words = ["naïve", "东京", "ÀÉ", "x\u0308", "ﬁ", "２"]
            text = " ".join((*rng.choices(words, k=4), f"e{character}o", *rng.choices(words, k=4)))
            witness = witness_of(trial, Normalize(text))
            small = minimized_question(trial, witness)
            assert small.question == Normalize(character)
            assert small.manner == witness.manner
            assert bench.witness_again(small) == small


def test_what_is_found_is_what_was_asked_last_of_that_question() -> None:
    with Bench(TokenizersImplementation(), takes_for(without_merge("h", "e"))) as bench:
        trial = bench.trial(bundled("gpt2-mini"))
        witness = witness_of(trial, Encode("some hens there", None, add_special_tokens=False))
        small = minimized_question(trial, witness)
        assert small.size < witness.size
        assert (small.expected, small.actual) == (trial.expected(small.question), trial.actual(small.question))
        assert small.source == witness.source


def test_the_budget_is_kept() -> None:
    with Bench(fakes.Toy(), fakes.WrongNormalization()) as bench:
        trial = bench.trial(_toy_source(bench))
        witness = witness_of(trial, Normalize("some B text"))
        told: list[None] = []
        for checks in (0, 1, 5):
            told.clear()
            found = minimized_question(trial, witness, Budget(checks=checks), lambda: told.append(None))
            assert len(told) <= checks
            assert found.size <= witness.size
        assert minimized_question(trial, witness, Budget(checks=0)) == witness
        assert minimized_question(trial, witness, Budget(seconds=0.0)) == witness


def _toy_source(bench: Bench) -> TokenizerSource:
    trial = bench.trial_of(TokenizerSource("toy", "no file"), {"model": {"type": "Toy"}})
    assert trial is not None
    return trial.source


# Memory --------------------------------------------------------------------------------------------------------------


# Documents -----------------------------------------------------------------------------------------------------------

FAULTY: list[tuple[str, Callable[[Json], None], str, int]] = [
    ("gpt2-mini", without_merge("h", "e"), "some hens there", 600),
    ("bert-mini", without_token("##e"), "some hens there, and thee", 600),
    ("t5-mini", with_score("▁the", -90.0), "some hens and the cock", 700),
    ("xlnet-mini", with_score("▁the", -90.0), "some hens and the cock", 700),
]


@pytest.mark.parametrize(("name", "change", "text", "most"), FAULTY, ids=[name for name, *_ in FAULTY])
def test_a_tokenizer_is_cut_to_what_shows_the_fault(
    name: str, change: Callable[[Json], None], text: str, most: int
) -> None:
    with Bench(TokenizersImplementation(), takes_for(change)) as bench:
        trial = bench.trial(bundled(name))
        witness = minimized_question(trial, witness_of(trial, Encode(text, None, add_special_tokens=False)))
        assert witness.size <= 8
        small = minimized_document(bench, witness)
        assert small.document is not None
        assert document_size(small.document) < most
        assert small.question == witness.question
        assert small.source == witness.source
        assert small.manner == witness.manner
        whole = json.loads(bundled_file(name).read_text("utf-8"))
        assert contrast(small, small.document) == contrast(witness, whole)
        assert bench.witness_again(small) is not None


def test_a_smaller_document_is_made_smaller_still_or_stays() -> None:
    with Bench(TokenizersImplementation(), takes_for(without_merge("h", "e"))) as bench:
        trial = bench.trial(bundled("gpt2-mini"))
        witness = witness_of(trial, Encode("hens", None, add_special_tokens=False))
        small = minimized_document(bench, witness)
        assert minimized_document(bench, small).document == small.document
        assert minimized_document(bench, witness, Budget(checks=0)) == witness


def test_where_other_files_are_read_the_document_stays() -> None:
    with Bench(TokenizersImplementation(), ReadsMore("reads-more", in_file(without_merge("h", "e")))) as bench:
        trial = bench.trial(bundled("gpt2-mini"))
        assert not trial.takes_documents
        witness = witness_of(trial, Encode("hens", None, add_special_tokens=False))
        assert minimized_document(bench, witness) == witness


class MarksId(Faulty):
    """Adds a mark to what it decodes of one token."""

    def __init__(self) -> None:
        super().__init__("marks-id", answering(Decode, self._marked))

    def load(self, source: TokenizerSource) -> FaultySubject:
        self._number = json.loads(Path(source.file).read_text("utf-8"))["model"]["vocab"].get("##e")
        return super().load(source)

    def _marked(self, question: Decode, outcome: Text) -> Outcome:
        return Text(f"{outcome.text}!") if self._number in question.ids else outcome


def test_an_id_that_is_asked_about_keeps_its_token() -> None:
    with Bench(TokenizersImplementation(), MarksId()) as bench:
        trial = bench.trial(bundled("bert-mini"))
        number = trial.vocabulary()["##e"]
        witness = minimized_question(trial, witness_of(trial, Decode((5, number, 6))))
        assert witness.question == Decode((number,), witness.question.skip_special_tokens)  # type: ignore[union-attr]
        small = minimized_document(bench, witness)
        assert small.document is not None
        assert small.document["model"]["vocab"] == {"##e": 0}
        assert isinstance(small.question, Decode)
        assert small.question.ids == (0,)


def other_token_for_none(question: Encode, outcome: Encoded) -> Outcome:
    """Where a letter has no token, end the answer in another one."""
    is_lost = not outcome.ids and question.text
    return Encoded((7,), ("x",), ((0, 1),), (0,), (0,), (1,), (0,), (0,), ()) if is_lost else outcome


def test_a_smaller_document_does_not_go_from_one_fault_to_another() -> None:
    """Without any token, the answers differ in the same manner, for another reason."""
    fault = replace(answering(Encode, other_token_for_none), change=without_merge("h", "e"))
    with Bench(TokenizersImplementation(), Faulty("also-without-tokens", fault)) as bench:
        trial = bench.trial(bundled("gpt2-mini"))
        witness = minimized_question(trial, witness_of(trial, Encode("hens", None, add_special_tokens=False)))
        small = minimized_document(bench, witness)
        assert small.document is not None
        assert {"h", "e", "he"} <= small.document["model"]["vocab"].keys()


# Published checkpoints -----------------------------------------------------------------------------------------------

PUBLISHED: list[tuple[str, Callable[[Json], None], str]] = [
    ("gpt2", without_merge("Ġt", "he"), "Over the hills and far away, 1234 naïve quick foxes — and more.\n" * 5),
    ("bert-base-uncased", without_token("##ffa"), "Some unaffable strangers, naïve quick foxes. " * 5),
    ("xlnet-base-cased", with_score("▁the", -50.0), "Over the hills, naïve quick foxes. " * 5),
    ("t5-small", with_score("▁the", -50.0), "Over the hills, naïve quick foxes. " * 5),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "change", "text"), PUBLISHED, ids=[name for name, *_ in PUBLISHED])
def test_published_checkpoints_are_cut(shared: Path, name: str, change: Callable[[Json], None], text: str) -> None:
    source = TokenizerSource(name, str(shared / "tokenizers" / name / "tokenizer.json"))
    with Bench(TokenizersImplementation(), takes_for(change)) as bench:
        trial = bench.trial(source)
        witness = minimized_question(trial, witness_of(trial, Encode(text, None, add_special_tokens=False)))
        assert witness.size <= 8
        small = minimized_document(bench, witness)
        assert small.document is not None
        assert document_size(small.document) < 2000
