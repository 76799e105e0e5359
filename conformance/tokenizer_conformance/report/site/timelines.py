"""Known changes by release: a table for each package, a row for each change, marked in the releases that have it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING

from packaging.version import Version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenizer_conformance.releases.known_changes.change import KnownChange


class Mark(Enum):
    """What a release has to do with a change: the ``sign`` in its cell, and the ``word`` for who does not see it."""

    BEGINS = ("●", "changed")
    HOLDS = ("━", "still so")
    ENDS = ("○", "as before again")

    @property
    def sign(self) -> str:
        """What is seen."""
        return self.value[0]

    @property
    def word(self) -> str:
        """The same in words."""
        return self.value[1]


@dataclass(frozen=True, slots=True)
class Row:
    """A change, the ``id`` of its place on the page, and its mark in each release; ``None`` where it has none."""

    change: KnownChange
    id: str
    marks: tuple[Mark | None, ...]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The changes of a ``package``, by the ``releases`` at which anything changes, the oldest first."""

    package: str
    releases: tuple[str, ...]
    rows: tuple[Row, ...]


def timelines(changes: Sequence[KnownChange], ids: Mapping[str, str]) -> list[Timeline]:
    """Return a timeline for each package of ``changes``, which are in order; ``ids`` are those of places, by change."""
    found = []
    for package, group in groupby(changes, key=lambda change: change.package):
        of_package = list(group)
        turns = {each for change in of_package for each in (change.since, change.until) if each is not None}
        releases = tuple(sorted(turns, key=Version))
        rows = (
            Row(change, ids[change.id], tuple(_mark(change, release) for release in releases)) for change in of_package
        )
        found.append(Timeline(package, releases, tuple(rows)))
    return found


def _mark(change: KnownChange, release: str) -> Mark | None:
    if release == change.since:
        return Mark.BEGINS
    if release == change.until:
        return Mark.ENDS
    return Mark.HOLDS if change.holds_in(release) else None
