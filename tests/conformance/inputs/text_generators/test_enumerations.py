"""Enumerations are complete, without doubles, and spread from the beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.inputs.text_generators.enumerations import (
    crossed,
    in_turns,
    listed,
    nothing,
    packed,
    permutation,
    produced,
)

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.text_generators.generator import Produced


def all_of(texts: Produced) -> list[str]:
    return [texts.text(number) for number in range(texts.count)]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 12, 64, 100, 1009])
def test_a_permutation_has_every_number_once(count: int) -> None:
    at = permutation(count, seed=7)
    assert sorted(at(number) for number in range(count)) == list(range(count))


@pytest.mark.parametrize("count", [1000, 4096, 99991, 10**9])
def test_the_first_of_a_permutation_are_spread(count: int) -> None:
    at = permutation(count, seed=1)
    tenths = {at(number) * 10 // count for number in range(20)}
    assert tenths == set(range(10))


def test_another_seed_begins_elsewhere() -> None:
    assert len({permutation(1000, seed)(0) for seed in range(10)}) > 5


def test_crossed_has_every_thing_in_every_context_once_and_every_thing_first() -> None:
    texts = crossed("abc", [str, str.upper, lambda each: each * 2, lambda each: f" {each}"], seed=3)
    found = all_of(texts)
    assert sorted(found) == sorted([*"abc", *"ABC", "aa", "bb", "cc", " a", " b", " c"])
    assert {text.strip().lower()[0] for text in found[:3]} == set("abc")


def test_packs_have_every_number_in_one_of_them() -> None:
    texts = packed(10, 4, lambda places: " ".join(map(str, places)), seed=0)
    found = all_of(texts)
    assert texts.count == 3
    assert sorted(" ".join(found).split()) == sorted(map(str, range(10)))
    assert [len(text.split()) for text in found] == [4, 4, 2]


def test_turns_go_round_until_all_have_ended() -> None:
    texts = in_turns(listed("abcde"), nothing(), listed("xy"), listed("1"))
    assert "".join(all_of(texts)) == "ax1bycde"


def test_turns_of_many_texts_are_not_gone_through() -> None:
    texts = in_turns(produced(10**15, str), produced(3, lambda number: f"b{number}"))
    assert texts.text(10**15 - 1) == str(10**15 - 4)
    assert texts.count == 10**15 + 3


def test_listed_texts_are_there_once() -> None:
    assert all_of(listed(["a", "b", "a"])) == ["a", "b"]
    assert sorted(all_of(listed("abcdefg", seed=4))) == list("abcdefg")


@pytest.mark.parametrize("number", [-1, 3])
@pytest.mark.parametrize(
    "texts",
    [
        listed("abc"),
        listed("abc", 1),
        in_turns(listed("ab"), listed("c")),
        packed(3, 1, str, 0),
        crossed("abc", [str], 0),
    ],
)
def test_there_is_no_text_beyond_the_count(texts: Produced, number: int) -> None:
    with pytest.raises(IndexError):
        texts.text(number)
