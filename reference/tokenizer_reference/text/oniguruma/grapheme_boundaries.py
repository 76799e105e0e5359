r"""Boundaries of extended grapheme clusters for ``\X``, ``\y`` and ``\Y``: Unicode 16.0, without Indic conjuncts.

The rules are those of UAX #29 except GB9c (observed, tokenizers 0.23.3: ``\X`` cuts क्ष in two). Rules GB11 to GB13
look back over the whole text, also over what lies before the match.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from tokenizer_reference.text import unicode_tables
from tokenizer_reference.text.code_point_sets import Ranges, contains, decode_ranges, difference, union
from tokenizer_reference.text.unicode_properties import binary_property, general_category

_CONTROLS: Final = ("CR", "LF", "Control")
_EXTENDING: Final = ("Extend", "ZWJ", "SpacingMark")
_HANGUL: Final = {"L": ("L", "V", "LV", "LVT"), "LV": ("V", "T"), "V": ("V", "T"), "LVT": ("T",), "T": ("T",)}
"""Syllable type -> the types that stay with it (GB6, GB7, GB8)."""

_ONLY_IN_16: Final = {"Prepend": ((0x11A3A, 0x11A3A),)}
"""What 17.0 took out of a class."""


@cache
def _classes() -> dict[str, Ranges]:
    """Return Grapheme_Cluster_Break of 16.0: that of 17.0 without what was not assigned in 16.0, but for controls."""
    classes = {}
    for name, table in unicode_tables.GRAPHEME_CLUSTER_BREAK_17_0.items():
        members = decode_ranges(table)
        if name not in _CONTROLS:
            members = difference(members, general_category("Cn"))
        classes[name] = union(members, _ONLY_IN_16.get(name, ()))
    return classes


@lru_cache(maxsize=4096)
def _class(character: str) -> str:
    return next((name for name, members in _classes().items() if contains(members, ord(character))), "Other")


def _is_pictograph(character: str) -> bool:
    return contains(binary_property("Extended_Pictographic"), ord(character))


def is_grapheme_boundary(text: str, at: int) -> bool:
    r"""Return whether a grapheme cluster ends or starts before character ``at`` of ``text``.

    >>> [at for at in range(4) if is_grapheme_boundary("e\u0301a", at)]
    [0, 2, 3]
    """
    if at in (0, len(text)):
        return True
    before, after = _class(text[at - 1]), _class(text[at])
    if before in _CONTROLS or after in _CONTROLS:
        return (before, after) != ("CR", "LF")
    if after in _HANGUL.get(before, ()) or after in _EXTENDING or before == "Prepend":
        return False
    if before == "ZWJ" and _is_pictograph(text[at]):
        return not _joins_pictographs(text, at - 1)
    if before == after == "Regional_Indicator":
        return _indicators_before(text, at) % 2 == 0
    return True


def _joins_pictographs(text: str, joiner: int) -> bool:
    """Return whether a pictograph, perhaps extended, stands before the joiner (GB11)."""
    at = joiner - 1
    while at >= 0 and not _is_pictograph(text[at]) and _class(text[at]) == "Extend":
        at -= 1
    return at >= 0 and _is_pictograph(text[at])


def _indicators_before(text: str, at: int) -> int:
    """Return how many regional indicators stand directly before ``at`` (GB12, GB13)."""
    start = at
    while start > 0 and _class(text[start - 1]) == "Regional_Indicator":
        start -= 1
    return at - start
