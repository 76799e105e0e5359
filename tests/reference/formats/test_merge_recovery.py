"""Merges are recovered from ranked tokens, and are those that decide."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.formats.merge_recovery import last_merge, recovered_merges


def merged(text: str, ranks: dict[str, int]) -> list[str]:
    """Return ``text`` merged by the rule: the neighbours whose result ranks lowest first, until there are none."""
    symbols = list(text)
    while True:
        found = [
            (ranks[left + right], at) for at, (left, right) in enumerate(pairwise(symbols)) if left + right in ranks
        ]
        if not found:
            return symbols
        at = min(found)[1]
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]


def merged_by_pairs(text: str, merges: list[tuple[str, str]]) -> list[str]:
    """Return what ``text`` is when the pairs that rank lowest are merged until there are none."""
    symbols = list(text)
    while True:
        found = [(merges.index(pair), at) for at, pair in enumerate(pairwise(symbols)) if pair in merges]
        if not found:
            return symbols
        at = min(found)[1]
        symbols[at : at + 2] = [symbols[at] + symbols[at + 1]]


@pytest.mark.parametrize(
    ("token", "ranks", "pair"),
    [
        ("ab", {}, ("a", "b")),
        ("ab", {"ab": 0}, ("a", "b")),
        ("abc", {"ab": 0, "bc": 1}, ("ab", "c")),
        ("abc", {"ab": 1, "bc": 0}, ("a", "bc")),
        ("aaa", {"aa": 0}, ("aa", "a")),
        ("abab", {"ab": 0, "aba": 1}, ("ab", "ab")),
        ("aaaa", {"aa": 0, "aaa": 1}, ("aa", "aa")),
        ("abc", {"abc": 0}, None),
        ("abcd", {"ab": 0}, None),
        ("a", {"a": 0}, None),
        ("", {}, None),
        (b"\xc3\xa9", {}, (b"\xc3", b"\xa9")),
    ],
)
def test_the_last_merge_of_a_token(
    token: str | bytes, ranks: dict[str | bytes, int], pair: tuple[str, str] | None
) -> None:
    assert last_merge(token, ranks) == pair


words = st.text("ab", min_size=1, max_size=30)
rank_tables = (
    st.lists(st.text("ab", min_size=2, max_size=6), unique=True)
    .flatmap(st.permutations)
    .map(lambda tokens: {token: rank for rank, token in enumerate(tokens)})
)


@given(rank_tables, words)
def test_one_pair_per_token_merges_every_text_as_all_of_them_do(ranks: dict[str, int], text: str) -> None:
    known = ranks | {"a": -2, "b": -1}
    assert merged_by_pairs(text, recovered_merges(ranks, known)) == merged(text, ranks)


@given(rank_tables, words)
def test_the_last_merge_is_the_one_that_the_rule_makes_last(ranks: dict[str, int], token: str) -> None:
    symbols = merged(token, {text: rank for text, rank in ranks.items() if text != token})
    assert last_merge(token, ranks) == (tuple(symbols) if len(symbols) == 2 else None)


def test_a_merge_needs_tokens_on_both_sides() -> None:
    assert recovered_merges({"ab": 0, "bc": 1}, {"a": 0, "b": 0}) == [("a", "b")]


def test_a_very_long_token_is_no_problem() -> None:
    ranks = {"a" * 2**power: power for power in range(1, 15)}
    assert last_merge("a" * 2**15, ranks) == ("a" * 2**14, "a" * 2**14)
