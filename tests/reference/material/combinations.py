"""Which characters are put together to see what normalizers make of them: bases, marks and jamo, and in what number.

Not all 1,112,064 code points can stand before all marks. Those that a normalizer can treat in a way of their own do; of
the others, which neither change nor combine, there are a few. That no other code point is special is what the run over
all code points, alone and between marks, shows.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from tokenizer_reference.text import normalization, unicode_tables
from tokenizer_reference.text.code_point_sets import characters, contains, decode_ranges, union

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CLUSTER_MARKS = ("Extend", "SpacingMark", "ZWJ")

INERT_BASES = ("a", " ", "1", ".", "\n", "中", "▁", "\u00ad", "\u0378", "\u0600", "\ue000", "\U0001f600", "\U0001f1e6")
"""Characters without a decomposition that compose with nothing: a letter, a blank, a format, a Prepend, an emoji, …"""

LEADING = tuple(map(chr, range(0x1100, 0x1160)))
VOWELS = tuple(map(chr, range(0x1160, 0x11A8)))
TRAILING = tuple(map(chr, range(0x11A8, 0x1200)))
"""All jamo of these blocks: the modern ones, which compose, and the others."""

SYLLABLES = tuple(map(chr, range(0xAC00, 0xD7A4)))
OPEN_SYLLABLES = SYLLABLES[::28]
"""Syllables of a leading consonant and a vowel, to which a trailing one can come."""


@cache
def marks() -> tuple[str, ...]:
    """Return every mark.

    It is of category M in 16.0, has a combining class in 9.0, is second in a composition, or is joined in 17.0.

    The last are the characters that a grapheme cluster has after its first one, :data:`CLUSTER_MARKS`.
    """
    tables = [
        *(unicode_tables.GENERAL_CATEGORY_16_0[name] for name in ("Mn", "Mc", "Me")),
        *(unicode_tables.GRAPHEME_CLUSTER_BREAK_17_0[name] for name in CLUSTER_MARKS),
    ]
    found = characters(union(*map(decode_ranges, tables)))
    seconds = {pair[1] for pair in normalization._compositions()}
    return tuple(sorted(found | seconds | set(normalization._combining_classes())))


@cache
def composing_bases() -> tuple[str, ...]:
    """Return every character that is the first of a canonical composition."""
    return tuple(sorted({pair[0] for pair in normalization._compositions()}))


@cache
def bases() -> tuple[str, ...]:
    """Return every character that composes or decomposes, canonically or not, every mark, and some that do neither.

    Of the Hangul syllables, there are those without a trailing consonant, and those with one on the first of them:
    whether and how one decomposes does not depend on its other parts.
    """
    closed = SYLLABLES[:28]
    special = {*composing_bases(), *normalization._decompositions(compatibility=True)} - {*SYLLABLES}
    return tuple(sorted({*special, *OPEN_SYLLABLES, *closed, *marks(), *INERT_BASES}))


@cache
def mark_representatives(changes_alone: Callable[[str], bool]) -> tuple[str, ...]:
    """Return a mark of every kind: by cluster class and UTF-8 length, combining or not, changed by a map or not."""
    breaks = {name: decode_ranges(unicode_tables.GRAPHEME_CLUSTER_BREAK_17_0[name]) for name in CLUSTER_MARKS}

    def kind(mark: str) -> tuple[Any, ...]:
        classes = [name for name, ranges in breaks.items() if contains(ranges, ord(mark))]
        return classes, len(mark.encode()), mark in normalization._combining_classes(), changes_alone(mark)

    return one_of_each(marks(), kind)


def one_of_each(values: Iterable[str], kind: Callable[[str], Any]) -> tuple[str, ...]:
    """Return the first of ``values`` of every kind."""
    found: dict[str, str] = {}
    for value in values:
        found.setdefault(repr(kind(value)), value)
    return tuple(found.values())
