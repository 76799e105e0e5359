"""What a difference between two vocabularies does to the words of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.training import TrainedModel
    from tokenizer_conformance.research.training.task import TrainingTask

SHOWN = 10
"""How many of the words that are split differently are kept."""


@dataclass(frozen=True, slots=True)
class SplitDifferently:
    """A word that occurs ``count`` times, with its tokens on both sides."""

    word: str
    count: int
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """How the words of the corpus, ``words`` in all and ``kinds`` of them, are split.

    ``first_tokens`` and ``second_tokens`` are how many tokens the corpus has on either side; ``differing_words`` and
    ``differing_kinds`` how many are split differently, ``examples`` the most frequent of these.
    """

    words: int
    kinds: int
    first_tokens: int
    second_tokens: int
    differing_words: int
    differing_kinds: int
    examples: tuple[SplitDifferently, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a model makes of the corpus: how many ``tokens``, and how many of them are ``unknown`` to the vocabulary."""

    tokens: int
    unknown: int


def effect_of(
    first: Mapping[str, tuple[str, ...]], second: Mapping[str, tuple[str, ...]], task: TrainingTask
) -> Effect:
    """Return how ``first`` and ``second`` split the words of ``task``."""
    counts = task.words
    differing = [word for word in counts if first[word] != second[word]]
    shown = sorted(differing, key=lambda word: -counts[word])[:SHOWN]
    return Effect(
        words=sum(counts.values()),
        kinds=len(counts),
        first_tokens=sum(len(first[word]) * count for word, count in counts.items()),
        second_tokens=sum(len(second[word]) * count for word, count in counts.items()),
        differing_words=sum(counts[word] for word in differing),
        differing_kinds=len(differing),
        examples=tuple(SplitDifferently(word, counts[word], first[word], second[word]) for word in shown),
    )


def coverage_of(segments: Mapping[str, tuple[str, ...]], model: TrainedModel, task: TrainingTask) -> Coverage:
    """Return what ``model`` makes of the words of ``task``, whose ``segments`` it has given."""
    tokens = unknown = 0
    for word, count in task.words.items():
        tokens += len(segments[word]) * count
        unknown += sum(token not in model.tokens for token in segments[word]) * count
    return Coverage(tokens, unknown)
