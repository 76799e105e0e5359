"""What can be wrong with an answer of the right form: each fault alone, wherever in the answer it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Called,
    Chat,
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    ImplementationInfo,
    Normalize,
    OffsetUnit,
    Pieces,
    PreTokenize,
    Rendered,
    Text,
)
from tokenizer_adapters.protocol.judgement import (
    WrongAnswerError,
    judge,
    judge_called,
    judge_document,
    judge_model,
    judge_words,
)
from tokenizer_adapters.training import CountedWords, TrainedModel

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Value

EVERY_FIELD = frozenset({Field.TEXT, Field.PIECES, *ENCODING_FIELDS})
INFO = ImplementationInfo("toy", "1", "", "", frozenset(), EVERY_FIELD, OffsetUnit.CODE_POINTS, "")

PART = Encoded((7,), ("b",), ((1, 2),), (0,), (0,), (1,), (0,), (0,), ())
WHOLE = replace(PART, ids=(6,), overflowing=(PART, PART))
SHORT = replace(PART, tokens=("b", "c"))
BEYOND = replace(PART, offsets=((1, 4),))
NO_MASK = replace(PART, attention_mask=(2,))
EMPTY = Encoded((), (), (), (), (), (), (), (), ())


def wrong(question: Observation, answer: Value, info: ImplementationInfo = INFO) -> str | None:
    """Return what is wrong with ``answer``, ``None`` where nothing is."""
    try:
        judge(question, answer, info)
    except WrongAnswerError as error:
        return str(error)
    return None


ENTRIES = "{}: 2 entries for 1 ids; a list has one for each token"
RANGE = "{}[0]: [1, 4] is no range of the text, which has 3 code points"


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        (Encode("abc"), WHOLE, None),
        (Encode(""), EMPTY, None),
        (Encode(""), replace(EMPTY, ids=(1,)), "value.tokens: 0 entries for 1 ids; a list has one for each token"),
        (Encode("abc"), SHORT, ENTRIES.format("value.tokens")),
        (Encode("abc"), BEYOND, RANGE.format("value.offsets")),
        (Encode("abc"), NO_MASK, "value.attention_mask: expected 0 or 1, found 2"),
        (
            Encode("abc"),
            replace(PART, special_tokens_mask=(-1,)),
            "value.special_tokens_mask: expected 0 or 1, found -1",
        ),
        (Encode("abc"), replace(WHOLE, overflowing=(SHORT, PART)), ENTRIES.format("value.overflowing[0].tokens")),
        (Encode("abc"), replace(WHOLE, overflowing=(PART, SHORT)), ENTRIES.format("value.overflowing[1].tokens")),
        (Encode("abc"), replace(WHOLE, overflowing=(PART, BEYOND)), RANGE.format("value.overflowing[1].offsets")),
        (
            Encode("abc"),
            replace(WHOLE, overflowing=(PART, replace(WHOLE, overflowing=(PART, NO_MASK)))),
            "value.overflowing[1].overflowing[1].attention_mask: expected 0 or 1, found 2",
        ),
        (Encode("abc", "abcd"), replace(PART, offsets=((1, 4),)), None),
        (Encode("abcd", "abc"), replace(PART, offsets=((1, 4),)), None),
        (Encode(("ab", "abcd")), replace(PART, offsets=((1, 4),)), None),
        (Encode(("ab", "abc")), BEYOND, RANGE.format("value.offsets")),
        (Encode("abc"), replace(PART, offsets=((2, 1),)), RANGE.format("value.offsets").replace("1, 4", "2, 1")),
        (Encode("abc"), replace(PART, offsets=((-1, 1),)), RANGE.format("value.offsets").replace("1, 4", "-1, 1")),
        (Encode("abc"), replace(PART, offsets=((3, 3),)), None),
        (PreTokenize("abc"), Pieces((("a", None), ("bc", (1, 3)))), None),
        (
            PreTokenize("abc"),
            Pieces((("a", None), ("bc", (1, 4)))),
            RANGE.format("value.pieces").replace("[0]", "[1]"),
        ),
        (PreTokenize(""), Pieces(()), None),
        (PreTokenize(""), Pieces((("", (0, 0)),)), None),
        (
            PreTokenize(""),
            Pieces((("", (0, 1)),)),
            "value.pieces[0]: [0, 1] is no range of the text, which has 0 code points",
        ),
        (Normalize(""), Text("longer"), None),
        (Decode((1,)), Text(""), None),
        (DecodeStream((1, 2)), Chunks(("a", None)), None),
        (
            DecodeStream((1, 2)),
            Chunks(("a",)),
            "value.chunks: 1 entries for 2 ids; the list has one for each id",
        ),
        (
            DecodeStream((1, 2, 3), chunks=(2, 1)),
            Chunks(("a",)),
            "value.chunks: 1 entries for 2 steps; the list has one for each step",
        ),
        (EncodeBatch((Encode("abc"), Encode(""))), EncodedBatch((PART, EMPTY)), None),
        (
            EncodeBatch((Encode("abc"), Encode(""))),
            EncodedBatch((PART,)),
            "value.encodings: 1 entries for 2 inputs; the list has one for each input",
        ),
        (
            EncodeBatch((Encode("abc"),)),
            EncodedBatch((PART, PART)),
            "value.encodings: 2 entries for 1 inputs; the list has one for each input",
        ),
        (
            EncodeBatch((Encode("abcd"), Encode("abc"))),
            EncodedBatch((BEYOND, BEYOND)),
            RANGE.format("value.encodings[1].offsets"),
        ),
        (Chat("[]"), Rendered("a", None), None),
    ],
)
def test_what_cannot_be_right(question: Observation, answer: Value, told: str | None) -> None:
    assert wrong(question, answer) == told


def test_the_length_of_a_text_is_that_of_its_unit() -> None:
    in_bytes = replace(INFO, offset_unit=OffsetUnit.UTF8_BYTES)
    assert wrong(Encode("é"), replace(PART, offsets=((0, 2),)), in_bytes) is None
    assert "which has 1 code points" in str(wrong(Encode("é"), replace(PART, offsets=((0, 2),))))


@pytest.mark.parametrize(
    ("question", "answer", "field"),
    [
        *((Encode("abc"), replace(WHOLE, overflowing=(PART,)), field) for field in ENCODING_FIELDS),
        (Encode("abc"), Encoded((1,), overflowing=(Encoded((1,)), Encoded((1,), ("a",)))), Field.TOKENS),
        (Normalize("abc"), Text("abc"), Field.TEXT),
        (PreTokenize("abc"), Pieces(()), Field.PIECES),
        (DecodeStream(()), Chunks(()), Field.TEXT),
        (Chat("[]"), Rendered("a", None), Field.TEXT),
        (Chat("[]"), Rendered("a", (1,)), Field.IDS),
    ],
)
def test_what_was_not_announced_is_told(question: Observation, answer: Value, field: Field) -> None:
    told = wrong(question, answer, replace(INFO, fields=EVERY_FIELD - {field}))
    assert told == f'it shows the field "{field}", and its answer to start does not announce it in "fields"'
    assert wrong(question, answer) is None


def test_a_document_is_the_text_of_an_object() -> None:
    judge_document("{}")
    for document, told in (("[]", "expected the text of a JSON object"), ("{", "this is no JSON"), ("", "no JSON")):
        with pytest.raises(WrongAnswerError, match=told):
            judge_document(document)


def test_lists_of_a_call_are_of_one_length() -> None:
    judge_called(Called({"ids": (1, 2), "mask": (1, 1)}))
    judge_called(Called({}))
    with pytest.raises(WrongAnswerError, match="lists of one length"):
        judge_called(Called({"ids": (1, 2), "types": (0, 0), "mask": (1,)}))


def test_words_come_in_the_order_in_which_they_are_met() -> None:
    judge_words("a b a c", CountedWords({"a": 2, "b": 1, "c": 1}))
    with pytest.raises(WrongAnswerError, match='"b" stands after "c"'):
        judge_words("a b a c", CountedWords({"a": 2, "c": 1, "b": 1}))


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (TrainedModel({"a": 0, "b": 1}, merges=(("a", "b"),)), None),
        (TrainedModel({"a": 0}), None),
        (TrainedModel({}), "value.tokens: 0 tokens, where 2 were asked for"),
        (TrainedModel({"a": 0, "b": 1, "c": 2}), "value.tokens: 3 tokens, where 2 were asked for"),
        (TrainedModel({"a": 0, "b": -1}), "an id counts from 0 on, found -1"),
        (TrainedModel({"a": 0, "b": 0}), '"a" and "b" have the same id, 0'),
        (TrainedModel({"a": 0, "b": 1}, merges=(("a", "b"), ("a", "c"))), 'value.merges[1]: "c" is no token'),
        (TrainedModel({"a": 0, "b": 1}, scores={"a": 0.0, "c": 1.0}), 'value.scores: "c" is no token'),
    ],
)
def test_what_is_learned_fits_together(model: TrainedModel, told: str | None) -> None:
    if told is None:
        judge_model(2, model)
        return
    with pytest.raises(WrongAnswerError) as caught:
        judge_model(2, model)
    assert told in str(caught.value)
