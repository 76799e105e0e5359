"""How often each id came, in folds of the texts: the entropy of tokens and its like are no functions of few sums.

Deleting one fold at a time shows how much such a measure depends on the texts (a delete-a-group jackknife), and takes
memory for the ids that were seen, :data:`~.sums.FOLDS` counts each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tokenizer_conformance.research.metrics.measures.sums import FOLD_OF_BUCKET, FOLDS, buckets_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MOST_PENDING = 1 << 18
"""How many ids wait until they are counted, in all folds together."""

MOST_PENDING_ARRAYS = 1 << 10
"""How many batches of texts wait at most."""

MOST_IN_INT32 = np.iinfo(np.int32).max

MOST_DENSE = 1 << 20
"""Ids below this are looked up in a table, larger ones are sorted."""

_FOLDS = np.array(FOLD_OF_BUCKET)


class IdCounts:
    """How often each id came in the texts of each fold."""

    def __init__(self) -> None:
        self._ids: NDArray[np.int64] = np.empty(0, np.int64)
        self._counts: NDArray[Any] = np.empty((FOLDS, 0), np.int32)
        self._total = 0
        self._pending: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self._waiting = 0
        self._folds_with_texts: set[int] = set()

    def add(self, number: int, ids: tuple[int, ...]) -> None:
        """Count the ``ids`` of the tokens of the text ``number``."""
        self.add_texts(np.array([number]), np.array([len(ids)]), np.array(ids, np.int64))

    def add_texts(self, numbers: NDArray[np.int64], counts: NDArray[np.int64], ids: NDArray[np.int64]) -> None:
        """Count the ``ids`` of the tokens of texts with these ``numbers``, which have so many each."""
        folds = _FOLDS[buckets_of(numbers)]
        self._folds_with_texts.update(np.unique(folds).tolist())
        self._pending.append((np.repeat(folds, counts), ids))
        self._waiting += len(ids)
        if self._waiting > MOST_PENDING or len(self._pending) > MOST_PENDING_ARRAYS:
            self._count()

    def _count(self) -> None:
        """Count the ids that wait."""
        if self._pending:
            folds, ids = (np.concatenate(each) for each in zip(*self._pending, strict=True))
            self._pending, self._waiting = [], 0
            seen, places = _distinct(ids)
            both, counts = np.unique(places * FOLDS + folds, return_counts=True)
            self._add(both % FOLDS, seen, both // FOLDS, counts)

    def _add(
        self, folds: NDArray[np.int64], seen: NDArray[np.int64], places: NDArray[np.int64], counts: NDArray[Any]
    ) -> None:
        """Add ``counts`` of the ids at ``places`` of ``seen``, ascending and distinct, to ``folds``; each pair once."""
        merged = np.union1d(self._ids, seen)
        if len(merged) > len(self._ids):
            widened = np.zeros((FOLDS, len(merged)), self._counts.dtype)
            widened[:, np.searchsorted(merged, self._ids)] = self._counts
            self._ids, self._counts = merged, widened
        self._total += int(counts.sum())
        if self._total > MOST_IN_INT32:
            self._counts = self._counts.astype(np.int64, copy=False)
        self._counts[folds, np.searchsorted(self._ids, seen)[places]] += counts.astype(self._counts.dtype)

    def merge(self, other: IdCounts) -> None:
        """Add all that ``other`` has counted."""
        ids, counts = other.ids, other.counts
        self._folds_with_texts |= other._folds_with_texts
        folds, places = np.nonzero(counts)
        self._add(folds, ids, places, counts[folds, places])

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
        for fold, steps, counts in written["folds"]:
            self._folds_with_texts.add(fold)
            ids = np.cumsum(np.array(steps, np.int64))
            self._add(np.full(len(ids), fold), ids, np.arange(len(ids)), np.array(counts, np.int64))


def _distinct(ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ``ids`` that there are, ascending, and the place among them of each."""
    most = int(ids.max(initial=0))
    if most >= MOST_DENSE or ids.min(initial=0) < 0:
        return np.unique(ids, return_inverse=True)
    is_seen = np.zeros(most + 1, np.bool_)
    is_seen[ids] = True
    seen = np.flatnonzero(is_seen)
    return seen, (np.cumsum(is_seen) - 1)[ids]
