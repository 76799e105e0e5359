"""The merges of a vocabulary that ranks tokens instead of merges, as tiktoken's and SentencePiece's BPE do.

There, any two neighbours merge if the vocabulary has what they give, the result of the lowest rank first, of equal
ranks the leftmost. tokenizer.json ranks pairs. One pair per token is enough: as long as no merge crosses the bounds of
a token within a text, the merges inside it are those of the token on its own, in the same order, for only what lies
inside decides between them. So a token always comes from the two symbols that are left last when it is merged on its
own.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T", str, bytes)


def last_merge(token: T, ranks: Mapping[T, float]) -> tuple[T, T] | None:
    """Return the two symbols that ``token`` is merged from last, when its single characters (or bytes) are merged.

    ``None`` where there is no such merge: ``token`` is a single character, or the ranks do not lead to it. The rank of
    ``token`` itself does not count. Takes n log n steps for n characters.

    >>> last_merge("abc", {"ab": 1, "bc": 0, "abc": 2})
    ('a', 'bc')
    >>> last_merge("abcd", {"bc": 0}) is None
    True
    """
    size = len(token)
    left = size
    following = list(range(1, size + 1))
    preceding = list(range(-1, size - 1))
    candidates = [
        (rank, start, start + 1, start + 2)
        for start in range(size - 1)
        if size > 2 and (rank := ranks.get(token[start : start + 2])) is not None
    ]
    heapify(candidates)
    while left > 2 and candidates:
        _, start, middle, end = heappop(candidates)
        if following[start] != middle or following[middle] != end:
            continue
        following[start] = end
        following[middle] = -1
        left -= 1
        before = preceding[start]
        if end < size:
            preceding[end] = start
        for first, second in ((before, start), (start, end)):
            if first < 0 or second == size or left == 2:
                continue
            last = following[second]
            if (rank := ranks.get(token[first:last])) is not None:
                heappush(candidates, (rank, first, second, last))
    return (token[: following[0]], token[following[0] :]) if left == 2 else None


def recovered_merges(ranks: Mapping[T, float], known: Mapping[T, object]) -> list[tuple[T, T]]:
    """Return the merges of the tokens in ``ranks``, the lowest rank first, as far as both sides are ``known`` tokens.

    >>> recovered_merges({"ab": 1, "bc": 0, "abc": 2}, {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5})
    [('b', 'c'), ('a', 'b'), ('a', 'bc')]
    """
    pairs = (last_merge(token, ranks) for token in sorted(ranks, key=ranks.__getitem__))
    return [pair for pair in pairs if pair is not None and pair[0] in known and pair[1] in known]
