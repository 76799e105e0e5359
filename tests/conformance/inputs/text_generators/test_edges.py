"""Ends of texts and long words: what stands where, and how long it is."""

from __future__ import annotations

from tokenizer_conformance.inputs.text_generators.edges import (
    AROUND,
    EDGES,
    LENGTHS,
    LONG,
    LONGEST_LENGTHS,
    ODD,
    PLACES,
)
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material


def texts_of(generator: Generator) -> list[str]:
    produced = generator.make(Material({}))
    assert produced.count is not None
    return [produced.text(number) for number in range(produced.count)]


def test_everything_odd_stands_in_every_place() -> None:
    (generator,) = EDGES
    assert texts_of(generator) == [place.format(odd) for place in PLACES for odd in ODD]


def test_long_texts_are_as_long_as_limits_and_around_them() -> None:
    """Limits are in tokens as well: of 256 and 512, two are special."""
    powers = {2**power + more for power in range(1, 11) for more in (-1, 0, 1)} - {1}
    more_powers = {2**power + more for power in (11, 12) for more in (-1, 1)}
    limits = {limit + more for limit in (50, 100, 200) for more in (-1, 0, 1)}
    lengths = sorted(powers | more_powers | limits | {256 - 2, 512 - 2})
    longest = [2**13 - 1, 2**13 + 1, 2**14 + 1, 2**16 - 1, 2**16 + 1]
    (generator,) = LONG
    texts = texts_of(generator)
    assert [len(text) for text in texts if set(text) == {"中"}] == [*lengths, *longest] == [*LENGTHS, *LONGEST_LENGTHS]
    assert {around.format("x9" * 50) for around in AROUND} <= set(texts)
    assert {"x9" * 49 + "x", "x9" * 50 + "x"} <= set(texts)
