"""Classes of tokens, from broad to narrow, for what is shown by ids that are decoded."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ANY_TOKEN = "any token"  # noqa: S105 - no password

MEMBERS = 8
"""How many members of a class stand for it."""

WORD_MARKS = ("▁", "Ġ")


@dataclass(frozen=True, slots=True)
class TokenClass:
    """A class of ids: its ``name``, which ids it ``holds``, and some ``members``."""

    name: str
    holds: Callable[[int], bool]
    members: tuple[int, ...]

    @property
    def is_alone(self) -> bool:
        """Whether the class is one id."""
        return len(self.members) == 1


class Vocabulary:
    """The tokens of a tokenizer by id; ``added`` and ``special`` are ids of added tokens."""

    def __init__(self, ids: Mapping[str, int], added: frozenset[int], special: frozenset[int]) -> None:
        self.tokens = {number: token for token, number in ids.items()}
        self.added = added
        self.special = special
        self._some: dict[str, list[int]] = {}

    def classes_of(self, number: int) -> Iterator[TokenClass]:
        """Yield the classes that hold the id ``number``, the broadest first; the last one holds nothing else."""
        for name, holds in self._kinds():
            if holds(number):
                members = self._members(name, holds, number)
                if len(members) > 1:
                    yield TokenClass(name, holds, members)
        yield TokenClass(self._named(number), number.__eq__, (number,))

    def _kinds(self) -> Iterator[tuple[str, Callable[[int], bool]]]:
        tokens = self.tokens
        yield ANY_TOKEN, lambda _number: True
        yield "ids that no token has", lambda number: number not in tokens
        yield "added tokens", self.added.__contains__
        yield "special tokens", self.special.__contains__
        yield "byte tokens", lambda number: _is_byte(tokens.get(number, ""))
        yield "tokens that begin a word", lambda number: tokens.get(number, "").startswith(WORD_MARKS)
        yield "tokens that continue a word (##)", lambda number: tokens.get(number, "").startswith("##")
        yield "tokens outside ASCII", lambda number: not tokens.get(number, "a").isascii()
        yield "tokens without letters and digits", lambda number: not any(map(str.isalnum, tokens.get(number, "a")))

    def _members(self, name: str, holds: Callable[[int], bool], number: int) -> tuple[int, ...]:
        """Return some ids of the class called ``name``; ``number`` is one of them only where there are few."""
        if name not in self._some:
            self._some[name] = self._drawn(name, holds)
        others = tuple(each for each in self._some[name] if each != number)[:MEMBERS]
        return others if len(others) == MEMBERS else (*others, number)

    def _drawn(self, name: str, holds: Callable[[int], bool]) -> list[int]:
        most = max(self.tokens, default=0)
        beyond = range(most + 1, most + 2 + MEMBERS)
        found = [each for each in (*self.tokens, *beyond) if holds(each)]
        rng = Random(name)  # noqa: S311 - repeatable on purpose
        return rng.sample(found, MEMBERS + 1) if len(found) > MEMBERS else found

    def _named(self, number: int) -> str:
        token = self.tokens.get(number)
        return f"id {number}" if token is None else f"{token!r} ({number})"


def _is_byte(token: str) -> bool:
    return len(token) == len("<0x00>") and token.startswith("<0x") and token.endswith(">")
