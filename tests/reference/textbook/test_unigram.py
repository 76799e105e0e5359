"""The textbook's Unigram: probabilities, losses and pruning, with the figures of the documents."""

from __future__ import annotations

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import models
from tokenizer_reference.textbook import unigram

Counts = dict[str, int]

word_counts = st.dictionaries(st.text("abc", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=6)
frequencies_with_all_characters = st.builds(
    lambda characters, longer: {**dict(zip("abc", characters, strict=True)), **longer},
    st.lists(st.integers(1, 99), min_size=3, max_size=3),
    st.dictionaries(st.text("abc", min_size=2, max_size=4), st.integers(1, 99), max_size=8),
)
short_words = st.text("abc", max_size=7)

HUG_FREQUENCIES = {
    "h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16,
    "un": 16, "b": 4, "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5,
}  # fmt: skip
HUG_MODEL = unigram.negative_log_probabilities(HUG_FREQUENCIES)


def probability(tokenization: unigram.Tokenization) -> float:
    assert tokenization.score is not None
    return exp(-tokenization.score)


# The example by hand -------------------------------------------------------------------------------------------------


def test_frequencies_of_all_strict_substrings(hug_counts: Counts) -> None:
    assert unigram.strict_substring_frequencies(hug_counts) == HUG_FREQUENCIES
    assert sum(HUG_FREQUENCIES.values()) == 210


def test_frequencies_of_all_substrings_and_of_those_that_are_left_out(hug_counts: Counts) -> None:
    every = unigram.all_substring_frequencies(hug_counts)
    left_out = {part: count for part, count in every.items() if part not in HUG_FREQUENCIES}
    assert {part: every[part] for part in HUG_FREQUENCIES} == HUG_FREQUENCIES
    assert left_out == {"pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    assert (sum(every.values()), sum(left_out.values())) == (236, 26)


def test_all_segmentations_with_their_probabilities() -> None:
    found = [(way.tokens, float(way.probability)) for way in unigram.segmentations("pug", HUG_FREQUENCIES)]
    assert found == [
        (("p", "u", "g"), pytest.approx(17 * 36 * 20 / 210**3)),
        (("p", "ug"), pytest.approx(17 * 20 / 210**2)),
        (("pu", "g"), pytest.approx(17 * 20 / 210**2)),
    ]
    assert [round(value, 5) for _, value in found] == [0.00132, 0.00771, 0.00771]


def test_the_best_segmentation_up_to_every_position() -> None:
    tokenization = unigram.tokenize_word("unhug", HUG_MODEL)
    found = [
        (tokenization.tokens_up_to(end), round(exp(-ending.score), 6))
        for end, ending in enumerate(tokenization.endings)
        if ending
    ]
    assert found == [
        ((), 1),
        (("u",), 0.171429),
        (("un",), 0.07619),
        (("un", "h"), 0.005442),
        (("un", "hu"), 0.005442),
        (("un", "hug"), 0.005442),
    ]
    assert tokenization.tokens == ("un", "hug")


def test_the_exercise_huggun() -> None:
    tokenization = unigram.tokenize_word("huggun", HUG_MODEL)
    assert tokenization.tokens == ("hug", "g", "un")
    assert round(probability(tokenization), 6) == 0.000518


def test_the_probability_of_each_word_and_the_loss(hug_counts: Counts) -> None:
    probabilities = {word: probability(unigram.tokenize_word(word, HUG_MODEL)) for word in hug_counts}
    assert {word: round(value, 6) for word, value in probabilities.items()} == {
        "hug": 0.071429, "pug": 0.00771, "pun": 0.006168, "bun": 0.001451, "hugs": 0.001701,
    }  # fmt: skip
    by_hand = sum(count * -log(probabilities[word]) for word, count in hug_counts.items())
    assert unigram.compute_loss(HUG_MODEL, hug_counts) == pytest.approx(by_hand)
    assert round(by_hand, 1) == 169.8


def test_the_loss_without_hug_and_without_pu(hug_counts: Counts) -> None:
    increases = unigram.compute_loss_increases(HUG_MODEL, hug_counts)
    assert round(increases["hug"], 1) == 23.5
    assert increases["pu"] == 0
    without_hug = {token: score for token, score in HUG_MODEL.items() if token != "hug"}
    hug, hugs = (unigram.tokenize_word(word, without_hug) for word in ("hug", "hugs"))
    assert hug.tokens == ("h", "ug")  # printed: hu, g, which is as likely; see test_errata.py
    assert [round(probability(word), 6) for word in (hug, hugs)] == [0.006803, 0.001701]


# Its edges -----------------------------------------------------------------------------------------------------------


def test_the_initial_vocabulary_has_all_characters_and_then_the_most_frequent_that_is_met_first() -> None:
    assert list(unigram.initial_frequencies({"bab": 1, "cab": 1}, 6)) == ["b", "a", "c", "ab", "ba", "bab"]


def test_an_initial_vocabulary_without_room_for_the_characters_is_refused() -> None:
    assert len(unigram.initial_frequencies({"abc": 1}, 3)) == 3
    with pytest.raises(ValueError, match="size=2: the corpus alone has 3 characters"):
        unigram.initial_frequencies({"abc": 1}, 2)


def test_a_word_without_segmentation_is_unknown_and_has_no_loss() -> None:
    tokenization = unigram.tokenize_word("hum", HUG_MODEL)
    assert tokenization.tokens == ("<unk>",)
    assert tokenization.score is None
    assert tokenization.tokens_up_to(2) == ("hu",)
    with pytest.raises(ValueError, match="'hum' cannot be cut"):
        unigram.compute_loss(HUG_MODEL, {"hum": 1})


def test_an_empty_word_has_no_tokens() -> None:
    tokenization = unigram.tokenize_word("", HUG_MODEL)
    assert (tokenization.tokens, tokenization.score) == ((), 0)


def test_training_goes_on_where_a_tenth_is_less_than_one_token() -> None:
    training = unigram.train({"ab": 3, "ba": 1}, 3, initial_size=4)
    assert [pruning.removed for pruning in training.rounds] == [("ba",)]
    assert set(training.frequencies) == {"a", "b", "ab"}
    assert not training.exhausted


def test_training_ends_and_says_so_where_only_characters_are_left() -> None:
    training = unigram.train({"ab": 3, "ba": 1}, 1, initial_size=4, share_to_remove=0.9)
    assert [set(pruning.removed) for pruning in training.rounds] == [{"ab", "ba"}]
    assert set(training.frequencies) == {"a", "b"}
    assert training.exhausted


# Laws ----------------------------------------------------------------------------------------------------------------


@given(frequencies_with_all_characters, short_words)
def test_viterbi_finds_the_best_of_all_segmentations(frequencies: Counts, word: str) -> None:
    every = unigram.segmentations(word, frequencies)
    best = unigram.tokenize_word(word, unigram.negative_log_probabilities(frequencies))
    found = next(way for way in every if way.tokens == best.tokens)
    assert float(found.probability) == pytest.approx(float(max(way.probability for way in every)), rel=1e-9)
    assert probability(best) == pytest.approx(float(found.probability), rel=1e-9)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.integers(1, 99), max_size=8), short_words)
def test_a_word_is_unknown_just_where_it_has_no_segmentation(frequencies: Counts, word: str) -> None:
    best = unigram.tokenize_word(word, unigram.negative_log_probabilities(frequencies))
    assert (best.score is None) == (not unigram.segmentations(word, frequencies))


@given(
    st.dictionaries(st.text("ab", min_size=1, max_size=3), st.integers(1, 99), max_size=8), st.text("ab", max_size=7)
)
def test_segmentations_are_all_the_ways_to_cut_and_their_probabilities_are_products(
    frequencies: Counts, word: str
) -> None:
    cuts = [
        [begin for begin in range(1, len(word)) if chosen >> (begin - 1) & 1]
        for chosen in range(1 << max(0, len(word) - 1))
    ]
    ways = {
        tuple(word[start:end] for start, end in zip([0, *cut], [*cut, len(word)], strict=True) if end) for cut in cuts
    }
    total = sum(frequencies.values())
    expected = {}
    for tokens in ways:
        if set(tokens) <= set(frequencies):
            expected[tokens] = 1.0
            for token in tokens:
                expected[tokens] *= frequencies[token] / total
    found = unigram.segmentations(word, frequencies)
    assert {way.tokens: float(way.probability) for way in found} == pytest.approx(expected)
    assert len(found) == len(expected)


@given(frequencies_with_all_characters, short_words)
def test_tokens_and_score_are_those_of_the_unigram_model_ties_included(frequencies: Counts, word: str) -> None:
    model = unigram.negative_log_probabilities(frequencies)
    target = models.Unigram([(token, -score) for token, score in model.items()])
    found = unigram.tokenize_word(word, model)
    assert list(found.tokens) == [token.value for token in target.tokenize(word)]
    score = 0.0
    for token in found.tokens:
        score -= dict(target._pieces)[token]
    assert found.score == score


@given(frequencies_with_all_characters, short_words)
def test_where_the_sum_starts_does_not_move_the_best_score(frequencies: Counts, word: str) -> None:
    model = unigram.negative_log_probabilities(frequencies)
    plain, published = (unigram.tokenize_word(word, model, initial_score=start).score for start in (0, 1))
    assert published == pytest.approx((plain or 0.0) + 1)


@given(word_counts, st.integers(3, 20))
def test_pruning_keeps_all_characters_and_removes_what_raises_the_loss_least(counts: Counts, size: int) -> None:
    training = unigram.train(counts, size, initial_size=25, share_to_remove=0.25)
    characters = {character for word in counts for character in word}
    assert characters <= set(training.frequencies)
    assert training.exhausted == (len(training.frequencies) > size)
    for pruning in training.rounds:
        kept = [pruning.loss_increases[token] for token in pruning.loss_increases if token not in pruning.removed]
        assert max(pruning.loss_increases[token] for token in pruning.removed) <= min(kept, default=float("inf"))
