"""Which pieces of a Unigram model are beaten by a better segmentation of their own characters.

**Lemma.** The model gives the segmentation of a word with the greatest sum of scores. If another segmentation of a
piece's own characters has a greater sum than the piece's score, it could take the place of the piece in any word and
make the sum greater: so the piece is never given. An unknown character is an edge of its own with a score that
depends on the model alone, not on its neighbours.

Sums are of 64-bit numbers and rounded: a lead must be greater than :data:`MARGIN` to be a proof, which rounding does
not reach in any word with a sum below a thousand million. Where the lead is smaller or there is none, the target's tie
rule decides (from left to right, a sum replaces another only where it is greater), which only a witness shows.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts

MARGIN = 1e-6
UNKNOWN_PENALTY = 10.0
"""By how much an unknown character is worse than the worst piece (tokenizers 0.23.3)."""


class Segmentation:
    """The pieces of a Unigram model with their scores."""

    def __init__(self, parts: DocumentParts) -> None:
        vocabulary = parts.model.get("vocab")
        rows = vocabulary if isinstance(vocabulary, list) else []
        # Of pieces that are there twice the last one counts.
        self.scores = {row[0]: float(row[1]) for row in rows if row[0] in parts.scores}
        self._longest = max(map(len, self.scores), default=0)
        self._unknown = min(self.scores.values(), default=0.0) - UNKNOWN_PENALTY
        self.has_unknown = parts.model.get("unk_id") is not None
        self.is_sound = all(map(math.isfinite, self.scores.values()))

    def better(self, piece: str) -> tuple[tuple[str, ...], float] | None:
        """Return a segmentation of the characters of ``piece`` with a greater sum, and its lead; ``None`` without one.

        Leads up to :data:`MARGIN` are none.
        """
        if not self.is_sound:
            return None
        size = len(piece)
        best = [0.0] + [-math.inf] * size
        begins = [0] * (size + 1)
        for begin in range(size):
            for end in range(begin + 1, min(size, begin + self._longest) + 1):
                score = self.scores.get(piece[begin:end])
                if score is None:
                    if end > begin + 1 or not self.has_unknown:
                        continue
                    score = self._unknown
                if best[begin] + score > best[end]:
                    best[end], begins[end] = best[begin] + score, begin
        lead = best[size] - self.scores[piece]
        if not lead > MARGIN:
            return None
        cuts = [size]
        while cuts[-1]:
            cuts.append(begins[cuts[-1]])
        cuts.reverse()
        return tuple(piece[begin:end] for begin, end in pairwise(cuts)), lead
