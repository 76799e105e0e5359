"""Which tokens are like one, from coarse to fine, the simplest first, so that an id can be replaced."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.simplicity import simplicity

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

MARKS: tuple[tuple[str, str], ...] = (
    (r"<0x[0-9A-Fa-f]{2}>", "byte"),
    (r"[<\[].*[>\]]", "special"),
    ("##.*", "##"),
    ("\u0120.*", "\u0120"),
    ("\u2581.*", "\u2581"),
    (".*</w>", "</w>"),
)
"""What tokens of one kind look like, by a regular expression for the whole token."""


def kind_of(token: str) -> str:
    """Return what kind of token ``token`` looks like; empty where it is plain text.

    >>> kind_of("##ing"), kind_of("<0x0A>"), kind_of("ing")
    ('##', 'byte', '')
    """
    return next((kind for pattern, kind in MARKS if re.fullmatch(pattern, token, re.DOTALL)), "")


CLASSES: tuple[Callable[[str], Hashable], ...] = (
    lambda _: "any",
    kind_of,
    lambda token: (kind_of(token), token.isascii()),
    lambda token: (kind_of(token), token.isascii(), len(token)),
)
"""What the tokens of a class have in common, for each kind of class, coarse ones first."""


class SimplerTokens:
    """The tokens of a vocabulary, by what they look like."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._tokens = {number: token for token, number in vocabulary.items()}
        self._members: list[dict[Hashable, tuple[int, ...]]] | None = None

    def ids_like(self, number: int) -> Iterator[tuple[int, ...]]:
        """Yield the classes that the id ``number`` is in, coarse ones first; of each its members, the simplest first.

        The simplest token is the shortest; of those of one length that with the simplest first character.
        """
        token = self._tokens.get(number)
        if token is None:
            return
        if self._members is None:
            self._members = self._classes()
        seen: set[tuple[int, ...]] = set()
        for key, members in zip(CLASSES, self._members, strict=True):
            found = members[key(token)]
            if len(found) > 1 and found not in seen:
                seen.add(found)
                yield found

    def _classes(self) -> list[dict[Hashable, tuple[int, ...]]]:
        order = sorted(self._tokens, key=lambda number: _place(self._tokens[number], number))
        found: list[dict[Hashable, list[int]]] = [{} for _ in CLASSES]
        for number in order:
            for key, members in zip(CLASSES, found, strict=True):
                members.setdefault(key(self._tokens[number]), []).append(number)
        return [{common: tuple(ids) for common, ids in members.items()} for members in found]


def _place(token: str, number: int) -> tuple[int, tuple[int, int], int]:
    return len(token), simplicity(token[0]) if token else (0, 0), number
