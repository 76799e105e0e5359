"""Copies of tokenizers that stay loaded for experiments: as many as there is room for, by the size of their files."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

K = TypeVar("K")
V = TypeVar("V")

MOST_BYTES = 24 << 20
"""How large the files of all kept copies may be together. Loaded, a copy takes several times the room of its file."""


class LoadedCopies(Generic[K, V]):
    """The copies that were used last: at most so many, and of at most :data:`MOST_BYTES`; but always the last one."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._bytes = 0

    def get(self, key: K, size: int, load: Callable[[], V]) -> V:
        """Return the copy called ``key``, of a file of ``size`` bytes, which ``load`` loads."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        while self._kept and (len(self._kept) >= self._most or self._bytes + size > MOST_BYTES):
            _, (_, freed) = self._kept.popitem(last=False)
            self._bytes -= freed
        copy = load()
        self._kept[key] = copy, size
        self._bytes += size
        return copy
