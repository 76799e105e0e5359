"""A part of what a command does: several machines do one each, and together all of it, each thing once.

What there is to do stands in a row. Part *i* of *n* is the *i*-th of *n* stretches of it of about equal work; where
they end is whole-number arithmetic on the work that comes before, so every machine finds the same ends.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.corpus import Inputs

CHARACTERS_OF_AN_INPUT = 100
"""The work for an input, however short it is, in characters: about ten questions, each of them put and compared."""


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """Part ``part`` (from 1) of ``of``."""

    part: int
    of: int

    def __str__(self) -> str:
        return f"{self.part}/{self.of}"

    def takes(self, before: int, work: int) -> bool:
        """Return whether what has so much work ``before`` it, of ``work`` in all, is in this part.

        >>> [Shard(2, 3).takes(before, 6) for before in range(6)]
        [False, False, True, True, False, False]
        """
        return before * self.of // work == self.part - 1

    def slice_of(self, count: int) -> slice:
        """Return which of ``count`` things that are as much work each are in this part.

        >>> [list(range(7))[Shard(part, 3).slice_of(7)] for part in (1, 2, 3)]
        [[0, 1, 2], [3, 4], [5, 6]]
        """
        return slice(-((1 - self.part) * count // self.of), -(-self.part * count // self.of))

    def stretch(self, before: list[int], work: int) -> range:
        """Return which of the things in a row are in this part; each has so much work ``before`` it, of ``work``.

        >>> Shard(2, 3).stretch([0, 1, 2, 3, 4, 5], 6)
        range(2, 4)
        """
        return range(self._first(self.part - 1, before, work), self._first(self.part, before, work))

    def _first(self, part: int, before: list[int], work: int) -> int:
        """Return the number of the first thing that is in ``part`` (from 0), or in one after it."""
        return bisect_left(before, part, key=lambda each: each * self.of // work)


def work_before(inputs: Inputs) -> tuple[list[int], int]:
    """Return how much work comes before each of ``inputs``, and the work of all. Reads them once.

    Raises :class:`~tokenizer_conformance.errors.BadInputError` where a file of inputs can no longer be read.
    """
    before: list[int] = []
    work = 0
    for each in inputs:
        before.append(work)
        work += CHARACTERS_OF_AN_INPUT + len(each.input.text) + len(each.following.text)
    return before, work


def numbers_in_shard(shard: Shard | None, inputs: Inputs) -> range:
    """Return the numbers (from 0) of those ``inputs`` that are in ``shard``, all where that is ``None``.

    Raises as :func:`work_before` does.
    """
    return range(inputs.count) if shard is None else shard.stretch(*work_before(inputs))


def overlaps(shard: Shard, number: int, count: int) -> bool:
    """Return whether ``shard`` has anything of thing ``number`` of ``count`` that are as long as each other.

    >>> [overlaps(Shard(2, 3), number, 2) for number in range(2)]
    [True, True]
    """
    return number * shard.of < shard.part * count and (number + 1) * shard.of > (shard.part - 1) * count


def shard_in(word: str) -> Shard:
    """Return the shard that ``word`` names, ``I/N``.

    >>> shard_in("2/3")
    Shard(part=2, of=3)

    Raises ``ValueError`` with what is wrong with it.
    """
    part, slash, of = word.partition("/")
    if not (slash and _is_number(part) and _is_number(of)):
        raise ValueError(f"{word!r} is no part I/N, such as 2/3: part 2 of 3")
    shard = Shard(int(part), int(of))
    if shard.of == 0:
        raise ValueError(f"{word!r}: there are no parts of nothing; N is 1 or more")
    if not 1 <= shard.part <= shard.of:
        raise ValueError(f"{word!r}: parts of {shard.of} are counted from 1 to {shard.of}")
    return shard


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= LONGEST_NUMBER


LONGEST_NUMBER = 9
"""How many digits the number of parts may have."""
