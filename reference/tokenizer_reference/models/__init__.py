"""Models: what turns a piece of text into tokens."""

from __future__ import annotations

from tokenizer_reference.models.base import MODEL, Model
from tokenizer_reference.models.bpe import BPE
from tokenizer_reference.models.unigram import Unigram
from tokenizer_reference.models.wordlevel import WordLevel
from tokenizer_reference.models.wordpiece import WordPiece

__all__ = ["BPE", "COMPONENTS", "Model", "Unigram", "WordLevel", "WordPiece"]

COMPONENTS: dict[str, type[Model]] = MODEL.components
"""The classes by the name that tokenizer.json has for them, in the order of the stage."""
