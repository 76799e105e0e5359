"""Sets of code points are sets, whatever is in them."""

from __future__ import annotations

import pytest

from tokenizer_conformance.research.unicode_audit.code_point_sets import LAST, SCALARS, CodePoints

RANGES = [
    [],
    [(0, 0)],
    [(LAST, LAST)],
    [(0, LAST)],
    [(0x41, 0x5A), (0x61, 0x7A), (0x10000, 0x10FFFF)],
    [(1, 1), (3, 3), (5, 0xD7FF)],
    [(2, 4), (6, 9), (15, 16), (24, 31), (40, 46), (48, 63)],
]


@pytest.mark.long_but(5)
@pytest.mark.parametrize("ranges", RANGES)
def test_ranges_come_back(ranges: list[tuple[int, int]]) -> None:
    made = CodePoints.of_ranges(ranges)
    members = [at for first, last in ranges for at in range(first, last + 1)]
    assert made.ranges() == ranges
    assert list(made) == members
    assert CodePoints.of(members) == made
    assert CodePoints.written_as(str(made)) == made
    assert len(made) == len(members)
    assert bool(made) is bool(members)


def test_operations_are_those_of_sets() -> None:
    one, other = {1, 2, 3, 0x10FFFF}, {3, 4}
    first, second = CodePoints.of(one), CodePoints.of(other)
    assert set(first | second) == one | other
    assert set(first & second) == one & other
    assert set(first - second) == one - other
    assert set(first ^ second) == one ^ other
    assert 3 in first
    assert 4 not in first


def test_scalars_are_all_but_surrogates() -> None:
    assert len(SCALARS) == 1_112_064
    assert str(SCALARS) == "0000..D7FF E000..10FFFF"
