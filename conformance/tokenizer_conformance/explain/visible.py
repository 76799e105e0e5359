"""Characters made visible: each takes its own cells, and none changes the order or the look of its neighbours."""

from __future__ import annotations

import unicodedata

from tokenizer_conformance.escape import escape

SPACE = "␣"
"""What stands for U+0020."""

RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
"""Bidirectional classes of characters that a terminal draws from right to left, and their neighbours with them."""


def visible(text: str) -> str:
    r"""Return ``text`` with an escape for all that has no place of its own in a row: marks and right-to-left letters.

    >>> print(visible("a b\u0301\n\u05d0"))
    a␣b\u0301\n\u05d0
    """
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character == " ":
        return SPACE
    escaped = escape(character)
    if escaped != character or not _needs_escape(character):
        return escaped
    number = ord(character)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def _needs_escape(character: str) -> bool:
    return (
        character == SPACE
        or unicodedata.category(character) in ("Mn", "Mc", "Me", "Cn")
        or unicodedata.bidirectional(character) in RIGHT_TO_LEFT
    )
