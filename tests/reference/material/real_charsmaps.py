"""The precompiled character maps of published checkpoints, and what their keys start with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizer_reference.text.charsmap import Charsmap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from both_sides import Json

LABEL = 0x800000FF
"""The bits of a unit of the trie that hold the byte which leads to it; the unit of a value has the first one set."""

CHECKPOINTS = ("t5-small", "xlnet-base-cased", "albert-base-v1", "camembert-base", "google-fnet-base")
"""Those with a character map."""


def precompiled_of(checkpoint: Path) -> Json:
    """Return the Precompiled normalizer of a checkpoint."""

    def parts(document: Any) -> Iterator[Json]:
        if document["type"] == "Sequence":
            for part in document["normalizers"]:
                yield from parts(part)
        else:
            yield document

    document = json.loads((checkpoint / "tokenizer.json").read_text(encoding="utf-8"))
    return next(part for part in parts(document["normalizer"]) if part["type"] == "Precompiled")


def prefixes_of_keys(data: bytes) -> Iterator[str]:
    """Give every key of a map, and every proper prefix of a key, that is a text (ends where a character ends)."""
    units = Charsmap(data)._units
    labels: dict[int, list[int]] = {}  # by where the children of a node are counted from
    for at, unit in enumerate(units):
        if 0 < unit & LABEL < 256:
            labels.setdefault(at ^ unit & LABEL, []).append(unit & LABEL)
    waiting = [(_children(units[0]), b"")]
    while waiting:
        children, prefix = waiting.pop()
        for byte in labels.get(children, ()):
            longer = prefix + bytes([byte])
            waiting.append((children ^ byte ^ _children(units[children ^ byte]), longer))
            if _is_text(longer):
                yield longer.decode()


def _children(unit: int) -> int:
    return unit >> 10 << ((unit & 0x200) >> 6)


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
