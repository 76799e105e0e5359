"""Every pre-tokenizer against `tokenizers`: pieces and offsets, on random texts of hostile characters."""

from __future__ import annotations

import pytest
from both_sides import (
    NORMALIZERS,
    PRE_TOKENIZERS,
    Json,
    NormalizerOnBothSides,
    PreTokenizerOnBothSides,
    outcome,
    target_tokenizer,
)
from hostile_texts import hostile_texts
from in_one_test import in_one_test
from tokenizers import PreTokenizedString as TargetPreTokenizedString

from tokenizer_reference import PreTokenizedString


@in_one_test("document", PRE_TOKENIZERS.values())
def test_pieces_and_offsets_are_those_of_tokenizers(document: Json) -> None:
    pre_tokenizer = PreTokenizerOnBothSides(document)
    for text in hostile_texts(seed=3, count=200):
        assert pre_tokenizer.reference_answer(text) == pre_tokenizer.target_answer(text), repr(text)


@pytest.mark.parametrize("normalizer_name", ["NFKC", "Precompiled", "Prepend", "Replace, start"])
@in_one_test("document", PRE_TOKENIZERS.values())
def test_pieces_of_normalized_text_are_those_of_tokenizers(document: Json, normalizer_name: str) -> None:
    before = NORMALIZERS[normalizer_name]
    normalizer = NormalizerOnBothSides(before)
    pre_tokenizer = PreTokenizerOnBothSides(document)
    target_normalizer = target_tokenizer(normalizer=before).normalizer
    for text in hostile_texts(seed=4, count=20):
        pretok, target = PreTokenizedString(text), TargetPreTokenizedString(text)
        pretok.normalize(normalizer.reference.normalize)
        target.normalize(target_normalizer.normalize)

        def cut(pretok: PreTokenizedString = pretok) -> object:
            pre_tokenizer.reference.pre_tokenize(pretok)
            return pretok.get_splits()

        def target_cut(target: TargetPreTokenizedString = target) -> object:
            pre_tokenizer.target.pre_tokenize(target)
            return target.get_splits()

        assert outcome(cut) == outcome(target_cut), repr(text)
