"""The characters that stand for bytes in byte-level vocabularies, and which runs of bytes can stand in a text.

A token of a byte-level vocabulary need not be whole characters. It can stand in a text only where its bytes are part of
well-formed UTF-8 (table 3-7 of the Unicode Standard).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PRINTABLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
"""Bytes that stand for themselves; the others get the characters from U+0100 on, in their order (GPT-2)."""

CHARACTER_OF_BYTE: dict[int, str] = {byte: chr(byte) for byte in _PRINTABLE} | {
    byte: chr(0x100 + index) for index, byte in enumerate(sorted(set(range(0x100)) - set(_PRINTABLE)))
}
BYTE_OF_CHARACTER: dict[str, int] = {character: byte for byte, character in CHARACTER_OF_BYTE.items()}

NEVER_IN_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
"""Bytes that no UTF-8 has."""

_CONTINUATION = range(0x80, 0xC0)
_CONTINUATION_BYTES = bytes(_CONTINUATION)

# What may follow, state by state: ranges of bytes with the state that they lead to. "" is between two characters.
_FOLLOWING: dict[str, tuple[tuple[range, str], ...]] = {
    "": (
        (range(0x80), ""),
        (range(0xC2, 0xE0), "1"),
        (range(0xE0, 0xE1), "E0"),
        (range(0xE1, 0xED), "2"),
        (range(0xED, 0xEE), "ED"),
        (range(0xEE, 0xF0), "2"),
        (range(0xF0, 0xF1), "F0"),
        (range(0xF1, 0xF4), "3"),
        (range(0xF4, 0xF5), "F4"),
    ),
    "1": ((_CONTINUATION, ""),),
    "2": ((_CONTINUATION, "1"),),
    "3": ((_CONTINUATION, "2"),),
    "E0": ((range(0xA0, 0xC0), "1"),),
    "ED": ((range(0x80, 0xA0), "1"),),
    "F0": ((range(0x90, 0xC0), "2"),),
    "F4": ((range(0x80, 0x90), "2"),),
}

MOST_COMPLETIONS = 64
"""How many ways to complete a character are tried on each side."""

_FALLBACK = re.compile(r"<0x([0-9A-F]{2})>")


def bytes_of(token: str) -> bytes | None:
    r"""Return the bytes that ``token`` stands for, ``None`` where it has a character that stands for none.

    >>> bytes_of("ĠhÃ"), bytes_of("▁h")
    (b' h\xc3', None)
    """
    if not all(character in BYTE_OF_CHARACTER for character in token):
        return None
    return bytes(BYTE_OF_CHARACTER[character] for character in token)


def fallback_byte(token: str) -> int | None:
    """Return the byte that ``token`` stands for as a byte token (``<0x0A>``), ``None`` where it is none."""
    found = _FALLBACK.fullmatch(token)
    return int(found[1], 16) if found else None


def occurs_in_utf8(data: bytes) -> bool:
    r"""Return whether ``data`` can stand somewhere in a well-formed text.

    >>> occurs_in_utf8(b"\x80a\xe6\x88"), occurs_in_utf8(b"\xc0"), occurs_in_utf8(b"a\x80"), occurs_in_utf8(b"\xed\xa0")
    (True, False, False, False)
    """
    return any(_after(state, data) is not None for state in _FOLLOWING)


def whole_characters(data: bytes) -> str:
    r"""Return the characters of ``data`` that are complete; what is cut at either end is left out.

    ``data`` is part of well-formed UTF-8.

    >>> whole_characters(b"\x80a\xc3\xa9\xe6\x88")
    'aé'
    """
    return data.lstrip(_CONTINUATION_BYTES).decode(errors="ignore")


ANY = "\udc00"
"""What stands for a character that is not known, in texts about which nothing is asked: no text has it."""


def characters_of(data: bytes) -> str:
    r"""Return the characters of ``data``, with :data:`ANY` for one that is cut at either end.

    ``data`` is part of well-formed UTF-8. What is cut at both ends may be one character.

    >>> characters_of(b"\x80a\xc3\xa9\xe6") == f"{ANY}a\xe9{ANY}", characters_of(b"\x80") == ANY
    (True, True)
    """
    rest = data.lstrip(_CONTINUATION_BYTES)
    whole = rest.decode(errors="ignore")
    left, right = ANY * (len(rest) < len(data)), ANY * (len(whole.encode()) < len(rest))
    return left + whole + right


def completed(data: bytes) -> Iterator[str]:
    r"""Give texts in which ``data`` stands with nothing but what completes its first and its last character.

    >>> list(completed(b"ab")), list(completed(b"\xc3"))[:2]
    (['ab'], ['À', 'Á'])
    """
    rest = data.lstrip(_CONTINUATION_BYTES)
    for left in _lefts(data[: len(data) - len(rest)], may_go_on=not rest):
        for right in _rights(_after("", left + data) or ""):
            try:
                yield (left + data + right).decode()
            except UnicodeDecodeError:
                continue


def _after(state: str, data: bytes) -> str | None:
    """Return the state after ``data``, ``None`` where it cannot follow."""
    for byte in data:
        following = next((to for bytes_, to in _FOLLOWING[state] if byte in bytes_), None)
        if following is None:
            return None
        state = following
    return state


@cache
def _lefts(tail: bytes, *, may_go_on: bool) -> list[bytes]:
    """Return what may come before ``tail``, continuation bytes, to make a character of them, spread over all of it.

    ``may_go_on``: the character need not be complete with them.
    """
    if not tail:
        return [b""]
    fitting = [left for left in _prefixes() if _after("", left + tail) == "" or (may_go_on and _after("", left + tail))]
    return _spread(fitting)


def _rights(state: str) -> list[bytes]:
    return _spread(_suffixes(state))


def _spread(found: list[bytes]) -> list[bytes]:
    step = max(1, len(found) // MOST_COMPLETIONS)
    return found[::step][: MOST_COMPLETIONS + 1]


@cache
def _suffixes(state: str) -> list[bytes]:
    if not state:
        return [b""]
    return [bytes([byte]) + rest for bytes_, to in _FOLLOWING[state] for byte in bytes_ for rest in _suffixes(to)]


@cache
def _prefixes() -> list[bytes]:
    """Return all beginnings of characters, the shortest first; of the longest every 16th byte."""
    leads = [bytes([byte]) for byte in range(0xC2, 0xF5)]
    seconds = [lead + bytes([byte]) for lead in leads if lead[0] >= 0xE0 for byte in _CONTINUATION]
    thirds = [each + bytes([byte]) for each in seconds if each[0] >= 0xF0 for byte in _CONTINUATION[::16]]
    return [each for each in (*leads, *seconds, *thirds) if _after("", each) is not None]
