"""What measures are computed of, beside the totals of tallies."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenizer_conformance.defaults import RENYI_ALPHA

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tokenizer_conformance.research.metrics.measures.id_counts import IdCounts
    from tokenizer_conformance.research.metrics.measures.tally import Totals
    from tokenizer_conformance.research.metrics.measures.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Against:
    """The totals of a tokenizer and those of another, or of texts and of their translations: the second is the base."""

    totals: Totals
    base: Totals


@dataclass(frozen=True, slots=True)
class Vocabularies:
    """Two vocabularies."""

    first: Vocabulary
    second: Vocabulary


class Distribution:
    """How often each id came: ``counts`` of ``ids``, none of them 0, with the vocabulary, and the order for Rényi."""

    def __init__(
        self,
        ids: NDArray[np.int64],
        counts: NDArray[Any],
        vocabulary: Vocabulary | None = None,
        alpha: float = RENYI_ALPHA,
    ) -> None:
        seen = counts > 0
        self.ids = ids[seen]
        self.counts = counts[seen].astype(np.float64)
        self.vocabulary = vocabulary
        self.alpha = alpha

    @classmethod
    def of(cls, counted: IdCounts, vocabulary: Vocabulary | None = None, alpha: float = RENYI_ALPHA) -> Distribution:
        """Return the distribution of all that was ``counted``."""
        return cls(counted.ids, counted.counts.sum(axis=0, dtype=np.int64), vocabulary, alpha)

    @property
    def tokens(self) -> float:
        """How many tokens there were."""
        return float(self.counts.sum())

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The share of each id."""
        probabilities: NDArray[np.float64] = self.counts / self.counts.sum()
        return probabilities

    @cached_property
    def lengths(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The lengths of the entries in bytes and in characters, -1 for ids that the vocabulary has no bytes for."""
        found = np.full((len(self.ids), 2), -1, np.int64)
        if self.vocabulary is not None:
            ids, lengths = self.vocabulary.lengths
            places = np.searchsorted(ids, self.ids)
            known = places < len(ids)
            known[known] = ids[places[known]] == self.ids[known]
            found[known] = lengths[places[known]]
        return found[:, 0], found[:, 1]
