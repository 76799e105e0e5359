"""The fast ways of cutting are tied to their definitions: matches, a split behaviour, a transform of every piece."""

from __future__ import annotations

from itertools import pairwise

from hostile_texts import CHARACTERS
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import NormalizedString, pre_tokenizers
from tokenizer_reference.pre_tokenizers.byte_level import _spelled_pieces, _spelled_plainly
from tokenizer_reference.text import characters
from tokenizer_reference.text.byte_level import byte_changes
from tokenizer_reference.text.character_pattern import pieces_between
from tokenizer_reference.text.code_point_sets import Ranges, contains, from_characters
from tokenizer_reference.text.pattern import tile
from tokenizer_reference.text.split_behavior import BEHAVIORS, pieces

texts = st.lists(st.sampled_from(CHARACTERS) | st.characters(codec="utf-8"), max_size=15).map("".join)

WHITE_SPACE = from_characters(characters.WHITE_SPACE)


def cut_at(text: str, delimiters: Ranges, behavior: str) -> list[str]:
    """Return what remains of ``text`` when it is split at every member of ``delimiters``."""
    spans = [(at, at + 1) for at, char in enumerate(text) if contains(delimiters, ord(char))]
    return [text[start:end] for start, end in pieces(tile(spans, len(text)), behavior) if start < end]


@given(texts, st.sampled_from(list(BEHAVIORS)))
def test_pieces_between_characters_are_the_matches_with_the_behavior(text: str, behavior: str) -> None:
    for delimiters in (
        characters.punctuation,
        characters.numeric_17,
        lambda: ((0x20, 0x20),),
        lambda: ((0x2581, 0x2581),),
    ):
        spans = pieces_between(delimiters, behavior).spans(text)
        assert [text[start:end] for start, end in spans] == cut_at(text, delimiters(), behavior)


@given(texts)
def test_bert_is_white_space_removed_then_punctuation_isolated(text: str) -> None:
    expected = [
        piece
        for word in cut_at(text, WHITE_SPACE, "removed")
        for piece in cut_at(word, characters.punctuation(), "isolated")
    ]
    assert [piece for piece, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(text)] == expected


@given(texts, st.sampled_from(["", "é "]), st.data())
def test_bytes_are_spelled_piece_by_piece(text: str, prefix: str, data: st.DataObject) -> None:
    size = len(text) + len(prefix if text else "")
    cuts = sorted(data.draw(st.sets(st.integers(0, size), max_size=5)) | {0, size})
    spans = list(pairwise(cuts))
    fast, plain = NormalizedString(text), NormalizedString(text)
    for string in (fast, plain):
        if prefix:
            string.prepend(prefix)
    quick = [(piece.normalized, piece.alignment()) for piece in _spelled_pieces(fast, spans)]
    assert quick == [(piece.normalized, piece.alignment()) for piece in _spelled_plainly(plain, spans)]


@given(texts)
def test_spelling_bytes_is_the_transform_by_their_changes(text: str) -> None:
    fast, plain = NormalizedString(text), NormalizedString(text)
    (spelled,) = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)._split(fast)
    plain.transform(byte_changes(text))
    assert (spelled.normalized, spelled.alignment()) == (plain.normalized, plain.alignment())
