"""Who makes the next texts: generators share the work by what they bring in.

Half of the effort is shared equally, so that no generator starves; the other half goes by yield, which is the number of
new causes for the effort, where what was long ago counts less. Effort is counted in characters and not in seconds:
time, which no two machines share, decides nothing but when a search ends, and so a seed gives the same search again.
"""

from __future__ import annotations

from dataclasses import dataclass

SHARED_EQUALLY = 0.5
"""Which part of the effort is shared equally."""

MEMORY = 0.9
"""What counts of the yield so far when a further batch is taken in."""

PRIOR_EFFORT = 2000.0
"""A generator begins as if it had found one cause for that effort: what was not tried yet is worth a try."""


@dataclass(slots=True)
class _Arm:
    """A generator as the scheduler sees it; ``way`` is the effort it has had, each part divided by its share then."""

    way: float = 0.0
    causes: float = 1.0
    effort: float = PRIOR_EFFORT

    @property
    def worth(self) -> float:
        return self.causes / self.effort


class Scheduler:
    """Shares the work among generators by their ``names``, the first of which are tried first."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._arms = {name: _Arm() for name in names}
        self._ready: frozenset[str] = frozenset()

    def next(self, ready: frozenset[str]) -> str | None:
        """Return which of those that are ``ready`` makes the next texts; ``None`` where none is."""
        self._let_in(ready)
        waiting = [name for name in self._arms if name in ready]
        return min(waiting, key=lambda name: self._arms[name].way, default=None)

    def _let_in(self, ready: frozenset[str]) -> None:
        """Have those that were not ready before go on where the others are: nobody catches up."""
        behind = min((self._arms[name].way for name in self._ready & ready), default=0.0)
        for name in ready - self._ready:
            self._arms[name].way = max(self._arms[name].way, behind)
        self._ready = ready

    def dealt(self, name: str, effort: int) -> None:
        """Take note that ``name`` was given ``effort``, where others that were ready could have been."""
        arm = self._arms[name]
        worth = sum(self._arms[each].worth for each in self._ready)
        share = SHARED_EQUALLY / len(self._ready) + (1 - SHARED_EQUALLY) * arm.worth / worth
        arm.way += effort / share

    def took(self, name: str, effort: int, causes: int) -> None:
        """Take note that ``effort`` of ``name`` has brought so many new ``causes``."""
        arm = self._arms[name]
        arm.causes = MEMORY * arm.causes + causes
        arm.effort = MEMORY * arm.effort + effort
