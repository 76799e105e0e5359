"""Trainers: what learns a model from texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.trainers.base import Trainer
from tokenizer_reference.trainers.bpe import BpeTrainer
from tokenizer_reference.trainers.parity import ParityBpeTrainer
from tokenizer_reference.trainers.unigram import UnigramTrainer
from tokenizer_reference.trainers.wordlevel import WordLevelTrainer
from tokenizer_reference.trainers.wordpiece import WordPieceTrainer

if TYPE_CHECKING:
    from tokenizer_reference.models.base import Model

__all__ = [
    "COMPONENTS",
    "BpeTrainer",
    "ParityBpeTrainer",
    "Trainer",
    "UnigramTrainer",
    "WordLevelTrainer",
    "WordPieceTrainer",
]

COMPONENTS: dict[str, type[Trainer]] = {
    "BpeTrainer": BpeTrainer,
    "WordPieceTrainer": WordPieceTrainer,
    "WordLevelTrainer": WordLevelTrainer,
    "UnigramTrainer": UnigramTrainer,
}
"""The class of each name that a trainer's state may have."""


def trainer_of(model: Model) -> Trainer:
    """Return a new trainer, with its defaults, that can train ``model``."""
    return next(kind for kind in COMPONENTS.values() if isinstance(model, kind._MODEL))()
