"""Unigram as it is taught (sources: *Subword Tokenization Algorithms*, section 3, and *Unigram tokenization*).

**Model.** A token's probability is its frequency over the sum of all frequencies, and does not depend on its
neighbours; so the probability of a segmentation is the product of those of its tokens. The model keeps -log of the
probability, and adds: the smaller the score, the likelier.

**Tokenizing.** Of all segmentations the likeliest is taken, found with the Viterbi algorithm: for each position of the
word, the best segmentation that ends there. Of equals the one stays that is met first, going through the begins of
tokens from left to right and through their ends from left to right.

**Training.** The vocabulary starts large and shrinks. Its loss is the sum over the corpus of -log of each word's
probability. For every token (single characters are never removed) it is computed by how much the loss grows without it;
the tenth of the vocabulary with the smallest growth is removed; then again, until the vocabulary is small enough.
Frequencies are those counted at first, all occurrences of the substring, and are never estimated again; so the share of
those that remain grows with each round.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

UNKNOWN = "<unk>"
"""The token of a word that has no segmentation."""

# The vocabulary to start from ----------------------------------------------------------------------------------------


def strict_substring_frequencies(word_counts: Mapping[str, int]) -> dict[str, int]:
    """Return how often each strict substring of a word is in the corpus, as in the example with ``hug``.

    Strict substrings are those that are not the whole word. What is one in some word is counted in all words, also
    where it is the whole of one. Word by word, the shortest come first.

    >>> frequencies = strict_substring_frequencies({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5})
    >>> " ".join(frequencies)
    'h u g hu ug p pu n un b bu s gs hug ugs'
    >>> frequencies["ug"], sum(frequencies.values())
    (20, 210)
    """
    chosen = {
        word[start : start + size]: 0
        for word in word_counts
        for size in range(1, len(word))
        for start in range(len(word) - size + 1)
    }
    return chosen | {part: count for part, count in all_substring_frequencies(word_counts).items() if part in chosen}


def all_substring_frequencies(word_counts: Mapping[str, int]) -> dict[str, int]:
    """Return how often each substring is in the corpus; word by word, in the order of their begins and then ends."""
    frequencies: dict[str, int] = {}
    for word, count in word_counts.items():
        for start in range(len(word)):
            for end in range(start + 1, len(word) + 1):
                part = word[start:end]
                frequencies[part] = frequencies.get(part, 0) + count
    return frequencies


def initial_frequencies(word_counts: Mapping[str, int], size: int) -> dict[str, int]:
    """Return the ``size`` tokens to start from: all characters, then the most frequent of the longer substrings.

    Of equally frequent substrings those that are met first come first. That order matters to the end: pruning goes by
    it wherever tokens are equally dispensable. Raises :class:`ValueError` where not even the characters fit (there the
    published code takes all substrings but the least frequent ones).

    >>> initial_frequencies({"abab": 2, "b": 1}, 4)
    {'a': 4, 'b': 5, 'ab': 4, 'aba': 2}
    """
    frequencies = all_substring_frequencies(word_counts)
    characters = {part: frequency for part, frequency in frequencies.items() if len(part) == 1}
    if size < len(characters):
        raise ValueError(f"size={size}: the corpus alone has {len(characters)} characters, and all are kept")
    longer = [part for part in frequencies if len(part) > 1]
    longer.sort(key=frequencies.__getitem__, reverse=True)
    return characters | {part: frequencies[part] for part in longer[: size - len(characters)]}


# The model -----------------------------------------------------------------------------------------------------------


def probabilities(frequencies: Mapping[str, int]) -> dict[str, Fraction]:
    """Return the exact probability of each token: its frequency over the sum of all.

    >>> probabilities({"a": 3, "b": 1})
    {'a': Fraction(3, 4), 'b': Fraction(1, 4)}
    """
    total = sum(frequencies.values())
    return {token: Fraction(frequency, total) for token, frequency in frequencies.items()}


def negative_log_probabilities(frequencies: Mapping[str, int]) -> dict[str, float]:
    """Return the model of token frequencies: -log of each token's probability (natural logarithm)."""
    total = sum(frequencies.values())
    return {token: -log(frequency / total) for token, frequency in frequencies.items()}


# Tokenizing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Segmentation:
    """One way to cut a word into tokens, and its probability."""

    tokens: tuple[str, ...]
    probability: Fraction


def segmentations(word: str, frequencies: Mapping[str, int]) -> tuple[Segmentation, ...]:
    """Return all ways to cut ``word`` into tokens, those with shorter first tokens first.

    >>> frequencies = strict_substring_frequencies({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5})
    >>> [("+".join(way.tokens), round(float(way.probability), 6)) for way in segmentations("pug", frequencies)]
    [('p+u+g', 0.001322), ('p+ug', 0.00771), ('pu+g', 0.00771)]
    """
    model = probabilities(frequencies)
    return tuple(
        Segmentation(tokens, prod((model[token] for token in tokens), start=Fraction(1)))
        for tokens in _all_cuts(word, model)
    )


def _all_cuts(word: str, vocabulary: Mapping[str, object]) -> Iterator[tuple[str, ...]]:
    if not word:
        yield ()
    for end in range(1, len(word) + 1):
        if word[:end] in vocabulary:
            for rest in _all_cuts(word[end:], vocabulary):
                yield (word[:end], *rest)


@dataclass(frozen=True, slots=True)
class BestEnding:
    """The best segmentation of a word's beginning, up to some position: where its last token begins, and its score."""

    start: int
    score: float


@dataclass(frozen=True, slots=True)
class Tokenization:
    """The result of the Viterbi algorithm for a word: the best segmentation up to each position."""

    word: str
    endings: tuple[BestEnding | None, ...]
    """For each position of the word, from 0 to its length (code points); ``None`` where no segmentation ends."""

    @property
    def score(self) -> float | None:
        """The sum of the scores of the tokens; ``None`` if the word has no segmentation."""
        ending = self.endings[-1]
        return None if ending is None else ending.score

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the best segmentation, or just the unknown token."""
        return self.tokens_up_to(len(self.word)) or ((UNKNOWN,) if self.word else ())

    def tokens_up_to(self, end: int) -> tuple[str, ...]:
        """Return the best segmentation of the word's first ``end`` characters; empty where there is none."""
        tokens: list[str] = []
        while end and (ending := self.endings[end]) is not None:
            tokens.append(self.word[ending.start : end])
            end = ending.start
        return tuple(reversed(tokens))


def tokenize_word(word: str, model: Mapping[str, float], *, initial_score: float = 0.0) -> Tokenization:
    """Find the segmentation of ``word`` with the smallest sum of scores.

    The sum starts from ``initial_score``. The published code starts from 1, and so all scores that it prints are too
    large by 1; the tokens are the same.

    >>> model = negative_log_probabilities({"a": 2, "b": 1, "ab": 1})
    >>> best = tokenize_word("aab", model)
    >>> best.tokens, best.tokens_up_to(2)
    (('a', 'ab'), ('a', 'a'))
    >>> tokenize_word("abc", model).tokens
    ('<unk>',)
    """
    best: list[BestEnding | None] = [BestEnding(0, initial_score)] + [None] * len(word)
    for start in range(len(word)):
        before = best[start]
        if before is None:
            continue
        for end in range(start + 1, len(word) + 1):
            token_score = model.get(word[start:end])
            if token_score is None:
                continue
            score = token_score + before.score
            known = best[end]
            if known is None or score < known.score:
                best[end] = BestEnding(start, score)
    return Tokenization(word, tuple(best))


# Training ------------------------------------------------------------------------------------------------------------


def compute_loss(model: Mapping[str, float], word_counts: Mapping[str, int], *, initial_score: float = 0.0) -> float:
    """Return -log of the probability of the corpus: the sum of the words' scores, each times its count.

    With the published ``initial_score`` of 1 it is too large by the number of words. Raises :class:`ValueError` for a
    word that has no segmentation.
    """
    loss = 0.0
    for word, count in word_counts.items():  # one by one, as published: `sum` rounds otherwise since Python 3.12
        score = tokenize_word(word, model, initial_score=initial_score).score
        if score is None:
            raise ValueError(f"the word {word!r} cannot be cut into tokens of the model, so its loss is infinite")
        loss += count * score
    return loss


def compute_loss_increases(
    model: Mapping[str, float], word_counts: Mapping[str, int], *, initial_score: float = 0.0
) -> dict[str, float]:
    """Return by how much the loss grows if a token is taken away, for every token of more than one character.

    The scores of the other tokens stay what they are. Raises :class:`ValueError` as :func:`compute_loss` does.
    """
    loss = compute_loss(model, word_counts, initial_score=initial_score)
    increases: dict[str, float] = {}
    for token in model:
        if len(token) > 1:
            without = {other: score for other, score in model.items() if other != token}
            increases[token] = compute_loss(without, word_counts, initial_score=initial_score) - loss
    return increases


@dataclass(frozen=True, slots=True)
class PruningRound:
    """One round of training: the losses without each token, and which tokens were removed for that."""

    frequencies: Mapping[str, int]
    """The vocabulary before the round."""
    loss: float
    loss_increases: Mapping[str, float]
    removed: tuple[str, ...]
    """The tokens that the round removed, the most dispensable first."""


@dataclass(frozen=True, slots=True)
class Training:
    """What training did, from the large vocabulary to the small one."""

    rounds: tuple[PruningRound, ...]
    frequencies: Mapping[str, int]
    """The tokens that are left, with the frequencies that they had from the beginning."""
    exhausted: bool
    """Whether training ended early because only single characters were left."""

    @property
    def model(self) -> dict[str, float]:
        """The tokens that are left, with their scores."""
        return negative_log_probabilities(self.frequencies)


def train(
    word_counts: Mapping[str, int],
    vocabulary_size: int,
    *,
    initial_size: int = 300,
    share_to_remove: float = 0.1,
    initial_score: float = 0.0,
) -> Training:
    """Start from :func:`initial_frequencies` and remove tokens until no more than ``vocabulary_size`` are left.

    A round removes the part ``share_to_remove`` of the vocabulary, rounded down, so the last one can overshoot. Where
    that is less than one token the published loop never ends, and where so many are not available it fails; this one
    removes at least one, and no more than there are, and ends when only characters are left (``exhausted``). Of tokens
    with the same loss increase, those that come first in the vocabulary are removed.

    >>> counts = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    >>> training = train(counts, 12, initial_size=15, share_to_remove=0.2)
    >>> [pruning.removed for pruning in training.rounds]
    [('ug', 'pu', 'hu')]
    """
    frequencies = initial_frequencies(word_counts, initial_size)
    rounds: list[PruningRound] = []
    exhausted = False
    while len(frequencies) > vocabulary_size:
        model = negative_log_probabilities(frequencies)
        increases = compute_loss_increases(model, word_counts, initial_score=initial_score)
        if not increases:
            exhausted = True
            break
        dispensable = sorted(increases, key=increases.__getitem__)
        removed = tuple(dispensable[: max(1, int(len(frequencies) * share_to_remove))])
        loss = compute_loss(model, word_counts, initial_score=initial_score)
        rounds.append(PruningRound(frequencies, loss, increases, removed))
        frequencies = {token: frequency for token, frequency in frequencies.items() if token not in removed}
    return Training(tuple(rounds), frequencies, exhausted)
