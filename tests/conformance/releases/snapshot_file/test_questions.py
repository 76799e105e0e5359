"""Everything that an input is asked has a name in a snapshot, and the question is made of the name again exactly."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from in_one_test import in_one_test

from tokenizer_adapters.contract import (
    PIPELINE_STAGES,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Failed,
    Normalize,
    Outcome,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_conformance.comparison.questions import about_pair, about_text
from tokenizer_conformance.releases.snapshot_file.lines import outcome_form, outcome_in
from tokenizer_conformance.releases.snapshot_file.questions import QUESTIONS, asked_of, name_of
from tokenizer_conformance.releases.snapshot_file.replay import answers_by_question

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation

TEXTS = st.one_of(
    st.text(" ab\u00a0\u0130", max_size=6),
    st.text(st.characters(codec=None), max_size=6),
    st.integers(0, 130).map(lambda count: "a " * count),
)


def answering(kind: str) -> Callable[[Observation], Outcome]:
    """Return what answers as an implementation may: with values, with errors, or with nothing at some stages."""

    def answer(question: Observation) -> Outcome:
        match question:
            case Normalize(text):
                return Failed("E", "no") if kind == "errors" else Text(text.lower() if kind != "alike" else text)
            case PreTokenize(text):
                return Pieces(((text, None),))
            case Encode(text) if kind == "errors" and len(text) % 2:
                return Failed("E", "odd")
            case Encode(text, pair, specials):
                return Encoded(ids=(*map(len, [str(text), str(pair)]), *range(70), int(specials)))
            case EncodeBatch(inputs):
                return EncodedBatch(tuple(Encoded((len(each.text),)) for each in inputs))
            case Decode(ids) | DecodeStream(ids):
                return Text(str(ids)) if isinstance(question, Decode) else Unsupported(f"{len(ids)}")
        raise AssertionError(question)

    return answer


@pytest.mark.parametrize("kind", ["values", "errors", "alike"])
@given(text=TEXTS, following=TEXTS, stages=st.frozensets(st.sampled_from(PIPELINE_STAGES), min_size=1))
@example(text="", following="", stages=frozenset(PIPELINE_STAGES))
@example(text="a b", following=" ", stages=frozenset(PIPELINE_STAGES))
@example(text="A", following="A", stages=frozenset({Stage.PRE_TOKENIZE}))
def test_all_questions_have_names_of_their_own_and_are_made_of_them_again(
    kind: str, text: str, following: str, stages: frozenset[Stage]
) -> None:
    answer = answering(kind)
    asked = list(asked_of(text, following, stages, answer))
    wanted = [*about_text(text, stages, answer), *about_pair(text, following, stages, answer)]
    assert [question for _, question in asked] == wanted
    assert [name for name, _ in asked] == [name_of(question, text) for question in wanted]
    assert len({name for name, _ in asked}) == len(asked)
    assert {name for name, _ in asked} <= set(QUESTIONS)
    answers = {name: answer(question) for name, question in asked}
    assert answers_by_question(text, following, answers) == {question: answer(question) for question in wanted}


def test_every_name_is_asked_by_some_input() -> None:
    answer = answering("values")
    assert {name for name, _ in asked_of("A b", "c", frozenset(PIPELINE_STAGES), answer)} == set(QUESTIONS)


@in_one_test("name", QUESTIONS)
def test_the_answer_of_every_name_can_be_read(name: str) -> None:
    answer = answering("values")
    asked = dict(asked_of("A b", "c", frozenset(PIPELINE_STAGES), answer))
    outcome = answer(asked[name])
    assert outcome_in(name, json.loads(json.dumps(outcome_form(outcome))), name) == outcome
