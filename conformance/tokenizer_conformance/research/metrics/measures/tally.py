"""What is counted of one tokenizer in one group of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenizer_conformance.research.metrics.measures import round_trip
from tokenizer_conformance.research.metrics.measures.id_counts import IdCounts
from tokenizer_conformance.research.metrics.measures.sums import Sums

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tokenizer_conformance.research.metrics.measures.columns import Tokens
    from tokenizer_conformance.research.metrics.measures.sample import Cut


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over texts of one tokenizer: counts, or weighted counts in a replicate of the bootstrap.

    ``written_texts`` are those of the ``texts`` that are not blank, ``written_tokens`` their tokens.
    ``word_tokens``: tokens of each word, summed; ``kept_words`` have one token, which is not unknown;
    ``continued_words`` have two or more; ``lost_words`` none. ``unknown_characters`` are those of the ``cut_visible``,
    which are not white space, that an unknown token stands for. All of these are of the ``cut_texts``, those with
    spans. Of the ``decoded_texts``, none of them blank, ``same_texts`` came back as they were, and the others so
    after NFC, NFKC, … (each includes the one before).
    """

    texts: float
    written_texts: float
    written_tokens: float
    characters: float
    bytes: float
    tokens: float
    unknown_tokens: float
    words: float
    cut_texts: float
    cut_visible: float
    cut_words: float
    word_tokens: float
    kept_words: float
    continued_words: float
    lost_words: float
    unknown_characters: float
    decoded_texts: float
    same_texts: float
    same_after_nfc: float
    same_after_nfkc: float
    same_without_white_space: float
    same_without_case: float


class Tally:
    """The sums and the counts of ids of one tokenizer in one group.

    ``unknown_ids`` are those of tokens that stand for what is not in the vocabulary (:attr:`.Vocabulary.unknown_ids`).
    """

    def __init__(self, unknown_ids: frozenset[int] = frozenset()) -> None:
        self.unknown_ids = unknown_ids
        self.sums = Sums(Totals, unit="written_texts")
        self.ids = IdCounts()

    @property
    def totals(self) -> Totals:
        """The sums over all texts."""
        return self.sums.total

    def add(self, cut: Cut) -> None:
        """Count a text."""
        sample, ids = cut.sample, cut.segmented.ids
        unknown = not self.unknown_ids.isdisjoint(ids)
        unknown_tokens = sum(id in self.unknown_ids for id in ids) if unknown else 0
        written = [0, 0] if sample.is_blank else [1, len(ids)]
        row = [1, *written, len(sample.text), sample.bytes, len(ids), unknown_tokens, len(sample.words)]
        self.sums.add(sample.number, [*row, *self._of_spans(cut, unknown), *_of_round_trip(cut)])
        if ids or not sample.is_blank:
            self.ids.add(sample.number, ids)

    def add_texts(self, tokens: Tokens, rows: NDArray[np.int64], which: NDArray[np.int64]) -> None:
        """Count the texts of a batch with these indices, cut into ``tokens``; ``rows`` are those of the batch."""
        of = tokens.of
        self.sums.add_rows(of.numbers[which], rows[which])
        counted = which[(tokens.counts[which] > 0) | ~of.is_blank[which]]
        if len(counted) == len(of):
            self.ids.add_texts(of.numbers, tokens.counts, tokens.ids)
            return
        is_counted = np.zeros(len(of), np.bool_)
        is_counted[counted] = True
        ids = tokens.ids[np.repeat(is_counted, tokens.counts)]
        self.ids.add_texts(of.numbers[counted], tokens.counts[counted], ids)

    def _of_spans(self, cut: Cut, unknown: bool) -> list[int]:
        if cut.segmented.spans is None:
            return [0] * 8
        sample, counts = cut.sample, cut.tokens_of_words
        kept, lost = counts.count(1), counts.count(0)
        continued = len(counts) - kept - lost
        characters = 0
        if unknown:
            places = self._unknown_places(cut)
            characters = len(places)
            # A word of one token that is unknown is lost to the model, but not dropped: it is neither kept nor lost.
            kept -= sum(
                not places.isdisjoint(range(*word))
                for word, count in zip(sample.words, counts, strict=True)
                if count == 1
            )
        return [1, sample.visible, len(counts), sum(counts), kept, continued, lost, characters]

    def _unknown_places(self, cut: Cut) -> set[int]:
        """Return the characters that are not white space and for which an unknown token stands."""
        text, segmented = cut.sample.text, cut.segmented
        return {
            place
            for id, span in zip(segmented.ids, segmented.spans or (), strict=True)
            if id in self.unknown_ids
            for place in range(*span)
            if not text[place].isspace()
        }

    def merge(self, other: Tally) -> None:
        """Add all that ``other`` has counted."""
        self.sums.merge(other.sums)
        self.ids.merge(other.ids)

    def to_json(self) -> dict[str, Any]:
        """Return what was counted as JSON."""
        return {"sums": self.sums.to_json(), "ids": self.ids.to_json()}

    @classmethod
    def from_json(cls, written: Mapping[str, Any], unknown_ids: frozenset[int] = frozenset()) -> Tally:
        """Return what :meth:`to_json` wrote. Raises :class:`ValueError` where that is no tally of this release."""
        tally = cls(unknown_ids)
        tally.sums.add_json(written["sums"])
        tally.ids.add_json(written["ids"])
        return tally


def _of_round_trip(cut: Cut) -> list[int]:
    if cut.decoded is None or cut.sample.is_blank:
        return [0] * 6
    level = round_trip.level(cut.sample.text, cut.decoded)
    return [1, *(int(level is not None and level <= index) for index in range(len(round_trip.NORMALIZATIONS)))]
