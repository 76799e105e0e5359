"""How often each pair of neighbouring tokens occurs in a corpus, kept exact while pairs are merged.

All words are one row of *places*, linked to their neighbours. A pair is merged from left to right in every word, as BPE
was published (Sennrich et al. 2016); what trainers do otherwise shows when their merges are done again here.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.results.records.training import Top

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.research.training.task import Affixes

Pair = tuple[str, str]
"""Two tokens, one after the other in a word."""

_GONE = -1
"""The token of a place that has been merged into the one before it."""

_EDGE = -1
"""Stands for the place before a word, and for that after it."""


class PairCounts:
    """The pairs of ``words``, whose characters are ``tokens`` with ids; other characters are left out of the words.

    ``max_length``: a pair that a merge makes counts for :meth:`top` only if its token has fewer characters.
    """

    def __init__(
        self, words: Mapping[str, int], affixes: Affixes, tokens: Mapping[str, int], max_length: int | None = None
    ) -> None:
        self._affixes = affixes
        self._max_length = max_length
        self._ids = dict(tokens)
        self._tokens = {id_: token for token, id_ in tokens.items()}
        self._symbols: list[int] = []
        self._weights: list[int] = []
        self._before: list[int] = []
        self._after: list[int] = []
        self._counts: defaultdict[tuple[int, int], int] = defaultdict(int)
        self._passed_over: set[tuple[int, int]] = set()
        self._places: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for word, count in words.items():
            self._begin([self._ids[symbol] for symbol in affixes.symbols(word) if symbol in self._ids], count)
        self._heap = [(-count, *pair) for pair, count in self._counts.items()]
        heapify(self._heap)

    def _begin(self, ids: list[int], count: int) -> None:
        if not ids:
            return
        first = len(self._symbols)
        last = first + len(ids) - 1
        self._symbols += ids
        self._weights += [count] * len(ids)
        self._before += [_EDGE, *range(first, last)]
        self._after += [*range(first + 1, last + 1), _EDGE]
        for at, pair in enumerate(pairwise(ids), first):
            self._counts[pair] += count
            self._places[pair].append(at)

    def count(self, pair: Pair) -> int:
        """Return how often ``pair`` occurs now; every two neighbours count, also where they overlap."""
        left, right = self._ids.get(pair[0]), self._ids.get(pair[1])
        return 0 if left is None or right is None else self._counts.get((left, right), 0)

    def token_counts(self) -> dict[str, int]:
        """Return how often each token occurs now."""
        counts: defaultdict[int, int] = defaultdict(int)
        for symbol, weight in zip(self._symbols, self._weights, strict=True):
            counts[symbol] += weight
        return {self._tokens[id_]: count for id_, count in counts.items() if id_ != _GONE}

    def top(self) -> Top | None:
        """Return the most frequent pair, ``None`` where every word is one token.

        Of equals that is the one with the lowest ids, the left one first.
        """
        first = self._most_frequent()
        if first is None:
            return None
        entry = heappop(self._heap)
        second = self._most_frequent()
        while second is not None and self._heap[0] == entry:  # a pair that was found more than once
            heappop(self._heap)
            second = self._most_frequent()
        heappush(self._heap, entry)
        _, left, right = entry
        return Top(pair=(self._tokens[left], self._tokens[right]), count=first, is_tied=second == first)

    def _most_frequent(self) -> int | None:
        """Bring the most frequent pair to the top of the heap and return its count."""
        while self._heap:
            negative, left, right = self._heap[0]
            count = 0 if (left, right) in self._passed_over else self._counts.get((left, right), 0)
            if count == -negative:
                return count
            heappop(self._heap)
            if 0 < count < -negative:
                heappush(self._heap, (-count, left, right))
        return None

    def pass_over(self, pair: Pair) -> None:
        """Leave ``pair`` alone for good: it is no longer looked at by :meth:`top`."""
        self._passed_over.add((self._ids[pair[0]], self._ids[pair[1]]))

    def merge(self, pair: Pair) -> str:
        """Merge ``pair`` in all words and return its token. A token that is not known yet gets the next id."""
        token = self._affixes.merged(*pair)
        new = self._id_of(token)
        old = self._id_of(pair[0]), self._id_of(pair[1])
        made: set[tuple[int, int]] = set()
        for at in sorted(set(self._places.pop(old, ()))):
            self._merge_at(at, old, new, made)
        for each in made:
            if self._counts[each] > 0 and self._is_counted(each):
                heappush(self._heap, (-self._counts[each], *each))
        return token

    def _id_of(self, token: str) -> int:
        if token not in self._ids:
            self._ids[token] = max(self._tokens, default=-1) + 1
            self._tokens[self._ids[token]] = token
        return self._ids[token]

    def _merge_at(self, at: int, old: tuple[int, int], new: int, made: set[tuple[int, int]]) -> None:
        """Merge ``old`` where its left token is ``at``, if it still is; add the pairs that this makes to ``made``."""
        symbols, before, after, counts = self._symbols, self._before, self._after, self._counts
        second = after[at]
        if symbols[at] != old[0] or second == _EDGE or symbols[second] != old[1]:
            return
        weight, first, third = self._weights[at], before[at], after[second]
        counts[old] -= weight
        if first != _EDGE:
            counts[symbols[first], old[0]] -= weight
            self._add((symbols[first], new), first, weight, made)
        if third != _EDGE:
            counts[old[1], symbols[third]] -= weight
            self._add((new, symbols[third]), at, weight, made)
            before[third] = at
        symbols[at], symbols[second], after[at] = new, _GONE, third

    def _add(self, pair: tuple[int, int], at: int, weight: int, made: set[tuple[int, int]]) -> None:
        self._counts[pair] += weight
        self._places[pair].append(at)
        made.add(pair)

    def _is_counted(self, pair: tuple[int, int]) -> bool:
        if self._max_length is None:
            return True
        return sum(self._affixes.length(self._tokens[id_]) for id_ in pair) < self._max_length
