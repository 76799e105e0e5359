"""The most frequent of endlessly many things, in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

K = TypeVar("K", bound="Hashable")
V = TypeVar("V")

CAPACITY = 2000
"""How many are counted at least at any time."""


@dataclass(slots=True)
class Counted(Generic[V]):
    """How often a thing was seen since it is counted, and what was kept of it."""

    value: V
    count: int = 0


class Frequent(Generic[K, V]):
    """Counts things by key. Where they become too many, the rarest half is forgotten.

    What was forgotten and comes again is counted anew: so no count is too high, and none is too low by more than
    ``missed``, which is 0 as long as nothing was forgotten.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._counted: dict[K, Counted[V]] = {}
        self.missed = 0

    def add(self, key: K, make: Callable[[], V]) -> None:
        """Count ``key``; ``make`` gives what is kept of it, where it is new."""
        counted = self._counted.get(key)
        if counted is None:
            if len(self._counted) >= 2 * self._capacity:
                self._forget()
            counted = self._counted[key] = Counted(make())
        counted.count += 1

    def _forget(self) -> None:
        ordered = sorted(self._counted.items(), key=lambda item: -item[1].count)
        self._counted = dict(ordered[: self._capacity])
        self.missed += ordered[self._capacity][1].count

    def most_common(self, number: int) -> Iterator[Counted[V]]:
        """Yield the ``number`` most frequent; of those that are as frequent, the one that came first."""
        ordered = sorted(self._counted.values(), key=lambda each: -each.count)
        yield from ordered[:number]
