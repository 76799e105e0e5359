"""GPT-2's byte alphabet: a printable character for every byte.

Source: `bytes_to_unicode` of GPT-2's encoder; observed, tokenizers 0.23.3.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.utf8 import utf8_width

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import Change, NormalizedString, Origins

PRINTABLE: Final = frozenset([*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)])
"""The bytes that stand for the character of the same number."""


def _byte_to_char() -> tuple[str, ...]:
    others = iter(range(0x100, 0x200))
    return tuple(chr(byte if byte in PRINTABLE else next(others)) for byte in range(0x100))


BYTE_TO_CHAR: Final = _byte_to_char()
"""The character of each byte. The bytes that are not printable have, in order, the characters from U+0100.

>>> BYTE_TO_CHAR[0x20], BYTE_TO_CHAR[0x41]
('Ġ', 'A')
"""

CHAR_TO_BYTE: Final = {char: byte for byte, char in enumerate(BYTE_TO_CHAR)}
"""The byte of each character."""


def byte_changes(text: str) -> list[Change]:
    """Return every byte of ``text`` as its character.

    The first byte of a character replaces it, the others are inserted.

    >>> byte_changes("é ")
    [('Ã', 0), ('©', 1), ('Ġ', 0)]
    """
    return [(BYTE_TO_CHAR[byte], int(index > 0)) for char in text for index, byte in enumerate(char.encode())]


# The same, fast -------------------------------------------------------------------------------------------------------

_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]+")
_ASCII_CONTROL: Final = re.compile("[\x00-\x1f\x7f]")


def spell_ascii(text: str) -> str:
    """Return ``text`` with every ASCII character replaced by the character of its byte."""
    # Spaces and line feeds are most of what changes, and str.replace is by far the fastest way.
    spelled = text.replace(" ", BYTE_TO_CHAR[0x20]).replace("\n", BYTE_TO_CHAR[0x0A])
    return _ASCII_CONTROL.sub(lambda match: BYTE_TO_CHAR[ord(match[0])], spelled)


_LONGEST_CACHED: Final = 64


def spell_run(run: str) -> tuple[str, Origins]:
    """Return the characters of the bytes of ``run``, and for each the character of ``run`` that the byte belongs to.

    >>> spell_run("é ")
    ('Ã©Ġ', (0, 0, 1))
    """
    return _cached_spelling(run) if len(run) <= _LONGEST_CACHED else _spelling(run)


def _spelling(run: str) -> tuple[str, Origins]:
    spelled = "".join([BYTE_TO_CHAR[byte] for byte in run.encode()])
    return spelled, tuple([index for index, char in enumerate(run) for _ in range(utf8_width(char))])


_cached_spelling = lru_cache(maxsize=8192)(_spelling)


def spell_bytes(text: NormalizedString) -> None:
    """Replace every character of ``text`` by the characters of its bytes, which share its alignment."""
    if not text.is_regular:
        text.transform(byte_changes(text.normalized))
        return
    if not text.normalized.isascii():
        old = text.normalized
        text.rewrite((*match.span(), *spell_run(match[0])) for match in _BEYOND_ASCII.finditer(old))
    text.set_one_to_one(spell_ascii(text.normalized))
