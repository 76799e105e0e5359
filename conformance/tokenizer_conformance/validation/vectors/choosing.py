"""Choosing vectors: the inputs that show most planted faults, then those that tell faults apart, the shortest first.

A weighted cover, greedily: the gain of an input is what it adds to what is chosen already, by its length. That is
within a constant of the best choice for each of the steps, and gives the same choice for the same faults.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from tokenizer_conformance.validation.vectors.candidate import (
    AboutAdded,
    AboutBatch,
    AboutPair,
    AboutTokens,
    AboutWords,
)
from tokenizer_conformance.validation.vectors.faults.fault import FaultStage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from tokenizer_conformance.validation.vectors.candidate import Asks, Candidate
    from tokenizer_conformance.validation.vectors.planting import Shown

LENGTH_OF_NOTHING = 24
"""How many code points the least input counts as: a line in the file takes its room, too."""

WEIGHTS: Mapping[FaultStage, float] = {FaultStage.CHARACTERS: 0.1}
"""What a fault of a stage counts, where that is not 1."""

TIMES = 4
"""How often each fault is to be shown, if there is room: a real fault is never just the planted one."""

LEAST: Mapping[type[Asks], float] = {
    AboutTokens: 0.06,
    AboutWords: 0.04,
    AboutPair: 0.04,
    AboutAdded: 0.03,
    AboutBatch: 0.015,
}
"""Which part of all inputs are of a kind at least: few planted faults need many of them, and real ones may."""

MOST_HUNTED = 5
"""How many faults an input names."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen candidate, by its number, and the ``faults`` it was chosen for, by theirs."""

    candidate: int
    faults: tuple[int, ...]


def chosen(shown: Sequence[Shown], candidates: Sequence[Candidate], count: int) -> list[Choice]:
    """Return ``count`` of ``candidates`` in the order in which they were chosen, or all that show a fault."""
    by_candidate: dict[int, list[int]] = defaultdict(list)
    for fault, each in enumerate(shown):
        for candidate in each.by:
            by_candidate[candidate].append(fault)
    choosing = _Choosing(shown, by_candidate, [candidate.size + LENGTH_OF_NOTHING for candidate in candidates], count)
    choosing.cover(1, of_characters=False)
    for kind, part in LEAST.items():
        own = [number for number, candidate in enumerate(candidates) if isinstance(candidate.asks, kind)]
        choosing.fill(own, ceil(part * count))
    choosing.cover(1)
    choosing.tell_apart()
    for times in range(2, TIMES + 1):
        choosing.cover(times)
    choosing.fill()
    return choosing.choices


class _Choosing:
    """What is chosen so far."""

    def __init__(
        self, shown: Sequence[Shown], by_candidate: Mapping[int, Sequence[int]], sizes: Sequence[int], count: int
    ) -> None:
        self.choices: list[Choice] = []
        self._shown = shown
        self._by_candidate = by_candidate
        self._sizes = sizes
        self._count = count
        self._times = [0] * len(shown)
        self._left = set(by_candidate)
        self._group = [0] * len(shown)
        self._members = Counter(self._group)

    def cover(self, times: int, *, of_characters: bool = True) -> None:
        """Choose until every fault is shown ``times`` times, as far as it can be."""

        def gained(candidate: int) -> list[int]:
            return [
                fault
                for fault in self._by_candidate[candidate]
                if self._times[fault] < times and (of_characters or not self._is_of_character(fault))
            ]

        self._choose(gained, lambda faults: sum(map(self._weight, faults)))

    def tell_apart(self) -> None:
        """Choose until no candidate tells apart faults that were the same so far."""
        self._regroup(choice.candidate for choice in self.choices)

        def gained(candidate: int) -> list[int]:
            ways: dict[int, dict[int, int]] = defaultdict(dict)
            counts: dict[int, int] = defaultdict(int)
            for fault in self._by_candidate[candidate]:
                group = self._group[fault]
                counts[group] += 1
                ways[group].setdefault(self._shown[fault].by[candidate], fault)
            # Where it shows all of a group, one of the ways is what that group is known by.
            return [
                fault
                for group, found in ways.items()
                for fault in list(found.values())[counts[group] == self._members[group] :]
            ]

        self._choose(gained, len)

    def fill(self, among: Collection[int] | None = None, least: int = 0) -> None:
        """Choose what shows the faults most rarely shown, until there are enough.

        With ``among``, only of these, until ``least`` of them are chosen.
        """
        most = self._count
        if among is not None:
            there = sum(choice.candidate in among for choice in self.choices)
            most = min(most, len(self.choices) + max(least - there, 0))
        self._choose(
            lambda candidate: list(self._by_candidate[candidate]),
            lambda faults: sum(self._weight(fault) * 0.5 ** self._times[fault] for fault in faults),
            self._left if among is None else self._left.intersection(among),
            most,
        )

    def _weight(self, fault: int) -> float:
        """Return what a fault counts: one of a single character less, of which there are many."""
        return WEIGHTS.get(self._shown[fault].fault.stage, 1.0)

    def _is_of_character(self, fault: int) -> bool:
        return self._shown[fault].fault.stage is FaultStage.CHARACTERS

    def _choose(
        self,
        gained: Callable[[int], list[int]],
        worth: Callable[[list[int]], float],
        among: Collection[int] | None = None,
        most: int | None = None,
    ) -> None:
        """Take the best candidate again and again. What one adds never grows, so only the first few are looked at."""

        def rated(candidate: int) -> float:
            return -worth(gained(candidate)) / self._sizes[candidate]

        heap = [(rated(candidate), candidate) for candidate in sorted(self._left if among is None else among)]
        heapq.heapify(heap)
        while heap and len(self.choices) < (self._count if most is None else most):
            rating, candidate = heapq.heappop(heap)
            now = rated(candidate)
            if now == 0:
                continue
            if now != rating and heap and (now, candidate) > heap[0]:
                heapq.heappush(heap, (now, candidate))
                continue
            self._take(candidate, gained(candidate))

    def _take(self, candidate: int, faults: list[int]) -> None:
        self._left.discard(candidate)
        rarest = sorted(
            faults,
            key=lambda fault: (
                self._is_of_character(fault),
                self._times[fault],
                len(self._shown[fault].by),
                fault,
            ),
        )
        self.choices.append(Choice(candidate, tuple(rarest[:MOST_HUNTED])))
        for fault in self._by_candidate[candidate]:
            self._times[fault] += 1
        self._regroup((candidate,))

    def _regroup(self, candidates: Iterable[int]) -> None:
        """Split the groups of faults that could not be told apart."""
        for candidate in candidates:
            names: dict[tuple[int, int | None], int] = {}
            for fault, each in enumerate(self._shown):
                key = (self._group[fault], each.by.get(candidate))
                self._group[fault] = names.setdefault(key, len(names))
        self._members = Counter(self._group)


def groups_told_apart(shown: Sequence[Shown], candidates: Iterable[int]) -> int:
    """Return how many groups of faults ``candidates`` tell apart, that of the faults that none shows left out."""
    asked = list(candidates)
    ways = {tuple(each.by.get(candidate) for candidate in asked) for each in shown}
    return len(ways - {(None,) * len(asked)})
