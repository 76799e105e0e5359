"""Set algebra on ranges, against Python's own sets, and what `re` makes of a rendered class."""

from __future__ import annotations

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.text import code_point_sets as sets

LIMIT = 80

small_members = st.frozensets(st.integers(0, LIMIT))
code_points = st.one_of(st.integers(0, 0x300), st.integers(0xD7F0, 0xE010), st.integers(0x10000, sets.MAX_CODE_POINT))


def members(ranges: sets.Ranges) -> set[int]:
    return {code_point for first, last in ranges for code_point in range(first, last + 1)}


def is_canonical(ranges: sets.Ranges) -> bool:
    in_order = all(first <= last for first, last in ranges)
    apart = all(left[1] + 1 < right[0] for left, right in pairwise(ranges))
    return in_order and apart


@given(small_members, small_members)
def test_algebra_is_that_of_sets(left: frozenset[int], right: frozenset[int]) -> None:
    a, b = sets.from_code_points(left), sets.from_code_points(right)
    for result, expected in [
        (a, left),
        (sets.union(a, b), left | right),
        (sets.intersection(a, b), left & right),
        (sets.difference(a, b), left - right),
    ]:
        assert is_canonical(result)
        assert members(result) == expected
        assert sets.size(result) == len(expected)


@given(small_members)
def test_complement_has_everything_else(left: frozenset[int]) -> None:
    a = sets.from_code_points(left)
    assert is_canonical(sets.complement(a))
    assert sets.complement(sets.complement(a)) == a
    assert sets.union(a, sets.complement(a)) == sets.EVERYTHING
    assert sets.intersection(a, sets.complement(a)) == sets.EMPTY


def test_union_of_nothing_is_empty() -> None:
    assert sets.union() == sets.EMPTY
    assert sets.complement(sets.EMPTY) == sets.EVERYTHING


@given(st.frozensets(code_points), code_points)
def test_contains_agrees_with_the_members(chosen: frozenset[int], asked: int) -> None:
    ranges = sets.from_code_points(chosen)
    assert sets.contains(ranges, asked) == (asked in chosen)
    assert all(sets.contains(ranges, code_point) for code_point in chosen)


@given(st.frozensets(code_points, max_size=20), st.frozensets(code_points))
def test_a_rendered_class_matches_exactly_the_members(chosen: frozenset[int], others: frozenset[int]) -> None:
    pattern = re.compile(f"[{sets.character_class(sets.from_code_points(chosen))}]")
    for code_point in chosen | others:
        assert bool(pattern.fullmatch(chr(code_point))) == (code_point in chosen)


def test_every_character_that_is_special_in_a_class_is_escaped() -> None:
    ascii_characters = frozenset(map(chr, range(128)))
    for char in ascii_characters:
        pattern = re.compile(f"[{sets.character_class(sets.from_characters(char))}]")
        assert {other for other in ascii_characters if pattern.fullmatch(other)} == {char}


def test_characters_are_the_members() -> None:
    assert sets.characters(sets.from_characters("zebra")) == frozenset("zebra")


@given(st.frozensets(code_points))
def test_a_table_of_ranges_is_read_as_it_is_written(chosen: frozenset[int]) -> None:
    ranges = sets.from_code_points(chosen)
    ends = [0, *(last + 1 for _, last in ranges)]
    pairs = [(first - end, last - first + 1) for (first, last), end in zip(ranges, ends, strict=False)]
    assert sets.decode_ranges(" ".join(f"{gap:x} {length:x}" for gap, length in pairs)) == ranges


def test_a_table_of_a_mapping_is_read_as_it_is_written() -> None:
    assert sets.decode_mapping("df 73 73,51 69 307") == {0xDF: "ss", 0x130: "i\u0307"}
