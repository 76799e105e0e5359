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
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Piece
from tokenizer_reference.text.characters import WHITE_SPACE
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
    pieces: Aligned = []
    at = 0
    for word in words.cut(text):
        pieces += aligned(words.pieces_of(word), at)
        at += len(word)
    assert at == len(text)
    return pieces


def check(pre_tokenizer: PreTokenizer, text: str) -> None:
    locality = pre_tokenizer._locality()
    expected = defined(pre_tokenizer, text)
    if locality is None or expected is None or not text:
        return
    assert aligned(locality.pieces_of_split(text)) == expected
    if locality.words is not None:
        assert pieces_of_words(locality.words, text) == expected
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
    assert pre_tokenizers.Metaspace(prepend_scheme="first")._locality() is None


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
