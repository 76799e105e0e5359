"""Making a case smaller: what is left still shows the same, and nothing of it can be left out."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    NewToken,
    Normalize,
    PreTokenize,
    plain_of,
)
from tokenizer_conformance.comparison.document_reduction import reduced
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.reduction import Case, shortest
from tokenizer_conformance.inputs.random_tokenizers import random_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation

Json = dict[str, Any]

SMALLEST: Json = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "normalizer": None,
    "pre_tokenizer": None,
    "post_processor": None,
    "decoder": None,
    "model": {"type": "WordLevel", "vocab": {}, "unk_token": "a"},
}


# Sequences -----------------------------------------------------------------------------------------------------------


@given(st.text(alphabet="abcx", max_size=40), st.text(alphabet="abc", max_size=3))
def test_the_shortest_text_that_holds_another_is_that_other(text: str, needle: str) -> None:
    assert shortest(text + needle, lambda text: needle in text) == needle


@given(st.lists(st.integers(0, 9), max_size=30), st.sets(st.integers(0, 9), max_size=4))
def test_what_is_left_is_enough_and_every_item_of_it_needed(items: list[int], wanted: set[int]) -> None:
    wanted &= set(items)
    left = shortest(items, lambda items: wanted <= set(items))
    assert sorted(left) == sorted(wanted)


@given(st.text(max_size=30))
def test_what_is_left_is_in_the_old_order(text: str) -> None:
    left = shortest(text, lambda candidate: len(candidate) >= len(text) // 2)
    assert len(left) == len(text) // 2
    remaining = iter(text)
    assert all(character in remaining for character in left)


def test_nothing_is_kept_of_what_does_not_matter() -> None:
    assert shortest((1, 2, 3), lambda _: True) == ()
    assert shortest([1, 2, 3], lambda _: False) == [1, 2, 3]


# Documents -----------------------------------------------------------------------------------------------------------

WHOLE: Json = SMALLEST | {
    "truncation": {"direction": "Left", "max_length": 4, "strategy": "LongestFirst", "stride": 0},
    "padding": {"strategy": "BatchLongest"},
    "added_tokens": [
        {"id": 0, "content": "<m>", "single_word": True, "lstrip": True, "rstrip": True, "normalized": True, "special": True},
        {"id": 1, "content": "xyz", "single_word": True, "lstrip": True, "rstrip": True, "normalized": True, "special": True},
    ],
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "NFC"},
            {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "Prepend", "prepend": "abc"}]},
        ],
    },
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "Digits", "individual_digits": True}]},
    "decoder": {"type": "Fuse"},
    "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "ab": 2}, "unk_token": "a"},
}  # fmt: skip

EMPTY = Encode("", add_special_tokens=False)
QUESTION = Encode("a long text with é in it", "and a pair")


def has(part: Json) -> Callable[[Case], bool]:
    """Return what tells whether ``part`` stands anywhere in a document."""
    text = json.dumps(part)[1:-1]
    return lambda case: text in json.dumps(case.document)


def is_token(content: str) -> Callable[[Case], bool]:
    return lambda case: any(token["content"] == content for token in case.document["added_tokens"])


REDUCED: dict[str, tuple[Callable[[Case], bool], Json]] = {
    "nothing is needed": (lambda _: True, {}),
    "a component": (has({"type": "Fuse"}), {"decoder": {"type": "Fuse"}}),
    "a part of a sequence": (has({"type": "NFC"}), {"normalizer": {"type": "NFC"}}),
    "a part of a sequence in a sequence": (has({"type": "Lowercase"}), {"normalizer": {"type": "Lowercase"}}),
    "an option that is on": (
        has({"type": "Digits", "individual_digits": True}),
        {"pre_tokenizer": {"type": "Digits", "individual_digits": True}},
    ),
    "a component, whatever its option": (
        has({"type": "Digits"}),
        {"pre_tokenizer": {"type": "Digits", "individual_digits": False}},
    ),
    "a character of a string": (
        lambda case: re.search(r'"prepend": "[^"]*b', json.dumps(case.document)) is not None,
        {"normalizer": {"type": "Prepend", "prepend": "b"}},
    ),
    "an entry of a vocabulary": (
        lambda case: "ab" in case.document["model"]["vocab"],
        {"model": {"type": "WordLevel", "vocab": {"ab": 0}, "unk_token": "a"}},
    ),
    "an added token": (
        is_token("xyz"),
        {
            "added_tokens": [
                {"id": 0, "content": "xyz", "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
            ]
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCED)
def test_of_a_document_only_what_matters_is_left(name: str) -> None:
    shows, expected = REDUCED[name]
    before = copy.deepcopy(WHOLE)
    assert shows(Case(WHOLE, QUESTION))
    assert reduced(Case(WHOLE, QUESTION), shows) == Case(SMALLEST | expected, EMPTY)
    assert before == WHOLE


@in_one_test("number", range(20))
def test_random_documents_are_made_small_and_stay_as_they_are(number: int) -> None:
    document = random_document(Random(f"reduction {number}")).json
    before = copy.deepcopy(document)
    kind = document["model"].get("type")
    case = reduced(Case(document, None), lambda case: case.document["model"].get("type") == kind)
    assert document == before
    assert not case.document["model"]["vocab"]
    assert all(
        not case.document.get(key)
        for key in ("normalizer", "pre_tokenizer", "post_processor", "decoder", "added_tokens")
    )


# Questions -----------------------------------------------------------------------------------------------------------

BATCH = EncodeBatch((Encode("ab", None, False), Encode("cé", "gh", False), Encode("d", "e", False)))
AFTER = After((AddTokens((NewToken("x"),)), EncodeSpecialTokens(True)), Encode("aé", "b"))

QUESTIONS: list[tuple[Observation, Callable[[Any], bool], Observation]] = [
    (Normalize("ab éx"), lambda question: "é" in question.text, Normalize("é")),
    (PreTokenize("ab éx"), lambda question: "b" in question.text, PreTokenize("b")),
    (Decode((4, 5, 6, 7), False), lambda question: 6 in question.ids, Decode((6,), False)),
    (QUESTION, lambda question: "é" in question.text, Encode("é", None, False)),
    (QUESTION, lambda question: question.pair is not None, Encode("", "", False)),
    (QUESTION, lambda question: "d" in (question.pair or ""), Encode("", "d", False)),
    (QUESTION, lambda question: "d" in f"{question.text}{question.pair}" and question.add_special_tokens, Encode("d")),
    (Encode(("ab", "éx", "c")), lambda question: any("é" in word for word in question.text), Encode("é", None, False)),
    (
        Encode(("ab", "éx", "c")),
        lambda question: question.is_pretokenized and any("é" in word for word in question.text),
        Encode(("é",), None, False),
    ),
    (
        Encode(("ab", "cd"), ("ef", "gh")),
        lambda question: question.is_pretokenized and "h" in (question.pair or ("",))[-1],
        Encode((), ("h",), False),
    ),
    (DecodeStream((4, 5, 6), False), lambda question: 6 in question.ids, Decode((6,), False)),
    (
        DecodeStream((4, 5, 6), False),
        lambda question: isinstance(question, DecodeStream) and 6 in question.ids,
        DecodeStream((6,), False),
    ),
    (
        BATCH,
        lambda question: isinstance(question, EncodeBatch) and len(question.inputs) == 2,
        EncodeBatch((Encode("", None, False),) * 2),
    ),
    (
        BATCH,
        lambda question: isinstance(question, EncodeBatch) and any("é" in each.text for each in question.inputs),
        EncodeBatch((Encode("é", None, False),)),
    ),
    (
        BATCH,
        lambda question: any("h" in (each.pair or "") for each in getattr(question, "inputs", [question])),
        Encode("", "h", False),
    ),
    (AFTER, lambda question: "é" in plain_of(question).text, Encode("é", None, False)),
    (
        AFTER,
        lambda question: isinstance(question, After) and EncodeSpecialTokens(True) in question.changes,
        After((EncodeSpecialTokens(True),), EMPTY),
    ),
    (
        Encode(("ab", "cd"), None, False),
        lambda question: question.is_pretokenized and len(question.text) == 2,
        Encode(("", ""), None, False),
    ),
]


@pytest.mark.parametrize(("question", "shows", "smallest"), QUESTIONS)
def test_of_a_question_only_what_matters_is_left(
    question: Observation, shows: Callable[[Any], bool], smallest: Observation
) -> None:
    assert reduced(Case(SMALLEST, question), lambda case: shows(case.question)).question == smallest


# Rounds --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [2, 3, 5])
def test_a_question_is_made_shorter_as_long_as_that_goes(rounds: int) -> None:
    """Each letter can go only when the one after it has gone: a round takes one away."""
    letters = "abcdef"[:rounds]

    def shows(question: Observation) -> bool:
        assert isinstance(question, Normalize)
        kept = [letter for letter in letters if letter in question.text]
        return question.text.endswith("x") and kept == list(letters[: len(kept)])

    assert reduced_question(Normalize(f"{letters}x"), shows, 1000) == Normalize("x")


def test_a_document_is_made_smaller_as_long_as_that_goes() -> None:
    """The decoder can go only when the text has gone, which is tried after it."""

    def shows(case: Case) -> bool:
        return case.document["decoder"] is not None or case.question == EMPTY

    assert reduced(Case(WHOLE, QUESTION), shows) == Case(SMALLEST, EMPTY)


# The budget ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [0, 1, 7])
def test_no_more_is_asked_than_there_is_budget_for(most: int) -> None:
    asked = []

    def shows(case: Case) -> bool:
        asked.append(case)
        return False

    assert reduced(Case(WHOLE, QUESTION), shows, most) == Case(WHOLE, QUESTION)
    assert len(asked) == most


def test_nothing_is_asked_twice_in_a_row_of_the_case_itself() -> None:
    case = Case(SMALLEST, EMPTY)
    asked: list[Case] = []

    def shows(candidate: Case) -> bool:
        asked.append(candidate)
        return True

    assert reduced(case, shows) == case
    assert case not in asked
