"""Models: what turns a piece of text into tokens."""

from __future__ import annotations

from tokenizer_reference.models.base import Model
from tokenizer_reference.models.bpe import BPE
from tokenizer_reference.models.unigram import Unigram
from tokenizer_reference.models.wordlevel import WordLevel
from tokenizer_reference.models.wordpiece import WordPiece

__all__ = ["BPE", "COMPONENTS", "Model", "Unigram", "WordLevel", "WordPiece"]

COMPONENTS: dict[str, type[Model]] = {
    "BPE": BPE,
    "WordPiece": WordPiece,
    "WordLevel": WordLevel,
    "Unigram": Unigram,
}
"""The class of each ``type`` of tokenizer.json, in the order in which the target tries them where it is missing."""
