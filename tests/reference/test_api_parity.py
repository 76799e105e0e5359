"""All that `tokenizers` offers in public is offered by the reference, with the same names and defaults."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
import tokenizers
from api_parity import differences

import tokenizer_reference

TRAINERS = "trainers arrive with the next piece of work"
MARKUP = "what the target builds its page with; the page of the reference is its own"
SIGNATURE = "the target's signature is written by hand and wrong; the call without the argument does what ours does"

EXCEPTIONS = {
    "tokenizers": "the compiled module; what it holds is offered by the package",
    "trainers": TRAINERS,
    "trainers.*": TRAINERS,
    "models.*.get_trainer": TRAINERS,
    "Tokenizer.train": TRAINERS,
    "Tokenizer.train_from_iterator": TRAINERS,
    "*Tokenizer.train": TRAINERS,
    "*Tokenizer.train_from_iterator": TRAINERS,
    "AddedToken(normalized=)": "not given means the opposite of `special`, which no value can say",
    "models.BPE(cache_capacity=)": SIGNATURE,
    "models.BPE(fuse_unk=)": SIGNATURE,
    "models.Model.save(prefix=)": SIGNATURE,
    "normalizers.Prepend(prepend=)": SIGNATURE,
    "pre_tokenizers.Metaspace(replacement=)": SIGNATURE,
    "tools.EncodingVisualizer.consecutive_chars_to_html": MARKUP,
    "tools.EncodingVisualizer.unk_token_regex": "a backspace stands where a word boundary was meant; it never matters",
    "tools.visualizer.[!E]*": MARKUP,
}
"""Differences, by the pattern of their places, and why they are there."""

VOCABULARY = "{'a': 0, 'b': 1, 'ab': 2}"

SAMPLES = {
    "AddedToken": "AddedToken('a')",
    "Encoding": f"Tokenizer(models.WordLevel({VOCABULARY}, 'a')).encode('a')",
    "NormalizedString": "NormalizedString('aé')",
    "PreTokenizedString": "PreTokenizedString('aé')",
    "Regex": "Regex('a')",
    "Token": "Token(1, 'a', (0, 1))",
    "Tokenizer": "Tokenizer(models.BPE())",
    "BertWordPieceTokenizer": "BertWordPieceTokenizer()",
    "ByteLevelBPETokenizer": "ByteLevelBPETokenizer()",
    "CharBPETokenizer": "CharBPETokenizer()",
    "SentencePieceBPETokenizer": "SentencePieceBPETokenizer()",
    "SentencePieceUnigramTokenizer": "SentencePieceUnigramTokenizer()",
    "implementations.BaseTokenizer": "implementations.BaseTokenizer(Tokenizer(models.BPE()))",
    "decoders.Decoder": "decoders.Fuse()",
    "decoders.BPEDecoder": "decoders.BPEDecoder()",
    "decoders.ByteFallback": "decoders.ByteFallback()",
    "decoders.ByteLevel": "decoders.ByteLevel()",
    "decoders.CTC": "decoders.CTC()",
    "decoders.DecodeStream": "decoders.DecodeStream()",
    "decoders.Fuse": "decoders.Fuse()",
    "decoders.Metaspace": "decoders.Metaspace()",
    "decoders.Replace": "decoders.Replace('a', 'b')",
    "decoders.Sequence": "decoders.Sequence([])",
    "decoders.Strip": "decoders.Strip()",
    "decoders.WordPiece": "decoders.WordPiece()",
    "models.Model": "models.BPE()",
    "models.BPE": "models.BPE()",
    "models.Unigram": "models.Unigram()",
    "models.WordLevel": "models.WordLevel()",
    "models.WordPiece": "models.WordPiece()",
    "normalizers.Normalizer": "normalizers.NFC()",
    "normalizers.BertNormalizer": "normalizers.BertNormalizer()",
    "normalizers.Prepend": "normalizers.Prepend()",
    "normalizers.Replace": "normalizers.Replace('a', 'b')",
    "normalizers.Sequence": "normalizers.Sequence([])",
    "normalizers.Strip": "normalizers.Strip()",
    "pre_tokenizers.PreTokenizer": "pre_tokenizers.Whitespace()",
    "pre_tokenizers.ByteLevel": "pre_tokenizers.ByteLevel()",
    "pre_tokenizers.CharDelimiterSplit": "pre_tokenizers.CharDelimiterSplit('a')",
    "pre_tokenizers.Digits": "pre_tokenizers.Digits()",
    "pre_tokenizers.FixedLength": "pre_tokenizers.FixedLength()",
    "pre_tokenizers.Metaspace": "pre_tokenizers.Metaspace()",
    "pre_tokenizers.Punctuation": "pre_tokenizers.Punctuation()",
    "pre_tokenizers.Sequence": "pre_tokenizers.Sequence([])",
    "pre_tokenizers.Split": "pre_tokenizers.Split('a', 'removed')",
    "processors.PostProcessor": "processors.ByteLevel()",
    "processors.BertProcessing": "processors.BertProcessing(('a', 1), ('b', 2))",
    "processors.ByteLevel": "processors.ByteLevel()",
    "processors.RobertaProcessing": "processors.RobertaProcessing(('a', 1), ('b', 2))",
    "processors.Sequence": "processors.Sequence([])",
    "processors.TemplateProcessing": "processors.TemplateProcessing()",
    "tools.EncodingVisualizer": "package.tools.EncodingVisualizer(Tokenizer(models.BPE()), False)",
}
"""An instance of each class that has methods or properties of its own, in the names of either package."""

FOUND = sorted(differences(tokenizer_reference, tokenizers, SAMPLES))


def test_every_difference_is_explained() -> None:
    unexplained = [each for each in FOUND if not any(fnmatchcase(each.place, pattern) for pattern in EXCEPTIONS)]
    assert unexplained == []


@pytest.mark.parametrize("pattern", EXCEPTIONS)
def test_every_exception_is_needed(pattern: str) -> None:
    assert any(fnmatchcase(each.place, pattern) for each in FOUND), "remove the exception"
