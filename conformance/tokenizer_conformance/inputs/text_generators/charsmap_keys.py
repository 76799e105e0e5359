"""Texts from the keys of a precompiled character map, as SentencePiece writes them.

The map is the length of a trie in bytes (4 bytes, little endian), the trie, and the replacements. The trie is a double
array of Darts-clone: the unit at a place has a byte as its label (bits 0 to 7), says whether a key ends here (bit 8),
and how far its children are (bits 10 to 30, 8 bits further where bit 9 is set): exclusive or of the two places. The
child by a byte stands at the place of the children, exclusive or the byte. Units with bit 31 are values.

Source: SentencePiece's normalizer.cc and Darts-clone's format.
"""

from __future__ import annotations

import binascii
from array import array
from base64 import b64decode
from collections import defaultdict
from functools import lru_cache
from struct import unpack_from
from sys import byteorder
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.enumerations import crossed, in_turns, packed
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts

KEYS_A_TEXT = 48
LONG_KEYS_A_TEXT = 64

LONGEST_KEY = 256
"""Bytes; a broken trie can go round in a circle."""

MOST_KEYS = 1_000_000
"""A broken trie may have more keys than can be listed."""

_KEY_ENDS = 1 << 8
_IS_VALUE = 1 << 31

MARKS = ("\u0301", "\u0323", "\u0308", "\u3099", "\u0345", "\u200d", "\ufe0f", "\u1161")
"""What joins the character before it: the map is asked for whole clusters of characters first."""

_KEY_CONTEXTS: tuple[Callable[[str], str], ...] = (
    lambda key: key,
    lambda key: f"a{key}b",
    lambda key: f"{key}\u0301",
    lambda key: key + key,
    lambda key: f" {key}",
    lambda key: f"a\u0301{key}",
    lambda key: f"{key}\u200d{key}",
    lambda key: f"\u1100{key}",
    lambda key: f"1 {key}. ",
    lambda key: f"{key}\ufe0f",
    lambda key: f"a{key}\u0301\u0323",
)

_OVERLAPS: tuple[Callable[[str], str], ...] = (
    lambda key: key[:1] + key,
    lambda key: key[:-1] + key,
    lambda key: key + key[1:],
)


@lru_cache(maxsize=4)
def keys_of(parts: DocumentParts) -> tuple[str, ...]:
    """Return the keys of all character maps of ``parts`` that are text, map by map."""
    maps = [component.members.get("precompiled_charsmap") for component in parts.of_type("Precompiled")]
    return tuple(dict.fromkeys(key for value in maps if isinstance(value, str) for key in _keys_of_map(value)))


@lru_cache(maxsize=2)
def _keys_of_map(value: str) -> tuple[str, ...]:
    """Return the keys of a map in Base64 that are text; many checkpoints have the same map."""
    # A key has no NUL, so that all can be decoded at once: maps of published checkpoints have 200,000.
    texts = b"\0".join(_keys(_decoded(value))).decode("utf-8", "ignore").split("\0")
    return tuple(text for text in texts if text)


def _decoded(value: str) -> bytes:
    try:
        return b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _keys(data: bytes) -> list[bytes]:
    """Return the keys of the trie in ``data``; none where that is no map."""
    units = _units(data)
    if not units:
        return []
    edges = _edges_by_children(units)
    keys: list[bytes] = []
    waiting = [(b"", _children(0, units[0]))]
    while waiting and len(keys) < MOST_KEYS:
        prefix, children = waiting.pop()
        for label, ends, below in edges.get(children, ()):
            key = prefix + label
            if ends:
                keys.append(key)
            if below in edges and len(key) < LONGEST_KEY:
                waiting.append((key, below))
    return keys


def _units(data: bytes) -> array[int]:
    if len(data) < 4:
        return array("I")
    size = unpack_from("<I", data)[0] // 4 * 4
    units = array("I", data[4 : 4 + min(size, (len(data) - 4) // 4 * 4)])
    if byteorder == "big":
        units.byteswap()
    return units


def _children(place: int, unit: int) -> int:
    """Return the place of the children of ``unit``, which stands at ``place``."""
    return place ^ (unit >> 10 << ((unit & 1 << 9) >> 6))


Edge = tuple[bytes, int, int]
"""A byte, whether a key ends after it, and the place of the children of what is there."""


def _edges_by_children(units: array[int]) -> dict[int, list[Edge]]:
    """Return by each place of children what stands there: a unit that is used tells where its parent looks."""
    edges: defaultdict[int, list[Edge]] = defaultdict(list)
    for place, unit in enumerate(units):
        label = unit & 0xFF
        if label and not unit & _IS_VALUE:
            edges[place ^ label].append((bytes([label]), unit & _KEY_ENDS, _children(place, unit)))
    return dict(edges)


@lru_cache(maxsize=4)
def _by_length(parts: DocumentParts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of one character, and the longer ones: of these, maps have many that are made by rule."""
    keys = keys_of(parts)
    return tuple(key for key in keys if len(key) == 1), tuple(key for key in keys if len(key) > 1)


def _all_keys(material: Material) -> Produced:
    single, longer = _by_length(parts_of(material.document))
    return in_turns(
        packed(len(single), KEYS_A_TEXT, _joined(single, " "), material.seed),
        crossed(single, _KEY_CONTEXTS, material.seed),
        packed(len(longer), LONG_KEYS_A_TEXT, _joined(longer, " "), material.seed),
        crossed(longer, _KEY_CONTEXTS, material.seed),
        packed(len(single), KEYS_A_TEXT, _joined(single, "a"), material.seed + 1),
    )


def _joined(keys: tuple[str, ...], between: str) -> Callable[[Sequence[int]], str]:
    return lambda places: between.join(keys[place] for place in places)


def _prefixes(material: Material) -> Produced:
    parts = parts_of(material.document)
    _, longer = _by_length(parts)
    goes_on = _rests(parts)
    prefixes = tuple(goes_on)
    # The beginning of two keys: what follows decides, and one may be the beginning of the other.
    both = tuple(prefix for prefix, rests in goes_on.items() if len(rests) > 1)
    return in_turns(
        crossed(prefixes, [_before(end) for end in ("", *MARKS, "a", " ")], material.seed),
        crossed(longer, [_parted(mark) for mark in (*MARKS, "a", "")], material.seed),
        crossed(both, [_two_ends(goes_on, shift) for shift in range(4)], material.seed),
        crossed(longer, _OVERLAPS, material.seed),
    )


@lru_cache(maxsize=4)
def _rests(parts: DocumentParts) -> dict[str, list[str]]:
    """Return how keys go on, by their proper beginnings."""
    goes_on: defaultdict[str, list[str]] = defaultdict(list)
    for key in _by_length(parts)[1]:
        for end in range(1, len(key)):
            goes_on[key[:end]].append(key[end:])
    return dict(goes_on)


def _before(end: str) -> Callable[[str], str]:
    return lambda prefix: prefix + end


def _parted(mark: str) -> Callable[[str], str]:
    """Return what puts ``mark`` before the last character of a key; without one, what takes the last away."""
    return lambda key: key[:-1] + mark + key[-1] if mark else key[:-1]


def _two_ends(goes_on: dict[str, list[str]], shift: int) -> Callable[[str], str]:
    """Return what puts the ends of two keys after their common beginning."""

    def two_ends(prefix: str) -> str:
        rests = goes_on[prefix]
        first = len(rests) * shift // 4
        return prefix + rests[first] + rests[(first + 1) % len(rests)]

    return two_ends


CHARSMAP_GENERATORS = (
    Generator(
        "charsmap-keys",
        "every key of the character map, many to a text, alone, in words and before marks: one key that is lost",
        _all_keys,
    ),
    Generator(
        "charsmap-prefixes",
        "beginnings of keys before marks, other characters and the ends of other keys: the shortest, or the longest",
        _prefixes,
    ),
)
