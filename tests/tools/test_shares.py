"""What a sample says of the whole."""

from __future__ import annotations

import pytest
from published.shares import interval


@pytest.mark.parametrize(("part", "whole"), [(45, 50), (0, 5), (5, 5), (1513, 1515)])
def test_intervals_are_those_of_scipy(part: int, whole: int) -> None:
    expected = pytest.importorskip("scipy.stats").binomtest(part, whole).proportion_ci(0.95, method="wilson")
    assert interval(part, whole) == f"95 % interval: {100 * expected.low:.1f} to {100 * expected.high:.1f} %"
