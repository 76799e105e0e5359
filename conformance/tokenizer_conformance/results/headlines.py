"""Which findings a page shows first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.results.page import Novelty

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.results.page import ShownFinding

SHOWN_FIRST = (Novelty.NEW, Novelty.EXPLAINED)

MOST_HEADLINES = 6
"""How many findings are shown first; of each implementation one, as long as there is room."""


def headlines_of(findings: Iterable[ShownFinding]) -> tuple[str, ...]:
    """Return the ids of the findings to show first: the most frequent new one of each implementation, then the next.

    Where none is new, those that known changes explain take their place.
    """
    all_ = list(findings)
    news = next(filter(None, ([each for each in all_ if each.standing is wanted] for wanted in SHOWN_FIRST)), [])
    first_group = news[0].group if news else ""
    ranked: list[tuple[int, int, str]] = []
    place: Counter[str] = Counter()
    for each in sorted((each for each in news if each.group == first_group), key=lambda each: -each.count):
        ranked.append((place[each.implementation], -each.count, each.id))
        place[each.implementation] += 1
    return tuple(id_ for _, _, id_ in sorted(ranked)[:MOST_HEADLINES])
