"""Positions in UTF-8: how many bytes characters take, and which characters bytes belong to."""

from __future__ import annotations

from itertools import accumulate, compress
from typing import Final

_BEGINS_CHARACTER: Final = bytes(byte & 0xC0 != 0x80 for byte in range(256))
"""Which bytes of UTF-8 begin a character: all but the continuation bytes."""


def utf8_width(char: str) -> int:
    """Return how many UTF-8 bytes ``char`` takes."""
    code_point = ord(char)
    return 1 if code_point < 0x80 else 2 if code_point < 0x800 else 3 if code_point < 0x10000 else 4


def byte_positions(text: str) -> list[int]:
    """Return the UTF-8 byte position of every character of ``text``, and at the end the whole length.

    >>> byte_positions("aé€")
    [0, 1, 3, 6]
    """
    encoded = text.encode()
    return [*compress(range(len(encoded)), encoded.translate(_BEGINS_CHARACTER)), len(encoded)]


def chars_up_to_byte(text: str) -> list[int]:
    """Return for every UTF-8 byte of ``text`` how many characters begin up to there, itself included."""
    return list(accumulate(text.encode().translate(_BEGINS_CHARACTER)))
