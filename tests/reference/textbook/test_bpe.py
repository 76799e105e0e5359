"""The textbook's BPE: training and tokenizing, with the figures of the documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokenizer_reference
from tokenizer_reference import models
from tokenizer_reference.textbook import bpe

if TYPE_CHECKING:
    from collections.abc import Callable

Words = dict[str, int]

word_counts = st.dictionaries(st.text("abc", min_size=1, max_size=9), st.integers(1, 9), min_size=1, max_size=8)


def tokens_of_each_word(training: bpe.Training) -> list[list[str]]:
    corpora = [training.corpus, *(step.corpus for step in training.steps)]
    return [["+".join(word.tokens) for word in corpus] for corpus in corpora]


def model_of(training: bpe.Training, unk_token: str | None = None) -> models.BPE:
    tokens = [*training.vocabulary, *([unk_token] if unk_token else [])]
    return models.BPE({token: id_ for id_, token in enumerate(tokens)}, training.merges, unk_token=unk_token)


# The example by hand -------------------------------------------------------------------------------------------------


def test_training_shows_the_pairs_and_the_corpus_of_every_step(hug_counts: Words) -> None:
    training = bpe.train(hug_counts, 10)
    assert training.alphabet == ("b", "g", "h", "n", "p", "s", "u")
    assert [(step.pair, step.token, step.frequency) for step in training.steps] == [
        (("u", "g"), "ug", 20),
        (("u", "n"), "un", 16),
        (("h", "ug"), "hug", 15),
    ]
    assert training.vocabulary == (*training.alphabet, "ug", "un", "hug")
    assert tokens_of_each_word(training) == [
        ["h+u+g", "p+u+g", "p+u+n", "b+u+n", "h+u+g+s"],
        ["h+ug", "p+ug", "p+u+n", "b+u+n", "h+ug+s"],
        ["h+ug", "p+ug", "p+un", "b+un", "h+ug+s"],
        ["hug", "p+ug", "p+un", "b+un", "hug+s"],
    ]
    assert training.steps[0].pair_frequencies["h", "u"] == 15
    assert training.steps[1].pair_frequencies["h", "ug"] == 15
    assert [word.count for word in training.corpus] == [10, 5, 12, 4, 5]
    assert not training.exhausted


def test_characters_outside_the_alphabet_are_unknown_one_by_one(hug_counts: Words) -> None:
    training = bpe.train(hug_counts, 10)
    found = {
        word: bpe.tokenize_word(word, training.merges, alphabet=training.alphabet).tokens
        for word in ("bug", "mug", "thug")
    }
    assert found == {"bug": ("b", "ug"), "mug": ("[UNK]", "ug"), "thug": ("[UNK]", "hug")}


def test_tokenizing_shows_the_merges_that_changed_something(hug_counts: Words) -> None:
    steps = bpe.tokenize_word("hugs", bpe.train(hug_counts, 10).merges).steps
    assert [(step.pair, step.tokens) for step in steps] == [
        (("u", "g"), ("h", "ug", "s")),
        (("h", "ug"), ("hug", "s")),
    ]


# Its edges -----------------------------------------------------------------------------------------------------------


def test_of_equally_frequent_pairs_the_first_that_is_met_is_merged() -> None:
    assert bpe.train({"xy": 2, "ab": 2}, 5).merges == (("x", "y"),)
    assert bpe.train({"ab": 2, "xy": 2}, 5).merges == (("a", "b"),)


def test_special_tokens_stand_first_and_count() -> None:
    training = bpe.train({"ab": 1}, 3, ["<s>"])
    assert training.vocabulary == ("<s>", "a", "b")
    assert not training.steps
    assert not training.exhausted


def test_training_ends_and_says_so_where_no_pair_is_left() -> None:
    training = bpe.train({"ab": 1}, 100)
    assert training.vocabulary == ("a", "b", "ab")
    assert training.exhausted


def test_an_empty_word_has_no_tokens() -> None:
    assert bpe.tokenize_word("", [("a", "b")]).tokens == ()
    assert bpe.train({"": 3}, 5).exhausted


# Laws ----------------------------------------------------------------------------------------------------------------


@given(word_counts, st.integers(0, 30), st.text("abcd", max_size=15))
def test_tokens_are_a_segmentation_of_the_word(counts: Words, size: int, word: str) -> None:
    tokenization = bpe.tokenize_word(word, bpe.train(counts, size).merges)
    assert "".join(tokenization.tokens) == word
    assert all("".join(step.tokens) == word for step in tokenization.steps)


@given(word_counts, st.integers(0, 30))
def test_a_step_adds_a_new_token_and_merges_a_most_frequent_pair(counts: Words, size: int) -> None:
    training = bpe.train(counts, size)
    assert len(set(training.vocabulary)) == len(training.vocabulary)
    assert all(step.frequency == max(step.pair_frequencies.values()) for step in training.steps)
    assert training.exhausted == (len(training.vocabulary) < size)


@given(word_counts, st.integers(0, 30))
def test_words_of_the_corpus_are_tokenized_as_training_left_them(counts: Words, size: int) -> None:
    training = bpe.train(counts, size)
    last = training.steps[-1].corpus if training.steps else training.corpus
    assert [bpe.tokenize_word(word, training.merges).tokens for word in counts] == [word.tokens for word in last]


@given(word_counts, st.integers(0, 30), st.text("abc", max_size=15))
def test_merges_that_were_learned_give_the_tokens_of_the_bpe_model(counts: Words, size: int, word: str) -> None:
    training = bpe.train(counts, size)
    known = "".join(character for character in word if character in training.alphabet)
    expected = [token.value for token in model_of(training).tokenize(known)]
    assert list(bpe.tokenize_word(known, training.merges).tokens) == expected


@given(word_counts, st.integers(0, 30), st.text("abcd", max_size=15))
def test_unknown_characters_are_those_of_the_bpe_model(counts: Words, size: int, word: str) -> None:
    training = bpe.train(counts, size)
    expected = [token.value for token in model_of(training, unk_token="[UNK]").tokenize(word)]
    assert list(bpe.tokenize_word(word, training.merges, alphabet=training.alphabet).tokens) == expected


def test_merges_in_another_order_than_learned_need_not_give_the_tokens_of_the_bpe_model() -> None:
    merges = [("ab", "c"), ("a", "b")]  # when the second makes "ab", the first has had its turn
    model = models.BPE({"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}, merges)
    assert bpe.tokenize_word("abc", merges).tokens == ("ab", "c")
    assert [token.value for token in model.tokenize("abc")] == ["abc"]


@pytest.mark.parametrize("word", ["Ġtokenization", "Ġunderstanding", "Hopefully", "Ġzyzzyva", "Ġaaaaaaa", "!!!!!!"])
def test_the_merges_of_gpt2_in_order_give_the_tokens_of_its_model(word: str, gpt2: Any) -> None:
    model = gpt2.model
    assert isinstance(model, models.BPE)
    expected = [token.value for token in model.tokenize(word)]
    assert list(bpe.tokenize_word(word, model._merged_tokens()).tokens) == expected


@pytest.fixture(scope="module")
def gpt2(load_checkpoint: Callable[[Any, str], Any]) -> Any:
    return load_checkpoint(tokenizer_reference, "gpt2")
