"""The precompiled character map, applied to other parts of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_adapters.variants.change import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenizer_adapters.variants.private_copy import Patch

    Lookups = list[tuple[str, str | None]]
    """The parts that a text is looked up in, each with its replacement, ``None`` where it stays."""


def _looking_up(lookups: Callable[[Any, Any, str], Lookups]) -> Mapping[str, Patch]:
    """Have the whole text looked up by ``lookups``, from the module, the normalizer and the text."""

    def patch(module: Any) -> None:
        def normalize(normalizer: Any, normalized: Any) -> None:
            changes: list[tuple[str, int]] = []
            for old, new in lookups(module, normalizer, normalized.normalized):
                if new is None:
                    changes += [(char, 0) for char in old]
                else:
                    module._add_replacement(changes, old, new)
            normalized.transform(changes)

        module.Precompiled._normalize = normalize

    return {"normalizers.precompiled": patch}


def _alone(normalizer: Any, text: str) -> Lookups:
    return [(char, normalizer._charsmap.replacement(char)) for char in text]


def _characters(_module: Any, normalizer: Any, text: str) -> Lookups:
    return _alone(normalizer, text)


def _long_clusters(module: Any, normalizer: Any, text: str) -> Lookups:
    found: Lookups = []
    for cluster in module.clusters(text):
        whole = normalizer._charsmap.replacement(cluster)
        found += _alone(normalizer, cluster) if whole is None else [(cluster, whole)]
    return found


def _whole_clusters(module: Any, normalizer: Any, text: str) -> Lookups:
    found: Lookups = []
    for cluster in module.clusters(text):
        keys = dict(_keys(normalizer._charsmap, cluster))
        size = len(cluster.encode())
        found += [(cluster, keys[size])] if size in keys else _alone(normalizer, cluster)
    return found


def _clusters_only(module: Any, normalizer: Any, text: str) -> Lookups:
    found: Lookups = []
    for cluster in module.clusters(text):
        whole = normalizer._charsmap.replacement(cluster) if len(cluster.encode()) <= module._LONGEST_LOOKUP else None
        found.append((cluster, whole))
    return found


def _longest(_module: Any, normalizer: Any, text: str) -> Lookups:
    found: Lookups = []
    at = 0
    while at < len(text):
        keys = _keys(normalizer._charsmap, text[at:])
        size, new = keys[-1] if keys else (0, None)
        old = text[at:].encode()[:size].decode() if size else text[at]
        found.append((old, new))
        at += len(old)
    return found


def _keys(charsmap: Any, text: str) -> list[tuple[int, str]]:
    """Return the keys that ``text`` goes on with, the shortest first: their bytes and replacements.

    A key that ends within a character, or a broken map, is passed over.
    """
    found: list[tuple[int, str]] = []
    encoded = text.encode()
    for size in range(1, len(encoded) + 1):
        if size < len(encoded) and encoded[size] & 0xC0 == 0x80:
            continue
        step = _value_at(charsmap, encoded[:size])
        if step is None:
            break
        if step >= 0:
            end = charsmap._replacements.find(b"\0", step)
            found.append((size, charsmap._replacements[step : None if end < 0 else end].decode()))
    return found


def _value_at(charsmap: Any, key: bytes) -> int | None:
    """Return the value of ``key``: -1 where it is none, but longer ones go on with it; ``None`` where none does."""
    units = charsmap._units
    at = _children(units[0])
    for byte in key:
        at ^= byte
        if byte == 0 or at >= len(units) or units[at] & 0x800000FF != byte:
            return None
        unit = units[at]
        at ^= _children(unit)
    return int(units[at] & 0x7FFFFFFF) if unit & 0x100 else -1


def _children(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


CHARSMAP_PATCHES: Mapping[Rule, Mapping[str, Patch]] = {
    Rule.CHARSMAP_CHARACTERS: _looking_up(_characters),
    Rule.CHARSMAP_LONGEST: _looking_up(_longest),
    Rule.CHARSMAP_LONG_CLUSTERS: _looking_up(_long_clusters),
    Rule.CHARSMAP_WHOLE_CLUSTERS: _looking_up(_whole_clusters),
    Rule.CHARSMAP_CLUSTERS_ONLY: _looking_up(_clusters_only),
}
