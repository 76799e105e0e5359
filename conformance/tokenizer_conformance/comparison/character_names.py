"""What characters are called, for readers who cannot tell them by sight."""

from __future__ import annotations

import unicodedata

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
