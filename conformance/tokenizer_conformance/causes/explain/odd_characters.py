"""The characters of a text that a reader may overlook, or take for others, by code point and name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from tokenizer_conformance.comparison.character_names import name_of

ODD_CATEGORIES: dict[str, str] = {
    "Mn": "mark",
    "Mc": "mark",
    "Me": "mark",
    "Cf": "format character",
    "Cc": "control",
    "Zs": "space",
    "Zl": "line separator",
    "Zp": "paragraph separator",
    "Cn": "unassigned",
    "Co": "private use",
    "Cs": "surrogate",
}
"""The general categories that are odd, in words."""

UNICODE = unicodedata.unidata_version
"""The version of Unicode that the names are of."""


@dataclass(frozen=True, slots=True)
class OddCharacter:
    """A character, its ``name``, what is odd about it, and all its ``positions`` in the text, in code points."""

    character: str
    name: str
    kind: str
    positions: tuple[int, ...]


def odd_characters(text: str) -> list[OddCharacter]:
    r"""Return the odd characters of ``text`` in the order in which they first stand there: all but U+0020.

    >>> [(each.name, each.positions) for each in odd_characters("a\u00a0b e\u0301\u0301")]
    [('NO-BREAK SPACE', (1,)), ('COMBINING ACUTE ACCENT', (5, 6))]
    """
    places: dict[str, list[int]] = {}
    for position, character in enumerate(text):
        if character != " " and unicodedata.category(character) in ODD_CATEGORIES:
            places.setdefault(character, []).append(position)
    return [
        OddCharacter(each, name_of(each), ODD_CATEGORIES[unicodedata.category(each)], tuple(positions))
        for each, positions in places.items()
    ]
