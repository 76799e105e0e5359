"""Who makes the next texts: yield counts, and nobody starves."""

from __future__ import annotations

from collections import Counter

from tokenizer_conformance.validation.search.scheduling import Scheduler

NAMES = ("rich", "poor", "also poor")
ALL = frozenset(NAMES)
EFFORT = 1000


def turns(scheduler: Scheduler, count: int, causes: dict[str, int], ready: frozenset[str] = ALL) -> list[str]:
    """Return who is chosen in so many turns; each brings so many ``causes``."""
    chosen = []
    for _ in range(count):
        name = scheduler.next(ready)
        assert name is not None
        scheduler.dealt(name, EFFORT)
        scheduler.took(name, EFFORT, causes.get(name, 0))
        chosen.append(name)
    return chosen


def test_the_first_are_tried_first() -> None:
    assert turns(Scheduler(NAMES), 3, {}) == list(NAMES)


def test_who_finds_more_is_asked_more_and_nobody_starves() -> None:
    counts = Counter(turns(Scheduler(NAMES), 300, {"rich": 1}))
    assert counts["rich"] > 150
    assert min(counts["poor"], counts["also poor"]) >= 45


def test_without_yield_all_get_the_same() -> None:
    counts = Counter(turns(Scheduler(NAMES), 300, {}))
    assert max(counts.values()) - min(counts.values()) <= 3


def test_what_was_found_long_ago_counts_less() -> None:
    scheduler = Scheduler(NAMES)
    turns(scheduler, 100, {"rich": 1})
    turns(scheduler, 300, {})
    counts = Counter(turns(scheduler, 150, {"poor": 1}))
    assert counts["poor"] > counts["rich"]


def test_who_comes_late_does_not_catch_up() -> None:
    scheduler = Scheduler(NAMES)
    turns(scheduler, 200, {}, ALL - {"poor"})
    assert Counter(turns(scheduler, 30, {}))["poor"] <= 24


def test_there_may_be_nobody() -> None:
    assert Scheduler(NAMES).next(frozenset()) is None
