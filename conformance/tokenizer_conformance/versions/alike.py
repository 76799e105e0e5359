"""Changes that are one change: the same words became the same other words, under many names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.versions.facts import Fact, FactChange


@dataclass(frozen=True, slots=True)
class AlikeChanges:
    """Changes of a section between the same two releases, each from the same value to the same value, never none."""

    changes: tuple[FactChange, ...]

    @property
    def first(self) -> FactChange:
        """The change whose name comes first; it stands for the others."""
        return self.changes[0]


def alike(changes: Iterable[FactChange]) -> tuple[AlikeChanges, ...]:
    """Return ``changes`` in groups of those that are alike, in the order in which their first ones come.

    Facts that came or went are alike only under one name: what came is told whole.
    """
    groups: dict[tuple[object, ...], list[FactChange]] = {}
    for change in changes:
        came_or_went = change.old is None or change.new is None
        values = (_value(change.old), _value(change.new), change.name if came_or_went else "")
        groups.setdefault((change.section, change.until, change.since, *values), []).append(change)
    return tuple(AlikeChanges(tuple(group)) for group in groups.values())


def _value(fact: Fact | None) -> str | None:
    return None if fact is None else fact.value
