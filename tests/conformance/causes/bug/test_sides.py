"""What a snippet prints of an answer, and how a report quotes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Chunks, Crashed, Encoded, EncodedBatch, Failed, Field, Pieces, Text
from tokenizer_conformance.causes.bug.sides import in_words, is_value, key_of, plain, plain_value, shown_field

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Outcome

ENCODED = Encoded((5, 6), ("a", "\u00e9"), ((0, 1), (1, 2)), overflowing=(Encoded((7,)), Encoded((8, 9))))
PIECES = Pieces((("a", (0, 1)), ("b", None)))

VALUES: list[tuple[Outcome, Field, Any, Field]] = [
    (Text("\u00e9"), Field.TEXT, "\u00e9", Field.TEXT),
    (Chunks(("a", None)), Field.TEXT, ["a", None], Field.TEXT),
    (PIECES, Field.PIECES, ["a", "b"], Field.PIECES),
    (PIECES, Field.OFFSETS, [[0, 1], None], Field.PIECES),
    (ENCODED, Field.IDS, [5, 6], Field.IDS),
    (ENCODED, Field.OFFSETS, [[0, 1], [1, 2]], Field.IDS),
    (ENCODED, Field.OVERFLOWING, [[7], [8, 9]], Field.IDS),
    (Encoded((5,)), Field.OVERFLOWING, [], Field.IDS),
    (Encoded((5,)), Field.TOKENS, None, Field.IDS),
    (EncodedBatch((ENCODED, Encoded((1,)))), Field.IDS, [[5, 6], [1]], Field.IDS),
]


@pytest.mark.parametrize(("outcome", "field", "value", "first"), VALUES)
def test_answers_are_printed_as_plain_values(outcome: Outcome, field: Field, value: Any, first: Field) -> None:
    assert is_value(outcome)
    assert plain_value(outcome, field) == value
    assert in_words(outcome, field) == ascii(value)
    assert shown_field(None, outcome) is first
    assert shown_field(Field.TOKENS, outcome) is Field.TOKENS


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Failed("ValueError", "no \u00e9"), "'raises ValueError: no \\xe9'"),
        (Crashed("gone"), "Crashed(detail='gone')"),
    ],
)
def test_what_is_no_value_is_told_in_words(outcome: Outcome, words: str) -> None:
    assert not is_value(outcome)
    assert in_words(outcome, Field.IDS) == words
    with pytest.raises(TypeError, match="no value: "):
        plain_value(outcome, Field.IDS)


def test_only_what_answers_are_made_of_is_printed() -> None:
    with pytest.raises(TypeError, match=r"no value of an answer: 1\.5"):
        plain(((1, 1.5),))


def test_offsets_of_pieces_have_an_expression_of_their_own() -> None:
    names = [key_of(field, kind) for kind in ("pre_tokenize", "encode") for field in (Field.OFFSETS, Field.PIECES)]
    assert names == ["piece_offsets", "pieces", "offsets", "pieces"]
