"""The names of llama.cpp's pre-tokenizers, and the components that they stand for."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer

from tokenizer_adapters.gguf.pre_tokenizers import PRE_TOKENIZERS, ROWS, name_of

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "It's 12345 ÉTÉ, «un» été…\r\n\n  x = [3.14];\tтак 日本語 "

PIECES = {
    "gpt-2": ["It", "'s", " 12345", " ÉTÉ", ",", " «", "un", "»", " été", "…"],
    "smollm": ["It", "'s", " ", "1", "2", "3", "4", "5", " ÉTÉ", ","],
    "llama-bpe": ["It", "'s", " ", "123", "45", " ÉTÉ", ",", " «", "un", "»"],
    "qwen2": ["It", "'s", " ", "1", "2", "3", "4", "5", " ÉTÉ", ","],
    "gpt-4o": ["It's", " ", "123", "45", " ÉTÉ", ",", " «", "un", "»", " été"],
    "tekken": ["It", "'s", " ", "1", "2", "3", "4", "5", " ÉTÉ", ","],
    "deepseek-v3": ["It", "'s", " ", "123", "45", " ÉTÉ", ",", " «", "un", "»"],
    "deepseek-llm": ["It", "'", "s", " ", "1", "2", "3", "4", "5", " É"],
    "deepseek-coder": ["It", "'", "s", " ", "1", "2", "3", "4", "5", " ÉTÉ"],
    "falcon": ["It", "'", "s", " ", "123", "45", " ÉTÉ", ",", " ", "«"],
    "bloom": ["It's", " 12345", " ÉTÉ", ",", " «un»", " été", "…\r\n\n ", " x", " =", " [3"],
    "minicpm5": ["It", "'s", " ", "123", "45", " ÉTÉ", ",", " «", "un", "»"],
    "seed-coder": ["It", "'s", " ", "1", "2", "3", "4", "5", " ÉTÉ", ","],
    "bailingmoe": ["It", "'s", " ", "1", "2", "3", "4", "5", " ÉTÉ", ","],
    "qwen35": ["It", "'s", " ", "1", "2", "3", "4", "5", " ÉTÉ", ","],
    "tiny_aya": ["It's", " ", "12", "345", " ÉTÉ", ",", " «", "un", "»", " été"],
}
"""The first pieces that the component of each row cuts the text into, by the row's first name."""


def document(pre_tokenizer: Any, **model: Any) -> dict[str, Any]:
    return {"pre_tokenizer": pre_tokenizer, "post_processor": None, "model": {"type": "BPE", **model}}


@pytest.mark.parametrize("name", PIECES)
def test_a_component_cuts_a_text_as_its_checkpoints_do(name: str) -> None:
    parts = {"version": "1.0", "added_tokens": [], "normalizer": None, "post_processor": None, "decoder": None}
    model = {"type": "BPE", "vocab": {}, "merges": []}
    tokenizer = Tokenizer.from_str(json.dumps({**parts, "pre_tokenizer": PRE_TOKENIZERS[name], "model": model}))
    found = [TEXT[start:end] for _, (start, end) in tokenizer.pre_tokenizer.pre_tokenize_str(TEXT)]
    assert found[:10] == PIECES[name]


def test_each_row_is_shown_here() -> None:
    assert PIECES.keys() == {names[0] for _, names in ROWS}


@pytest.mark.parametrize(("component", "names"), ROWS, ids=lambda each: each[0] if isinstance(each, tuple) else "")
def test_the_first_name_that_suits_is_taken(component: Any, names: tuple[str, ...]) -> None:
    assert name_of(document(component)) == {"llama-bpe": "dbrx", "tekken": "tekken"}.get(names[0], names[0])


@pytest.mark.parametrize(("ignore_merges", "name"), [(True, "llama-bpe"), (False, "dbrx")])
def test_whether_merges_are_ignored_tells_names_apart(ignore_merges: bool, name: str) -> None:
    assert name_of(document(PRE_TOKENIZERS["llama-bpe"], ignore_merges=ignore_merges)) == name


def test_a_name_is_taken_though_it_does_not_say_that_merges_are_ignored() -> None:
    assert name_of(document(PRE_TOKENIZERS["gpt-4o"], ignore_merges=True)) == "gpt-4o"


def test_the_template_of_roberta_has_a_name_of_its_own() -> None:
    given = document(PRE_TOKENIZERS["gpt-2"])
    assert name_of({**given, "post_processor": {"type": "RobertaProcessing"}}) == "roberta-bpe"


def changed(name: str, change: Any) -> dict[str, Any]:
    component = copy.deepcopy(PRE_TOKENIZERS[name])
    change(component)
    return document(component)


@pytest.mark.parametrize(
    ("name", "change", "found"),
    [
        ("gpt-2", lambda one: one.update(trim_offsets=False), "gpt-2"),
        ("gpt-2", lambda one: one.pop("use_regex"), "gpt-2"),
        ("gpt-2", lambda one: one.update(add_prefix_space=True), None),
        ("gpt-2", lambda one: one.pop("add_prefix_space"), None),
        ("gpt-4o", lambda one: one["pretokenizers"][0].update(behavior="Removed", invert=True), "gpt-4o"),
        ("gpt-4o", lambda one: one["pretokenizers"][0].update(behavior="Removed"), None),
        ("gpt-4o", lambda one: one["pretokenizers"][0].update(invert=True), None),
        ("gpt-4o", lambda one: one["pretokenizers"][0].update(pattern={"String": "a"}), None),
        ("deepseek-coder", lambda one: one["pretokenizers"][0].update(pattern={"Regex": r"[\r\n]"}), "deepseek-coder"),
        ("deepseek-coder", lambda one: one["pretokenizers"][0].update(pattern={"Regex": r"[\\r\\n]"}), None),
        ("deepseek-coder", lambda one: one["pretokenizers"].reverse(), None),
        ("smollm", lambda one: one["pretokenizers"][0].update(individual_digits=False), None),
    ],
)
def test_what_cuts_texts_alike_has_the_name(name: str, change: Any, found: str | None) -> None:
    assert name_of(changed(name, change)) == found


def test_without_a_pre_tokenizer_there_is_no_name() -> None:
    assert name_of(document(None)) is None


@pytest.mark.parametrize(
    ("checkpoint", "name"),
    [("gpt2", "gpt-2"), ("roberta-base", "roberta-bpe"), ("bert-base-cased", None), ("t5-small", None)],
)
def test_checkpoints_have_the_names_that_llama_cpp_gives_them(shared: Path, checkpoint: str, name: str | None) -> None:
    file = shared / "tokenizers" / checkpoint / "tokenizer.json"
    assert name_of(json.loads(file.read_text(encoding="utf-8"))) == name
