"""Texts from the scores of a Unigram model: words of which two segmentations score nearly the same."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.enumerations import in_turns, packed, permutation, produced
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts

WORDS_A_TEXT = 24

LONGEST_PIECE = 24
"""Longer pieces compete with hardly anything, and there are many ways to cut them."""

TIE = 1e-9
"""Scores as near as this are a tie, or differ by rounding."""

MOST_PIECES = 50_000
"""Of more pieces, some from all over the vocabulary: all others stand in the texts of the vocabulary's entries."""

Gain = tuple[float, str, str]
"""What a piece scores more than its other part, that part, and the piece."""


@lru_cache(maxsize=4)
def near_ties(parts: DocumentParts) -> tuple[tuple[float, str], ...]:
    """Return words of three parts with how far the scores of two segmentations are from each other, the nearest first.

    In the one the left two parts are a piece, in the other the right two. Each piece stands in words in which it
    wins narrowly and in which it loses narrowly, as far as there are any: a changed score tips one of these over.
    """
    scores = parts.scores
    lefts, rights = _gains(scores)
    found: dict[str, float] = {}
    for middle in lefts.keys() & rights.keys():
        _pair(scores, lefts[middle], rights[middle], found)
    return tuple(sorted((gap, word) for word, gap in found.items()))


def _gains(scores: dict[str, float]) -> tuple[dict[str, list[Gain]], dict[str, list[Gain]]]:
    """Return by each middle part what pieces gain over the part before it, and over that after it, sorted."""
    pieces = [piece for piece in scores if 1 < len(piece) <= LONGEST_PIECE]
    pieces = pieces[:: -(-len(pieces) // MOST_PIECES) or 1]
    # What is the end of no piece or the beginning of none is the middle of no word.
    middles = {piece[cut:] for piece in pieces for cut in range(1, len(piece))}
    middles &= {piece[:cut] for piece in pieces for cut in range(1, len(piece))}
    lefts: defaultdict[str, list[Gain]] = defaultdict(list)
    rights: defaultdict[str, list[Gain]] = defaultdict(list)
    for piece in pieces:
        score = scores[piece]
        for cut in range(1, len(piece)):
            first, second = piece[:cut], piece[cut:]
            if second in middles and (other := _score_of(first, scores)) is not None:
                lefts[second].append((score - other, first, piece))
            if first in middles and (other := _score_of(second, scores)) is not None:
                rights[first].append((score - other, second, piece))
    for gains in (*lefts.values(), *rights.values()):
        gains.sort()
    return lefts, rights


def _score_of(part: str, scores: dict[str, float]) -> float | None:
    """Return the score of ``part``, or the best of two pieces that make it; ``None`` where there are none."""
    if part in scores:
        return scores[part]
    found = [
        scores[part[:cut]] + scores[part[cut:]]
        for cut in range(1, len(part))
        if part[cut:] in scores and part[:cut] in scores
    ]
    return max(found, default=None)


def _pair(scores: dict[str, float], lefts: list[Gain], rights: list[Gain], found: dict[str, float]) -> None:
    """Add to ``found`` the words of pairs of ``lefts`` and ``rights`` that gain nearly the same."""
    for gain, _, piece in lefts:
        for other, last, _ in _nearest(rights, gain):
            _add(scores, piece + last, abs(gain - other), found)
    for gain, _, piece in rights:
        for other, first, _ in _nearest(lefts, gain):
            _add(scores, first + piece, abs(gain - other), found)


def _nearest(gains: list[Gain], gain: float) -> list[Gain]:
    at = bisect_left(gains, (gain,))
    return gains[max(0, at - 1) : at + 1]


def _add(scores: dict[str, float], word: str, gap: float, found: dict[str, float]) -> None:
    if word not in scores:
        found[word] = min(gap, found.get(word, gap))


def _ties(material: Material) -> Produced:
    parts = parts_of(material.document)
    entries = entries_of(parts)
    ties = [word for gap, word in near_ties(parts) if gap <= TIE]
    at = permutation(len(ties), material.seed)
    return produced(len(ties), lambda number: entries.placed(entries.entry(ties[at(number)])))


def _narrow(material: Material) -> Produced:
    parts = parts_of(material.document)
    entries = entries_of(parts)
    rows = near_ties(parts)

    def joined(places: Sequence[int]) -> str:
        return entries.joined([entries.entry(rows[place][1]) for place in places])

    def nearest(number: int) -> str:
        return joined(range(number * WORDS_A_TEXT, min(len(rows), (number + 1) * WORDS_A_TEXT)))

    spread = packed(len(rows), WORDS_A_TEXT, joined, material.seed)
    return in_turns(produced(-(-len(rows) // WORDS_A_TEXT), nearest), spread)


SCORE_GENERATORS = (
    Generator(
        "score-ties",
        "words of which two segmentations score the same: which of them is taken",
        _ties,
    ),
    Generator(
        "score-margins",
        f"words of which two segmentations score nearly the same, {WORDS_A_TEXT} to a text: one score that is changed",
        _narrow,
    ),
)
