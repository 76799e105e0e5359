"""How a model arrives at the tokens of a word, for every model that has a way to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_reference.models.bpe import BPE
from tokenizer_reference.models.bpe_steps import BpeSteps, bpe_steps
from tokenizer_reference.models.lookups import WordLookup, WordPieceMatches, word_lookup, wordpiece_matches
from tokenizer_reference.models.unigram import Unigram
from tokenizer_reference.models.unigram_paths import UnigramPaths, unigram_paths
from tokenizer_reference.models.wordlevel import WordLevel
from tokenizer_reference.models.wordpiece import WordPiece

if TYPE_CHECKING:
    from tokenizer_reference.models.base import Model


@dataclass(frozen=True, slots=True)
class NotShown:
    """The steps of a word that are not shown, and why."""

    reason: str


WordSteps = BpeSteps | UnigramPaths | WordPieceMatches | WordLookup | NotShown
"""How a word becomes its tokens."""


def word_steps(model: Model, word: str) -> WordSteps:
    """Return how ``model`` arrives at the tokens of ``word``; one that draws at random has nothing to show.

    Raises :class:`~tokenizer_reference.errors.ModelError` as ``model.tokenize`` does.
    """
    match model:
        case BPE() if model.dropout:
            return NotShown(f"merges are dropped at random (dropout {model.dropout:g})")
        case BPE():
            return bpe_steps(model, word)
        case Unigram() if model.alpha:
            return NotShown(f"the cut is drawn at random (alpha {model.alpha:g})")
        case Unigram():
            return unigram_paths(model, word)
        case WordPiece():
            return wordpiece_matches(model, word)
        case WordLevel():
            return word_lookup(model, word)
        case _:
            return NotShown(f"{type(model).__name__} has no steps to show")
