"""A precompiled character map with only those of its replacements that a text can meet."""

from __future__ import annotations

import base64
import binascii
from struct import error as StructError  # noqa: N812 - the name of an exception
from struct import unpack_from
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap

if TYPE_CHECKING:
    from collections.abc import Iterable

KEY_ENDS = 1 << 8
IS_WIDE = 1 << 9
VALUE = (1 << 31) - 1
LABEL = (1 << 31) | 0xFF


def smaller_charsmap(encoded: str, texts: Iterable[str]) -> str | None:
    """Return the map ``encoded`` (in Base64) with the keys that begin anywhere in ``texts``; ``None`` where it is none.

    >>> import base64
    >>> from tokenizer_conformance.inputs.random_tokenizers.charsmaps import charsmap
    >>> whole = base64.b64encode(charsmap({"a": "b", "c": "d"})).decode()
    >>> smaller_charsmap(whole, ["xa"]) == base64.b64encode(charsmap({"a": "b"})).decode()
    True
    """
    try:
        data = base64.b64decode(encoded, validate=True)
        size = unpack_from("<I", data)[0]
        units = unpack_from(f"<{size // 4}I", data, 4)
        found: dict[str, str] = {}
        for text in texts:
            for start in range(len(text)):
                found |= _replacements(text[start:].encode(errors="replace"), units, data[4 + size :])
        return base64.b64encode(charsmap(found)).decode("ascii")
    except (binascii.Error, StructError, ValueError, LookupError):
        return None


def _replacements(text: bytes, units: tuple[int, ...], texts: bytes) -> dict[str, str]:
    """Return the replacements whose keys ``text`` begins with."""
    found = {}
    place = _children(units[0])
    for length, byte in enumerate(text, 1):
        place ^= byte
        if place >= len(units) or byte == 0 or units[place] & LABEL != byte:
            break
        unit = units[place]
        place ^= _children(unit)
        if unit & KEY_ENDS:
            value = units[place] & VALUE
            end = texts.index(b"\0", value)
            found[text[:length].decode()] = texts[value:end].decode()
    return found


def _children(unit: int) -> int:
    return (unit >> 10) << ((unit & IS_WIDE) >> 6)
