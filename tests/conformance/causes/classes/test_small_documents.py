"""A small part of a tokenizer.json has what words and ids need, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenizer_conformance.causes.classes.replaced_rules import component_types
from tokenizer_conformance.causes.classes.small_documents import (
    added_tokens,
    only_decoder,
    only_model,
    tokens_by_their_neighbours,
    without_model,
)


def model_of(model: dict[str, Any], *words: str) -> Any:
    text = only_model({"model": model}, words)
    return None if text is None else json.loads(text)["model"]


BPE: dict[str, Any] = {
    "vocab": {"a": 0, "b": 1, "ab": 2, "c": 3, "bc": 4, "?": 5, "<0x41>": 6, "@@b": 7, "b</w>": 8, "@@b</w>": 9},
    "merges": [["a", "b"], "b c", ["a", "@@b"]],
    "unk_token": "?",
    "continuing_subword_prefix": "@@",
    "end_of_word_suffix": "</w>",
}
UNIGRAM: dict[str, Any] = {
    "vocab": [["?", 0.0], ["a", -1.0], ["b", -2.0], ["ab", -3.0], ["z", -9.0], ["<0x41>", -4.0], ["y", -8.0]],
    "unk_id": 0,
}


def test_a_small_vocabulary_has_the_parts_of_words() -> None:
    small = model_of(BPE, "ab")
    assert list(small["vocab"]) == ["a", "b", "ab", "?", "<0x41>", "@@b", "b</w>", "@@b</w>"]
    assert small["merges"] == [["a", "b"], ["a", "@@b"]]
    assert {key: small[key] for key in BPE.keys() - {"vocab", "merges"}} == {
        key: BPE[key] for key in BPE.keys() - {"vocab", "merges"}
    }
    assert list(model_of(BPE, "c")["vocab"]) == ["c", "?", "<0x41>"]
    assert "merges" not in model_of({"vocab": {"a": 0}}, "a")


def test_a_small_list_of_pieces_has_the_unknown_and_the_lowest_one() -> None:
    small = model_of(UNIGRAM, "b", "y")
    assert small == {"vocab": [["?", 0.0], ["b", -2.0], ["z", -9.0], ["<0x41>", -4.0], ["y", -8.0]], "unk_id": 0}
    assert model_of(UNIGRAM | {"unk_id": 3}, "b") == {
        "vocab": [["b", -2.0], ["ab", -3.0], ["z", -9.0], ["<0x41>", -4.0]],
        "unk_id": 1,
    }
    assert model_of(UNIGRAM | {"unk_id": None}, "b")["unk_id"] is None


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"model": BPE}, ["a" * 301]),
        ({"model": BPE}, ["a", "b" * 301]),
        ({}, ["a"]),
        ({"model": {}}, ["a"]),
        ({"model": {"vocab": {}, "merges": [["a"]]}}, ["a"]),
        ({"model": {"vocab": [["a"]]}}, ["a"]),
        ({"model": {"vocab": []}}, ["a"]),
    ],
)
def test_where_there_is_no_small_model(document: dict[str, Any], words: list[str]) -> None:
    assert only_model(document, words) is None


def test_a_word_may_be_of_300_characters() -> None:
    assert only_model({"model": {"vocab": {"a": 0}}}, ["a" * 300]) is not None
    assert json.loads(only_model({"model": {"vocab": {"a": 0}}}, []) or "")["model"] == {"vocab": {}}


EMPTY: dict[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [],
    "post_processor": None,
    "normalizer": None,
    "pre_tokenizer": None,
    "decoder": None,
}


def test_what_is_left_out_is_none() -> None:
    parts = {"normalizer": {"type": "NFC"}, "pre_tokenizer": {"type": "Digits"}, "decoder": {"type": "Fuse"}}
    tokens = [{"id": 3, "content": "<t>"}, {"id": 4, "content": "<u>"}]
    document = {**parts, "added_tokens": tokens, "padding": {}, "post_processor": {}, "model": UNIGRAM}
    assert json.loads(without_model(document)) == {
        **EMPTY,
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "Digits"},
        "model": {"type": "WordLevel", "vocab": {"?": 0}, "unk_token": "?"},
    }
    assert json.loads(only_decoder(document, [("a", 7), ("<u>", 4)])) == {
        **EMPTY,
        "decoder": {"type": "Fuse"},
        "added_tokens": tokens[1:],
        "model": {"type": "WordLevel", "vocab": {"a": 7, "<u>": 4}, "unk_token": ""},
    }
    small = json.loads(only_model(document, ["a"]) or "")
    assert {key: value for key, value in small.items() if key != "model"} == EMPTY


def test_added_tokens_are_read_whatever_the_file_has() -> None:
    tokens: list[Any] = [{"content": "<t>"}, {"content": ""}, "odd", {}]
    assert added_tokens({"added_tokens": tokens}) == ["<t>"]
    assert added_tokens({"added_tokens": {"content": "<t>"}}) == []
    assert added_tokens({}) == []
    for flag in ("single_word", "lstrip", "rstrip"):
        assert tokens_by_their_neighbours({"added_tokens": [*tokens, {flag: True}]})
        assert not tokens_by_their_neighbours({"added_tokens": [*tokens, {flag: False}]})


@pytest.mark.parametrize(
    ("document", "types"),
    [
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]}}, {"Sequence", "NFC"}),
        ({"normalizer": {"type": "BertNormalizer", "clean_text": True}}, {"BertNormalizer"}),
        ({"normalizer": {"clean_text": True, "lowercase": True}}, {"BertNormalizer"}),
        ({"normalizer": {"type": "Other", "clean_text": True}}, {"Other"}),
        ({"normalizer": {"type": "Replace", "pattern": {"String": "a"}}}, {"Replace"}),
        ({"decoder": {"type": "Fuse"}, "pre_tokenizer": {"type": 3}}, {"Fuse"}),
        ({"model": {"type": "WordLevel", "merges": []}}, {"WordLevel"}),
        ({"model": {"merges": []}}, {"BPE"}),
        ({"model": {"vocab": []}}, {"Unigram"}),
        ({"model": {"vocab": {}}}, {"WordPiece"}),
        ({"model": []}, set()),
    ],
)
def test_types_of_components(document: dict[str, Any], types: set[str]) -> None:
    assert component_types(document) == types
