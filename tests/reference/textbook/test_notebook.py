"""The notebook's BPE and WordPiece: every corpus on the way, and the errors."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_reference.textbook import bpe, wordpiece
from tokenizer_reference.textbook.notebook_bpe import NotebookBpe, TargetVocabularySizeError
from tokenizer_reference.textbook.notebook_wordpiece import NotebookWordPiece

word_lists = st.lists(st.text("abc,#", min_size=1, max_size=7), min_size=1, max_size=8)

BPE_CORPORA = [
    ["c a t", "c a t s", "e a t", "e a t i n g", "r u n n i n g", "j u m p i n g", "f o o d"],
    ["c at", "c at s", "e at", "e at i n g", "r u n n i n g", "j u m p i n g", "f o o d"],
    ["c at", "c at s", "eat", "eat i n g", "r u n n i n g", "j u m p i n g", "f o o d"],
    ["cat", "cat s", "eat", "eat i n g", "r u n n i n g", "j u m p i n g", "f o o d"],
    ["cat", "cat s", "eat", "eat in g", "r u n n in g", "j u m p in g", "f o o d"],
    ["cat", "cat s", "eat", "eat ing", "r u n n ing", "j u m p ing", "f o o d"],
]
WORDPIECE_CORPORA = [
    ["c ##a ##t", "c ##a ##t ##s", "e ##a ##t", "e ##a ##t ##i ##n ##g", "r ##u ##n ##n ##i ##n ##g",
     "j ##u ##m ##p ##i ##n ##g", "f ##o ##o ##d"],
    ["c ##a ##t", "c ##a ##t ##s", "e ##a ##t", "e ##a ##t ##i ##n ##g", "r ##u ##n ##n ##i ##n ##g",
     "j ##u ##mp ##i ##n ##g", "f ##o ##o ##d"],
    ["c ##a ##t", "c ##a ##t ##s", "e ##a ##t", "e ##a ##t ##i ##n ##g", "ru ##n ##n ##i ##n ##g",
     "j ##u ##mp ##i ##n ##g", "f ##o ##o ##d"],
]  # fmt: skip


def corpora(tokenizer: NotebookBpe | NotebookWordPiece) -> list[list[str]]:
    return [[" ".join(word.tokens) for word in corpus] for corpus in tokenizer.history.corpus_history]


# BPE -----------------------------------------------------------------------------------------------------------------


def test_bpe_keeps_the_corpus_after_every_merge(cat_words: list[str]) -> None:
    tokenizer = NotebookBpe.train(cat_words, 21)
    assert corpora(tokenizer) == BPE_CORPORA
    assert [word.count for word in tokenizer.history.corpus_history[-1]] == [5, 2, 10, 3, 2, 1, 6]
    assert tokenizer.history.merge_rules == (("a", "t"), ("e", "at"), ("c", "at"), ("i", "n"), ("in", "g"))
    assert len(tokenizer.history.alphabet) == 16
    assert tokenizer.history.vocabulary[16:] == ("at", "eat", "cat", "in", "ing")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("eating", "eat ing"), ("running", "r u n n ing"), ("skiing", "s k i ing"), ("a cat", "a   cat"), ("", "")],
)
def test_bpe_tokenizes_text_as_one_piece_and_keeps_unknown_characters(
    cat_words: list[str], text: str, tokens: str
) -> None:
    expected = ["a", " ", "cat"] if text == "a cat" else tokens.split()
    assert list(NotebookBpe.train(cat_words, 21).tokenize(text).tokens) == expected


@pytest.mark.parametrize("tokenizer", [NotebookBpe, NotebookWordPiece])
def test_a_target_below_the_alphabet_is_refused_and_its_size_is_enough(
    cat_words: list[str], tokenizer: type[NotebookBpe | NotebookWordPiece]
) -> None:
    with pytest.raises(TargetVocabularySizeError, match="target vocabulary size is 15, but the alphabet alone has 16"):
        tokenizer.train(cat_words, 15)
    assert tokenizer.train(cat_words, 16).history.merge_rules == ()
    assert len(tokenizer.train(cat_words, 17).history.merge_rules) == 1


@pytest.mark.parametrize(("tokenizer", "size"), [(NotebookBpe, 34), (NotebookWordPiece, 38)])
def test_training_ends_and_says_so_where_no_pair_is_left(
    cat_words: list[str], tokenizer: type[NotebookBpe | NotebookWordPiece], size: int
) -> None:
    history = tokenizer.train(cat_words, 60).history
    assert len(history.vocabulary) == size
    assert history.exhausted
    assert all(len(word.tokens) == 1 for word in history.corpus_history[-1])


@given(word_lists, st.integers(5, 25), st.text("abcd,#", max_size=12))
def test_bpe_learns_and_applies_what_that_of_the_course_does(words: list[str], size: int, text: str) -> None:
    counts = {word: words.count(word) for word in words}
    ours, course = NotebookBpe.train(words, size).history, bpe.train(counts, size)
    assert (ours.merge_rules, ours.vocabulary, ours.exhausted) == (course.merges, course.vocabulary, course.exhausted)
    assert ours.corpus_history == (course.corpus, *(step.corpus for step in course.steps))
    assert NotebookBpe(ours).tokenize(text) == bpe.tokenize_word(text, course.merges)


# WordPiece -----------------------------------------------------------------------------------------------------------


def test_wordpiece_keeps_the_corpus_after_every_merge(cat_words: list[str]) -> None:
    tokenizer = NotebookWordPiece.train(cat_words, 30)
    assert corpora(tokenizer)[:3] == WORDPIECE_CORPORA
    assert [word.split()[0] for word in corpora(tokenizer)[-1]] == ["c", "c", "e", "e", "running", "jumping", "fo"]
    assert " ".join(tokenizer.history.vocabulary[16:]) == (
        "##mp ru ju jump jumpi ##in run runn jumpin runnin ##ing running jumping fo"
    )


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("runntjumpy", "runn t jump y"),
        ("runningandjumping", "running a n d jumping"),
        ("jumper", "jump e r"),
        ("unknown", "u n known"),
        ("xyz", "xyz"),
        ("", ""),
    ],
)
def test_wordpiece_with_its_alphabet_in_the_order_of_the_code_points(
    cat_words: list[str], text: str, tokens: str
) -> None:
    assert list(NotebookWordPiece.train(cat_words, 30).tokenize(text).tokens) == tokens.split()


def test_a_pass_goes_on_with_shorter_tokens_and_a_new_one_begins_with_the_longest(cat_words: list[str]) -> None:
    tokenization = NotebookWordPiece.train(cat_words, 30).tokenize("runntjumpy")
    assert [(each.tokens, each.rest) for each in tokenization.passes] == [
        (("runn", "t"), "jumpy"),
        (("jump",), "y"),
    ]
    assert tokenization.rest == "y"


def test_of_equally_long_tokens_the_last_learned_is_tried_first(cat_words: list[str]) -> None:
    order = NotebookWordPiece.train(cat_words, 30).matching_order
    assert order[:9] == ("jumping", "running", "runnin", "jumpin", "jumpi", "runn", "jump", "ing", "run")
    assert order[-16:] == tuple("rjfecutsponmigda")


@given(word_lists, st.integers(12, 30), st.text("abcd,#", max_size=12))
def test_wordpiece_learns_what_that_of_the_course_does_and_gives_back_the_text(
    words: list[str], size: int, text: str
) -> None:
    counts = {word: words.count(word) for word in words}
    tokenizer, course = NotebookWordPiece.train(words, size), wordpiece.train(counts, size)
    assert tokenizer.history.merge_rules == tuple(step.pair for step in course.steps)
    assert tokenizer.history.vocabulary == course.vocabulary
    assert "".join(tokenizer.tokenize(text).tokens) == text


# The order of the alphabet -------------------------------------------------------------------------------------------


def test_an_alphabet_of_other_characters_is_refused(cat_words: list[str]) -> None:
    with pytest.raises(ValueError, match="the given alphabet, a b, has not the tokens"):
        NotebookBpe.train(cat_words, 21, alphabet=["a", "b"])


def test_the_order_of_the_alphabet_changes_only_the_vocabulary_of_bpe(cat_words: list[str]) -> None:
    plain = NotebookBpe.train(cat_words, 21)
    turned = NotebookBpe.train(cat_words, 21, alphabet=plain.history.alphabet[::-1])
    assert turned.history.vocabulary[:16] == plain.history.vocabulary[15::-1]
    assert turned.history.corpus_history == plain.history.corpus_history
    assert turned.tokenize("skiing") == plain.tokenize("skiing")


def test_nothing_depends_on_the_seed_of_the_interpreters_hashes(cat_words: list[str]) -> None:
    program = (
        "import sys; from tokenizer_reference.textbook.notebook_wordpiece import NotebookWordPiece as W;"
        "t = W.train(sys.argv[1:], 30); print(t.history, t.tokenize('runntjumpy'), t.tokenize('runningandjumping'))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program, *cat_words],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
