r"""Precompiled character maps, as SentencePiece writes them, from a table of replacements.

The map is the length of a trie in bytes (4 bytes, little endian), the trie, and the replacements, each in UTF-8 and
closed by a NUL. The trie is a double array of Darts-clone: a unit has 4 bytes, and the unit of a node says how far its
children are from it (exclusive or of the two places), and whether a key ends there. The child by the byte *b* stands at
the place of the children, exclusive or *b*; the value of a key stands where a child by the byte 0 would.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import pack
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY_ENDS = 1 << 8
_IS_VALUE = 1 << 31
_OFFSET_SHIFT = 10
_BLOCK = 256
"""The children of a node, by whatever byte, stand in one block of as many places."""


def charsmap(replacements: Mapping[str, str]) -> bytes:
    r"""Return the map that replaces each key of ``replacements`` by its value. Keys are neither empty nor hold a NUL.

    >>> charsmap({"a": "b"})[-2:]
    b'b\x00'
    """
    positions: dict[str, int] = {}
    texts = b""
    for text in dict.fromkeys(replacements.values()):
        positions[text] = len(texts)
        texts += text.encode() + b"\0"
    root = _Node()
    for key, text in replacements.items():
        root.add(key.encode(), positions[text])
    trie = _DoubleArray.of(root).packed()
    return pack("<I", len(trie)) + trie + texts


@dataclass(slots=True)
class _Node:
    """A node of the trie: its children by byte, and the value where a key ends."""

    children: dict[int, Self] = field(default_factory=dict)
    value: int | None = None

    def add(self, key: bytes, value: int) -> None:
        node = self
        for byte in key:
            node = node.children.setdefault(byte, type(self)())
        node.value = value


class _DoubleArray:
    """The units of a trie, by place. Place 0 is the root's."""

    def __init__(self) -> None:
        self._units: dict[int, int] = {0: 0}
        self._children_places: set[int] = set()

    @classmethod
    def of(cls, root: _Node) -> Self:
        array = cls()
        array._place_children(0, root)
        return array

    def _place_children(self, place: int, node: _Node) -> None:
        """Give every child of ``node``, which stands at ``place``, a place, and tell ``node`` where they are."""
        base = self._free_place({0, *node.children} if node.value is not None else set(node.children))
        self._children_places.add(base)
        self._units[place] |= (place ^ base) << _OFFSET_SHIFT
        if node.value is not None:
            self._units[place] |= _KEY_ENDS
            self._units[base] = _IS_VALUE | node.value
        for byte in node.children:
            self._units[base ^ byte] = byte
        for byte, child in node.children.items():
            self._place_children(base ^ byte, child)

    def _free_place(self, labels: set[int]) -> int:
        """Return the first place of children at which none of ``labels`` meets a unit. No two nodes share one."""
        base = 1
        while base in self._children_places or any(base ^ label in self._units for label in labels):
            base += 1
        return base

    def packed(self) -> bytes:
        """Return the units in order, with empty ones between them and up to the end of the last block."""
        size = (max(self._units) // _BLOCK + 1) * _BLOCK
        return pack(f"<{size}I", *(self._units.get(place, 0) for place in range(size)))
