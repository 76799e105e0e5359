"""File formats: tokenizer.json, and the readers of other formats, which give a :class:`~tokenizer_reference.Tokenizer`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

_MODULES = {
    "read_tiktoken_ranks": "tiktoken_ranks",
    "tokenizer_from_tiktoken": "tiktoken_ranks",
    "read_vocab_merges": "vocab_merges",
    "tokenizer_from_vocab_merges": "vocab_merges",
    "read_vocab_txt": "vocab_txt",
    "tokenizer_from_vocab_txt": "vocab_txt",
}


def __getattr__(name: str) -> object:
    # Loaded when asked for: they build tokenizers, and the modules of the tokenizer import this package.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _MODULES.get(name, "sentencepiece_model")
    return getattr(import_module(f"{__name__}.{module}"), name)
