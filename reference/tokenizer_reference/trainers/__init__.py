"""Trainers: what learns a model from texts."""

from __future__ import annotations

from tokenizer_reference.trainers.base import TRAINERS, Trainer
from tokenizer_reference.trainers.bpe import BpeTrainer
from tokenizer_reference.trainers.parity import ParityBpeTrainer
from tokenizer_reference.trainers.unigram import UnigramTrainer
from tokenizer_reference.trainers.wordlevel import WordLevelTrainer
from tokenizer_reference.trainers.wordpiece import WordPieceTrainer

__all__ = [
    "COMPONENTS",
    "BpeTrainer",
    "ParityBpeTrainer",
    "Trainer",
    "UnigramTrainer",
    "WordLevelTrainer",
    "WordPieceTrainer",
]

COMPONENTS: dict[str, type[Trainer]] = TRAINERS.components
"""The class of each name that a trainer's state may have."""
