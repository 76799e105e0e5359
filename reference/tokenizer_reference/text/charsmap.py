r"""SentencePiece's precompiled character map: replacements of strings, in a Darts double array.

The map is, in this order, the length of the trie in bytes (4 bytes, little endian), the trie (units of 4 bytes, little
endian), and the replacements in UTF-8, each closed by a NUL. The trie's values are positions in the replacements.

A unit of the trie (Darts-clone): bits 0 to 7 and 31 are its label; bit 8 says that a key ends here; bits 10 to 30 are
the offset of its children, shifted left by 8 more bits where bit 9 is set. The unit of a value has bit 31 set and the
value in the others.

Source: SentencePiece's normalizer.cc and Darts-clone's format; look-up observed, tokenizers 0.23.3.
"""

from __future__ import annotations

from array import array
from struct import unpack_from
from sys import byteorder
from typing import Final

from tokenizer_reference.errors import CharsmapError, UpstreamPanicError
from tokenizer_reference.text.code_point_sets import EVERYTHING, Ranges, from_ranges

_HAS_VALUE: Final = 1 << 8
_LABEL: Final = (1 << 31) | 0xFF
_VALUE: Final = (1 << 31) - 1

_CONTINUATION_BYTES: Final = frozenset(bytes([byte]) for byte in range(0x80, 0xC0))

_LEADING_BYTES: Final = (
    (0x01, 0x7F, 0x7F, 0),
    (0xC2, 0xDF, 0x1F, 1),
    (0xE0, 0xEF, 0x0F, 2),
    (0xF0, 0xF4, 0x07, 3),
)
"""First bytes of UTF-8 forms: from, to, the bits that belong to the code point, and how many bytes follow."""


def _children(unit: int) -> int:
    """Return the offset of a unit's children, relative to the unit."""
    return (unit >> 10) << ((unit & (1 << 9)) >> 6)


class Charsmap:
    """A precompiled character map.

    Raises :class:`CharsmapError` where ``data`` is none: it ends early, or its replacements are not UTF-8.
    """

    def __init__(self, data: bytes) -> None:
        if len(data) < 4:
            raise CharsmapError(
                f"a precompiled charsmap starts with the length of its trie in 4 bytes; it has {len(data)}"
            )
        trie_size = unpack_from("<I", data)[0] // 4 * 4
        if len(data) < 4 + trie_size:
            raise CharsmapError(
                f"the trie of the precompiled charsmap is said to have {trie_size} bytes; {len(data) - 4} follow"
            )
        self._units = array("I", data[4 : 4 + trie_size])
        if byteorder == "big":
            self._units.byteswap()
        self._replacements = data[4 + trie_size :]
        try:
            self._replacements.decode()
        except UnicodeDecodeError as error:
            raise CharsmapError(f"the replacements of the precompiled charsmap are not UTF-8: {error}") from error

    def replacement(self, chunk: str) -> str | None:
        """Return what the *shortest* key that ``chunk`` starts with is replaced by; ``None`` where no key fits.

        A NUL ends the search. Raises :class:`UpstreamPanicError` where the map is broken: the search leaves the trie,
        or the value is no position of a character.
        """
        value = self._first_value(chunk.encode())
        if value is None:
            return None
        if value > len(self._replacements) or self._is_inside_character(value):
            raise UpstreamPanicError(
                f"the precompiled charsmap is broken: a replacement is said to start at byte {value} of "
                f"{len(self._replacements)}; `tokenizers` panics here"
            )
        end = self._replacements.find(b"\0", value)
        return self._replacements[value : None if end < 0 else end].decode()

    def _is_inside_character(self, position: int) -> bool:
        return self._replacements[position : position + 1] in _CONTINUATION_BYTES

    def _first_value(self, key: bytes) -> int | None:
        if not key:
            return None
        at = _children(self._unit(0))
        for byte in key:
            if byte == 0:
                return None
            at ^= byte
            unit = self._unit(at)
            if unit & _LABEL != byte:
                return None
            at ^= _children(unit)
            if unit & _HAS_VALUE:
                return self._unit(at) & _VALUE
        return None

    def _unit(self, at: int) -> int:
        if at >= len(self._units):
            raise UpstreamPanicError(
                f"the precompiled charsmap is broken: its trie refers to unit {at} of {len(self._units)}; "
                "`tokenizers` panics here"
            )
        return self._units[at]

    # Which characters can change -------------------------------------------------------------------------------------

    def changing_characters(self) -> Ranges:
        """Return the characters that have a replacement when looked up alone (or break off the look-up)."""
        if not self._units:
            return EVERYTHING
        root = _children(self._units[0])
        ranges: list[tuple[int, int]] = []
        for first, last, bits, following in _LEADING_BYTES:
            for byte in range(first, last + 1):
                self._add_changing(ranges, root, byte, byte & bits, following)
        return from_ranges(ranges)

    def _add_changing(self, ranges: list[tuple[int, int]], at: int, byte: int, number: int, following: int) -> None:
        """Add the characters that change among those whose UTF-8 form has ``byte`` after what led to ``at``.

        ``number`` is what the bytes up to here make of the code point, ``following`` how many bytes are to come.
        """
        at ^= byte
        unit = self._units[at] if at < len(self._units) else None
        if unit is not None and unit & _LABEL != byte:
            return
        if unit is None or unit & _HAS_VALUE:
            first = number << 6 * following
            ranges.append((first, first + (1 << 6 * following) - 1))
        elif following:
            at ^= _children(unit)
            for continuation in range(0x80, 0xC0):
                self._add_changing(ranges, at, continuation, number << 6 | continuation & 0x3F, following - 1)
