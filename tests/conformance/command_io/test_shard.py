"""The parts of what a command does are all of it, each thing once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.command_io.shard import Shard, overlaps

NUMBERS = st.integers(1, 12)


def parts_of(of: int) -> list[Shard]:
    return [Shard(part, of) for part in range(1, of + 1)]


@given(NUMBERS, st.integers(0, 40))
def test_slices_have_each_thing_once(of: int, count: int) -> None:
    things = list(range(count))
    found = [things[shard.slice_of(count)] for shard in parts_of(of)]
    assert [each for part in found for each in part] == things
    assert max(map(len, found)) - min(map(len, found)) <= 1


@given(NUMBERS, st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_stretches_have_each_thing_once(of: int, work: list[int]) -> None:
    before = [sum(work[:number]) for number in range(len(work))]
    stretches = [shard.stretch(before, sum(work)) for shard in parts_of(of)]
    assert [each for stretch in stretches for each in stretch] == list(range(len(work)))


@given(NUMBERS, NUMBERS, st.integers(1, 6))
def test_a_part_overlaps_what_it_has_some_of_and_nothing_else(of: int, count: int, each: int) -> None:
    work = count * each * of  # so fine that no part ends within a thing's smallest piece
    for shard in parts_of(of):
        stretch = shard.stretch(list(range(work)), work)
        has_some = [any(place * count // work == number for place in stretch) for number in range(count)]
        assert [overlaps(shard, number, count) for number in range(count)] == has_some
