"""Edits of a tokenizer.json: one value is put somewhere else than it was, or one member goes, or one comes."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

Json = dict[str, Any]


class Kind(Enum):
    """What happens at a place."""

    PUT = auto()
    DROP = auto()
    INSERT = auto()


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of a document in place, at ``path``: names and numbers, joined by full stops.

    The content of an added token may stand for its number. What is inserted comes before the entry of that number.
    """

    kind: Kind
    path: str
    value: Any = None

    def __call__(self, document: Json) -> None:
        """Change ``document``; raises :class:`LookupError` where it has no such place."""
        holder, last = self._place(document)
        match self.kind:
            case Kind.PUT:
                holder[last] = copy.deepcopy(self.value)
            case Kind.DROP:
                del holder[last]
            case Kind.INSERT:
                holder.insert(last, copy.deepcopy(self.value))

    def says_the_same(self, document: Json) -> bool:
        """Return whether the value is there already."""
        holder, last = self._place(document)
        return bool(holder[last] == self.value)

    def _place(self, document: Json) -> tuple[Any, Any]:
        holder: Any = document
        *way, last = self.path.split(".")
        for key in way:
            holder = holder[_key(holder, key)]
        return holder, _key(holder, last)


def _key(holder: Any, key: str) -> str | int:
    if not isinstance(holder, list):
        return key
    if key.lstrip("-").isdecimal():
        return int(key)
    found = [number for number, each in enumerate(holder) if isinstance(each, dict) and each.get("content") == key]
    if not found:
        raise LookupError(f"there is no {key!r}")
    return found[0]


def put(path: str, value: Any) -> Edit:
    """Return the edit that has ``value`` stand at ``path``."""
    return Edit(Kind.PUT, path, value)


def drop(path: str) -> Edit:
    """Return the edit that takes away what stands at ``path``."""
    return Edit(Kind.DROP, path)


def insert(path: str, value: Any) -> Edit:
    """Return the edit that puts ``value`` before the entry at ``path``."""
    return Edit(Kind.INSERT, path, value)
