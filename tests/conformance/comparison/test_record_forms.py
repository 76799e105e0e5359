"""Questions survive their form in a record, which its schema describes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema
import pytest
from in_one_test import in_one_test

from tokenizer_adapters.contract import (
    AddTokens,
    After,
    Chat,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    EncodeSpecialTokens,
    NewToken,
    Normalize,
    PreTokenize,
)
from tokenizer_conformance.comparison.record_forms import LONGEST_TEXT, may_be_cut, question_of, question_record
from tokenizer_conformance.results.records import answers
from tokenizer_conformance.results.records.schema import schema_of_values

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation

QUESTION = jsonschema.Draft202012Validator(schema_of_values(answers.Question))

CHANGES = (
    AddTokens((NewToken("\ud800", lstrip=True), NewToken("é", normalized=False, special=True)), special=True),
    EncodeSpecialTokens(True),
)
QUESTIONS: list[Observation] = [
    Normalize("\0é\ud800"),
    PreTokenize(""),
    Encode("a", add_special_tokens=False),
    Encode(("a", ""), ("b",)),
    Decode((1, 2**40, -1), False),
    EncodeBatch((Encode("a", "", False), Encode("b", None, False))),
    EncodeBatch((Encode(("a", "b")), Encode((), ("c",)))),
    EncodeBatch(()),
    DecodeStream((1, 2), True),
    DecodeStream((1, 2), True, (3,)),
    DecodeStream((1, 2, 3), False, (), (2,)),
    After(CHANGES, Encode("a", "b")),
    After((), EncodeBatch((Encode("a"),))),
    After(CHANGES[:1], DecodeStream((1,), False)),
]


@in_one_test("question", QUESTIONS)
def test_a_question_survives_its_record(question: Observation) -> None:
    record = json.loads(json.dumps(question_record(question)))
    QUESTION.validate(record)
    assert question_of(record) == question


def test_long_texts_and_ids_are_cut() -> None:
    long = "a" * (LONGEST_TEXT + 1)
    batch = question_record(EncodeBatch((Encode(long),)))
    assert batch["inputs"][0]["text"] == {"value": long[:-1], "length": len(long)}
    stream = question_record(DecodeStream((1,) * len(long)))
    assert (len(stream["ids"]), stream["ids_length"]) == (LONGEST_TEXT, len(long))


CUT, SHORT = "a" * LONGEST_TEXT, "a" * (LONGEST_TEXT - 1)


@pytest.mark.parametrize(
    ("question", "is_cut"),
    [
        (Normalize(SHORT), False),
        (Normalize(CUT), True),
        (PreTokenize(CUT), True),
        (Encode(SHORT, SHORT), False),
        (Encode(CUT, SHORT), True),
        (Encode(SHORT, CUT), True),
        (Encode(CUT), True),
        (Encode(SHORT), False),
        (Decode((1,) * LONGEST_TEXT), True),
        (Decode((1,) * (LONGEST_TEXT - 1)), False),
        (DecodeStream((1,) * LONGEST_TEXT), True),
        (DecodeStream((1,) * (LONGEST_TEXT - 1)), False),
        (Encode((SHORT, CUT)), True),  # a word is cut as a text is
        (Encode(("a",) * LONGEST_TEXT), False),  # and all words are kept
        (EncodeBatch((Encode("a"), Encode("a", CUT))), True),
        (EncodeBatch((Encode(SHORT), Encode("a", SHORT))), False),
        (After(CHANGES, Normalize(CUT)), True),
        (After(CHANGES, Normalize(SHORT)), False),
        (Chat(CUT), False),  # kept whole
    ],
)
def test_a_question_as_long_as_what_is_kept_may_be_a_beginning(question: Observation, is_cut: bool) -> None:
    assert may_be_cut(question) is is_cut
    assert question_of(question_record(question)) == question
