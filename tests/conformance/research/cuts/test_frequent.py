"""The most frequent things are counted in bounded memory, and the error of the counts is known."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.research.cuts.tally import Frequent


@given(st.lists(st.integers(0, 30), max_size=300), st.integers(1, 6))
def test_counts_are_never_too_high_and_too_low_by_no_more_than_is_said(things: list[int], capacity: int) -> None:
    frequent: Frequent[int, int] = Frequent(capacity)
    for thing in things:
        frequent.add(thing, lambda thing=thing: thing)  # type: ignore[misc]
    exact = Counter(things)
    kept = list(frequent.most_common(1000))
    assert len(kept) <= 2 * capacity
    for value, count in kept:
        assert exact[value] - frequent.missed <= count <= exact[value]
    for thing, count in exact.items():
        assert count <= frequent.missed or thing in dict(kept)


def test_what_fits_is_counted_exactly_in_order() -> None:
    frequent: Frequent[str, str] = Frequent(2)
    for thing in "cabbab":
        frequent.add(thing, thing.upper)
    assert list(frequent.most_common(2)) == [("B", 3), ("A", 2)]
    assert frequent.missed == 0
