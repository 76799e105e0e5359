"""The fast learner of merges does as the definition, on any words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.trainers.merge_beginning import Beginning, MergeOptions, alphabet, symbols_of_word
from tokenizer_reference.trainers.merge_learning import LinkedLearner, PlainLearner, learner_of

WORDS = st.dictionaries(st.text("ab", max_size=9) | st.text("abc#", max_size=6), st.integers(1, 6), max_size=8)
OPTIONS = st.builds(
    MergeOptions,
    vocab_size=st.integers(0, 60),
    min_frequency=st.integers(0, 8),
    special_tokens=st.lists(st.text("ab#", max_size=3), max_size=3).map(tuple),
    limit_alphabet=st.none() | st.integers(0, 3),
    initial_alphabet=st.lists(st.sampled_from("abz"), unique=True).map(tuple),
    continuing_subword_prefix=st.sampled_from([None, "", "#", "a", "##"]),
    end_of_word_suffix=st.sampled_from([None, "", "b", "</w>"]),
)


@given(words=WORDS, options=OPTIONS)
def test_fast_and_plain_learn_the_same(words: dict[str, int], options: MergeOptions) -> None:
    plain, linked = (kind(Beginning(words, options), options) for kind in (PlainLearner, LinkedLearner))
    assert list(linked.steps()) == list(plain.steps())
    assert linked.vocabulary() == plain.vocabulary()


@given(words=WORDS, options=OPTIONS, longest=st.integers(0, 9))
def test_fast_and_plain_learn_the_same_with_a_limit(words: dict[str, int], options: MergeOptions, longest: int) -> None:
    limited = MergeOptions(
        vocab_size=options.vocab_size,
        special_tokens=options.special_tokens,
        initial_alphabet=options.initial_alphabet,
        max_token_length=longest,
    )
    plain, linked = (kind(Beginning(words, limited), limited) for kind in (PlainLearner, LinkedLearner))
    assert list(linked.steps()) == list(plain.steps())


@given(words=WORDS, options=OPTIONS)
def test_counts_are_those_of_the_words_where_no_token_is_made_twice(
    words: dict[str, int], options: MergeOptions
) -> None:
    plain, linked = (kind(Beginning(words, options), options) for kind in (PlainLearner, LinkedLearner))
    for ours, theirs in zip(linked.steps(), plain.steps(), strict=True):
        assert linked.count(ours.pair) == plain.count(theirs.pair)


def test_a_limit_beside_a_prefix_needs_the_plain_learner() -> None:
    options = MergeOptions(max_token_length=3, end_of_word_suffix="<")
    beginning = Beginning({"ab": 1}, options)
    assert isinstance(learner_of(beginning, options), PlainLearner)
    assert isinstance(learner_of(beginning, MergeOptions(max_token_length=3)), LinkedLearner)


def test_equal_counts_are_merged_by_the_lowest_ids() -> None:
    options = MergeOptions()
    learner = learner_of(Beginning({"zy": 1, "ba": 1, "ab": 1}, options), options)
    assert [(learner.tokens[left], learner.tokens[right]) for (left, right), _, _ in learner.steps()] == [
        ("a", "b"),
        ("b", "a"),
        ("z", "y"),
    ]


def test_a_pair_keeps_what_is_left_of_its_count() -> None:
    """In "aaa" there are two pairs, and one is merged."""
    options = MergeOptions()
    learner = learner_of(Beginning({"aaa": 5}, options), options)
    assert [merge.counted for merge in learner.steps()] == [10, 5]


def test_the_rarest_characters_are_dropped_and_the_lowest_of_equals() -> None:
    words = {"abc": 1, "ab": 1, "d": 1}
    assert alphabet(words, MergeOptions(limit_alphabet=3)) == ["a", "b", "d"]
    assert alphabet(words, MergeOptions(limit_alphabet=1, initial_alphabet=("z",))) == ["z"]


def test_what_is_dropped_at_the_end_of_a_word_takes_the_suffix_along() -> None:
    options = MergeOptions(end_of_word_suffix="$", continuing_subword_prefix="#")
    assert symbols_of_word("abx", {"a": 0, "b": 1}, options) == ["a", "#b"]
    assert symbols_of_word("xab", {"a": 0, "b": 1}, options) == ["#a", "#b$"]
