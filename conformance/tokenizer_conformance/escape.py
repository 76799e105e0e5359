r"""Hostile text made safe to show.

Token text is written by whoever made the tokenizer. Shown as it is, it can colour or overwrite a terminal, reverse the
reading direction, or hide in characters that nobody sees; so everything that is not plainly visible is shown as the
escape that Python would write.
"""

from __future__ import annotations

import re
import unicodedata

HIDDEN_RANGES: tuple[tuple[int, int], ...] = (
    (0x00, 0x1F),  # control characters, ESC of terminal sequences among them
    (0x7F, 0xA0),  # more control characters; the no-break space
    (0xAD, 0xAD),  # soft hyphen
    (0x34F, 0x34F),  # combining grapheme joiner
    (0x61C, 0x61C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x1680, 0x1680),  # Ogham space
    (0x17B4, 0x17B5),  # inherent Khmer vowels
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2000, 0x200F),  # spaces, zero-width characters, direction marks
    (0x2028, 0x202F),  # line and paragraph separators, bidirectional embeddings and overrides
    (0x205F, 0x206F),  # mathematical space, word joiner, bidirectional isolates
    (0x2800, 0x2800),  # blank Braille pattern
    (0x3000, 0x3000),  # ideographic space
    (0x3164, 0x3164),  # Hangul filler
    (0xD800, 0xF8FF),  # surrogates, private use
    (0xFDD0, 0xFDEF),  # noncharacters
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),  # byte order mark
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFFB),  # interlinear annotation
    (0xFFFE, 0xFFFF),  # noncharacters
    (0x1BCA0, 0x1BCA3),  # shorthand format controls
    (0x1D173, 0x1D17A),  # musical format controls
    (0xE0000, 0x10FFFF),  # tags, further variation selectors, private use
)
"""Code points that are escaped: controls, spaces other than U+0020, invisible and direction-changing characters
(Default_Ignorable_Code_Point of the Unicode Character Database, version 17.0), surrogates, private use."""

_SHORT = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}

_RANGES = "".join(f"{chr(first)}-{chr(last)}" for first, last in HIDDEN_RANGES)
_HIDDEN = re.compile(f"[{_RANGES}]")
_ESCAPED = re.compile(f'[\\\\"{_RANGES}]')


def escape(text: str) -> str:
    r"""Return ``text`` with a visible escape for each character that is not plainly visible.

    The result, between double quotes, is a Python literal of ``text``.

    >>> print(escape("a\x1b[31m \u202e\ufe0f\U000e0041 é\n"))
    a\x1b[31m \u202e\ufe0f\U000e0041 é\n
    """
    return _ESCAPED.sub(lambda match: _escaped(match[0]), text)


def quoted(text: str) -> str:
    r"""Return ``text`` escaped, between double quotes.

    A combining mark that would sit on the quote or on an escape is escaped too.

    >>> print(quoted("\u0301a\n\u0301"))
    "\u0301a\n\u0301"
    """
    shown = []
    on_escape = True
    for character in text:
        is_hidden = _ESCAPED.match(character) is not None
        on_escape = is_hidden or (on_escape and unicodedata.category(character).startswith("M"))
        shown.append(_escaped(character) if on_escape else character)
    return f'"{"".join(shown)}"'


def visible(line: str) -> str:
    r"""Return ``line`` with a visible escape for each hidden character; backslashes and quotes stay as they are.

    The result is one line, valid in XML, and what was escaped already stays as it is: it is read, not copied.

    >>> print(visible("a\x00b\n\\x1b \ud800 é"))
    a\x00b\n\x1b \ud800 é
    """
    return _HIDDEN.sub(lambda match: _escaped(match[0]), line)


def code_point(character: str) -> str:
    """Return the code point of ``character`` as Unicode writes it.

    >>> code_point("é")
    'U+00E9'
    """
    return f"U+{ord(character):04X}"


def _escaped(character: str) -> str:
    short = _SHORT.get(character)
    if short is not None:
        return short
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def one_line(message: str, limit: int = 500) -> str:
    r"""Return a message of somebody else's program on one line, made safe, and cut at ``limit`` characters.

    Backslashes and quotes stay as they are: a message is read, not copied.

    >>> one_line("no such\n  thing \x1b[0m")
    'no such thing \\x1b[0m'
    """
    line = " ".join(message.split())
    cut = line if len(line) <= limit else f"{line[:limit]}…"
    return _HIDDEN.sub(lambda match: _escaped(match[0]), cut)
