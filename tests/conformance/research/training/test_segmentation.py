"""Words are cut as the models of ``tokenizers`` cut them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import fake_trainers
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.training import Algorithm, TrainedModel, TrainingOptions
from tokenizer_conformance.research.training.segmentation import coverage_of, effect_of, segmenter
from tokenizer_conformance.research.training.task import TrainingTask

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = st.dictionaries(st.text("abc", min_size=1, max_size=8), st.integers(1, 4), min_size=1, max_size=6)
TEXTS = st.lists(st.text("abcx", min_size=1, max_size=12), max_size=5)


def on(algorithm: Algorithm, words: dict[str, int], prefix: str = "") -> TrainingTask:
    options = TrainingOptions(vocab_size=12, continuing_subword_prefix=prefix)
    return TrainingTask(algorithm=algorithm, words=words, options=options)


@given(WORDS, st.text("abc", min_size=1, max_size=12))
def test_bpe(words: dict[str, int], text: str) -> None:
    model = fake_trainers.learn_merges(words, 12, "")
    target = tokenizers.Tokenizer(tokenizers.models.BPE(dict(model.tokens), list(model.merges or ())))
    known = "".join(character for character in text if character in model.tokens)
    assert list(segmenter(model, on(Algorithm.BPE, words))(known)) == (target.encode(known).tokens if known else [])


def test_bpe_of_a_model_that_shows_no_merges_goes_by_the_order_of_its_tokens() -> None:
    model = TrainedModel({"a": 0, "b": 1, "c": 2, "bc": 3, "ab": 4, "abc": 5}, None, None, 0.0, None)
    cut = segmenter(model, on(Algorithm.BPE, {"abc": 1}))
    assert cut("abcab") == ("abc", "ab")
    assert cut("abb") == ("ab", "b")


@given(WORDS, TEXTS)
def test_wordpiece(words: dict[str, int], texts: list[str]) -> None:
    model = fake_trainers.learn_merges(words, 12, "##")
    target = tokenizers.Tokenizer(tokenizers.models.WordPiece({**model.tokens, "[UNK]": 99}, unk_token="[UNK]"))
    cut = segmenter(model, on(Algorithm.WORDPIECE, words, "##"))
    for text in texts:
        tokens = [token if token in model.tokens else "[UNK]" for token in cut(text)]
        assert tokens == target.encode(text).tokens


@given(WORDS, TEXTS)
def test_unigram(words: dict[str, int], texts: list[str]) -> None:
    model = fake_trainers.learn_pieces(words, 12)
    scores = dict(model.scores or {})
    target = tokenizers.Tokenizer(tokenizers.models.Unigram([("<unk>", 0.0), *scores.items()], 0, byte_fallback=False))
    cut = segmenter(model, on(Algorithm.UNIGRAM, words))
    for text in texts:
        if set(text) <= scores.keys():
            ours, theirs = cut(text), target.encode(text).tokens
            assert "".join(ours) == "".join(theirs) == text
            assert sum(map(scores.__getitem__, ours)) == pytest.approx(sum(map(scores.__getitem__, theirs)))


def test_what_unigram_does_not_know_is_cut_out_by_characters() -> None:
    model = TrainedModel({"ab": 0, "a": 1}, None, {"ab": -1.0, "a": -2.0}, 0.0, None)
    assert segmenter(model, on(Algorithm.UNIGRAM, {}))("xabya") == ("x", "ab", "y", "a")


def test_unknown_tokens_of_the_corpus_are_counted(
    task: Callable[..., TrainingTask], learned: Callable[..., TrainedModel]
) -> None:
    ground_of_words = task(Algorithm.WORDLEVEL, {"a": 3, "b": 2, "c": 1}, vocab_size=2)
    model = learned(ground_of_words)
    segments = {word: (word,) for word in ground_of_words.words}
    found = coverage_of(segments, model, ground_of_words)
    assert (found.tokens, found.unknown) == (6, 1)


def test_the_examples_of_an_effect_are_the_most_frequent_words(task: Callable[..., TrainingTask]) -> None:
    words = {f"w{number}": number + 1 for number in range(30)}
    made = task(Algorithm.WORDLEVEL, words)
    whole = {word: (word,) for word in words}
    cut = {word: tuple(word) for word in words}
    effect = effect_of(whole, cut, made)
    assert [example.word for example in effect.examples] == [f"w{number}" for number in range(29, 19, -1)]
    assert effect.first_tokens == sum(words.values())


def test_of_two_rules_for_one_token_the_first_pair_counts() -> None:
    model = replace(
        TrainedModel({"a": 0, "b": 1, "ab": 2}, (("a", "b"), ("a", "b")), None, 0.0, None),
    )
    assert segmenter(model, on(Algorithm.BPE, {"ab": 1}))("abab") == ("ab", "ab")


@pytest.mark.parametrize(
    ("scores", "word", "tokens"),
    [
        ({"a": -1.0, "c": -1.0, "ab": -2.0, "bc": -2.0}, "abc", ("a", "bc")),  # of equals, the last tokens are longest
        ({"ax": -15.0, "b": -15.0, "xb": -8.0}, "axb", ("ax", "b")),  # an unknown character is 10 worse than the worst
        ({"ax": -15.0, "b": -15.0, "xb": -4.0}, "axb", ("a", "xb")),  # and no more than that
    ],
)
def test_unigram_takes_the_likeliest(
    task: Callable[..., TrainingTask], scores: dict[str, float], word: str, tokens: tuple[str, ...]
) -> None:
    model = TrainedModel({piece: id_ for id_, piece in enumerate(scores)}, None, scores, 0.0, None)
    assert segmenter(model, task(Algorithm.UNIGRAM))(word) == tokens


def test_wordpiece_looks_for_the_longest_token_of_all(task: Callable[..., TrainingTask]) -> None:
    model = TrainedModel({"abcd": 0, "##e": 1, "a": 2}, None, None, 0.0, None)
    assert segmenter(model, task(Algorithm.WORDPIECE))("abcde") == ("abcd", "##e")
