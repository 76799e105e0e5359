"""Characters made visible: each takes its own cells, and none changes the order or the look of its neighbours."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len

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


def visible_run(text: str) -> str:
    r"""Return ``text`` as :func:`visible` does, but with nonspacing marks left on the characters that carry them.

    A mark takes no cell then, as on every terminal; what terminals give different widths (spacing marks, conjoining
    jamo) is escaped. Quotation marks stay as they are: the text is read, not copied.

    >>> print(ascii(visible_run('"e\u0301" \u0301')), visible_run("\u0915\u093e"))
    '"e\u0301"\u2423\\u0301' क\u093e
    """
    shown = []
    carries = False
    for character in text:
        is_plain = character == '"' or escape(character) == character
        if carries and is_plain and _is_nonspacing(character):
            shown.append(character)
            continue
        seen = '"' if character == '"' else _visible(character)
        if seen == character and cell_len(character) == 0:
            seen = _escape(character)
        carries = seen == character
        shown.append(seen)
    return "".join(shown)


def _is_nonspacing(character: str) -> bool:
    return unicodedata.category(character) == "Mn" and cell_len(character) == 0


def _visible(character: str) -> str:
    if character == " ":
        return SPACE
    escaped = escape(character)
    return _escape(character) if escaped == character and _needs_escape(character) else escaped


def _escape(character: str) -> str:
    escaped = escape(character)
    if escaped != character:
        return escaped
    number = ord(character)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def _needs_escape(character: str) -> bool:
    return (
        character == SPACE
        or unicodedata.category(character) in ("Mn", "Mc", "Me", "Cn")
        or unicodedata.bidirectional(character) in RIGHT_TO_LEFT
    )
