"""Sums over texts that can be resampled afterwards: texts are dealt to a fixed number of buckets by their numbers.

A bootstrap over texts draws texts with replacement, which would need all of them. What it computes are functions of
sums, so it is enough to keep the sums of each bucket and to draw buckets. Up to :data:`BUCKETS` texts each has a bucket
of its own, and this is the bootstrap over texts; from there on texts share buckets at random, and the buckets are
exchangeable as texts are. The relative error of a standard error from 1000 buckets is about 2 %.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

BUCKETS = 1000
"""How many buckets texts are dealt to."""

FOLDS = 20
"""How many folds buckets are dealt to, for what needs counts of every id (:mod:`.id_counts`)."""

_MASK = (1 << 64) - 1

T = TypeVar("T")


def _mixed(number: int) -> int:
    """Return 64 bits that look random for each ``number``: the finalizer of SplitMix64 (Steele et al. 2014)."""
    mixed = (number + 0x9E3779B97F4A7C15) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mixed ^ (mixed >> 31)


def bucket_of(number: int) -> int:
    """Return the bucket of the text ``number``: its own one for the first :data:`BUCKETS`, then one by chance.

    It depends on nothing else, so that parts of a corpus, in any order, by any process, give the same sums.

    >>> bucket_of(7), bucket_of(999), bucket_of(1000) == bucket_of(1000)
    (7, 999, True)
    """
    return number if number < BUCKETS else _mixed(number) % BUCKETS


def buckets_of(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the bucket of each of the texts with these ``numbers``, as :func:`bucket_of` does."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.where(numbers < BUCKETS, numbers, (mixed % np.uint64(BUCKETS)).astype(np.int64))


def _dealt() -> tuple[int, ...]:
    """Return the fold of each bucket: each run of :data:`FOLDS` buckets is dealt one to a fold, in an order by chance.

    Texts that alternate between kinds with some period are not dealt to folds by kind.
    """
    folds: list[int] = []
    for run in range(0, BUCKETS, FOLDS):
        folds += sorted(range(FOLDS), key=lambda fold: _mixed(_MASK - run - fold))
    return tuple(folds)


FOLD_OF_BUCKET = _dealt()


MOST_PENDING = 256
"""How many rows wait until they are added up, which is faster for many at once."""


class Sums(Generic[T]):
    """Sums of the fields of ``kind``, a dataclass of numbers that are not negative, in each bucket that has a text.

    The first field is 1 for every text, so that a bucket has one if its sum is not 0. The field ``unit`` counts the
    texts that decide anything: by these it is resampled. Whole numbers are exact to 2^53.
    """

    def __init__(self, kind: type[T], unit: str | None = None) -> None:
        self.kind = kind
        self._names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
        self._unit = 0 if unit is None else self._names.index(unit)
        # Pages of zeros take no memory until something is written to them.
        self._matrix: NDArray[np.float64] = np.zeros((BUCKETS, len(self._names)))
        self._waiting: list[tuple[int, Sequence[float]]] = []

    def __getstate__(self) -> tuple[type[T], str, list[int], NDArray[np.float64]]:
        """Return what another process needs: the rows of buckets that have a text, which may be few."""
        buckets = self.buckets
        return self.kind, self._names[self._unit], buckets, self._matrix[buckets]

    def __setstate__(self, state: tuple[type[T], str, list[int], NDArray[np.float64]]) -> None:
        kind, unit, buckets, rows = state
        Sums.__init__(self, kind, unit)
        self._matrix[buckets] = rows

    def add(self, number: int, row: Sequence[float]) -> None:
        """Add ``row``, the numbers of the text ``number`` in the order of the fields."""
        self._waiting.append((bucket_of(number), row))
        if len(self._waiting) >= MOST_PENDING:
            self._add_up()

    def add_rows(self, numbers: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        """Add the ``rows`` of the texts with these ``numbers``."""
        width = len(self._names)
        places = buckets_of(numbers)[:, None] * width + np.arange(width)
        np.add.at(self._matrix.ravel(), places.ravel(), rows.ravel().astype(np.float64))

    def _add_up(self) -> None:
        """Add up the rows that wait."""
        if self._waiting:
            buckets, rows = zip(*self._waiting, strict=True)
            np.add.at(self._matrix, np.array(buckets), np.array(rows, np.float64))
            self._waiting.clear()

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The sums: a row for each bucket, a column for each field."""
        self._add_up()
        return self._matrix

    @property
    def buckets(self) -> list[int]:
        """The buckets that have a text, ascending."""
        found: list[int] = np.flatnonzero(self.matrix[:, 0]).tolist()
        return found

    @property
    def units(self) -> NDArray[np.float64]:
        """How many texts that decide anything each bucket has."""
        found: NDArray[np.float64] = self.matrix[:, self._unit]
        return found

    def merge(self, other: Sums[T]) -> None:
        """Add all that ``other`` has summed."""
        self._matrix += other.matrix

    @property
    def total(self) -> T:
        """The sums over all texts."""
        return self.kind(*map(_plain, self.matrix.sum(axis=0).tolist()))

    def to_json(self) -> dict[str, Any]:
        """Return the sums as JSON: the names of the fields, and a row for each bucket, which begins with its number."""
        rows = self.matrix.tolist()
        return {"fields": self._names, "rows": [[bucket, *map(_plain, rows[bucket])] for bucket in self.buckets]}

    def add_json(self, written: Mapping[str, Any]) -> None:
        """Add sums that :meth:`to_json` wrote. Raises :class:`ValueError` where they are of other fields."""
        if written["fields"] != self._names:
            raise ValueError(f"sums of {', '.join(written['fields'])}; expected sums of {', '.join(self._names)}")
        for bucket, *row in written["rows"]:
            self._matrix[bucket] += row


def _plain(value: float) -> float:
    """Return ``value``, as a whole number where it is one."""
    return int(value) if value.is_integer() else value


def units_of(sums: Iterable[Sums[Any]]) -> int:
    """Return how many buckets have a text that decides anything in any of ``sums``."""
    return int(np.count_nonzero(sum(each.units for each in sums)))
