"""What a generator is: a name, a note on why its texts are worth asking about, and texts by number.

Text *n* that a generator makes of given material is always the same, whatever was made before it: so a text is named by
the generator and a number, several processes can share the work, and a search that was ended can go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Material:
    """What texts are made of: a parsed tokenizer.json, real ``texts`` to change, and a ``seed`` for what is drawn."""

    document: Mapping[str, Any]
    texts: tuple[str, ...] = ()
    seed: int = 0

    def random(self, name: str, number: int) -> Random:
        """Return the source of randomness for text ``number`` of the generator called ``name``."""
        return Random(f"{self.seed}:{name}:{number}")  # noqa: S311 - repeatable on purpose


@dataclass(frozen=True, slots=True)
class Produced:
    """The texts of a generator: ``text(n)`` for ``n`` from 0; ``count`` of them, or without end (``None``)."""

    count: int | None
    text: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Generator:
    """A source of texts: ``make`` says what it makes of material; nothing (a count of 0) where that has none for it."""

    name: str
    note: str
    make: Callable[[Material], Produced]
