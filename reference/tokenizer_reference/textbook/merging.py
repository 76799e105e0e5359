"""What the trainings of BPE and WordPiece share: a corpus of counted words, each cut into tokens, and merging in it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

Pair = tuple[str, str]
"""Two tokens, one after the other in a word."""


@dataclass(frozen=True, slots=True)
class CountedWord:
    """A word as its tokens, and how often it is in the corpus."""

    tokens: tuple[str, ...]
    count: int


Corpus = tuple[CountedWord, ...]


def token_frequencies(corpus: Corpus) -> dict[str, int]:
    """Return how often each token is in ``corpus``, in the order in which they are first met."""
    frequencies: dict[str, int] = {}
    for word in corpus:
        for token in word.tokens:
            frequencies[token] = frequencies.get(token, 0) + word.count
    return frequencies


def pair_frequencies(corpus: Corpus) -> dict[Pair, int]:
    """Return how often each pair is in ``corpus``, in the order in which they are first met.

    >>> pair_frequencies((CountedWord(("h", "u", "g"), 10), CountedWord(("h", "u", "g", "s"), 5)))
    {('h', 'u'): 15, ('u', 'g'): 15, ('g', 's'): 5}
    """
    frequencies: dict[Pair, int] = {}
    for word in corpus:
        for pair in pairwise(word.tokens):
            frequencies[pair] = frequencies.get(pair, 0) + word.count
    return frequencies


def first_of_the_greatest(values: Mapping[Pair, int | Fraction]) -> Pair:
    """Return the pair with the greatest of ``values``; of equals, the one that was met first."""
    return max(values, key=values.__getitem__)


def merge_pair(tokens: Sequence[str], pair: Pair, merged: str) -> tuple[str, ...]:
    """Return ``tokens`` with each occurrence of ``pair``, from left to right, replaced by ``merged``.

    >>> merge_pair(["a", "a", "a", "b"], ("a", "a"), "aa")
    ('aa', 'a', 'b')
    """
    result: list[str] = []
    index = 0
    while index < len(tokens):
        if tuple(tokens[index : index + 2]) == pair:
            result.append(merged)
            index += 2
        else:
            result.append(tokens[index])
            index += 1
    return tuple(result)


def merge_in_corpus(corpus: Corpus, pair: Pair, merged: str) -> Corpus:
    """Return ``corpus`` with :func:`merge_pair` done in every word that has the first token of ``pair``."""
    return tuple(
        CountedWord(merge_pair(word.tokens, pair, merged), word.count) if pair[0] in word.tokens else word
        for word in corpus
    )
