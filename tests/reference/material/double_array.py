"""Precompiled character maps made of a dictionary: the writer to the reader of `text/charsmap.py`."""

from __future__ import annotations

from base64 import b64encode
from struct import pack

_BLOCK = 256
_HAS_VALUE = 1 << 8
_IS_VALUE = 1 << 31


class _Node(dict[int, "_Node"]):
    value: int | None = None


def charsmap(replacements: dict[str, str]) -> bytes:
    """Return the precompiled character map that replaces the keys by the values.

    Every node of the trie gets a block of 256 units of its own, which takes space but needs no search for gaps.
    """
    blob = b""
    root = _Node()
    for key, replacement in replacements.items():
        node = root
        for byte in key.encode():
            node = node.setdefault(byte, _Node())
        node.value = len(blob)
        blob += replacement.encode() + b"\0"
    units: dict[int, int] = {}
    _place(root, 0, 0, units)
    size = (max(units) // _BLOCK + 1) * _BLOCK
    trie = pack(f"<{size}I", *(units.get(at, 0) for at in range(size)))
    return pack("<I", len(trie)) + trie + blob


def _place(node: _Node, at: int, label: int, units: dict[int, int]) -> None:
    """Write ``node``, which stands at unit ``at``, and all below it."""
    children = (max(units, default=0) // _BLOCK + 1) * _BLOCK
    has_value = 0 if node.value is None else _HAS_VALUE
    units[at] = (at ^ children) << 10 | has_value | label
    units[children] = 0 if node.value is None else _IS_VALUE | node.value
    for byte in node:
        units[children ^ byte] = 0  # reserved, so that the blocks of its children come after this one
    for byte, child in node.items():
        _place(child, children ^ byte, byte, units)


def charsmap_json(replacements: dict[str, str]) -> dict[str, str]:
    """Return the Precompiled normalizer with that map, as tokenizer.json holds it."""
    return {"type": "Precompiled", "precompiled_charsmap": b64encode(charsmap(replacements)).decode()}
