"""Decompositions, combining classes and composition exclusions of all characters of the newest Unicode.

What is assigned keeps them for ever (the normalization stability policy), so an older version has those of them that
belong to its own characters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tokenizer_adapters.variants.private_copy import PrivateCopy
from tokenizer_adapters.variants.unicode_history import (
    LATER_CANONICAL_DECOMPOSITION,
    LATER_COMBINING_CLASS,
    LATER_COMPATIBILITY_DECOMPOSITION,
)
from tokenizer_adapters.variants.unicode_versions import decoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True, slots=True)
class DecompositionData:
    """Decompositions of one level by code point, Hangul syllables apart, and what else the normal forms are made of.

    ``classes`` has the combining classes that are not 0. ``excluded`` are the code points that nothing composes to.
    """

    canonical: Mapping[int, str]
    compatibility: Mapping[int, str]
    classes: Mapping[int, int]
    excluded: frozenset[int]


@cache
def decomposition_data() -> DecompositionData:
    """Return the data: that of the reference, which has the characters of 9.0, and of those that came later."""
    copy = PrivateCopy({})
    tables, sets = copy.module("text.unicode_tables"), copy.module("text.code_point_sets")
    return DecompositionData(
        canonical=sets.decode_mapping(tables.CANONICAL_DECOMPOSITION_9_0)
        | sets.decode_mapping(LATER_CANONICAL_DECOMPOSITION),
        compatibility=sets.decode_mapping(tables.COMPATIBILITY_DECOMPOSITION_9_0)
        | sets.decode_mapping(LATER_COMPATIBILITY_DECOMPOSITION),
        classes={
            at: int(name)
            for source in (tables.COMBINING_CLASS_9_0, LATER_COMBINING_CLASS)
            for name, table in source.items()
            for at in _members(table)
        },
        excluded=frozenset(_members(tables.COMPOSITION_EXCLUSION_9_0)),
    )


def _members(table: str) -> Iterator[int]:
    for first, last in decoded(table):
        yield from range(first, last + 1)
