"""What an input is asked: needed questions and extra ones, and what belongs to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import (
    After,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    Failed,
    Normalize,
    Observation,
    Outcome,
    PreTokenize,
    Stage,
    Text,
    stage_of,
)
from tokenizer_conformance.comparison.questions import (
    MOST_IDS,
    MOST_WORDS,
    about_batch,
    about_ids,
    about_pair,
    about_text,
    has_words,
    is_extra,
    text_and_pair,
    texts_of,
    words_of,
)


def baseline(question: Observation) -> Outcome:
    match question:
        case Normalize(text):
            return Text(text.lower())
        case _:
            return Encoded(ids=(7, 8))


def test_all_that_is_asked_about_a_text_of_several_words() -> None:
    assert list(about_text("A b", baseline=baseline)) == [
        Normalize("A b"),
        PreTokenize("A b"),
        PreTokenize("a b"),
        Encode("A b", add_special_tokens=False),
        Encode(("A", "b"), add_special_tokens=False),
        Encode("A b"),
        Decode((7, 8), False),
        Decode((7, 8), True),
        DecodeStream((7, 8), False),
        DecodeStream((7, 8), True),
    ]
    assert list(about_pair("A b", "c", baseline=baseline)) == [
        Encode("A b", "c", False),
        Encode("A b", "c", True),
        Encode(("A", "b"), ("c",)),
        EncodeBatch((Encode("A b"), Encode("c"))),
    ]


def test_one_word_is_not_asked_about_as_words_nor_one_id_one_by_one() -> None:
    assert not any(map(is_extra, about_text("word", baseline=baseline, stages={Stage.MODEL})))
    assert [question for question in about_pair("word", "a b", baseline=baseline) if is_extra(question)] == [
        EncodeBatch((Encode("word"), Encode("a b")))
    ]
    assert list(about_ids((7,))) == [Decode((7,), False), Decode((7,), True)]


@pytest.mark.parametrize(("spaces", "asked"), [(0, False), (1, True), (MOST_WORDS - 1, True), (MOST_WORDS, False)])
def test_texts_of_several_words_and_not_too_many_are_asked_about_as_words(spaces: int, asked: bool) -> None:
    assert has_words(" " * spaces) is asked


def test_a_batch_is_asked_where_the_baseline_encodes_each_of_its_inputs() -> None:
    def refuses(question: Observation) -> Outcome:
        return Failed("ValueError", "no") if question == Encode("c") else baseline(question)

    assert not any(isinstance(question, EncodeBatch) for question in about_pair("a", "c", baseline=refuses))
    assert not any(isinstance(question, EncodeBatch) for question in about_pair("a", "b"))
    assert list(about_batch((Encode("a"), Encode("b")), refuses)) == [EncodeBatch((Encode("a"), Encode("b")))]


def test_of_many_ids_the_first_are_decoded_one_by_one() -> None:
    *_, last = about_ids(tuple(range(1000)))
    assert last == DecodeStream(tuple(range(MOST_IDS)))


@given(st.text(st.sampled_from(" ab\t\u3000"), max_size=12))
def test_the_words_of_a_text_are_the_text(text: str) -> None:
    assert " ".join(words_of(text)) == text


@pytest.mark.parametrize(
    ("question", "extra", "texts"),
    [
        (Normalize("a"), False, ()),
        (Encode("a", "b"), False, ("a", "b")),
        (Encode("a"), False, ("a",)),
        (Encode(("a", ""), ("b",)), True, ("a", "", "b")),
        (EncodeBatch((Encode("a", "b"), Encode("c"))), True, ("a", "b", "c")),
        (EncodeBatch((Encode(("a", "b")),)), True, ("a", "b")),
        (Decode((1,)), False, ()),
        (DecodeStream((1,)), True, ()),
        (After((), Encode(("a",))), True, ("a",)),
        (After((), Encode("a")), True, ("a",)),
    ],
    ids=repr,
)
def test_extra_questions_and_their_texts(question: Observation, extra: bool, texts: tuple[str, ...]) -> None:
    assert is_extra(question) is extra
    assert texts_of(question) == texts


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (Normalize("a"), ("a", None)),
        (PreTokenize("a b"), ("a b", None)),
        (Encode("a"), ("a", None)),
        (Encode("", ""), ("", "")),
        (Encode("a", "b"), ("a", "b")),
        (Encode(("a", "", "b")), ("a  b", None)),
        (Encode(("a", "b"), ("c", "d")), ("a b", "c d")),
        (EncodeBatch((Encode("a"), Encode("b"))), ("a", "b")),
        (EncodeBatch((Encode("a"),)), (None, None)),
        (EncodeBatch((Encode("a"), Encode("b", "c"))), (None, None)),
        (EncodeBatch((Encode("a", "b"), Encode("c"))), (None, None)),
        (EncodeBatch((Encode(("a",)), Encode(("b",)))), (None, None)),
        (EncodeBatch((Encode("a"), Encode("b"), Encode("c"))), (None, None)),
        (Decode((1,)), (None, None)),
        (DecodeStream((1,)), (None, None)),
        (After((), Encode("a")), (None, None)),
    ],
    ids=repr,
)
def test_the_text_and_the_pair_that_a_question_is_about(
    question: Observation, expected: tuple[str | None, str | None]
) -> None:
    assert text_and_pair(question) == expected


def test_a_stage_that_is_not_compared_has_no_extra_questions() -> None:
    for stages in ({Stage.NORMALIZE}, {Stage.PRE_TOKENIZE}, {Stage.MODEL}, {Stage.POST_PROCESS}, {Stage.DECODE}):
        asked = [*about_text("a b", stages, baseline), *about_pair("a b", "c", stages, baseline)]
        assert all(stage_of(question) in stages for question in asked if is_extra(question))
