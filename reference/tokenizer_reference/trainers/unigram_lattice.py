"""The lattice of a word: all ways to cut it into pieces, for what training asks of it.

Pieces are numbers, the ids under which their probabilities or scores (the logarithms) are kept; 0 stands for a
character that is no piece by itself.
"""

from __future__ import annotations

import math
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN: Final = 0
"""Stands for every character that is no piece by itself."""

NO_PIECE: Final = -1
"""Stands, in :func:`prefixes_of`, for what is no piece itself."""

_SMALLEST: Final = 1e-150
_LARGEST: Final = 1e150
"""Between these, the products of two probabilities can be neither too small nor too large for floating point."""


class BestPath(NamedTuple):
    """A way to cut a word: the sum of its scores, and its pieces."""

    score: float
    pieces: list[int]


class WordLattice:
    """Pieces as edges from a position of a word (in code points) to a later one, by start, then by end."""

    __slots__ = ("ends", "pieces", "size", "starts")

    def __init__(self, size: int, starts: list[int], ends: list[int], pieces: list[int]) -> None:
        self.size = size
        self.starts = starts
        self.ends = ends
        self.pieces = pieces

    @classmethod
    def of(cls, word: str, ids: Mapping[str, int], longest: int) -> WordLattice:
        """Return the lattice of ``word``; ``ids`` has all pieces, of which none is longer than ``longest``."""
        edges = [
            (start, end, ids.get(word[start:end], UNKNOWN))
            for start in range(len(word))
            for end in range(start + 1, min(start + longest, len(word)) + 1)
            if end == start + 1 or word[start:end] in ids
        ]
        return cls(
            len(word), [start for start, _, _ in edges], [end for _, end, _ in edges], [id_ for *_, id_ in edges]
        )

    @classmethod
    def by_prefixes(cls, word: str, prefixes: Mapping[str, int]) -> WordLattice:
        """Do as :meth:`of`, fast; ``prefixes`` are those of :func:`prefixes_of` the pieces."""
        starts: list[int] = []
        ends: list[int] = []
        pieces: list[int] = []
        add_start, add_end, add_piece = starts.append, ends.append, pieces.append
        id_of = prefixes.get
        size = len(word)
        for start in range(size):
            end = start + 1
            id_ = id_of(word[start])
            add_start(start)
            add_end(end)
            add_piece(UNKNOWN if id_ is None or id_ == NO_PIECE else id_)
            while id_ is not None and end < size:
                end += 1
                id_ = id_of(word[start:end])
                if id_ is not None and id_ != NO_PIECE:
                    add_start(start)
                    add_end(end)
                    add_piece(id_)
        return cls(size, starts, ends, pieces)

    def without(self, is_gone: Sequence[bool]) -> WordLattice:
        """Return the lattice without pieces, those whose ids ``is_gone`` says it of."""
        kept = [not is_gone[piece] for piece in self.pieces]
        if all(kept):
            return self
        return WordLattice(
            self.size,
            list(compress(self.starts, kept)),
            list(compress(self.ends, kept)),
            list(compress(self.pieces, kept)),
        )

    # Expectation -----------------------------------------------------------------------------------------------------

    def expect(self, scores: Sequence[float], count: int, expected: list[float]) -> float:
        """Add to ``expected`` how often each piece is expected in ``count`` words; return the word's log-probability.

        The definition: a piece is expected with the probability of all paths through it, over that of all paths
        (the forward-backward algorithm, in logarithms).
        """
        forward = [-math.inf] * (self.size + 1)
        backward = forward.copy()
        forward[0] = backward[self.size] = 0.0
        edges = list(zip(self.starts, self.ends, self.pieces, strict=True))
        for start, end, piece in edges:
            forward[end] = log_of_sum(forward[end], forward[start] + scores[piece])
        for start, end, piece in reversed(edges):
            backward[start] = log_of_sum(backward[start], backward[end] + scores[piece])
        total = forward[self.size]
        for start, end, piece in edges:
            expected[piece] += count * math.exp(forward[start] + scores[piece] + backward[end] - total)
        return total

    def expect_by_products(self, weights: Sequence[float], count: int, expected: list[float]) -> float | None:
        """Do as :meth:`expect`, in place of logarithms with the pieces' ``weights``; return the sum over all paths.

        A weight is the probability, or the probability times one and the same number to the power of the piece's
        length: that changes the weight of all paths by the same factor, and keeps long words in the range of floating
        point. Where it does not, return ``None`` and add nothing.
        """
        size, starts, ends, pieces = self.size, self.starts, self.ends, self.pieces
        own = list(map(weights.__getitem__, pieces))
        forward = [1.0] + [0.0] * size
        for start, end, weight in zip(starts, ends, own, strict=True):
            forward[end] += forward[start] * weight
        if not (min(forward) > _SMALLEST and max(forward) < _LARGEST):
            return None
        backward = [0.0] * (size + 1)
        backward[size] = count / forward[size]
        for start, end, piece, weight in zip(
            reversed(starts), reversed(ends), reversed(pieces), reversed(own), strict=True
        ):
            weighed = weight * backward[end]
            backward[start] += weighed
            expected[piece] += forward[start] * weighed
        return forward[size]

    # The best path ---------------------------------------------------------------------------------------------------

    def best_path(self, scores: Sequence[float]) -> BestPath | None:
        """Return the path of the highest score, or ``None`` where there is none.

        Of paths with equal scores, the one stays whose last piece begins first, and so on for what is before it.
        """
        best = [0.0] + [-math.inf] * self.size
        begins = [-1] * (self.size + 1)
        last = begins.copy()
        for start, end, piece in zip(self.starts, self.ends, self.pieces, strict=True):
            score = best[start] + scores[piece]
            if score > best[end]:
                best[end] = score
                begins[end] = start
                last[end] = piece
        path: list[int] = []
        at = self.size
        while at > 0:
            if begins[at] < 0:
                return None
            path.append(last[at])
            at = begins[at]
        return BestPath(best[self.size], path[::-1])

    def without_whole(self) -> WordLattice:
        """Return the lattice without the piece that is the whole word."""
        kept = [end - start < self.size for start, end in zip(self.starts, self.ends, strict=True)]
        return WordLattice(
            self.size,
            list(compress(self.starts, kept)),
            list(compress(self.ends, kept)),
            list(compress(self.pieces, kept)),
        )


def best_other_cut(piece: str, ids: Mapping[str, int], scores: Sequence[float]) -> BestPath | None:
    """Return the best path of the lattice of ``piece`` without the piece itself; made without the lattice."""
    size = len(piece)
    best = [0.0] + [-math.inf] * size
    cuts: list[tuple[int, int]] = [(0, 0)] * (size + 1)
    for start in range(size):
        before = best[start]
        if before == -math.inf:
            continue
        for end in range(start + 1, size + (start > 0)):
            id_ = ids.get(piece[start:end])
            if id_ is None:
                if end > start + 1:
                    continue
                id_ = UNKNOWN
            score = before + scores[id_]
            if score > best[end]:
                best[end] = score
                cuts[end] = (start, id_)
    if best[size] == -math.inf:
        return None
    path: list[int] = []
    at = size
    while at > 0:
        at, id_ = cuts[at]
        path.append(id_)
    return BestPath(best[size], path[::-1])


def prefixes_of(ids: Mapping[str, int]) -> dict[str, int]:
    """Return the begins of all pieces, with the id of each, or :data:`NO_PIECE`.

    >>> prefixes_of({"a": 1, "abc": 2})
    {'a': 1, 'ab': -1, 'abc': 2}
    """
    begins = {piece[:end] for piece in ids for end in range(1, len(piece))}
    return {**dict.fromkeys(sorted(begins), NO_PIECE), **ids}


def log_of_sum(first: float, second: float) -> float:
    """Return the logarithm of a sum, of the logarithms of what is added."""
    if first < second:
        first, second = second, first
    return first + math.log1p(math.exp(second - first)) if second > -math.inf else first
