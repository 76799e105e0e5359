"""How BPE arrives at the tokens of a word: its symbols, and the merges in the order applied, with what lost.

The rule is that of :mod:`tokenizer_reference.models.merges`, taken one merge at a time.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass
from enum import StrEnum
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_reference.text.utf8 import byte_positions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_reference.models.bpe import BPE
    from tokenizer_reference.models.merges import MergeTable

MOST_OTHERS = 4
"""How many of the pairs that lost are kept of each step, those of the lowest ranks."""


class SymbolKind(StrEnum):
    """What a character of a word starts as."""

    VOCABULARY = "in the vocabulary"
    BYTES = "bytes"
    UNKNOWN = "unknown"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A character of a word as it is looked up (``text``, with prefix or suffix), and the ``tokens`` it starts as."""

    text: str
    tokens: tuple[str, ...]
    kind: SymbolKind


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two neighbours for which there is a merge of this ``rank``; the left one is token ``position`` of the word."""

    position: int
    left: str
    right: str
    rank: int


@dataclass(frozen=True, slots=True)
class MergeStep:
    """One merge: the pair that ``won`` and what it became; the best of the ``others``, and how ``many`` they were."""

    won: Neighbours
    result: str
    others: tuple[Neighbours, ...]
    many: int


@dataclass(frozen=True, slots=True)
class BpeSteps:
    """How ``word`` becomes ``tokens``.

    ``is_whole``: the vocabulary has the word, and ``ignore_merges`` is on, so that nothing is merged. Else it starts as
    the tokens ``start``, which differ from those of the ``symbols`` where unknown ones fuse, and is merged.
    """

    word: str
    is_whole: bool
    symbols: tuple[Symbol, ...]
    start: tuple[str, ...]
    merges: tuple[MergeStep, ...]
    tokens: tuple[str, ...]


def bpe_steps(model: BPE, word: str) -> BpeSteps:
    """Return how ``model``, which must have no dropout, arrives at the tokens of ``word``.

    >>> from tokenizer_reference.models.bpe import BPE
    >>> steps = bpe_steps(BPE({"a": 0, "b": 1, "ab": 2, "aba": 3}, [("ab", "a"), ("a", "b")]), "abab")
    >>> [(step.won.rank, step.result, len(step.others)) for step in steps.merges], steps.tokens
    ([(1, 'ab', 1), (0, 'aba', 1)], ('aba', 'b'))

    Raises :class:`~tokenizer_reference.errors.ModelError` where an unknown token is needed and there is none.
    """
    if word and model.ignore_merges and word in model._vocab:
        return BpeSteps(word, True, (), (word,), (), (word,))
    names = model._tokens
    symbols = list(model._symbols(word))
    ids, _ = model._with_unknown(symbols, byte_positions(word))
    start = tuple(names[id_] for id_ in ids)
    merges = tuple(_merges(model._merges, ids, names))
    return BpeSteps(
        word, False, tuple(_symbol(model, each) for each in symbols), start, merges, tuple(names[id_] for id_ in ids)
    )


def _symbol(model: BPE, text: str) -> Symbol:
    if text in model._vocab:
        return Symbol(text, (text,), SymbolKind.VOCABULARY)
    byte_ids = model._byte_ids(text) if model.byte_fallback else None
    if byte_ids is not None:
        return Symbol(text, tuple(model._tokens[id_] for id_ in byte_ids), SymbolKind.BYTES)
    if model.unk_token is not None:
        return Symbol(text, (model.unk_token,), SymbolKind.UNKNOWN)
    return Symbol(text, (), SymbolKind.DROPPED)


def _merges(table: MergeTable, ids: list[int], names: dict[int, str]) -> Iterator[MergeStep]:
    """Merge ``ids`` in place, as :func:`~tokenizer_reference.models.merges.merge_with_heap` does, and yield each step.

    A candidate is a rank and the place, among the symbols that the word starts as, of its left token's first one. It is
    out of date where its neighbours have changed since and no longer merge to the same id.
    """
    merged = table.merged
    firsts = list(range(len(ids)))
    ranks = [table.rank(left, right) for left, right in pairwise(ids)]
    heap = [(rank, at) for at, rank in enumerate(ranks) if rank is not None]
    heapify(heap)
    # The candidates that are up to date, the best first.
    live = sorted(heap)

    def candidate(at: int) -> tuple[int, int] | None:
        """Return the candidate of token ``at`` and the one after it."""
        rank = table.rank(ids[at], ids[at + 1]) if 0 <= at < len(ids) - 1 else None
        return None if rank is None else (rank, firsts[at])

    def neighbours(rank: int, first: int) -> Neighbours:
        at = bisect_left(firsts, first)
        return Neighbours(at, names[ids[at]], names[ids[at + 1]], rank)

    while heap:
        rank, first = heappop(heap)
        at = bisect_left(firsts, first)
        if at + 1 >= len(firsts) or firsts[at] != first:
            continue
        now = table.rank(ids[at], ids[at + 1])
        if now is None or merged[now] != merged[rank]:
            continue
        others = [neighbours(*each) for each in live[: MOST_OTHERS + 1] if each != (now, first)][:MOST_OTHERS]
        yield MergeStep(neighbours(now, first), names[merged[rank]], tuple(others), len(live) - 1)
        for gone in filter(None, map(candidate, (at - 1, at, at + 1))):
            del live[bisect_left(live, gone)]
        ids[at : at + 2] = [merged[rank]]
        del firsts[at + 1]
        for new in filter(None, map(candidate, (at - 1, at))):
            heappush(heap, new)
            insort(live, new)
