"""The most frequent things are counted in bounded memory, and the error of the counts is known."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.research.cuts import tally
from tokenizer_conformance.research.cuts.tally import Frequent

BLOCKS = st.lists(st.lists(st.integers(0, 30), max_size=60), max_size=6)


def counted(blocks: list[list[int]], capacity: int) -> Frequent[int, int]:
    """Return what is counted of ``blocks``."""
    frequent: Frequent[int, int] = Frequent(capacity)
    for block in blocks:
        for thing in block:
            frequent.add(thing, lambda thing=thing: thing)  # type: ignore[misc]
        frequent.end_block()
    return frequent


@given(BLOCKS, st.integers(1, 6), st.integers(1, 8))
def test_counts_are_never_too_high_and_too_low_by_no_more_than_is_said(
    blocks: list[list[int]], capacity: int, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tally, "MOST_KEPT", most)
        frequent = counted(blocks, capacity)
    exact = Counter(thing for block in blocks for thing in block)
    kept = list(frequent.most_common(1000))
    assert len(kept) <= min(capacity * len(blocks), most)
    for value, count in kept:
        assert exact[value] - frequent.missed <= count <= exact[value]
    for thing, count in exact.items():
        assert count <= frequent.missed or thing in dict(kept)


@given(BLOCKS, st.integers(1, 6), st.integers(0, 6))
def test_the_counts_of_blocks_merge_into_those_of_all(blocks: list[list[int]], capacity: int, at: int) -> None:
    merged = counted(blocks[:at], capacity)
    merged.merge(counted(blocks[at:], capacity))
    whole = counted(blocks, capacity)
    assert list(merged.most_common(1000)) == list(whole.most_common(1000))
    assert merged.missed == whole.missed


def test_what_fits_is_counted_exactly_in_order() -> None:
    frequent: Frequent[str, str] = Frequent(2)
    for thing in "cabbab":
        frequent.add(thing, thing.upper)
    assert list(frequent.most_common(2)) == [("B", 3), ("A", 2)]
    assert frequent.missed == 0
    frequent.end_block()
    assert list(frequent.most_common(2)) == [("B", 3), ("A", 2)]
    assert frequent.missed == 1
