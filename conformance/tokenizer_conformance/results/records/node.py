"""The values of a line of a record, taken only as what they have to be: an error says where in the line and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class ShapeError(ValueError):
    """A value is not of the shape that a record has; the text says where, and what stands there."""


@dataclass(frozen=True, slots=True)
class Node:
    """A JSON ``value``, and its ``path`` in the line it is from (``$.results[0]``).

    >>> Node({"a": [1, "b"]}).nodes("a")[0].value
    1
    >>> Node({"a": [1, "b"]}).text("a")
    Traceback (most recent call last):
        ...
    tokenizer_conformance.results.records.node.ShapeError: $.a: expected a string, found a list
    """

    value: Any
    path: str = "$"

    def has(self, key: str) -> bool:
        """Return whether there is something under ``key``, be it ``null``."""
        return isinstance(self.value, dict) and key in self.value

    def holds(self, key: str) -> bool:
        """Return whether there is something under ``key`` that is not ``null``."""
        return self.has(key) and self.value[key] is not None

    def node(self, key: str) -> Node:
        """Return what is under ``key``. Raises :class:`ShapeError`, as all methods do."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        if key not in self.value:
            raise ShapeError(f"{self.path} has no {key!r}")
        return Node(self.value[key], f"{self.path}.{key}")

    def error(self, expected: str) -> ShapeError:
        """Return the error that says that something else than ``expected`` stands here."""
        return ShapeError(f"{self.path}: expected {expected}, found {_kind(self.value)}")

    # What it is

    def as_text(self) -> str:
        """Return the string that this is."""
        if not isinstance(self.value, str):
            raise self.error("a string")
        return self.value

    def as_count(self) -> int:
        """Return the number, from 0, that this is."""
        if type(self.value) is not int or self.value < 0:
            raise self.error("a count")
        return self.value

    def as_number(self) -> float:
        """Return the finite number that this is."""
        if type(self.value) not in (int, float) or not math.isfinite(self.value):
            raise self.error("a number")
        return float(self.value)

    def entries(self) -> list[Node]:
        """Return the entries of the list that this is."""
        if not isinstance(self.value, list):
            raise self.error("a list")
        return [Node(each, f"{self.path}[{number}]") for number, each in enumerate(self.value)]

    def members(self) -> Iterator[tuple[str, Node]]:
        """Yield the members of the object that this is."""
        if not isinstance(self.value, dict):
            raise self.error("an object")
        for key, each in self.value.items():
            yield key, Node(each, f"{self.path}.{key}")

    # What is under a key

    def text(self, key: str) -> str:
        """Return the string under ``key``."""
        return self.node(key).as_text()

    def text_or_none(self, key: str) -> str | None:
        """Return the string under ``key``, ``None`` for ``null`` and where there is none."""
        return self.text(key) if self.holds(key) else None

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the strings of the list under ``key``."""
        return tuple(each.as_text() for each in self.nodes(key))

    def count(self, key: str) -> int:
        """Return the number, from 0, under ``key``."""
        return self.node(key).as_count()

    def counts(self, key: str) -> dict[str, int]:
        """Return the numbers of the object under ``key``, none where there is no such key."""
        return {name: each.as_count() for name, each in self.node(key).members()} if self.has(key) else {}

    def flag(self, key: str) -> bool:
        """Return the ``true`` or ``false`` under ``key``."""
        found = self.node(key)
        if not isinstance(found.value, bool):
            raise found.error("true or false")
        return found.value

    def number(self, key: str) -> float:
        """Return the finite number under ``key``."""
        return self.node(key).as_number()

    def nodes(self, key: str) -> list[Node]:
        """Return the entries of the list under ``key``."""
        return self.node(key).entries()


def _kind(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() | float():
            return "a negative number" if value < 0 else "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case _:
            return "an object"
