"""The lattice of all ways to cut a text into pieces, to draw one of them at random (Kudo 2018).

Only for sampling; the best way is found without a lattice (:meth:`tokenizer_reference.models.Unigram._tokenize`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tokenizer_reference.errors import UpstreamPanicError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

T = TypeVar("T")

_NEGLIGIBLE = 50.0
"""Of two log-probabilities so far apart, the smaller adds nothing to the sum."""


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """One piece of the text: its ``id`` and ``score``, and its place, counted in code points, ``end`` exclusive."""

    start: int
    end: int
    id: int
    score: float


class Lattice:
    """Pieces between the positions 0 to ``size`` of a text, in the order in which they were added."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.ending_at: list[list[Edge]] = [[] for _ in range(size + 1)]
        self.starting_at: list[list[Edge]] = [[] for _ in range(size + 1)]

    def add(self, edge: Edge) -> None:
        """Add a piece."""
        self.starting_at[edge.start].append(edge)
        self.ending_at[edge.end].append(edge)

    def best_paths(self, count: int) -> list[tuple[float, list[Edge]]]:
        """Return the ``count`` paths of the highest scores (fewer where there are not as many), best first."""
        # Of the paths to a position, all but the best `count` can be forgotten. A path is (score, edge, the path
        # before).
        best: list[list[_Path]] = [[(0.0, None, None)]]
        for position in range(1, self.size + 1):
            paths: list[_Path] = [
                (before[0] + edge.score, edge, before)
                for edge in self.ending_at[position]
                for before in best[edge.start]
            ]
            paths.sort(key=lambda path: path[0], reverse=True)
            best.append(paths[:count])
        return [(path[0], _edges(path)) for path in best[self.size]]

    def sample_best(self, count: int, alpha: float, random: Random) -> list[Edge]:
        """Return one of the best ``count`` paths, each as probable as ``exp(alpha * score)``.

        Where these are all too small for a float, as in a long text, it is the best path; where no path leads through
        the text, it is empty. Observed, tokenizers 0.23.3.
        """
        # For one path the target runs another search, which gives up where no piece begins at some position.
        paths = self.best_paths(count) if count > 1 or all(self.starting_at[:-1]) else []
        if not paths:
            return []
        weights = _exponentials([alpha * score for score, _ in paths])
        if not all(weight >= 0 for weight in weights) or not any(weights):
            return paths[0][1]
        return _draw([edges for _, edges in paths], weights, random)

    def sample(self, alpha: float, random: Random) -> list[Edge]:
        """Return a path, drawn from the end backwards by the probability of all that leads there.

        As in the target, ``alpha`` is not the exponent of a path's score, as published: it multiplies what each step
        hands on to the next, so early pieces count with a higher power of it. With ``alpha`` 1 there is no difference.
        """
        forward: list[float] = []
        for position in range(self.size + 1):
            forward.append(self._sum_at(position, alpha, forward))
        path: list[Edge] = []
        position = self.size
        while position > 0:
            edges = self.ending_at[position]
            exponents = [forward[edge.start] + alpha * edge.score - forward[position] for edge in edges]
            path.append(_draw(edges, _exponentials(exponents), random))
            position = path[-1].start
        return path[::-1]

    def _sum_at(self, position: int, alpha: float, forward: list[float]) -> float:
        """Return the log of the sum of what all pieces that end at ``position`` hand on.

        ``forward`` has these logs of all earlier positions.
        """
        edges = self.ending_at[position]
        total = 0.0
        for edge in edges:
            value = alpha * (edge.score + forward[edge.start])
            # The target knows the first one by its id, so that another with that id starts the sum anew.
            total = value if edge.id == edges[0].id else _log_sum_exp(total, value)
        return total


_Path = tuple[float, Edge | None, "_Path | None"]


def _edges(path: _Path | None) -> list[Edge]:
    edges: list[Edge] = []
    while path is not None and path[1] is not None:
        edges.append(path[1])
        path = path[2]
    return edges[::-1]


def _log_sum_exp(x: float, y: float) -> float:
    """Return ``log(exp(x) + exp(y))``."""
    low, high = (y, x) if x > y else (x, y)
    return high if high > low + _NEGLIGIBLE else high + math.log(math.exp(low - high) + 1.0)


def _exponentials(exponents: Sequence[float]) -> list[float]:
    try:
        return [math.exp(exponent) for exponent in exponents]
    except OverflowError:
        return [math.inf]


def _draw(choices: Sequence[T], weights: Sequence[float], random: Random) -> T:
    """Return one of ``choices``.

    Raises :class:`UpstreamPanicError` where there are none, or where a weight is too large.
    """
    if not 0 < sum(weights) < math.inf:
        raise UpstreamPanicError(
            "no path can be drawn: the scores times `alpha` are too large or too small for a float, or no path leads "
            "through the text; tokenizers panics"
        )
    return random.choices(choices, weights)[0]
