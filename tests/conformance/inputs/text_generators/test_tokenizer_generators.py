"""Laws that all generators from a tokenizer file keep: texts by number, honest counts, no trust in the file."""

from __future__ import annotations

import copy
from random import Random
from typing import TYPE_CHECKING

import pytest
from in_one_test import in_one_test

from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.text import lone_surrogate
from tokenizer_conformance.inputs.text_generators.generator import Material
from tokenizer_conformance.inputs.text_generators.table import TOKENIZER_GENERATORS

if TYPE_CHECKING:
    from conftest import Bundled, Document, Made

NAMES = [generator.name for generator in TOKENIZER_GENERATORS]

BY_MODEL = {
    "gpt2-mini": {
        "score-ties",
        "score-margins",
        "charsmap-keys",
        "charsmap-prefixes",
        "bytes-written",
        "normalizer-characters",
    },
    "bert-mini": {"merge-", "score-", "charsmap-", "bytes-"},
    "t5-mini": {"merge-", "bytes-"},
    "llama-mini": {"score-", "charsmap-", "bytes-across", "normalizer-"},
    "wordlevel-mini": {"merge-", "score-", "charsmap-", "bytes-", "vocabulary-unreachable"},
}
"""Generators that have nothing for a tokenizer, or what their names begin with."""

BROKEN_MAP = {"type": "Precompiled", "precompiled_charsmap": "////////////////"}

ODD = [
    {},
    {"model": None, "added_tokens": None, "normalizer": [], "truncation": 3, "padding": "x"},
    {"model": {"type": "BPE", "vocab": 3, "merges": 4}},
    {"model": {"type": "BPE", "vocab": {"": 0}, "merges": ["a", 5, ["a"], "a b c", ["a", 3], ["", ""], None]}},
    {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": [["a", "a"], ["b", "b"]], "continuing_subword_prefix": 7}},
    {"model": {"type": "Unigram", "vocab": [["a"], ["a", "b"], [1, 2], None, ["\ud800", 0.0], ["", 1.0]]}},
    {"model": {"type": "Unigram", "vocab": [["a", float("nan")], ["aa", float("inf")], ["aaa", -1.0]]}},
    {"model": {"type": "WordPiece", "vocab": {"a": 0}, "max_input_chars_per_word": True}},
    {"model": {"type": "WordPiece", "vocab": {"##": 0}, "max_input_chars_per_word": 10**18}},
    {"model": {"type": "WordPiece", "vocab": {}, "max_input_chars_per_word": -1}},
    {"model": {"type": ["?"], "vocab": ["a", "b"]}},
    {"added_tokens": [{"content": ""}, {"content": None}, 5, {"content": "\ud800"}, {"content": "x"}]},
    {"normalizer": {"type": "Precompiled", "precompiled_charsmap": None}},
    {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "%%%"}},
    {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AA=="}},
    {"normalizer": {"type": "Sequence", "normalizers": [BROKEN_MAP, None, {"type": 5}, {"normalizers": "x"}]}},
    {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(((["}}},
    {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(" * 5000}}},
    {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "[" * 5000}}},
    {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "a{99999}{99999}{99999}"}}},
    {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\"}}},
    {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a{1000}|b{1000}){1000}"}}},
    {"pre_tokenizer": {"type": "Split", "pattern": ["a"]}},
    {"pre_tokenizer": {"type": "Metaspace", "replacement": ""}, "decoder": {"type": "CTC", "pad_token": 0}},
    {"normalizer": {"type": "Replace", "pattern": None, "content": "\ud800"}},
    {"truncation": {"max_length": 10**9, "stride": "a"}, "padding": {"strategy": {"Fixed": []}}},
]  # fmt: skip
"""Documents in which something is missing or odd."""


def test_each_has_a_name_of_its_own_and_says_what_it_is_for() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert all(len(generator.note) > 30 for generator in TOKENIZER_GENERATORS)


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", bundled_names())
def test_text_n_is_the_same_whatever_was_made_before_it(name: str, bundled: Bundled) -> None:
    for generator in TOKENIZER_GENERATORS:
        texts = generator.make(Material(bundled(name), seed=5))
        again = generator.make(Material(copy.deepcopy(bundled(name)), seed=5))
        numbers = sorted({*range(min(10, texts.count)), *Random(0).choices(range(texts.count or 1), k=10)})
        numbers = [number for number in numbers if number < texts.count]
        first = {number: texts.text(number) for number in numbers}
        assert {number: again.text(number) for number in reversed(numbers)} == first, generator.name
        assert again.count == texts.count, generator.name


@pytest.mark.long_but(2)
@pytest.mark.parametrize("name", bundled_names())
def test_counts_are_honest_and_texts_can_be_asked_about(name: str, bundled: Bundled) -> None:
    for generator in TOKENIZER_GENERATORS:
        texts = generator.make(Material(bundled(name)))
        try:
            texts.text(texts.count)
        except IndexError:
            pass
        else:
            pytest.fail(f"{generator.name} has more texts than it counts")
        if texts.count:
            assert isinstance(texts.text(texts.count - 1), str), generator.name
        step = max(1, texts.count // 500)
        some = [texts.text(number) for number in (*range(min(500, texts.count)), *range(0, texts.count, step))]
        assert all(lone_surrogate(text) is None for text in some), generator.name
        assert max(map(len, some), default=0) < 20_000, generator.name


@pytest.mark.parametrize(("name", "without"), BY_MODEL.items())
def test_what_a_tokenizer_lacks_gives_no_texts_and_what_it_has_gives_some(
    name: str, without: set[str], bundled: Bundled
) -> None:
    empty = {generator.name for generator in TOKENIZER_GENERATORS if not generator.make(Material(bundled(name))).count}
    assert empty == {each for each in NAMES if each.startswith(tuple(without))}


@pytest.mark.parametrize("name", bundled_names())
def test_the_first_texts_are_diverse(name: str, bundled: Bundled) -> None:
    for generator in TOKENIZER_GENERATORS:
        texts = generator.make(Material(bundled(name)))
        some = [texts.text(number) for number in range(min(200, texts.count))]
        assert len(set(some)) >= 0.5 * len(some), generator.name


@in_one_test("document", ODD)
def test_odd_documents_give_what_can_be_had_of_them(document: Document) -> None:
    for generator in TOKENIZER_GENERATORS:
        texts = generator.make(Material(document))
        for number in range(min(100, texts.count)):
            assert lone_surrogate(texts.text(number)) is None


def test_another_seed_takes_another_order(bundled: Bundled, made: Made) -> None:
    orders = {tuple(map(made("vocabulary-packs", bundled("bert-mini"), seed).text, range(5))) for seed in range(4)}
    assert len(orders) == 4
