"""The fast learner of merges does as the definition, on any words."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tokenizer_reference.trainers.merge_beginning import Beginning, MergeOptions, alphabet, symbols_of_word
from tokenizer_reference.trainers.merge_learning import Candidates, PlainLearner, RowLearner, learner_of

MARKED = st.dictionaries(st.text("ab#", min_size=1, max_size=9), st.integers(1, 6), min_size=1, max_size=8)
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
    plain, fast = (kind(Beginning(words, options), options) for kind in (PlainLearner, learner_of))
    assert list(fast.steps()) == list(plain.steps())
    assert fast.vocabulary() == plain.vocabulary()


@given(words=MARKED, prefix=st.sampled_from(["#", "##", "a", "ab"]), limit=st.none() | st.integers(1, 3))
@settings(max_examples=4 * settings.default.max_examples)
def test_the_fast_learner_will_do_where_no_word_begins_with_the_prefix(
    words: dict[str, int], prefix: str, limit: int | None
) -> None:
    options = MergeOptions(vocab_size=60, min_frequency=0, limit_alphabet=limit, continuing_subword_prefix=prefix)
    beginning = Beginning(words, options)
    kept = {*alphabet(words, options)}
    texts = ["".join(char for char in word if char in kept) for word in words if word[0] in kept]
    begins = any(text.startswith(prefix) and text != prefix for text in texts)
    assert isinstance(learner_of(beginning, options), PlainLearner if begins else RowLearner)
    if not begins:
        plain, fast = (kind(Beginning(words, options), options) for kind in (PlainLearner, RowLearner))
        assert list(fast.steps()) == list(plain.steps())


@given(words=WORDS, options=OPTIONS, longest=st.integers(0, 9))
def test_fast_and_plain_learn_the_same_with_a_limit(words: dict[str, int], options: MergeOptions, longest: int) -> None:
    limited = MergeOptions(
        vocab_size=options.vocab_size,
        special_tokens=options.special_tokens,
        initial_alphabet=options.initial_alphabet,
        max_token_length=longest,
    )
    plain, fast = (kind(Beginning(words, limited), limited) for kind in (PlainLearner, learner_of))
    assert list(fast.steps()) == list(plain.steps())


@given(words=WORDS, options=OPTIONS)
def test_counts_are_those_of_the_words_where_no_token_is_made_twice(
    words: dict[str, int], options: MergeOptions
) -> None:
    plain, fast = (kind(Beginning(words, options), options) for kind in (PlainLearner, learner_of))
    for ours, theirs in zip(fast.steps(), plain.steps(), strict=True):
        assert fast.count(ours.pair) == plain.count(theirs.pair)


def test_headings_of_markdown_are_learned_by_the_definition() -> None:
    """``###`` is the first three characters of a word, and a later ``#``."""
    options = MergeOptions(continuing_subword_prefix="##")
    words = {"###": 3, "##": 2, "a#": 4, "####": 1, "b": 1}
    assert not Beginning({"ab": 1, "a#": 2, "##": 1}, options).is_ambiguous
    learner = learner_of(Beginning(words, options), options)
    assert isinstance(learner, PlainLearner)
    steps = list(learner.steps())
    assert len({merge.token for merge in steps}) < len(steps)  # "###" is made though it is there


def test_words_that_hold_the_suffix_are_learned_by_the_definition() -> None:
    options = MergeOptions(end_of_word_suffix="b")
    assert Beginning({"aabba": 3, "ab": 6}, options).is_ambiguous
    assert not Beginning({"ba": 3}, options).is_ambiguous


@given(words=WORDS, options=OPTIONS)
def test_words_are_cut_fast_as_by_definition(words: dict[str, int], options: MergeOptions) -> None:
    beginning = Beginning(words, options)
    known = {token: id_ for token, id_ in beginning.ids.items() if token in alphabet(words, options)}
    tokens = {id_: token for token, id_ in beginning.ids.items()}
    for word, ids in zip(words, beginning.words, strict=True):
        assert [tokens[id_] for id_ in ids] == symbols_of_word(word, known | special_ids(options), options)


def special_ids(options: MergeOptions) -> dict[str, int]:
    """Return the special tokens, which are known characters, too."""
    return dict.fromkeys(options.special_tokens, 0)


@given(
    st.lists(st.none() | st.tuples(st.integers(1, 4), st.integers(0, 3)), max_size=40),
)
def test_candidates_come_by_falling_count_the_smallest_first(actions: list[tuple[int, int] | None]) -> None:
    candidates: Candidates[int] = Candidates()
    waiting: list[tuple[int, int]] = []
    for action in actions:
        if action is None:
            first = min(waiting, key=lambda item: (-item[0], item[1]), default=None)
            assert candidates.pop() == first
            if first is not None:
                waiting.remove(first)
        else:
            candidates.add(*action)
            waiting.append(action)


def test_a_limit_beside_a_prefix_needs_the_plain_learner() -> None:
    options = MergeOptions(max_token_length=3, end_of_word_suffix="<")
    beginning = Beginning({"ab": 1}, options)
    assert isinstance(learner_of(beginning, options), PlainLearner)
    assert isinstance(learner_of(beginning, MergeOptions(max_token_length=3)), RowLearner)


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


def test_words_that_hold_the_prefix_are_learned_by_the_definition() -> None:
    words = {"#aa#baba": 4, "aa": 5, "aaa##": 2}
    options = MergeOptions(vocab_size=39, special_tokens=("a",), continuing_subword_prefix="a")
    beginning = Beginning(words, options)
    assert list(RowLearner(Beginning(words, options), options).steps()) != list(
        PlainLearner(beginning, options).steps()
    )
    assert isinstance(learner_of(beginning, options), PlainLearner)
    without = MergeOptions(vocab_size=39, continuing_subword_prefix="##")
    assert isinstance(learner_of(Beginning({"ab": 1}, without), without), RowLearner)


def test_characters_that_only_special_tokens_make_known_count_as_marked() -> None:
    words = {"aa": 1, "aaa": 1}
    options = MergeOptions(
        vocab_size=4, min_frequency=0, special_tokens=("a",), limit_alphabet=0, continuing_subword_prefix="a"
    )
    plain, fast = (kind(Beginning(words, options), options) for kind in (PlainLearner, learner_of))
    assert list(fast.steps()) == list(plain.steps())
    assert fast.tokens == ["a", "aa", "aaa"]
