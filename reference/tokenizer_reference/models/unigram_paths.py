"""How Unigram arrives at the pieces of a text: the lattice with its scores, the path it takes, and the best other one.

The model adds floating-point numbers from left to right, so what it takes can be another path than the one whose exact
sum is highest, and paths of equal sums can come out as unequal. Here sums are exact (fractions), and the path is the
model's own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.models.unigram import Unigram

_Best = tuple[Fraction, tuple[int, "_Best"] | None]
"""The exact sum of a path to a position, and where its last piece begins, with the path to there."""


@dataclass(frozen=True, slots=True)
class LatticePiece:
    """A piece from ``start`` to ``end`` (code points of the text) with its ``score``; unknown is what is no entry."""

    start: int
    end: int
    text: str
    score: float
    is_unknown: bool


@dataclass(frozen=True, slots=True)
class Path:
    """A way to cut the text: where it ``cuts`` (code points, begin and end included), and the sum of its scores.

    ``exact`` is the sum of the scores as they stand in the file's floating-point numbers, ``rounded`` what adding them
    from left to right in floating point gives.
    """

    cuts: tuple[int, ...]
    exact: Fraction
    rounded: float


@dataclass(frozen=True, slots=True)
class UnigramPaths:
    """How ``text`` is cut.

    ``best`` is the path that the model takes, ``second`` the best other one (``None`` where there is none). Both are
    ``None`` where a score is not finite. ``tokens`` come of the pieces, once unknown ones in a row are joined and what
    the vocabulary lacks has become bytes or unknown.
    """

    text: str
    lattice: tuple[LatticePiece, ...]
    best: Path | None
    second: Path | None
    cuts: tuple[int, ...]
    tokens: tuple[str, ...]

    @property
    def margin(self) -> Fraction | None:
        """How much the exact sum of the best path exceeds the other's.

        0 is a tie; less than 0: rounding has decided.
        """
        return None if self.best is None or self.second is None else self.best.exact - self.second.exact


def unigram_paths(model: Unigram, text: str) -> UnigramPaths:
    """Return how ``model``, which must not sample (``alpha``), cuts ``text``.

    >>> from tokenizer_reference.models.unigram import Unigram
    >>> model = Unigram([("a", -1.0), ("b", -1.0), ("ab", -1.5)])
    >>> paths = unigram_paths(model, "ab")
    >>> paths.best.cuts, paths.second.cuts, paths.margin
    ((0, 2), (0, 1, 2), Fraction(1, 2))

    Raises :class:`~tokenizer_reference.errors.ModelError` where an unknown token is needed and there is none.
    """
    cuts = tuple(model._best_cuts(text))
    lattice = _lattice(model, text)
    tokens = model._tokenize(text).values
    if not all(math.isfinite(piece.score) for piece in lattice):
        return UnigramPaths(text, lattice, None, None, cuts, tokens)
    scores = {(piece.start, piece.end): piece.score for piece in lattice}
    paths = [_path(each, scores) for each in _two_best(len(text), lattice)]
    other = next((each for each in paths if each.cuts != cuts), None)
    return UnigramPaths(text, lattice, _path(cuts, scores), other, cuts, tokens)


def _lattice(model: Unigram, text: str) -> tuple[LatticePiece, ...]:
    """Return every piece that a path may take, in the order in which the search of the model finds them."""
    pieces: list[LatticePiece] = []
    for start, char in enumerate(text):
        node = model._trie.get(char)
        if (node is None or "" not in node) and model._unk_id is not None:
            pieces.append(LatticePiece(start, start + 1, char, model._unknown_score, True))
        end = start
        while node is not None:
            end += 1
            if "" in node:
                pieces.append(LatticePiece(start, end, text[start:end], node[""], False))
            node = node.get(text[end]) if end < len(text) else None
    return tuple(pieces)


def _two_best(size: int, lattice: Sequence[LatticePiece]) -> list[tuple[int, ...]]:
    """Return the cuts of the two paths with the highest exact sums; fewer where there are not as many."""
    ending: list[list[LatticePiece]] = [[] for _ in range(size + 1)]
    for piece in lattice:
        ending[piece.end].append(piece)
    best: list[list[_Best]] = [[(Fraction(0), None)]]
    for position in range(1, size + 1):
        paths: list[_Best] = [
            (before[0] + Fraction(piece.score), (piece.start, before))
            for piece in ending[position]
            for before in best[piece.start]
        ]
        paths.sort(key=lambda path: path[0], reverse=True)
        best.append(paths[:2])
    return [_cuts(size, path) for path in best[size]]


def _cuts(size: int, path: _Best) -> tuple[int, ...]:
    cuts = [size]
    while path[1] is not None:
        start, path = path[1]
        cuts.append(start)
    return tuple(cuts[::-1])


def _path(cuts: Sequence[int], scores: dict[tuple[int, int], float]) -> Path:
    taken = [scores[span] for span in pairwise(cuts)]
    rounded = 0.0
    for score in taken:
        rounded = score + rounded
    return Path(tuple(cuts), sum(map(Fraction, taken), Fraction(0)), rounded)
