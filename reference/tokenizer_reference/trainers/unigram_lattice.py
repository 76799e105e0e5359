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

GONE: Final = -1
"""Stands, in :meth:`WordLattice.replaced`, for a piece that there is no more."""

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
        starts: list[int] = []
        ends: list[int] = []
        pieces: list[int] = []
        size = len(word)
        for start in range(size):
            for end in range(start + 1, min(start + longest, size) + 1):
                piece = ids.get(word[start:end])
                if piece is None:
                    if end > start + 1:
                        continue
                    piece = UNKNOWN
                starts.append(start)
                ends.append(end)
                pieces.append(piece)
        return cls(size, starts, ends, pieces)

    def replaced(self, new: Sequence[int]) -> WordLattice:
        """Return the lattice with other ids: for each id the new one, which can be :data:`GONE`."""
        pieces = [new[piece] for piece in self.pieces]
        if GONE not in pieces:
            return WordLattice(self.size, self.starts, self.ends, pieces)
        kept = [piece != GONE for piece in pieces]
        return WordLattice(
            self.size, list(compress(self.starts, kept)), list(compress(self.ends, kept)), list(compress(pieces, kept))
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
        own = [weights[piece] for piece in pieces]
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


def log_of_sum(first: float, second: float) -> float:
    """Return the logarithm of a sum, of the logarithms of what is added."""
    if first < second:
        first, second = second, first
    return first + math.log1p(math.exp(second - first)) if second > -math.inf else first
