"""The model part of tokenizer.json: what is read, what is refused, and what is written."""

from __future__ import annotations

import gc
import json
from typing import Any

import pytest
import tokenizers
from in_one_test import in_one_test

import tokenizer_reference.models as reference
from tokenizer_reference import Tokenizer
from tokenizer_reference.errors import TokenizerFileError
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.models.merges import merges_of_lines

MISSING = object()

BPE = {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
WORDPIECE = {
    "type": "WordPiece",
    "unk_token": "U",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 100,
    "vocab": {"a": 0, "b": 1},
}
WORDLEVEL = {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "U"}
UNIGRAM = {"type": "Unigram", "unk_id": 0, "vocab": [["a", -1.5], ["b", -2]], "byte_fallback": True}

CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    *((BPE, change) for change in (
        {}, {"foo": 1}, {"vocab": MISSING}, {"merges": MISSING}, {"vocab": None}, {"merges": None}, {"vocab": []},
        {"vocab": {"a": 1.0}}, {"vocab": {"a": -1}}, {"vocab": {"a": 2**32}}, {"vocab": {"a": "0"}},
        {"vocab": {"a": True}},
        {"vocab": {"b": 9, "ab": 4, "a": 7}}, {"merges": {}}, {"merges": []}, {"merges": ["a b"]},
        {"merges": ["#version: 0.2", "a b"]},
        {"merges": ["a  b"]}, {"merges": ["ab"]}, {"merges": ["a b "]}, {"merges": [""]},
        {"merges": [["a", "b"], "a b"]},
        {"merges": ["a b", ["a", "b"]]}, {"merges": [["a", "b", "c"]]}, {"merges": [["a"]]}, {"merges": [["a", 1]]},
        {"merges": [["a", "x"]]},
        {"merges": [["#version", "x"]]}, {"merges": [["a", "b"], ["a", "b"]]}, {"dropout": None}, {"dropout": 0},
        {"dropout": 0.3},
        {"dropout": 1}, {"dropout": 2}, {"dropout": -0.0}, {"dropout": "x"}, {"dropout": True},
        {"dropout": 0.123456789}, {"dropout": 1e-10},
        {"dropout": 1e-60}, {"dropout": 1e60}, {"unk_token": None}, {"unk_token": "zz"}, {"unk_token": 3},
        {"continuing_subword_prefix": None},
        {"continuing_subword_prefix": ""}, {"continuing_subword_prefix": 3}, {"end_of_word_suffix": ""},
        {"end_of_word_suffix": "</w>"},
        {"fuse_unk": None}, {"fuse_unk": True}, {"fuse_unk": 1}, {"byte_fallback": None}, {"byte_fallback": "x"},
        {"byte_fallback": True},
        {"ignore_merges": None}, {"ignore_merges": True}, {"ignore_merges": []},
    )),
    *((WORDPIECE, change) for change in (
        {}, {"foo": 1}, *({key: value} for key in list(WORDPIECE)[1:] for value in (MISSING, None)),
        {"max_input_chars_per_word": -1},
        {"max_input_chars_per_word": 1.0}, {"max_input_chars_per_word": 2**63}, {"max_input_chars_per_word": 2**64},
        {"unk_token": 3},
        {"vocab": {"a": 1.5}}, {"vocab": [["a", 1]]}, {"vocab": {"z": 3, "y": 1}},
    )),
    *((WORDLEVEL, change) for change in (
        {}, {"foo": 1}, *({key: value} for key in list(WORDLEVEL)[1:] for value in (MISSING, None)), {"unk_token": 3},
        {"vocab": {"a": 5, "c": 2, "b": 9}},
    )),
    *((UNIGRAM, change) for change in (
        {}, {"foo": 1}, {"alpha": 0.5}, *({key: value} for key in list(UNIGRAM)[1:] for value in (MISSING, None)),
        {"unk_id": 2},
        {"unk_id": 1.0}, {"unk_id": -1}, {"vocab": []}, {"vocab": [], "unk_id": None}, {"vocab": [["a"]]},
        {"vocab": [["a", 1, 2]]},
        {"vocab": [[1, 1]]}, {"vocab": [["a", "x"]]}, {"vocab": [["a", None]]}, {"vocab": [["a", True]]},
        {"vocab": {"a": 1}}, {"vocab": ["a"]},
        {"vocab": [["a", -0.0], ["b", 1e22], ["c", 1e-7], ["d", 0.1], ["e", 2**70], ["f", -(2**53) - 1], ["a", 0]]},
        {"byte_fallback": 1},
    )),
]  # fmt: skip


def name(case: tuple[dict[str, Any], dict[str, Any]]) -> str:
    base, change = case
    return f"{base['type']} { ({key: '(missing)' if value is MISSING else value for key, value in change.items()}) }"


@in_one_test("base, change", CASES, name)
def test_the_same_is_read_and_written_as_by_the_target(
    base: dict[str, Any], change: dict[str, Any], outcome_of: Any
) -> None:
    model = {key: value for key, value in (base | change).items() if value is not MISSING}

    def rewritten_by_target() -> str:
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps({"model": model}))
        return json.dumps(json.loads(tokenizer.to_str())["model"])

    def rewritten_by_reference() -> str:
        loaded = reference.COMPONENTS[base["type"]]._from_json(JsonValue(model, "$.model"))
        return json.dumps(loaded._to_json())

    assert outcome_of(rewritten_by_reference) == outcome_of(rewritten_by_target)


@pytest.mark.parametrize(
    ("base", "change", "message"),
    [
        (BPE, {"merges": MISSING}, r"\$\.model: missing field `merges`"),
        (BPE, {"merges": [["a", "b"], ["a", "x"]]}, r"\$\.model\.merges\[1\]: the token 'x' is not in the vocabulary"),
        (
            BPE,
            {"merges": ["#version: 1", "a b", "a x"]},
            r"\$\.model\.merges\[2\]: the token 'x' is not in the vocabulary",
        ),
        (
            BPE,
            {"merges": ["a b", "ab"]},
            r"\$\.model\.merges\[1\]: expected two tokens and one space between them, found 'ab'",
        ),
        (
            BPE,
            {"merges": ["a b", ["a", "b"]]},
            r"\$\.model\.merges\[1\]: expected a string of two tokens, as before it; found an array",
        ),
        (BPE, {"merges": [["a"]]}, r"\$\.model\.merges\[0\]: expected a pair of tokens"),
        (BPE, {"dropout": 2}, r"\$\.model\.dropout: expected a probability, from 0 to 1, found 2"),
        (BPE, {"vocab": {"a": 0, "b": -1}}, r"\$\.model\.vocab\.b: expected a whole number"),
        (WORDPIECE, {"unk_token": 3}, r"\$\.model\.unk_token: expected a string, found an integer"),
        (UNIGRAM, {"unk_id": 5}, r"\$\.model\.unk_id: there is no piece 5: the vocabulary has 2 pieces"),
        (UNIGRAM, {"vocab": [["a", 0], ["b"]]}, r"\$\.model\.vocab\[1\]: expected a piece and its score"),
        (UNIGRAM, {"vocab": [["a", 0], ["b", "x"]]}, r"\$\.model\.vocab\[1\]\[1\]: expected a number, found a string"),
    ],
)
def test_errors_name_the_place(base: dict[str, Any], change: dict[str, Any], message: str) -> None:
    model = {key: value for key, value in (base | change).items() if value is not MISSING}
    with pytest.raises(TokenizerFileError, match=message):
        reference.COMPONENTS[base["type"]]._from_json(JsonValue(model, "$.model"))


def test_scores_that_json_cannot_hold_are_written_as_null() -> None:
    vocab = [("a", float("inf")), ("b", float("nan")), ("c", 1.0)]
    target = tokenizers.Tokenizer(tokenizers.models.Unigram(vocab, 0)).to_str()
    assert reference.Unigram(vocab, 0)._to_json() == json.loads(target)["model"]
    assert reference.Unigram(vocab, 0)._to_json()["vocab"][0] == ["a", None]


def test_an_unknown_token_that_is_not_there_is_said_with_its_place() -> None:
    document = json.dumps({"model": {**UNIGRAM, "unk_id": 2}})
    with pytest.raises(
        TokenizerFileError, match=r"^\$\.model\.unk_id: there is no piece 2: the vocabulary has 2 pieces$"
    ):
        Tokenizer.from_str(document)


def test_merges_in_lines_are_pairs_wherever_they_are_asked_for() -> None:
    merges = merges_of_lines(["#version: 0.2", "a b", "ab c"], str)
    assert (len(merges), list(merges)) == (2, [("a", "b"), ("ab", "c")])
    assert (merges[-1], list(merges[:1])) == (("ab", "c"), [("a", "b")])
    assert not any(isinstance(each, tuple) for each in gc.get_referents(merges))
