"""What is counted of two tokenizers on the same texts: where both cut, and where only one does.

Boundaries are places between two characters that are not white space. To which side of a boundary white space goes is a
convention of the tokenizer (``Ġthe``, ``▁the``, ``the``), and whether words are cut apart at it is not in question.
Places beside a character that one of the two drops are left out too: it says nothing about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.research.metrics.measures.sums import Sums

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from tokenizer_conformance.research.metrics.measures.columns import Texts
    from tokenizer_conformance.research.metrics.measures.sample import Cut


@dataclass(frozen=True, slots=True)
class PairTotals:
    """Sums over texts of two tokenizers.

    ``places`` are those that are compared; the first tokenizer cuts at ``first`` of them, the second at ``second``, and
    both at ``both``. ``words`` are the words that neither drops a character of; ``same_words`` have the same boundaries
    inside.
    """

    texts: float
    places: float
    first: float
    second: float
    both: float
    words: float
    same_words: float


class PairTally:
    """The sums of two tokenizers in one group."""

    def __init__(self) -> None:
        self.sums = Sums(PairTotals)

    @property
    def totals(self) -> PairTotals:
        """The sums over all texts."""
        return self.sums.total

    def add(self, first: Cut, second: Cut) -> None:
        """Count a text; nothing where it is blank, or one of the two shows no spans.

        Raises :class:`ValueError` for two samples.
        """
        if first.sample is not second.sample:
            raise ValueError("cuts of two different samples cannot be compared")
        sample = first.sample
        if sample.is_blank or first.segmented.spans is None or second.segmented.spans is None:
            return
        ours, theirs = first.inner_boundaries, second.inner_boundaries
        words = len(sample.words)
        differing = sample.words_across(ours ^ theirs)
        dropped = first.dropped_characters | second.dropped_characters
        left_out: set[int] = set()
        if dropped:
            left_out = {*dropped, *(place + 1 for place in dropped)}
            ours, theirs = ours - left_out, theirs - left_out
            uncomparable = sample.words_with(dropped)
            words -= len(uncomparable)
            differing -= uncomparable
        places = len(sample.text) + 1 - len(sample.beside_white_space | left_out)
        row = [1, places, len(ours), len(theirs), len(ours & theirs), words, words - len(differing)]
        self.sums.add(sample.number, row)

    def add_texts(self, texts: Texts, rows: NDArray[np.int64], which: NDArray[np.int64]) -> None:
        """Count those of ``texts`` with these indices; ``rows`` are those of :func:`.columns.pair_rows`."""
        self.sums.add_rows(texts.numbers[which], rows[which])

    def merge(self, other: PairTally) -> None:
        """Add all that ``other`` has counted."""
        self.sums.merge(other.sums)

    def to_json(self) -> dict[str, Any]:
        """Return what was counted as JSON."""
        return {"sums": self.sums.to_json()}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> PairTally:
        """Return what :meth:`to_json` wrote. Raises :class:`ValueError` where that is no tally of this release."""
        tally = cls()
        tally.sums.add_json(written["sums"])
        return tally
