"""Whole answers in records: bounded, offsets in code points, the same after they were written and read again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import (
    After,
    BrokeProtocol,
    Chat,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    EncodeSpecialTokens,
    Failed,
    Normalize,
    OffsetUnit,
    Outcome,
    Pieces,
    PreTokenize,
    Rendered,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance.comparison.differences import OutcomeInUnit
from tokenizer_conformance.comparison.offset_units import width
from tokenizer_conformance.comparison.record_forms import LONGEST_TEXT
from tokenizer_conformance.comparison.whole_answers import MOST_ENTRIES, answers_of, answers_record, whole_answers
from tokenizer_conformance.results.records.answers import OutcomeKind
from tokenizer_conformance.results.records.answers import WholeAnswers as RecordedAnswers
from tokenizer_conformance.results.records.schema import schema_of_values

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Span

ANSWERS = jsonschema.Draft202012Validator(schema_of_values(RecordedAnswers))

BYTES, UNITS = OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS


def kept(question: Observation, outcome: Outcome, unit: OffsetUnit = OffsetUnit.CODE_POINTS) -> dict[str, Any]:
    """Return how a record has the ``outcome`` of the implementation, which fits the schema and survives the record."""
    answers = whole_answers(question, OutcomeInUnit(Unsupported("not asked")), OutcomeInUnit(outcome, unit))
    record = answers_record(answers)
    written = json.loads(json.dumps(record))
    assert written == record
    ANSWERS.validate(written["answers"])
    assert answers_of(written) == answers
    assert answers.baseline == {"outcome": "Unsupported", "answer": {"reason": "not asked"}}
    return answers.implementation


def encoded(count: int, offsets: tuple[Span, ...] | None = None, **others: Any) -> Encoded:
    return Encoded(tuple(range(count)), tuple(f"t{number}" for number in range(count)), offsets, **others)


OUTCOMES: list[tuple[Observation, Outcome]] = [
    (Normalize("A"), Text("a\0\ud800")),
    (PreTokenize("a b"), Pieces((("a", (0, 1)), ("b", None)))),
    (Encode("ab"), Encoded((1, 2), ("a", "b"), ((0, 1), (1, 2)), (0, None), (0, 0), (1, 1), (0, 1), (0, None), ())),
    (Encode("ab"), Encoded((1,))),
    (Encode("ab"), encoded(1, ((0, 1),), overflowing=(encoded(1, ((1, 2),)),))),
    (EncodeBatch((Encode("a"), Encode("bc"))), EncodedBatch((encoded(1, ((0, 1),)), encoded(2, ((0, 1), (1, 2)))))),
    (EncodeBatch(()), EncodedBatch((encoded(1),))),
    (DecodeStream((1, 2)), Chunks((None, "a"))),
    (Chat("[]"), Rendered("a", (1,))),
    (Decode((1,)), Failed("ValueError", "no such id")),
    (Decode((1,)), Unsupported("shows no decoder")),
    (Decode((1,)), Crashed("signal 11")),
    (Decode((1,)), TimedOut(2.5)),
    (Decode((1,)), BrokeProtocol("half a line")),
]


@pytest.mark.parametrize(("question", "outcome"), OUTCOMES, ids=repr)
def test_an_answer_survives_its_record(question: Observation, outcome: Outcome) -> None:
    assert kept(question, outcome)["outcome"] == type(outcome).__name__
    assert "total" not in kept(question, outcome)


def test_there_is_a_form_for_every_outcome() -> None:
    assert {type(outcome) for _, outcome in OUTCOMES} == set(get_args(Outcome))
    assert get_args(OutcomeKind) == tuple(each.__name__ for each in get_args(Outcome))


def test_each_side_stands_under_its_name() -> None:
    record = answers_record(whole_answers(Normalize("A"), OutcomeInUnit(Text("a")), OutcomeInUnit(Text("A"))))
    assert record["answers"]["baseline"] == {"outcome": "Text", "answer": {"text": "a"}}
    assert record["answers"]["implementation"] == {"outcome": "Text", "answer": {"text": "A"}}


def test_a_record_without_answers_has_none() -> None:
    assert answers_of({}) is None
    assert answers_record(None) == {}


@pytest.mark.parametrize(
    "answers",
    [None, {}, {"baseline": {"outcome": "Text", "answer": {"text": ""}}}, {"baseline": 1, "implementation": 2}],
)
def test_what_are_no_answers_is_refused(answers: object) -> None:
    with pytest.raises((KeyError, TypeError)):
        answers_of({"answers": answers})


# Offsets --------------------------------------------------------------------------------------------------------------

PLACED: list[tuple[Observation, Encoded, OffsetUnit, list[list[int] | None]]] = [
    (Encode("é🎉a"), encoded(3, ((0, 2), (2, 6), (6, 7))), BYTES, [[0, 1], [1, 2], [2, 3]]),
    (Encode("é🎉a"), encoded(3, ((0, 1), (1, 3), (3, 4))), UNITS, [[0, 1], [1, 2], [2, 3]]),
    (Encode("é"), encoded(2, ((0, 1), (1, 2))), BYTES, [[0, 1], [0, 1]]),  # both share the character
    (Encode("aé"), encoded(3, ((0, 1), (1, 2), (9, 9))), BYTES, [[0, 1], None, None]),  # inside, and outside the text
    (After((EncodeSpecialTokens(True),), Encode("é")), encoded(1, ((0, 2),)), BYTES, [[0, 1]]),
    (Encode("éa", "a"), encoded(2, ((0, 2), (0, 1)), sequence_ids=(0, 1)), BYTES, [[0, 1], [0, 1]]),
    (Encode("éa", "a"), encoded(2, ((0, 2), (0, 1))), BYTES, [None, None]),  # of which text is not said
    (Encode(("é", "aé")), encoded(2, ((0, 2), (1, 3)), word_ids=(0, 1)), BYTES, [[0, 1], [1, 2]]),
    (Encode("a"), encoded(1, ((0, 7),)), OffsetUnit.CODE_POINTS, [[0, 7]]),  # as the comparison sees it
]


@pytest.mark.parametrize(("question", "outcome", "unit", "offsets"), PLACED)
def test_offsets_are_code_points_of_the_original_text(
    question: Observation, outcome: Encoded, unit: OffsetUnit, offsets: list[list[int] | None]
) -> None:
    assert kept(question, outcome, unit)["answer"]["offsets"] == offsets


def test_offsets_of_pieces_batches_and_of_what_was_cut_off_are_code_points_too() -> None:
    pieces = Pieces((("é", (0, 2)), ("?", None), ("a", (2, 3))))
    assert kept(PreTokenize("éa"), pieces, BYTES)["answer"]["pieces"] == [["é", [0, 1]], ["?", None], ["a", [1, 2]]]
    batch = EncodedBatch((encoded(1, ((0, 1),)), encoded(1, ((0, 2),))))
    answer = kept(EncodeBatch((Encode("a"), Encode("é"))), batch, BYTES)["answer"]
    assert [each["offsets"] for each in answer["encodings"]] == [[[0, 1]], [[0, 1]]]
    long = encoded(1, ((0, 2),), overflowing=(encoded(1, ((2, 3),)),))
    assert kept(Encode("éa"), long, BYTES)["answer"]["overflowing"][0]["offsets"] == [[1, 2]]


@given(st.text(max_size=8), st.sampled_from(OffsetUnit))
def test_tokens_of_one_character_each_have_the_same_offsets_in_every_unit(text: str, unit: OffsetUnit) -> None:
    spans, at = [], 0
    for character in text:
        spans.append((at, at + width(character, unit)))
        at = spans[-1][1]
    answer = kept(Encode(text), encoded(len(text), tuple(spans)), unit)["answer"]
    assert answer["offsets"] == [[index, index + 1] for index in range(len(text))]


# Lengths --------------------------------------------------------------------------------------------------------------

LONG = "a" * (LONGEST_TEXT + 1)
MANY = MOST_ENTRIES + 1


def test_a_long_encoding_is_cut_in_all_its_columns() -> None:
    columns = dict.fromkeys(("word_ids", "type_ids", "attention_mask", "special_tokens_mask"), (0,) * MANY)
    outcome = encoded(MANY, ((0, 1),) * MANY, sequence_ids=(0,) * MANY, overflowing=(encoded(1),), **columns)
    record = kept(Encode("a"), outcome)
    assert record["total"] == MANY + 1
    assert {name: len(column) for name, column in record["answer"].items()} == {
        **dict.fromkeys((*columns, "ids", "tokens", "offsets", "sequence_ids"), MOST_ENTRIES),
        "overflowing": 0,
    }


@pytest.mark.parametrize(
    ("question", "outcome", "total", "content"),
    [
        (Normalize(""), Text(LONG), len(LONG), {"text": LONG[:-1]}),
        (Decode(()), Failed("E", LONG), len(LONG) + 1, {"kind": "E", "message": LONG[:-1]}),
        (PreTokenize(LONG), Pieces(((LONG, (0, 1)),)), 1, {"pieces": [[LONG[:-1], [0, 1]]]}),
        (PreTokenize(""), Pieces((("", None),) * MANY), MANY, {"pieces": [["", None]] * MOST_ENTRIES}),
        (DecodeStream(()), Chunks((None,) * MANY), MANY, {"chunks": [None] * MOST_ENTRIES}),
        (Chat("[]"), Rendered(LONG, (1,)), len(LONG), {"text": LONG[:-1], "ids": [1]}),
    ],
    ids=["text", "message", "piece", "pieces", "chunks", "prompt"],
)
def test_a_long_answer_is_cut_and_says_so(
    question: Observation, outcome: Outcome, total: int, content: dict[str, Any]
) -> None:
    record = kept(question, outcome)
    assert record["total"] == total
    assert record["answer"] == content


def test_a_long_token_is_cut() -> None:
    record = kept(Encode("a"), Encoded((1,), (LONG,)))
    assert (record["total"], record["answer"]["tokens"]) == (1, [LONG[:-1]])


def test_all_encodings_of_a_batch_are_bounded_together() -> None:
    record = kept(EncodeBatch(()), EncodedBatch(tuple(map(encoded, (MOST_ENTRIES - 1, 2, 0, 1, 0)))))
    assert record["total"] == MOST_ENTRIES + 2  # after the first that is left out none is kept
    assert [len(each["ids"]) for each in record["answer"]["encodings"]] == [MOST_ENTRIES - 1, 1, 0]


def of_ids(count: int) -> Encoded:
    return Encoded(tuple(range(count)))


@pytest.mark.parametrize(
    ("question", "outcome", "total"),
    [
        (Encode("a"), of_ids(MOST_ENTRIES), None),
        (Encode("a"), of_ids(MOST_ENTRIES + 1), MOST_ENTRIES + 1),
        (Encode("a"), Encoded((1,), overflowing=(of_ids(MOST_ENTRIES - 1),)), None),
        (Encode("a"), Encoded((1,), overflowing=(of_ids(9), of_ids(MOST_ENTRIES))), MOST_ENTRIES + 10),
        (EncodeBatch((Encode("a"), Encode("b"))), EncodedBatch((of_ids(1), of_ids(MOST_ENTRIES - 1))), None),
        (EncodeBatch((Encode("a"), Encode("b"))), EncodedBatch((of_ids(1), of_ids(MOST_ENTRIES))), MOST_ENTRIES + 1),
        (PreTokenize("a"), Pieces((("a", None),) * MOST_ENTRIES), None),
        (PreTokenize("a"), Pieces((("a", None),) * (MOST_ENTRIES + 1)), MOST_ENTRIES + 1),
        (PreTokenize("a"), Pieces((("a", None), ("a" * (LONGEST_TEXT + 1), None))), 2),
        (Normalize("a"), Text("a" * LONGEST_TEXT), None),
        (Normalize("a"), Text("a" * (LONGEST_TEXT + 1)), LONGEST_TEXT + 1),
    ],
)
def test_the_length_stands_beside_what_is_cut(question: Observation, outcome: Outcome, total: int | None) -> None:
    assert kept(question, outcome).get("total") == total
