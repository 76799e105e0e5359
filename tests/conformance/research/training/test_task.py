"""What marks the places of characters in words is cut from the right part of a merge, and counts for no length."""

from __future__ import annotations

import pytest

from tokenizer_conformance.research.training.task import Affixes

BOTH, PREFIX, SUFFIX, NONE = Affixes("##", "$"), Affixes("##", ""), Affixes("", "$"), Affixes("", "")


@pytest.mark.parametrize(
    ("affixes", "word", "symbols"),
    [
        (NONE, "ab", ["a", "b"]),
        (PREFIX, "abc", ["a", "##b", "##c"]),
        (SUFFIX, "abc", ["a", "b", "c$"]),
        (BOTH, "a", ["a$"]),
        (BOTH, "", []),
    ],
)
def test_the_characters_of_a_word(affixes: Affixes, word: str, symbols: list[str]) -> None:
    assert affixes.symbols(word) == symbols


@pytest.mark.parametrize(
    ("affixes", "left", "right", "token"),
    [
        (NONE, "a", "b", "ab"),
        (PREFIX, "a", "##b", "ab"),
        (PREFIX, "##a", "##b", "##ab"),
        (BOTH, "##a", "##b$", "##ab$"),
    ],
)
def test_a_merge_and_the_pairs_that_give_it(affixes: Affixes, left: str, right: str, token: str) -> None:
    assert affixes.merged(left, right) == token
    assert (left, right) in affixes.pairs(token)


@pytest.mark.parametrize(
    ("affixes", "token", "pairs"),
    [
        (NONE, "a", []),
        (PREFIX, "##a", []),
        (SUFFIX, "a$", []),
        (BOTH, "##a$", []),
        (BOTH, "##ab$", [("##a", "##b$")]),
        (SUFFIX, "ab$", [("a", "b$")]),
        (PREFIX, "abc", [("a", "##bc"), ("ab", "##c")]),
    ],
)
def test_the_pairs_of_a_token(affixes: Affixes, token: str, pairs: list[tuple[str, str]]) -> None:
    assert affixes.pairs(token) == pairs


@pytest.mark.parametrize(
    ("affixes", "token", "length"),
    [
        (NONE, "ab", 2),
        (PREFIX, "##ab", 2),
        (PREFIX, "ab", 2),
        (PREFIX, "##", 2),  # a word, and not a prefix of nothing
        (SUFFIX, "ab$", 2),
        (SUFFIX, "$", 1),
        (BOTH, "##a$", 1),
        (BOTH, "##$", 1),
    ],
)
def test_how_much_of_a_word_a_token_stands_for(affixes: Affixes, token: str, length: int) -> None:
    assert affixes.length(token) == length
