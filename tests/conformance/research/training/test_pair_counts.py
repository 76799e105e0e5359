"""Counts of pairs stay those of the obvious definition, whatever is merged."""

from __future__ import annotations

from fake_trainers import characters_of, merge, pair_counts
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.research.training.pair_counts import PairCounts
from tokenizer_conformance.research.training.task import Affixes

WORDS = st.dictionaries(st.text("ab", max_size=9), st.integers(1, 5), max_size=6)


def symbols_with_ids(words: dict[str, int], prefix: str) -> dict[str, int]:
    return {token: id_ for id_, token in enumerate(sorted({s for word in words for s in characters_of(word, prefix)}))}


@given(WORDS, st.sampled_from(["", "##"]), st.lists(st.integers(0, 50), max_size=8), st.booleans())
def test_counts_are_those_of_the_definition(
    words: dict[str, int], prefix: str, choices: list[int], is_top_taken: bool
) -> None:
    counts = PairCounts(words, Affixes(prefix), symbols_with_ids(words, prefix))
    corpus = [(characters_of(word, prefix), times) for word, times in words.items()]
    for choice in choices:
        expected = pair_counts(corpus)
        assert {pair: counts.count(pair) for pair in expected} == expected
        top = counts.top()
        if top is None:
            assert not expected
            return
        most = max(expected.values())
        assert (top.count, expected[top.pair]) == (most, most)
        assert top.is_tied == (list(expected.values()).count(most) > 1)
        pair = top.pair if is_top_taken else sorted(expected)[choice % len(expected)]
        merged = counts.merge(pair)
        assert merged == pair[0] + pair[1].removeprefix(prefix)
        corpus = [(merge(symbols, pair, merged), times) for symbols, times in corpus]
        frequencies: dict[str, int] = {}
        for symbols, times in corpus:
            for symbol in symbols:
                frequencies[symbol] = frequencies.get(symbol, 0) + times
        assert counts.token_counts() == frequencies


def test_of_equals_the_lowest_ids_come_first() -> None:
    counts = PairCounts({"ab": 2, "cd": 2, "ad": 1}, Affixes(), {"c": 0, "d": 1, "a": 2, "b": 3})
    top = counts.top()
    assert top is not None
    assert (top.pair, top.count, top.is_tied) == (("c", "d"), 2, True)


def test_characters_that_are_no_tokens_are_left_out_of_words() -> None:
    counts = PairCounts({"axb": 3, "x": 1}, Affixes(), {"a": 0, "b": 1})
    assert counts.count(("a", "b")) == 3
    assert counts.count(("a", "x")) == 0


def test_what_is_passed_over_is_no_longer_looked_at() -> None:
    counts = PairCounts({"abc": 1, "ab": 1}, Affixes(), {"a": 0, "b": 1, "c": 2})
    counts.pass_over(("a", "b"))
    top = counts.top()
    assert top is not None
    assert top.pair == ("b", "c")


def test_pairs_that_a_merge_makes_count_only_if_their_token_is_short_enough() -> None:
    counts = PairCounts({"abc": 5}, Affixes(), {"a": 0, "b": 1, "c": 2}, max_length=3)
    counts.merge(("a", "b"))
    assert counts.count(("ab", "c")) == 5
    assert counts.top() is None
