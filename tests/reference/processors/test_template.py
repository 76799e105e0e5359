"""TemplateProcessing: templates and what they make of encodings, beside the target."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.processors import TemplateProcessing
from tokenizer_reference.processors.template import SequencePiece, SpecialTokenPiece, parse_piece
from tokenizer_reference.values.encoding import Encoding

TOKENS = [("x", 7), (8, "y"), {"id": "m", "ids": [5, 6], "tokens": ["m1", "m2"]}, {"id": "e", "ids": [], "tokens": []}]

PIECES = [
    ("$", SequencePiece("A", 0)),
    ("$A", SequencePiece("A", 0)),
    ("$a", SequencePiece("A", 0)),
    ("$B", SequencePiece("B", 0)),
    ("$b", SequencePiece("B", 0)),
    ("$3", SequencePiece("A", 3)),
    ("$+3", SequencePiece("A", 3)),
    ("$007", SequencePiece("A", 7)),
    ("$4294967295", SequencePiece("A", 2**32 - 1)),
    ("$:3", SequencePiece("A", 3)),
    ("$B:+1", SequencePiece("B", 1)),
    ("$2:1", SequencePiece("A", 1)),
    ("[CLS]", SpecialTokenPiece("[CLS]", 0)),
    ("[CLS]:2", SpecialTokenPiece("[CLS]", 2)),
    ("A", SpecialTokenPiece("A", 0)),
    ("", SpecialTokenPiece("", 0)),
    (":2", SpecialTokenPiece("", 2)),
    ("x y", SpecialTokenPiece("x y", 0)),
    ("$C", None),
    ("$AA", None),
    ("$-1", None),
    ("$+", None),
    ("$1_0", None),
    ("$٣", None),
    ("$A b", None),
    ("$A\tb", None),
    ("$A:", None),
    ("$A:x", None),
    ("$A:1:2", None),
    ("$A:4294967296", None),
    ("x:-1", None),
]


@pytest.mark.parametrize(("text", "piece"), PIECES)
def test_notation_of_a_piece(target: Any, text: Any, piece: Any) -> None:
    id_ = piece.id if isinstance(piece, SpecialTokenPiece) else "x"
    if piece is None:
        with pytest.raises(ValueError, match="Cannot build Piece from string"):
            parse_piece(text)
        with pytest.raises(ValueError, match="Cannot build Piece from string"):
            target.processors.TemplateProcessing([text])
        return
    assert parse_piece(text) == piece
    theirs = json.loads(target.processors.TemplateProcessing([text], special_tokens=[(id_, 1)]).__getstate__())
    assert theirs["single"] == [piece._to_json()]


def test_default_templates(library: Any) -> None:
    template = library.processors.TemplateProcessing()
    processed = template.process(library.encoding(tokens=["a"]), library.encoding(tokens=["b"]))
    assert (processed.tokens, processed.type_ids, processed.sequence_ids) == (["a", "b"], [0, 1], [0, 1])


def test_the_second_sequence_of_a_pair_has_type_0_unless_said(library: Any) -> None:
    template = library.processors.TemplateProcessing(pair="$A $B")
    processed = template.process(library.encoding(tokens=["a"]), library.encoding(tokens=["b"]))
    assert processed.type_ids == [0, 0]


def test_a_special_token_may_stand_for_several_tokens_or_none(library: Any) -> None:
    template = library.processors.TemplateProcessing("x m:2 $A:1 e y", "$A y $B", TOKENS)
    processed = template.process(library.encoding(tokens=["a"]))
    assert processed.tokens == ["x", "m1", "m2", "a", "y"]
    assert processed.ids == [7, 5, 6, 0, 8]
    assert processed.type_ids == [0, 2, 2, 1, 0]
    assert processed.special_tokens_mask == [1, 1, 1, 0, 1]
    assert processed.attention_mask == [1] * 5
    assert processed.sequence_ids == [None, None, None, 0, None]
    assert [template.num_special_tokens_to_add(is_pair) for is_pair in (False, True)] == [4, 1]


def test_without_special_tokens_the_sequences_stay_with_their_types(library: Any) -> None:
    template = library.processors.TemplateProcessing("x $A:3 y", special_tokens=TOKENS)
    processed = template.process(library.encoding(tokens=["a"]), add_special_tokens=False)
    assert (processed.tokens, processed.type_ids) == (["a"], [3])


def test_a_sequence_may_come_twice_or_out_of_order(library: Any) -> None:
    template = library.processors.TemplateProcessing("$A x $A:1", "$B:1 $A", TOKENS)
    twice = template.process(library.encoding(tokens=["a"]))
    assert (twice.tokens, twice.type_ids, twice.sequence_ids) == (["a", "x", "a"], [0, 0, 1], [None, None, 0])
    turned = template.process(library.encoding(tokens=["a"]), library.encoding(tokens=["b"]))
    assert (turned.tokens, turned.type_ids, turned.sequence_ids) == (["b", "a"], [1, 0], [1, 0])


def test_overflow_keeps_the_types_that_it_was_tokenized_with(library: Any) -> None:
    encoding = library.encoding(tokens=["a"], type_ids=[4], overflowing=[{"tokens": ["b"], "type_ids": [5]}])
    processed = library.processors.TemplateProcessing("x:2 $A:3", special_tokens=TOKENS).process(encoding)
    assert (processed.type_ids, processed.overflowing[0].type_ids) == ([2, 3], [2, 5])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x $A",), r"Missing SpecialToken\(s\) with id\(s\) `x`"),
        (("$A  ",), r"Missing SpecialToken\(s\) with id\(s\) ``"),
        (("$A", "$A $B x"), r"Missing SpecialToken\(s\) with id\(s\) `x`"),
        (("$A", "$A"), "Template for `pair` must use both sequences"),
        (("q $A", "$B"), "Template for `pair` must use both sequences"),
        (("$A", None, [{"id": "x", "ids": [1]}]), "`tokens` must be specified"),
        (("$A", None, [{"ids": [1], "tokens": ["x"]}]), "`id` must be specified"),
    ],
)
def test_incomplete_templates_are_refused(library: Any, arguments: Any, message: Any) -> None:
    with pytest.raises(ValueError, match=message):
        library.processors.TemplateProcessing(*arguments)


@pytest.mark.parametrize("token", [["x", 1], "x", ("x", "y"), ("x", -1), ("x", 2**32), 3])
def test_special_tokens_of_another_form_are_refused(library: Any, token: Any) -> None:
    with pytest.raises(TypeError, match="Expected Union"):
        library.processors.TemplateProcessing("$A", None, [token])


def test_a_special_token_has_as_many_ids_as_tokens(library: Any) -> None:
    with pytest.raises(Exception, match="ids and tokens must be of the same length"):
        library.processors.TemplateProcessing("$A", None, [{"id": "x", "ids": [1, 2], "tokens": ["x"]}])


def test_of_special_tokens_with_one_id_the_last_counts(library: Any) -> None:
    template = library.processors.TemplateProcessing("x $A", None, [("x", 1), ("x", 2)])
    assert template.process(library.Encoding()).ids == [2]


def test_setting_the_template_checks_nothing_and_counts_nothing(library: Any) -> None:
    template = library.processors.TemplateProcessing("x $A", None, TOKENS)
    template.single = "x x $A"
    assert template.num_special_tokens_to_add(is_pair=False) == 1
    assert template.process(library.Encoding()).tokens == ["x", "x"]
    template.single = ["unknown", "$A"]
    with pytest.raises(library.panic):
        template.process(library.Encoding())


def test_the_template_is_shown_in_the_notation_of_rust(library: Any) -> None:
    template = library.processors.TemplateProcessing('x $A:2 a"b\\', None, [("x", 1), ('a"b\\', 2)])
    assert template.single == (
        'Template([SpecialToken { id: "x", type_id: 0 }, Sequence { id: A, type_id: 2 }, '
        'SpecialToken { id: "a\\"b\\\\", type_id: 0 }])'
    )


def test_the_second_sequence_in_a_template_for_one_panics_upstream(library: Any) -> None:
    template = library.processors.TemplateProcessing("$B")
    with pytest.raises(library.panic):
        template.process(library.Encoding(), add_special_tokens=False)


def test_a_file_may_leave_out_special_tokens_until_they_are_needed() -> None:
    document = {"single": [{"SpecialToken": {"id": "x", "type_id": 0}}], "pair": [], "special_tokens": {}}
    template = TemplateProcessing._from_json(JsonValue(document))
    assert template.num_special_tokens_to_add(is_pair=False) == 0
    with pytest.raises(UpstreamPanicError, match="'x'"):
        template.process(Encoding())


@given(st.lists(st.sampled_from(["x", "y:1", "m:2", "$A", "$A:3", "$1"]), max_size=6), st.booleans())
def test_the_result_has_the_added_tokens_and_the_sequences(pieces: Any, add_special_tokens: Any) -> None:
    template = TemplateProcessing(pieces, special_tokens=TOKENS)
    encoding = Encoding._of(ids=[0, 1], tokens=["a", "b"], offsets=[(0, 1), (1, 2)])
    processed = template.process(encoding, add_special_tokens=add_special_tokens)
    added = template.num_special_tokens_to_add(is_pair=False) if add_special_tokens else 0
    assert sum(processed.special_tokens_mask) == added
    assert len(processed) == added + 2 * sum(piece.startswith("$") for piece in pieces)
