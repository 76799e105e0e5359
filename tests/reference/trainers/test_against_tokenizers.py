"""Training with the reference and with `tokenizers`, where the target's answer is not random: nothing may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import tokenizers
from in_one_test import in_one_test
from training import PRE_TOKENIZERS, TEXTS, Corpora, Training, lines_of

import tokenizer_reference

if TYPE_CHECKING:
    from pathlib import Path


def assert_same(training: Training) -> None:
    ours, theirs = training.document(tokenizer_reference), training.document(tokenizers)
    assert ours == theirs, training.options


def assert_random_corpora_agree(model: str, seeds: range) -> None:
    for seed in seeds:
        corpora = Corpora(f"{model} {seed}")
        options = corpora.bpe_options() if model == "BPE" else corpora.word_level_options()
        assert_same(Training(model, list(corpora.words()), options, corpora.random.choice([*PRE_TOKENIZERS, None])))


@pytest.mark.parametrize("model", ["BPE", "WordLevel"])
def test_random_corpora(model: str) -> None:
    assert_random_corpora_agree(model, range(100))


@pytest.mark.slow
@pytest.mark.parametrize("model", ["BPE", "WordLevel"])
def test_2000_random_corpora(model: str) -> None:
    assert_random_corpora_agree(model, range(300, 2300))


@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS)
@pytest.mark.parametrize("name", TEXTS)
def test_the_begin_of_each_text(shared: Path, name: str, pre_tokenizer: str) -> None:
    lines = lines_of(shared, name, 30_000)
    options = {"vocab_size": 3000, "min_frequency": 2, "special_tokens": ["<s>", "the", "。"]}
    assert_same(Training("BPE", lines, options, pre_tokenizer))
    assert_same(Training("WordLevel", lines, options, pre_tokenizer))


VARIATIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "min_frequency": {"min_frequency": 3},
    "max_token_length": {"max_token_length": 5},
    "initial_alphabet": {"initial_alphabet": [chr(code) for code in range(33, 1000)]},
    "special_tokens": {"special_tokens": ["<unk>", "<s>", "e", "the", "Ġ", "▁", "。"]},
    "all": {
        "min_frequency": 2,
        "max_token_length": 8,
        "initial_alphabet": ["ж", "ё", "吾"],
        "special_tokens": ["<s>", "吾"],
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("variation", VARIATIONS)
@pytest.mark.parametrize("vocab_size", [1000, 8000, 30000])
@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS)
@pytest.mark.parametrize("name", TEXTS)
def test_whole_texts(shared: Path, name: str, pre_tokenizer: str, vocab_size: int, variation: str) -> None:
    lines = lines_of(shared, name)
    options = {"vocab_size": vocab_size, **VARIATIONS[variation]}
    assert_same(Training("BPE", lines, options, pre_tokenizer))
    kept = {"vocab_size", "min_frequency", "special_tokens"} & options.keys()
    assert_same(Training("WordLevel", lines, {option: options[option] for option in kept}, pre_tokenizer))


@pytest.mark.parametrize("model", ["BPE", "WordPiece", "WordLevel", "Unigram"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"special_tokens": ["a", "a", "b"]},
        {"special_tokens": ["a", "b"], "vocab_size": 3},
        {"special_tokens": [""]},
        {"special_tokens": [tokenizers.AddedToken("a", lstrip=True)]},
    ],
)
@in_one_test("texts", [[], [""], [" "], ["a"], ["ab"], ["a", "b"]])
def test_small_corpora_and_special_tokens_that_clash(model: str, options: dict[str, Any], texts: list[str]) -> None:
    def document(library: Any) -> dict[str, Any]:
        tokens = [
            token if isinstance(token, str) else library.AddedToken(token.content, lstrip=token.lstrip)
            for token in options.get("special_tokens", [])
        ]
        own = options | {"special_tokens": tokens} if tokens else options
        return Training(model, texts, own).document(library)

    ours, theirs = document(tokenizer_reference), document(tokenizers)
    if model == "Unigram":
        for found in (ours, theirs):
            _without_order_of_equals(found)
    assert ours == theirs


def _without_order_of_equals(document: dict[str, Any]) -> None:
    """Pieces with equal scores stand in a random order in the target, and missing ones have random small additions."""
    pieces = [[token, score and round(score, 3)] for token, score in document["model"]["vocab"]]
    document["model"]["vocab"] = sorted(pieces, key=lambda piece: (piece[1] is None or -piece[1], piece[0]))
    for token in document["added_tokens"]:
        del token["id"]
    document["added_tokens"].sort(key=lambda token: token["content"])
