"""Edits of a tokenizer.json: one value is put somewhere else than it was, or one member goes, or one comes."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.comparison.document_parts import PARTS_OF_SEQUENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


# By type --------------------------------------------------------------------------------------------------------------


def places_of(document: Json, stage: str) -> Iterator[tuple[Any, Any]]:
    """Yield where each component of a ``stage`` stands: its holder and its key, a Sequence and then its parts."""
    yield from _places(document, stage, PARTS_OF_SEQUENCE.get(stage, ""))


def _places(holder: Any, key: Any, parts: str) -> Iterator[tuple[Any, Any]]:
    component = holder[key]
    if isinstance(component, dict):
        yield holder, key
        for number in range(len(component.get(parts, ()))):
            yield from _places(component[parts], number, parts)


@dataclass(frozen=True, slots=True)
class OfType:
    """A change of every component of a type, wherever it stands in its stage; ``where`` is ``stage.Type``.

    ``options`` are put into it, the whole component is left out where there are none.
    """

    where: str
    options: tuple[tuple[str, Any], ...] = ()

    def __call__(self, document: Json) -> None:
        """Change ``document``; raises :class:`LookupError` where it has no such component."""
        stage, _, kind = self.where.partition(".")
        found = [(holder, key) for holder, key in places_of(document, stage) if holder[key].get("type") == kind]
        if not found:
            raise LookupError(f"there is no {self.where}")
        for holder, key in reversed(found):
            if self.options:
                holder[key].update(copy.deepcopy(dict(self.options)))
            elif isinstance(holder, list):
                del holder[key]
            else:
                holder[key] = None


def option(where: str, name: str, value: Any) -> OfType:
    """Return the change that has an option of every component of a type be ``value``."""
    return OfType(where, ((name, value),))


def without(where: str) -> OfType:
    """Return the change that leaves every component of a type out."""
    return OfType(where)


def of_added_tokens(name: str, value: Any) -> Callable[[Json], None]:
    """Return the change that has an option of every added token be ``value``."""

    def change(document: Json) -> None:
        for token in document["added_tokens"]:
            token[name] = value

    return change


def in_turn(*changes: Callable[[Json], None]) -> Callable[[Json], None]:
    """Return the change that makes all ``changes``, one after the other."""

    def change(document: Json) -> None:
        for each in changes:
            each(document)

    return change
