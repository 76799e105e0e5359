"""Changes of real text: each does what it is called, in every place, and to texts that are short or empty."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.characters import representatives
from tokenizer_conformance.inputs.text_generators.mutations import _doubled, _inserted, _replaced, _swapped

if TYPE_CHECKING:
    from collections.abc import Callable


def changed(change: Callable[[Random, str, str], str], text: str) -> set[str]:
    return {change(Random(seed), text, "") for seed in range(200)}


def test_neighbours_are_swapped() -> None:
    assert changed(_swapped, "abcd") == {"bacd", "acbd", "abdc"}
    assert [changed(_swapped, text) for text in ("", "a", "ab")] == [{""}, {"a"}, {"ba"}]


def test_a_part_is_doubled() -> None:
    assert changed(_doubled, "abc") == {"abc", "aabc", "abbc", "abcc", "ababc", "abcbc", "abcabc"}


def test_a_character_is_replaced_and_others_are_put_in() -> None:
    known = set(representatives())
    for text in changed(_replaced, "abc"):
        places = [at for at in range(4) if text[:at] == "abc"[:at] and text[at + 1 :] == "abc"[at + 1 :]]
        assert any(text[at] in known for at in places)
    for text in changed(_inserted, "abc"):
        more = len(text) - 3
        places = [at for at in range(4) if text[:at] + text[at + more :] == "abc"]
        assert any(len(set(text[at : at + more])) == 1 and text[at] in known and more <= 3 for at in places)
