"""The characters of a text that a reader may overlook, or take for others, by code point and name."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

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

ALIASES: dict[int, str] = {
    0x00: "NULL",
    0x07: "ALERT",
    0x08: "BACKSPACE",
    0x09: "CHARACTER TABULATION",
    0x0A: "LINE FEED",
    0x0B: "LINE TABULATION",
    0x0C: "FORM FEED",
    0x0D: "CARRIAGE RETURN",
    0x1B: "ESCAPE",
    0x1C: "INFORMATION SEPARATOR FOUR",
    0x1D: "INFORMATION SEPARATOR THREE",
    0x1E: "INFORMATION SEPARATOR TWO",
    0x1F: "INFORMATION SEPARATOR ONE",
    0x7F: "DELETE",
    0x85: "NEXT LINE",
}
"""Controls have no name; these are the aliases of the better known (NameAliases.txt of the Unicode Character Database).
"""

UNICODE = unicodedata.unidata_version
"""The version of Unicode that the names are of."""


@dataclass(frozen=True, slots=True)
class OddCharacter:
    """A character, its ``name``, what is odd about it, and all its ``positions`` in the text, in code points."""

    character: str
    name: str
    kind: str
    positions: tuple[int, ...]


def name_of(character: str) -> str:
    r"""Return the name of ``character``, or the label that stands for one where it has none.

    >>> name_of("\u0301"), name_of("\n"), name_of("\x01"), name_of("\ufffe")
    ('COMBINING ACUTE ACCENT', 'LINE FEED', '<control-0001>', '<noncharacter-FFFE>')
    """
    number = ord(character)
    found = unicodedata.name(character, "") or ALIASES.get(number, "")
    if found:
        return found
    labels = {"Cc": "control", "Co": "private-use", "Cs": "surrogate"}
    is_noncharacter = number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF
    label = labels.get(unicodedata.category(character), "noncharacter" if is_noncharacter else "unassigned")
    return f"<{label}-{number:04X}>"


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
