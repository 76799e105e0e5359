"""Sets of code points as sorted ranges, and how the generated tables write them.

A set is a tuple of inclusive ranges, in order, with a gap between neighbours; so equal sets are equal tuples:

>>> union(((0x61, 0x63),), ((0x64, 0x66), (0x30, 0x39)))
((48, 57), (97, 102))

Surrogates (U+D800..U+DFFF) are code points like any other here; no text that `tokenizers` accepts has them.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CODE_POINT: Final = 0x10FFFF

Ranges = tuple[tuple[int, int], ...]
"""Sorted, disjoint, not adjacent; both ends included."""

EMPTY: Final[Ranges] = ()
EVERYTHING: Final[Ranges] = ((0, MAX_CODE_POINT),)


# Making sets ---------------------------------------------------------------------------------------------------------


def from_ranges(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the set of all members of ``ranges``, which may come in any order and overlap.

    >>> from_ranges([(5, 9), (1, 4), (8, 12)])
    ((1, 12),)
    """
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            if last > merged[-1][1]:
                merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    return tuple(merged)


def from_code_points(code_points: Iterable[int]) -> Ranges:
    """Return the set whose members are ``code_points``."""
    return from_ranges((code_point, code_point) for code_point in code_points)


def from_characters(characters: Iterable[str]) -> Ranges:
    """Return the set whose members are ``characters``.

    >>> from_characters("cab")
    ((97, 99),)
    """
    return from_code_points(map(ord, characters))


# Algebra -------------------------------------------------------------------------------------------------------------


def union(*sets: Ranges) -> Ranges:
    """Return what is in any of ``sets``."""
    return from_ranges(pair for ranges in sets for pair in ranges)


def complement(ranges: Ranges) -> Ranges:
    """Return every code point that is not in ``ranges``.

    >>> complement(((0, 31), (127, 0x10FFFF)))
    ((32, 126),)
    """
    gaps = []
    start = 0
    for first, last in ranges:
        if start < first:
            gaps.append((start, first - 1))
        start = last + 1
    if start <= MAX_CODE_POINT:
        gaps.append((start, MAX_CODE_POINT))
    return tuple(gaps)


def intersection(left: Ranges, right: Ranges) -> Ranges:
    """Return what is in both sets."""
    return complement(union(complement(left), complement(right)))


def difference(left: Ranges, right: Ranges) -> Ranges:
    """Return what is in ``left`` and not in ``right``."""
    return complement(union(complement(left), right))


# Reading sets --------------------------------------------------------------------------------------------------------


def contains(ranges: Ranges, code_point: int) -> bool:
    """Return whether ``code_point`` is a member."""
    index = bisect_right(ranges, (code_point, MAX_CODE_POINT)) - 1
    return index >= 0 and code_point <= ranges[index][1]


def size(ranges: Ranges) -> int:
    """Return the number of members."""
    return sum(last - first + 1 for first, last in ranges)


def characters(ranges: Ranges) -> frozenset[str]:
    """Return the members as characters.

    >>> sorted(characters(((97, 99),)))
    ['a', 'b', 'c']
    """
    return frozenset(chr(code_point) for first, last in ranges for code_point in range(first, last + 1))


def _escaped(code_point: int) -> str:
    if code_point <= 0xFF:
        return f"\\x{code_point:02x}"
    return f"\\u{code_point:04x}" if code_point <= 0xFFFF else f"\\U{code_point:08x}"


def character_class(ranges: Ranges) -> str:
    r"""Return the inside of a character class of `re` that matches exactly the members.

    The empty set is written as the negation of everything. Unite sets before they are written, and do not join two
    results.

    >>> character_class(((0x2D, 0x2D), (0x30, 0x39), (0x1F600, 0x1F64F)))
    '\\x2d\\x30-\\x39\\U0001f600-\\U0001f64f'
    >>> character_class(EMPTY)
    '^\\x00-\\U0010ffff'
    """
    if not ranges:
        return "^" + character_class(EVERYTHING)
    return "".join(
        _escaped(first) if first == last else f"{_escaped(first)}-{_escaped(last)}" for first, last in ranges
    )


# Generated tables ----------------------------------------------------------------------------------------------------


def decode_ranges(table: str) -> Ranges:
    """Read a set from a generated table.

    >>> decode_ranges("0 20 5f 21")
    ((0, 31), (127, 159))
    """
    numbers = iter([int(number, 16) for number in table.split()])
    ranges = []
    position = 0
    for distance, length in zip(numbers, numbers, strict=True):
        first = position + distance
        position = first + length
        ranges.append((first, position - 1))
    return tuple(ranges)


def decode_mapping(table: str) -> dict[int, str]:
    """Read a mapping from a generated table: code point -> characters, as :meth:`str.translate` takes it.

    >>> decode_mapping("41 61,1 62")
    {65: 'a', 66: 'b'}
    """
    mapping = {}
    key = 0
    for entry in table.split(","):
        distance, *values = [int(number, 16) for number in entry.split()]
        key += distance
        mapping[key] = "".join(map(chr, values))
    return mapping
