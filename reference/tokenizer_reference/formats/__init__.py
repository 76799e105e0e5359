"""Files of other formats than tokenizer.json: each reader gives a :class:`~tokenizer_reference.Tokenizer`."""

from __future__ import annotations

from tokenizer_reference.formats.sentencepiece_model import (
    ModelType,
    NormalizerSpec,
    PieceType,
    SentencePiece,
    SentencePieceModel,
    TrainerSpec,
    read_sentencepiece_model,
    tokenizer_from_sentencepiece,
)
from tokenizer_reference.formats.tiktoken_ranks import read_tiktoken_ranks, tokenizer_from_tiktoken
from tokenizer_reference.formats.vocab_merges import read_vocab_merges, tokenizer_from_vocab_merges
from tokenizer_reference.formats.vocab_txt import read_vocab_txt, tokenizer_from_vocab_txt

__all__ = [
    "ModelType",
    "NormalizerSpec",
    "PieceType",
    "SentencePiece",
    "SentencePieceModel",
    "TrainerSpec",
    "read_sentencepiece_model",
    "read_tiktoken_ranks",
    "read_vocab_merges",
    "read_vocab_txt",
    "tokenizer_from_sentencepiece",
    "tokenizer_from_tiktoken",
    "tokenizer_from_vocab_merges",
    "tokenizer_from_vocab_txt",
]
