"""The textbook's WordPiece: scores, training and tokenizing, with the figures of the documents."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference import models
from tokenizer_reference.textbook import wordpiece
from tokenizer_reference.textbook.merging import merge_pair

Words = dict[str, int]

HUG_VOCABULARY = ("b", "h", "p", "##g", "##n", "##s", "##u", "##gs", "hu", "hug")
"""The vocabulary of the course's examples of tokenizing."""

word_counts = st.dictionaries(st.text("abc", min_size=1, max_size=9), st.integers(1, 9), min_size=1, max_size=8)
vocabularies = st.sets(
    st.builds(str.__add__, st.sampled_from(["", "##"]), st.text("ab#", min_size=1, max_size=4)), max_size=12
)


# The example by hand -------------------------------------------------------------------------------------------------


def test_the_scores_of_the_first_step(hug_counts: Words) -> None:
    with_u = [("h", "##u"), ("##u", "##g"), ("p", "##u"), ("##u", "##n"), ("b", "##u")]
    expected = {**dict.fromkeys(with_u, Fraction(1, 36)), ("##g", "##s"): Fraction(1, 20)}
    assert wordpiece.train(hug_counts, 8).steps[0].pair_scores == expected


def test_training_shows_the_corpus_of_every_step(hug_counts: Words) -> None:
    training = wordpiece.train(hug_counts, 9)
    corpora = [training.corpus, *(step.corpus for step in training.steps)]
    assert training.alphabet == ("##g", "##n", "##s", "##u", "b", "h", "p")
    assert [[" ".join(word.tokens) for word in corpus] for corpus in corpora] == [
        ["h ##u ##g", "p ##u ##g", "p ##u ##n", "b ##u ##n", "h ##u ##g ##s"],
        ["h ##u ##g", "p ##u ##g", "p ##u ##n", "b ##u ##n", "h ##u ##gs"],
        ["hu ##g", "p ##u ##g", "p ##u ##n", "b ##u ##n", "hu ##gs"],
    ]
    assert [(step.pair, step.score) for step in training.steps] == [
        (("##g", "##s"), Fraction(1, 20)),
        (("h", "##u"), Fraction(1, 36)),
    ]


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("hugs", ["hug", "##s"]),
        ("bugs", ["b", "##u", "##gs"]),
        ("pugs", ["p", "##u", "##gs"]),
        ("mug", ["[UNK]"]),
        ("bum", ["[UNK]"]),
    ],
)
def test_the_longest_token_is_taken_and_an_unknown_rest_makes_the_word_unknown(word: str, tokens: list[str]) -> None:
    assert list(wordpiece.tokenize_word(word, HUG_VOCABULARY).tokens) == tokens


def test_applying_the_merges_in_order_would_give_other_tokens() -> None:
    tokens = wordpiece.split_word("hugs")
    for pair in [("##g", "##s"), ("h", "##u"), ("hu", "##g")]:
        tokens = merge_pair(tokens, pair, wordpiece.merged_token(pair))
    assert tokens == ("hu", "##gs")


def test_tokenizing_shows_the_matches_and_what_nothing_matched() -> None:
    tokenization = wordpiece.tokenize_word("bum", HUG_VOCABULARY)
    assert [(match.token, match.rest) for match in tokenization.matches] == [("b", "##um"), ("##u", "##m")]
    assert tokenization.unmatched == "##m"


# Its edges -----------------------------------------------------------------------------------------------------------


def test_special_tokens_stand_first_and_count() -> None:
    assert wordpiece.train({"ab": 1}, 3, ["[UNK]"]).vocabulary == ("[UNK]", "##b", "a")


def test_training_ends_and_says_so_where_no_pair_is_left() -> None:
    training = wordpiece.train({"ab": 1}, 100)
    assert training.vocabulary == ("##b", "a", "ab")
    assert training.exhausted


def test_an_empty_word_has_no_tokens() -> None:
    assert wordpiece.tokenize_word("", HUG_VOCABULARY).tokens == ()


# Laws ----------------------------------------------------------------------------------------------------------------


@given(word_counts, st.integers(0, 30))
def test_a_step_adds_a_new_token_and_merges_a_pair_of_the_best_score(counts: Words, size: int) -> None:
    training = wordpiece.train(counts, size)
    assert len(set(training.vocabulary)) == len(training.vocabulary)
    assert all(step.score == max(step.pair_scores.values()) for step in training.steps)
    assert training.exhausted == (len(training.vocabulary) < size)


@given(vocabularies, st.text("ab#z", min_size=1, max_size=12))
def test_tokens_are_those_of_the_wordpiece_model(vocabulary: set[str], word: str) -> None:
    model = models.WordPiece({token: id_ for id_, token in enumerate(["[UNK]", *vocabulary])})
    expected = [token.value for token in model.tokenize(word)]
    assert list(wordpiece.tokenize_word(word, vocabulary).tokens) == expected


@given(vocabularies, st.text("ab#z", max_size=12))
def test_tokens_without_marks_are_the_word(vocabulary: set[str], word: str) -> None:
    tokenization = wordpiece.tokenize_word(word, vocabulary)
    begin = "".join(
        match.token.removeprefix("##") if index else match.token for index, match in enumerate(tokenization.matches)
    )
    rest = tokenization.unmatched.removeprefix("##") if tokenization.matches else tokenization.unmatched
    assert begin + rest == word


# The published loop --------------------------------------------------------------------------------------------------


def published_loop(word: str, vocabulary: set[str], most_steps: int) -> list[str] | None:
    """Return the tokens that the longest match gives if the mark counts as text, or `None` after `most_steps` steps."""
    tokens: list[str] = []
    for _ in range(most_steps):
        if not word:
            return tokens
        sizes = [size for size in range(1, len(word) + 1) if word[:size] in vocabulary]
        if not sizes:
            return ["[UNK]"]
        tokens.append(word[: sizes[-1]])
        word = "##" + word[sizes[-1] :] if word[sizes[-1] :] else ""
    return None


@given(vocabularies, st.text("ab#z", max_size=8))
def test_as_published_the_loop_is_known_to_end_or_not_to_end(vocabulary: set[str], word: str) -> None:
    expected = published_loop(word, vocabulary, 200)
    if expected is None:
        with pytest.raises(wordpiece.NeverEndingError, match="does not end"):
            wordpiece.tokenize_word(word, vocabulary, as_published=True)
    else:
        assert list(wordpiece.tokenize_word(word, vocabulary, as_published=True).tokens) == expected


@given(st.sets(st.text("ab", min_size=1, max_size=3)), st.text("abz", max_size=8))
def test_as_published_is_the_same_where_no_token_is_made_of_the_mark(pieces: set[str], word: str) -> None:
    vocabulary = {mark + piece for piece in pieces for mark in ("", "##")}
    assert wordpiece.tokenize_word(word, vocabulary, as_published=True) == wordpiece.tokenize_word(word, vocabulary)
