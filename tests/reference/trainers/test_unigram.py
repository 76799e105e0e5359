"""Unigram: the rules of learning, and the same pieces and scores as `tokenizers`.

Scores are compared to 1e-9 of their size or better, with two exceptions that are random in the target: characters that
learning has dropped get the lowest score and up to 0.0001 times their number more, and pieces with equal scores stand
in any order.
"""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from training import PRE_TOKENIZERS, TEXTS, Corpora, Training, lines_of

import tokenizer_reference
from tokenizer_reference import Tokenizer, models
from tokenizer_reference.errors import TokenizerReferenceError, UpstreamPanicError
from tokenizer_reference.trainers import UnigramTrainer
from tokenizer_reference.trainers.unigram_lattice import (
    UNKNOWN,
    WordLattice,
    best_other_cut,
    log_of_sum,
    prefixes_of,
)
from tokenizer_reference.trainers.unigram_learning import UnigramLearner, UnigramOptions, digamma
from tokenizer_reference.trainers.unigram_seeds import repeated_substrings, seed_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

TOLERANCE = 1e-9
EULER_MASCHERONI = 0.5772156649015329


# Against the target --------------------------------------------------------------------------------------------------


def assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Assert that two Unigram models have the same pieces, and the same scores but for what is random."""
    assert (ours["unk_id"], ours["byte_fallback"]) == (theirs["unk_id"], theirs["byte_fallback"])
    assert sorted(piece for piece, _ in ours["vocab"]) == sorted(piece for piece, _ in theirs["vocab"])
    expected = dict(map(tuple, theirs["vocab"]))
    lowest = min((score for _, score in ours["vocab"] if score is not None), default=0.0)
    missing = sum(len(piece) == 1 for piece, _ in ours["vocab"]) * 0.0001 + TOLERANCE
    for piece, score in ours["vocab"]:
        if score is None or expected[piece] is None:
            assert score == expected[piece]
        elif score < lowest + missing and len(piece) == 1:
            assert expected[piece] == pytest.approx(lowest, abs=missing)
        else:
            assert score == pytest.approx(expected[piece], abs=TOLERANCE), piece


def assert_random_corpora_agree(seeds: Iterable[int]) -> None:
    compared = 0
    for seed in seeds:
        corpora = Corpora(f"unigram {seed}")
        training = Training("Unigram", list(corpora.words()), corpora.unigram_options())
        try:
            ours = training.document(tokenizer_reference)["model"]
        except UpstreamPanicError:  # the target never ends
            continue
        except TokenizerReferenceError:
            with pytest.raises(Exception, match="not large enough to contain all chars"):
                training.document(tokenizers)
            continue
        assert_same(ours, training.document(tokenizers)["model"])
        compared += 1
    assert compared > len(list(seeds)) / 2


def test_random_corpora() -> None:
    assert_random_corpora_agree(range(50))


@pytest.mark.slow
def test_2000_random_corpora() -> None:
    assert_random_corpora_agree(range(150, 2150))


@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS)
@pytest.mark.parametrize("name", TEXTS)
def test_the_begin_of_each_text(shared: Path, name: str, pre_tokenizer: str) -> None:
    training = Training(
        "Unigram", lines_of(shared, name, 8_000), {"vocab_size": 800, "unk_token": "<unk>"}, pre_tokenizer
    )
    assert_same(training.document(tokenizer_reference)["model"], training.document(tokenizers)["model"])


@pytest.mark.slow
@pytest.mark.parametrize("vocab_size", [500, 2000, 8000])
@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS)
@pytest.mark.parametrize("name", TEXTS)
def test_whole_texts(shared: Path, name: str, pre_tokenizer: str, vocab_size: int) -> None:
    training = Training("Unigram", lines_of(shared, name), {"vocab_size": vocab_size}, pre_tokenizer)
    try:
        theirs = training.document(tokenizers)["model"]
    except Exception as error:
        assert "not large enough to contain all chars" in str(error)
        with pytest.raises(TokenizerReferenceError, match=f"vocab_size={vocab_size} is too small"):
            training.document(tokenizer_reference)
    else:
        assert_same(training.document(tokenizer_reference)["model"], theirs)


# Seeds ---------------------------------------------------------------------------------------------------------------

WORDS = st.dictionaries(
    st.text("ab", min_size=1, max_size=9) | st.text("abc\0", max_size=6), st.integers(1, 6), max_size=8
)


@given(words=WORDS, longest=st.integers(0, 9))
def test_repeated_substrings_are_those_with_several_continuations(words: dict[str, int], longest: int) -> None:
    ended = "".join(f"{word}\0" for word in words if word)
    places = range(len(ended))
    expected = {}
    for text in {
        ended[begin:end] for begin in places for end in range(begin + 2, min(begin + longest, len(ended)) + 1)
    }:
        found = [at for at in places if ended.startswith(text, at)]
        if "\0" not in text and len({ended[at + len(text)] for at in found}) > 1:
            expected[text] = len(found)
    assert dict(repeated_substrings(words, longest)) == expected


def test_seeds_are_cut_off_but_never_a_character() -> None:
    words = {"hug": 5, "pug": 2, "hugs": 1}
    assert [piece for piece, _ in seed_pieces(words, 16, 1)] == ["u", "g", "h", "p", "s", "ug"]
    assert sum(math.exp(score) for _, score in seed_pieces(words, 16, 100)) == pytest.approx(1)


# Lattices ------------------------------------------------------------------------------------------------------------

PIECES = st.dictionaries(st.text("ab", min_size=1, max_size=3), st.floats(-12, -0.1), max_size=10)


def lattice_of(word: str, pieces: dict[str, float]) -> tuple[WordLattice, list[float]]:
    ids = {piece: number for number, piece in enumerate(pieces, 1)}
    return WordLattice.of(word, ids, 3), [-20.0, *pieces.values()]


def edges_of(lattice: WordLattice) -> list[tuple[int, int, int]]:
    return list(zip(lattice.starts, lattice.ends, lattice.pieces, strict=True))


@given(word=st.text("abc", min_size=1, max_size=9), pieces=PIECES)
def test_prefixes_find_the_same_lattice(word: str, pieces: dict[str, float]) -> None:
    ids = {piece: number for number, piece in enumerate(pieces, 1)}
    assert edges_of(WordLattice.by_prefixes(word, prefixes_of(ids))) == edges_of(WordLattice.of(word, ids, 3))


@given(word=st.text("abc", min_size=1, max_size=3), pieces=PIECES)
def test_the_best_other_cut_is_the_best_path_without_the_whole(word: str, pieces: dict[str, float]) -> None:
    lattice, scores = lattice_of(word, pieces)
    ids = {piece: number for number, piece in enumerate(pieces, 1)}
    assert best_other_cut(word, ids, scores) == lattice.without_whole().best_path(scores)


@given(word=st.text("abc", min_size=1, max_size=12), pieces=PIECES, gone=st.sets(st.sampled_from(range(1, 11))))
def test_what_is_gone_weighs_nothing(word: str, pieces: dict[str, float], gone: set[int]) -> None:
    """A lattice with pieces whose score is minus infinity says to the last digit what the one without them says."""
    lattice, scores = lattice_of(word, pieces)
    is_gone = [id_ in gone and len(text) > 1 for id_, text in enumerate(["", *pieces])]
    scores = [-math.inf if gone else score for score, gone in zip(scores, is_gone, strict=True)]
    cleared = lattice.without(is_gone)
    weights = [math.exp(score) for score in scores]
    answers = []
    for each in (lattice, cleared):
        by_logarithms, by_products = [0.0] * len(scores), [0.0] * len(scores)
        answers.append(
            (
                each.expect(scores, 3, by_logarithms),
                each.expect_by_products(weights, 3, by_products),
                each.best_path(scores),
                by_logarithms,
                by_products,
            )
        )
    assert answers[0] == answers[1]


def all_paths(lattice: WordLattice, start: int = 0) -> list[list[int]]:
    if start == lattice.size:
        return [[]]
    edges = zip(lattice.starts, lattice.ends, lattice.pieces, strict=True)
    return [[piece, *rest] for begin, end, piece in edges if begin == start for rest in all_paths(lattice, end)]


@given(word=st.text("abc", min_size=1, max_size=6), pieces=PIECES, count=st.integers(1, 5))
def test_expectations_are_those_over_all_paths(word: str, pieces: dict[str, float], count: int) -> None:
    lattice, scores = lattice_of(word, pieces)
    paths = [(math.exp(sum(scores[piece] for piece in path)), path) for path in all_paths(lattice)]
    total = sum(probability for probability, _ in paths)
    expected = [0.0] * len(scores)
    for probability, path in paths:
        for piece in path:
            expected[piece] += count * probability / total
    found = [0.0] * len(scores)
    assert lattice.expect(scores, count, found) == pytest.approx(math.log(total))
    assert found == pytest.approx(expected, abs=1e-12)
    best = lattice.best_path(scores)
    assert best is not None
    assert math.exp(best.score) == pytest.approx(max(probability for probability, _ in paths))


@given(word=st.text("abc", min_size=1, max_size=30), pieces=PIECES, rate=st.floats(-8, 0))
def test_products_expect_as_logarithms(word: str, pieces: dict[str, float], rate: float) -> None:
    lattice, scores = lattice_of(word, pieces)
    by_logarithms, by_products = [0.0] * len(scores), [0.0] * len(scores)
    lengths = [1, *map(len, pieces)]
    weights = [math.exp(score - rate * length) for score, length in zip(scores, lengths, strict=True)]
    logarithm = lattice.expect(scores, 2, by_logarithms)
    weight = lattice.expect_by_products(weights, 2, by_products)
    if weight is None:
        assert by_products == [0.0] * len(scores)
    else:
        assert by_products == pytest.approx(by_logarithms, rel=1e-9, abs=1e-12)
        assert math.log(weight) + rate * len(word) == pytest.approx(logarithm)


def test_words_that_are_too_long_for_products_are_left_to_logarithms() -> None:
    lattice, scores = lattice_of("a" * 500, {"a": -3.0})
    expected = [0.0, 0.0]
    assert lattice.expect_by_products([math.exp(score) for score in scores], 1, expected) is None
    assert expected == [0.0, 0.0]
    assert lattice.expect(scores, 1, expected) == pytest.approx(-1500)
    assert expected == pytest.approx([0, 500])


def test_of_equal_paths_the_one_with_the_longer_last_piece_stays() -> None:
    lattice, scores = lattice_of("aaa", {"a": -1.0, "aa": -2.0})
    best = lattice.best_path(scores)
    assert best is not None
    assert best.pieces == [1, 2]


def test_a_character_that_is_no_piece_is_unknown() -> None:
    assert WordLattice.of("xa", {"a": 1, "xa": 2}, 2).pieces == [UNKNOWN, 2, 1]


@given(st.floats(-50, 0), st.floats(-50, 0))
def test_sums_of_logarithms(first: float, second: float) -> None:
    assert math.exp(log_of_sum(first, second)) == pytest.approx(math.exp(first) + math.exp(second))
    assert log_of_sum(first, -math.inf) == first


def test_digamma() -> None:
    assert digamma(1) == pytest.approx(-EULER_MASCHERONI, abs=1e-9)
    assert digamma(0.5) == pytest.approx(-EULER_MASCHERONI - 2 * math.log(2), abs=1e-9)
    for x in (0.5, 3.0, 6.9, 7.0, 100.0, 1e6):
        assert digamma(x + 1) == pytest.approx(digamma(x) + 1 / x, abs=1e-9)


# Learning ------------------------------------------------------------------------------------------------------------


def test_pruning_keeps_the_share_that_is_asked_for_and_all_characters() -> None:
    words = {"".join(letters): 1 for letters in itertools.product("abc", repeat=4)}
    learner = UnigramLearner(words, UnigramOptions(vocab_size=5, shrinking_factor=0.2))
    learner.maximize(learner.expect())
    before = len(learner)
    learner.prune()
    assert len(learner) == before // 5
    assert {"a", "b", "c"} <= dict(learner.pieces()).keys()


NEVER_ENDS = Training("Unigram", ["ab"], {"vocab_size": 2, "shrinking_factor": 1.0})


def test_where_the_target_never_ends_there_is_an_error() -> None:
    with pytest.raises(UpstreamPanicError, match="never ends here"):
        NEVER_ENDS.document(tokenizer_reference)


ENDLESS = """
from tokenizers import Tokenizer, models, trainers
trainer = trainers.UnigramTrainer(vocab_size=2, shrinking_factor=1.0, show_progress=False)
Tokenizer(models.Unigram()).train_from_iterator(["ab"], trainer)
"""


@pytest.mark.slow
def test_the_target_does_not_end_there() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", ENDLESS], timeout=15, check=True)


@pytest.mark.parametrize("library", [tokenizer_reference, tokenizers])
def test_a_text_that_is_called_as_the_unknown_piece_panics(library: Any) -> None:
    with pytest.raises(BaseException, match="likelihood is NAN"):
        Training("Unigram", ["a<UNK>b"], {"vocab_size": 40}, None).document(library)


def test_a_vocabulary_that_is_too_small_leaves_the_model_as_it_was() -> None:
    tokenizer = Tokenizer(models.Unigram([("a", -1.0)]))
    with pytest.raises(TokenizerReferenceError, match=r"vocab_size=3 is too small: .* have 8 characters"):
        tokenizer.train_from_iterator(["abcdefgh"], UnigramTrainer(vocab_size=3, show_progress=False))
    assert tokenizer.get_vocab() == {"a": 0}


def test_options_of_the_model_that_are_not_trained_go_back_to_their_defaults() -> None:
    for library in (tokenizer_reference, tokenizers):
        model = library.models.Unigram([("a", -1.0)], byte_fallback=True)
        model.alpha = 0.5
        library.Tokenizer(model).train_from_iterator(["ab"], library.trainers.UnigramTrainer(show_progress=False))
        assert model.alpha is None
        assert '"byte_fallback":false' in library.Tokenizer(model).to_str()
