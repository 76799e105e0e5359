"""What a trained model makes of words, by the plain definition of each algorithm.

Limits that libraries add (WordPiece gives up words of more than 100 characters in ``tokenizers``) are left out, so that
what is compared is what was learned.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_adapters.training import Algorithm
from tokenizer_conformance.research.training.merge_replay import distinct_steps, steps_of
from tokenizer_conformance.results.records import training as lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.training import TrainedModel
    from tokenizer_conformance.research.training.pair_counts import Pair
    from tokenizer_conformance.research.training.task import Affixes, TrainingTask

SHOWN = 10
"""How many of the words that are split differently are kept."""

UNKNOWN_PENALTY = 10.0
"""How much worse than the worst piece an unknown character is to Unigram, in natural logarithms."""


def segmenter(model: TrainedModel, task: TrainingTask) -> Callable[[str], tuple[str, ...]]:
    """Return the function that cuts a word into the tokens of ``model``."""
    return _SEGMENTERS[task.algorithm](model, task)


# BPE -----------------------------------------------------------------------------------------------------------------


def _bpe(model: TrainedModel, task: TrainingTask) -> Callable[[str], tuple[str, ...]]:
    """Merge the pair that was learned first, again and again.

    Of a model that does not show its merges, the pair whose token was learned first.
    """
    affixes = task.affixes
    rank_of = _ranks_of_pairs(model) if model.merges is not None else _ranks_of_tokens(model, task)
    return lambda word: _merged(affixes.symbols(word), rank_of, affixes)


def _ranks_of_pairs(model: TrainedModel) -> Callable[[Pair], int | None]:
    ranks: dict[Pair, int] = {}
    for rank, pair in enumerate(model.merges or ()):
        ranks.setdefault(pair, rank)
    return ranks.get


def _ranks_of_tokens(model: TrainedModel, task: TrainingTask) -> Callable[[Pair], int | None]:
    ranks = {step.token: number for number, step in distinct_steps(steps_of(model, task))}
    merged = task.affixes.merged
    return lambda pair: ranks.get(merged(*pair))


def _merged(symbols: list[str], rank_of: Callable[[Pair], int | None], affixes: Affixes) -> tuple[str, ...]:
    """Merge neighbours in ``symbols`` by rank, of equal ranks the leftmost first.

    >>> from tokenizer_conformance.research.training.task import Affixes
    >>> _merged(list("abab"), {("a", "b"): 0, ("ab", "ab"): 1}.get, Affixes())
    ('abab',)
    """
    after = [*range(1, len(symbols)), -1]
    before = [at - 1 for at in range(len(symbols))]
    here: list[str | None] = list(symbols)
    waiting = [(rank, at, pair) for at, pair in enumerate(pairwise(symbols)) if (rank := rank_of(pair)) is not None]
    heapify(waiting)
    while waiting:
        _, at, (left, right) = heappop(waiting)
        second = after[at]
        if second < 0 or here[at] != left or here[second] != right:
            continue
        here[at], here[second] = affixes.merged(left, right), None
        after[at] = after[second]
        if after[at] >= 0:
            before[after[at]] = at
        for place in (before[at], at):
            if place >= 0 and after[place] >= 0:
                one, other = here[place], here[after[place]]
                if one is not None and other is not None and (rank := rank_of((one, other))) is not None:
                    heappush(waiting, (rank, place, (one, other)))
    return tuple(symbol for symbol in here if symbol is not None)


# WordPiece -----------------------------------------------------------------------------------------------------------


def _wordpiece(model: TrainedModel, task: TrainingTask) -> Callable[[str], tuple[str, ...]]:
    """Take the longest token that the rest begins with; where there is none, the whole word is unknown."""
    vocabulary, prefix = model.tokens, task.affixes.prefix
    longest = max(map(len, vocabulary), default=0)

    def cut(word: str) -> tuple[str, ...]:
        tokens: list[str] = []
        start = 0
        while start < len(word):
            mark = prefix if start else ""
            ends = range(min(len(word), start + longest), start, -1)
            end = next((end for end in ends if mark + word[start:end] in vocabulary), None)
            if end is None:
                return (word,)
            tokens.append(mark + word[start:end])
            start = end
        return tuple(tokens)

    return cut


# Unigram -------------------------------------------------------------------------------------------------------------


def _unigram(model: TrainedModel, task: TrainingTask) -> Callable[[str], tuple[str, ...]]:
    """Take the likeliest segmentation; of equals, the one whose last tokens are longest."""
    scores = {
        token: (model.scores or {})[token] for token in task.unmarked(model.tokens) if token in (model.scores or {})
    }
    longest = max(map(len, scores), default=1)
    unknown = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
    return lambda word: _likeliest(word, scores, longest, unknown)


def _likeliest(word: str, scores: Mapping[str, float], longest: int, unknown: float) -> tuple[str, ...]:
    best = [0.0]
    begins = [0]
    for end in range(1, len(word) + 1):
        begin = end - 1
        value = best[begin] + unknown
        for start in range(max(0, end - longest), end):
            score = scores.get(word[start:end])
            if score is not None and (best[start] + score > value):
                begin, value = start, best[start] + score
        best.append(value)
        begins.append(begin)
    tokens = []
    end = len(word)
    while end:
        tokens.append(word[begins[end] : end])
        end = begins[end]
    return tuple(reversed(tokens))


# WordLevel -----------------------------------------------------------------------------------------------------------


def _wordlevel(_model: TrainedModel, _task: TrainingTask) -> Callable[[str], tuple[str, ...]]:
    """Take every word as it is, known or not."""
    return lambda word: (word,)


_SEGMENTERS: dict[Algorithm, Callable[[TrainedModel, TrainingTask], Callable[[str], tuple[str, ...]]]] = {
    Algorithm.BPE: _bpe,
    Algorithm.WORDPIECE: _wordpiece,
    Algorithm.UNIGRAM: _unigram,
    Algorithm.WORDLEVEL: _wordlevel,
}


# What that does to a corpus -------------------------------------------------------------------------------------------


def effect_of(
    first: Mapping[str, tuple[str, ...]], second: Mapping[str, tuple[str, ...]], task: TrainingTask
) -> lines.Effect:
    """Return how ``first`` and ``second`` split the words of ``task``."""
    counts = task.words
    differing = [word for word in counts if first[word] != second[word]]
    shown = sorted(differing, key=lambda word: -counts[word])[:SHOWN]
    return lines.Effect(
        words=sum(counts.values()),
        kinds=len(counts),
        first_tokens=sum(len(first[word]) * count for word, count in counts.items()),
        second_tokens=sum(len(second[word]) * count for word, count in counts.items()),
        differing_words=sum(counts[word] for word in differing),
        differing_kinds=len(differing),
        examples=tuple(
            lines.EffectExample(word=word, count=counts[word], first=first[word], second=second[word]) for word in shown
        ),
    )


def coverage_of(segments: Mapping[str, tuple[str, ...]], model: TrainedModel, task: TrainingTask) -> lines.Coverage:
    """Return what ``model`` makes of the words of ``task``, whose ``segments`` it has given."""
    tokens = unknown = 0
    for word, count in task.words.items():
        tokens += len(segments[word]) * count
        unknown += sum(token not in model.tokens for token in segments[word]) * count
    return lines.Coverage(tokens=tokens, unknown=unknown)
