"""What pre-tokenizers vouch for, beside their definition: the pieces of a text are those of its words, or splits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nested_pipelines import ALWAYS, PIECES, nested_pre_tokenizer, text_of

from tokenizer_reference import pre_tokenizers
from tokenizer_reference.errors import TokenizerReferenceError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, NoWordsError, Piece
from tokenizer_reference.text.characters import WHITE_SPACE
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.values.pre_tokenized_string import PreTokenizedString

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from tokenizer_reference.pre_tokenizers.base import PreTokenizer, Words

Aligned = list[tuple[str, list[tuple[int, int]]]]
"""The texts of pieces, each with what its characters stand for."""


def defined(pre_tokenizer: PreTokenizer, text: str) -> Aligned | None:
    """Return the pieces by the definition; ``None`` where that raises an error."""
    cut = PreTokenizedString(text)
    try:
        pre_tokenizer._pre_tokenize(cut)
    except TokenizerReferenceError:
        return None
    return [(split.normalized.normalized, split.normalized.alignment()) for split in cut.splits]


def aligned(pieces: Iterable[Piece], at: int = 0) -> Aligned:
    return [
        (piece.text, [(at + start, at + end) for start, end in zip(*piece.alignment(), strict=True)])
        for piece in pieces
    ]


def pieces_of_words(words: Words, text: str) -> Aligned:
    written = text if words.written is None or not text else words.written(text, True)
    pieces: Aligned = []
    at = len(text) - len(written)
    for word in words.cut(written):
        pieces += aligned(words.pieces_of(word), at)
        at += len(word)
    assert at == len(text)
    return [(piece, [(max(start, 0), max(end, 1)) for start, end in spans]) for piece, spans in pieces]


def check(pre_tokenizer: PreTokenizer, text: str) -> None:
    locality = pre_tokenizer._locality()
    expected = defined(pre_tokenizer, text)
    if locality is None or expected is None or not text:
        return
    if not locality.asks_for_begin:
        assert aligned(locality.pieces_of_split(text)) == expected
    if locality.words is not None:
        try:
            pieces = pieces_of_words(locality.words, text)
        except NoWordsError:
            return
        assert pieces == expected
        if locality.words.are_pieces:
            assert all(len(list(locality.words.pieces_of(piece))) == 1 for piece, _ in pieces)
        if locality.words.drops_white_space:
            parts = re.split(f"[{WHITE_SPACE}]+", text)
            texts = [piece for part in parts for piece, _ in pieces_of_words(locality.words, part)]
            assert texts == [piece for piece, _ in expected]


@given(rng=st.randoms(use_true_random=True))
def test_pieces_of_a_text_are_those_of_its_words_and_splits(rng: Random) -> None:
    pre_tokenizer = PRE_TOKENIZER.read(JsonValue(nested_pre_tokenizer(rng)))
    strings = [*ALWAYS, *rng.sample(PIECES, 8)]
    for _ in range(8):
        check(pre_tokenizer, text_of(rng, strings, 200))


def test_a_pre_tokenizer_vouches_for_nothing_unless_it_says_so() -> None:
    class Silent:
        def pre_tokenize(self, _: object) -> None: ...

    silent = pre_tokenizers.PreTokenizer.custom(Silent())
    assert silent._locality() is None
    assert pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), silent])._locality() is None


def test_a_metaspace_that_asks_where_a_text_begins_vouches_only_for_a_text_that_is_not_cut() -> None:
    first, split = pre_tokenizers.Metaspace(prepend_scheme="first"), pre_tokenizers.WhitespaceSplit()
    assert pre_tokenizers.Sequence([split, first])._locality() is None
    made = pre_tokenizers.Sequence([first, split])._locality()
    assert made is not None
    assert made.asks_for_begin
    assert made.words is not None
    assert made.words.written is not None
    assert [made.words.written("a b", is_first) for is_first in (True, False)] == ["▁a▁b", "a▁b"]


@pytest.mark.parametrize("count", [3, 300])
def test_a_word_is_aligned_once_for_all_its_pieces(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that time grows with the word, and not with its square."""
    aligned: list[str] = []
    alignment = Piece.alignment

    def noted(piece: Piece) -> tuple[Sequence[int], Sequence[int]]:
        aligned.append(piece.text)
        return alignment(piece)

    monkeypatch.setattr(Piece, "alignment", noted)
    word = "é!" * count
    sequence = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.ByteLevel(False)])
    locality = sequence._locality()
    assert locality is not None
    assert locality.words is not None
    pieces = list(locality.words.pieces_of(word))
    assert len(pieces) == 2 * count
    assert aligned.count(word) == 1


WHOLE = {
    "isolated": (True, True),
    "contiguous": (True, True),
    "merged_with_previous": (True, True),
    "merged_with_next": (True, True),
    "removed": (False, True),
}
"""Whether a Split at what is no digit keeps all of "1a22b", and of "ab"; inverted."""


@pytest.mark.parametrize("behavior", WHOLE)
def test_a_split_that_drops_a_part_of_the_text_has_no_words_there(behavior: str) -> None:
    locality = pre_tokenizers.Split(Regex("[a-z]"), behavior, invert=True)._locality()
    assert locality is not None
    assert locality.words is not None
    for text, keeps_all in zip(("1a22b", "ab"), WHOLE[behavior], strict=True):
        if keeps_all:
            assert "".join(locality.words.cut(text)) == text
        else:
            with pytest.raises(NoWordsError, match="removed drops a part of the text"):
                locality.words.cut(text)


def test_words_of_splits_one_after_the_other_are_those_of_the_last() -> None:
    splits = [
        pre_tokenizers.Split(Regex(pattern), "isolated")
        for pattern in (r"\p{N}{1,3}", "[ぁ-ん]+", r" ?\w+|\s+(?!\S)|.")
    ]
    locality = pre_tokenizers.Sequence([*splits, pre_tokenizers.ByteLevel(False, use_regex=False)])._locality()
    assert locality is not None
    assert locality.words is not None
    assert locality.words.cut("ab  12345ねこ c") == ["ab", "  ", "123", "45", "ねこ", " c"]
    assert [piece.text for piece in locality.words.pieces_of(" é")] == ["ĠÃ©"]
