"""Enumerations: how many texts by number are put together, so that the first of them are already diverse.

Nothing here keeps a list of what it enumerates, unless it was given one.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

from tokenizer_conformance.inputs.text_generators.generator import Produced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Numbered(Protocol[T_co]):
    """Things by number, which may be made when they are asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> T_co: ...


GOLDEN = (5**0.5 - 1) / 2
"""Steps of this part of a circle leave no large gap on it, however many have been made."""


def permutation(count: int, seed: int) -> Callable[[int], int]:
    """Return a permutation of the numbers below ``count``, which begins somewhere and takes steps of the golden ratio.

    So the first few numbers are spread over all of them, and every number comes once.
    """
    if count < 1:
        return lambda number: number
    start = Random(f"{seed}:{count}").randrange(count)  # noqa: S311 - repeatable on purpose
    step = max(1, round(count * GOLDEN))
    while gcd(step, count) != 1:
        step += 1
    return lambda number: (start + number * step) % count


def nothing() -> Produced:
    """Return no texts."""
    return Produced(0, _no_text)


def _no_text(number: int) -> str:
    raise IndexError(number)


def produced(count: int, text: Callable[[int], str]) -> Produced:
    """Return the texts that ``text`` makes of the numbers below ``count``; it raises ``IndexError`` for others."""

    def checked(number: int) -> str:
        if not 0 <= number < count:
            raise IndexError(number)
        return text(number)

    return Produced(count, checked)


def listed(texts: Iterable[str], seed: int | None = None) -> Produced:
    """Return ``texts`` once each: as they stand, or spread by ``seed``."""
    unique = tuple(dict.fromkeys(texts))
    if seed is None:
        return produced(len(unique), unique.__getitem__)
    at = permutation(len(unique), seed)
    return produced(len(unique), lambda number: unique[at(number)])


def crossed(things: Numbered[T], contexts: Sequence[Callable[[T], str]], seed: int) -> Produced:
    """Return each of ``things`` in each of ``contexts``: all once, in contexts that take turns, then again."""
    at = permutation(len(things), seed)

    def text(number: int) -> str:
        turn, place = divmod(number, len(things))
        return contexts[(place + turn) % len(contexts)](things[at(place)])

    return produced(len(things) * len(contexts), text)


def packed(count: int, size: int, joined: Callable[[Sequence[int]], str], seed: int) -> Produced:
    """Return packs of ``size`` of the numbers below ``count``, each in one; ``joined`` makes a text of a pack."""
    at = permutation(count, seed)

    def text(number: int) -> str:
        return joined([at(place) for place in range(number * size, min(count, (number + 1) * size))])

    return produced(-(-count // size), text)


def in_turns(*sources: Produced) -> Produced:
    """Return the texts of all ``sources``, which end, one of each in turn; those that have ended are left out."""
    alive = [source for source in sources if source.count]
    rounds = _rounds(tuple(source.count or 0 for source in alive))

    def text(number: int) -> str:
        for start, turn, members in reversed(rounds):
            if number >= start:
                turns, place = divmod(number - start, len(members))
                return alive[members[place]].text(turn + turns)
        raise IndexError(number)

    return produced(sum(source.count or 0 for source in alive), text)


@lru_cache(maxsize=256)
def _rounds(counts: tuple[int, ...]) -> list[tuple[int, int, tuple[int, ...]]]:
    """Return from which number on which sources take turns: the number, the turn that it begins with, the sources."""
    rounds = []
    start = turn = 0
    for until in sorted(set(counts)):
        members = tuple(index for index, count in enumerate(counts) if count > turn)
        rounds.append((start, turn, members))
        start += (until - turn) * len(members)
        turn = until
    return rounds
