"""Ordered pairs of characters that stand for all others: what one character does to the next."""

from __future__ import annotations

from tokenizer_conformance.inputs.text_generators.characters import representatives
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

PACKED = 32
"""How many pairs a packed text has."""

STRIDE = 100_003
"""A prime by which the pairs are gone through, so that the first texts have pairs of everything with everything."""


def pair(number: int) -> str:
    """Return pair ``number``; each ordered pair has one."""
    characters = representatives()
    first, second = divmod(number * STRIDE % count(), len(characters))
    return characters[first] + characters[second]


def count() -> int:
    """Return how many pairs there are."""
    return len(representatives()) ** 2


def _packed(number: int) -> str:
    """Return the pairs of text ``number`` but those with U+0000, which would hide what comes after them from some."""
    pairs = map(pair, range(number * PACKED, min((number + 1) * PACKED, count())))
    return " ".join(each for each in pairs if "\x00" not in each)


def _alone(_material: Material) -> Produced:
    return Produced(count(), pair)


def _between(_material: Material) -> Produced:
    return Produced(count(), lambda number: f"a{pair(number)}b")


def _packed_pairs(_material: Material) -> Produced:
    return Produced(-(-count() // PACKED), _packed)


PACKED_PAIRS = (
    Generator(
        "packed pairs",
        f"two characters in a row, {PACKED} pairs a text: rules that look at a neighbour, composition, reordering",
        _packed_pairs,
    ),
)

SINGLE_PAIRS = (
    Generator("pairs, alone", "two characters in a row are the whole text: its beginning and its end", _alone),
    Generator("pairs, between letters", "two characters in a row inside a word", _between),
)
