"""Steps are read from the form of the files, and written to it, without a loss."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test
from small_suites import EVERY_STEP

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chat,
    Decode,
    DecodeStream,
    Encode,
    Encoded,
    EncodeSpecialTokens,
    NewToken,
    Normalize,
    Pieces,
    PreTokenize,
    Text,
)
from tokenizer_conformance.validation.suite.reader import StepFormError, form_of, step_of
from tokenizer_conformance.validation.suite.requirement import Observed, RaisesError

TEXTS = st.text(st.characters(codec=None, exclude_categories=()), max_size=6)
WORDS = st.lists(TEXTS, max_size=3).map(tuple)
NUMBERS = st.lists(st.integers(0, 2**32), max_size=4).map(tuple)
PLAIN = st.one_of(
    st.builds(Normalize, TEXTS),
    st.builds(PreTokenize, TEXTS),
    st.builds(Encode, TEXTS, st.none() | TEXTS, st.booleans()),
    st.builds(Encode, WORDS, st.none() | WORDS, st.booleans()),
    st.builds(Decode, NUMBERS, st.booleans()),
    st.builds(DecodeStream, NUMBERS, st.booleans()),
    st.builds(Chat, TEXTS, st.none() | TEXTS, st.booleans(), st.booleans(), st.none() | TEXTS),
)
TOKENS = st.builds(NewToken, TEXTS, st.booleans(), st.booleans(), st.booleans(), st.none() | st.booleans())
CHANGES = st.builds(AddTokens, st.lists(TOKENS, max_size=2).map(tuple), st.booleans()) | st.builds(
    EncodeSpecialTokens, st.booleans()
)
OBSERVATIONS = PLAIN | st.builds(After, st.lists(CHANGES, max_size=2).map(tuple), PLAIN)


def through_a_file(form: dict[str, object]) -> dict[str, object]:
    return json.loads(json.dumps(form))


@in_one_test("step", EVERY_STEP)
def test_a_step_survives_its_file(step: Observed) -> None:
    assert step_of(through_a_file(form_of(step))) == step


@given(OBSERVATIONS)
def test_every_question_survives_its_file(observation: Encode) -> None:
    step = Observed(observation, RaisesError())
    assert step_of(through_a_file(form_of(step))) == step


@given(TEXTS, st.lists(st.tuples(TEXTS, st.tuples(st.integers(0, 9), st.integers(0, 9))), max_size=3), NUMBERS)
def test_every_answer_survives_its_file(text: str, pieces: list[tuple[str, tuple[int, int]]], ids: tuple[int]) -> None:
    for step in (
        Observed(Normalize(text), Text(text)),
        Observed(PreTokenize(text), Pieces(tuple(pieces))),
        Observed(Encode(text), Encoded(ids, tokens=(text,) * len(ids), overflowing=(Encoded(ids),))),
    ):
        assert step_of(through_a_file(form_of(step))) == step


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"ask": "normalize", "text": "a"}, '"expected" is missing'),
        ({"ask": "guess", "expected": {}}, "guess"),
        ({"ask": "normalize", "expected": {"text": ""}}, "text"),
        ({"ask": "normalize", "text": "a", "more": 1, "expected": {"text": ""}}, "more"),
        ({"ask": "normalize", "text": "a", "expected": {"ids": []}}, "text"),
        ({"ask": "normalize", "text": "a", "expected": {"error": False}}, "text"),
    ],
)
def test_what_is_no_step_is_refused_with_the_reason(form: dict[str, object], said: str) -> None:
    with pytest.raises(StepFormError, match=said):
        step_of(form)
