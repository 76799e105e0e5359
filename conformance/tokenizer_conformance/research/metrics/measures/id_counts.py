"""How often each id came, in folds of the texts: the entropy of tokens and its like are no functions of few sums.

Deleting one fold at a time shows how much such a measure depends on the texts (a delete-a-group jackknife), and takes
memory for the ids that were seen, :data:`~.sums.FOLDS` counts each.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenizer_conformance.research.metrics.measures.sums import FOLD_OF_BUCKET, FOLDS, bucket_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MOST_PENDING = 1 << 18
"""How many ids wait until they are counted, in all folds together."""

MOST_IN_INT32 = (1 << 31) - 1


class IdCounts:
    """How often each id came in the texts of each fold."""

    def __init__(self) -> None:
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._counts: NDArray[Any] = np.empty((FOLDS, 0), np.int32)
        self._total = 0
        self._pending = [array("q") for _ in range(FOLDS)]
        self._waiting = 0
        self._folds_with_texts: set[int] = set()

    def add(self, number: int, ids: tuple[int, ...]) -> None:
        """Count the ``ids`` of the tokens of the text ``number``."""
        fold = FOLD_OF_BUCKET[bucket_of(number)]
        self._folds_with_texts.add(fold)
        self._pending[fold].extend(ids)
        self._waiting += len(ids)
        if self._waiting > MOST_PENDING:
            self._count()

    def _count(self) -> None:
        """Count the ids that wait."""
        for fold, pending in enumerate(self._pending):
            if pending:
                ids, counts = np.unique(np.frombuffer(pending, np.int64), return_counts=True)
                self._add(fold, ids, counts)
        self._pending = [array("q") for _ in range(FOLDS)]
        self._waiting = 0

    def _add(self, fold: int, ids: NDArray[np.int64], counts: NDArray[Any]) -> None:
        """Add ``counts`` of ``ids``, ascending and distinct, to ``fold``."""
        unknown = np.setdiff1d(ids, self._ids, assume_unique=True)
        if len(unknown):
            merged = np.union1d(self._ids, unknown)
            widened = np.zeros((FOLDS, len(merged)), self._counts.dtype)
            widened[:, np.searchsorted(merged, self._ids)] = self._counts
            self._ids, self._counts = merged, widened
        self._total += int(counts.sum())
        if self._total > MOST_IN_INT32 and self._counts.dtype == np.int32:
            self._counts = self._counts.astype(np.int64)
        self._counts[fold, np.searchsorted(self._ids, ids)] += counts.astype(self._counts.dtype)

    def merge(self, other: IdCounts) -> None:
        """Add all that ``other`` has counted."""
        self._count()
        ids, counts = other.ids, other.counts
        self._folds_with_texts |= other._folds_with_texts
        for fold in range(FOLDS):
            seen = counts[fold] > 0
            self._add(fold, ids[seen], counts[fold][seen])

    @property
    def ids(self) -> NDArray[np.int64]:
        """The ids that were seen, ascending."""
        self._count()
        return self._ids

    @property
    def counts(self) -> NDArray[Any]:
        """How often each of :attr:`ids` came: a row for each fold."""
        self._count()
        return self._counts

    @property
    def folds(self) -> list[int]:
        """The folds that have a text, ascending."""
        return sorted(self._folds_with_texts)

    def to_json(self) -> dict[str, Any]:
        """Return the counts as JSON: for each fold with texts its ids, as differences, and their counts."""
        ids, counts = self.ids, self.counts
        rows = []
        for fold in self.folds:
            seen = counts[fold] > 0
            rows.append([fold, np.diff(ids[seen], prepend=0).tolist(), counts[fold][seen].tolist()])
        return {"folds": rows}

    def add_json(self, written: Mapping[str, Any]) -> None:
        """Add counts that :meth:`to_json` wrote."""
        self._count()
        for fold, steps, counts in written["folds"]:
            self._folds_with_texts.add(fold)
            self._add(fold, np.cumsum(np.array(steps, np.int64)), np.array(counts, np.int64))
