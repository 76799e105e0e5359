"""Random texts of one block, one script or one category of Unicode, so that none is rarer than another."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from tokenizer_conformance.inputs.text import Input, lone_surrogate
from tokenizer_conformance.inputs.text_generators.characters import CATEGORIES, assigned, categories, script
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.inputs.text_generators.unicode_ranges import LAST, blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_Key = TypeVar("_Key", str, int)

LONGEST = 24
"""How many characters a text has at most, separators left out."""

FEWEST = 8
"""How many characters a script has at least."""

SEPARATORS = ("", "", "", "", " ", " ", "a", ".", "\n", "0")
"""What stands after a character."""


@cache
def _by_block() -> tuple[Sequence[int], ...]:
    return tuple(blocks())


@cache
def _by_script() -> tuple[Sequence[int], ...]:
    """Return the groups of one first word of their names; words of a few characters name no script."""
    named = assigned()
    groups = _grouped(map(script, map(chr, named)), named)
    return tuple(group for word, group in groups.items() if word and len(group) >= FEWEST)


@cache
def _by_category() -> tuple[Sequence[int], ...]:
    groups = _grouped(categories(), range(LAST + 1))
    return tuple(group for place, group in groups.items() if place < len(CATEGORIES))


def _grouped(keys: Iterable[_Key], code_points: Sequence[int]) -> dict[_Key, array[int]]:
    """Return ``code_points`` by their ``keys``."""
    groups: dict[_Key, array[int]] = {}
    for key, run in groupby(zip(keys, code_points, strict=True), itemgetter(0)):
        groups.setdefault(key, array("I")).extend(map(itemgetter(1), run))
    return groups


def _text(name: str, groups: tuple[Sequence[int], ...], material: Material, number: int) -> str:
    """Return a text of one group, which go round; now and then with a character of another one."""
    rng = material.random(name, number)
    group = groups[number % len(groups)]
    separators = rng.choices(SEPARATORS, k=rng.randint(1, 3))
    text = ""
    for _ in range(rng.randint(1, LONGEST)):
        code_point = rng.choice(group if rng.random() < 0.9 else rng.choice(groups))
        text += chr(code_point) + rng.choice(separators)
    return text


def _made(name: str, groups: Callable[[], tuple[Sequence[int], ...]], material: Material) -> Produced:
    return Produced(None, lambda number: _text(name, groups(), material, number))


RANDOM_UNICODE = tuple(
    Generator(name, note, partial(_made, name, groups))
    for name, note, groups in (
        ("random, by block", "texts of one block of Unicode, the blocks in turn", _by_block),
        ("random, by script", "texts of one script, as names of characters tell it, the scripts in turn", _by_script),
        ("random, by category", "texts of one general category, the categories in turn", _by_category),
    )
)


CATEGORY = "random"


@dataclass(frozen=True, slots=True)
class RandomTexts:
    """The first ``count`` texts of ``seed``, of each generator in turn. Iterating makes the same ones anew.

    >>> [each.id for each in RandomTexts(2, 7)]
    ['random/7/0', 'random/7/1']
    """

    count: int
    seed: int = 0

    def __iter__(self) -> Iterator[Input]:
        material = Material({}, (), self.seed)
        made = [generator.make(material) for generator in RANDOM_UNICODE]
        for number in range(self.count):
            text = made[number % len(made)].text(number // len(made))
            if lone_surrogate(text) is None:
                yield Input(f"{CATEGORY}/{self.seed}/{number}", CATEGORY, text)
