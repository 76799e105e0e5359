"""What a conversion should say is written by one half of the project and read by another: the two agree.

A tokenizer.json is converted to what a GGUF file of it should say (``tokenizer_adapters.gguf.conversion``, after
llama.cpp's converter), and that is put back into it: nothing may be another then, but what no file can say.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from published_checkpoints import PUBLISHED

from tokenizer_adapters.gguf.conversion import vocabulary_of
from tokenizer_adapters.pipeline import UnfitTokenizerError
from tokenizer_conformance.comparison.component_differences import replacements
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.releases.conversions.gguf_files import overlay_of

if TYPE_CHECKING:
    from pathlib import Path

CONVERTED = {
    "gpt2": [],
    "roberta-base": ["added_tokens.lstrip"],
    "bert-base-uncased": ["model.max_input_chars_per_word"],
    "bert-base-cased": ["model.max_input_chars_per_word"],
    "t5-small": [],
    "bert-mini": ["model.max_input_chars_per_word"],
    "gpt2-mini": [],
    "o200k-mini": [],
    "llama-mini": [],
    "llama3-mini": [],
    "qwen-mini": ["normalizer"],
    "t5-mini": [],
    "tekken-mini": [],
    "camembert-base": ["added_tokens.lstrip"],
    "deepseek-mini": ["added_tokens.special"],
    "gemma-mini": ["added_tokens.special"],
}
"""What llama.cpp's converter has something for, with what no GGUF file of it can say."""


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def assert_the_same(folder: Path, name: str) -> None:
    document, configuration = read(folder / "tokenizer.json"), read(folder / "tokenizer_config.json")
    try:
        vocabulary = vocabulary_of(document, configuration, read(folder / "config.json"))
    except UnfitTokenizerError:
        assert name not in CONVERTED
        return
    overlay = overlay_of(document, configuration, vocabulary)
    assert [each.name for each in replacements(document, overlay.document)] == CONVERTED[name]
    assert sorted(overlay.losses) == CONVERTED[name]
    assert overlay.unsaid == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_checkpoint_comes_back_as_it_was(shared: Path, name: str) -> None:
    assert_the_same(shared / "tokenizers" / name, name)


@pytest.mark.parametrize("name", bundled_names())
def test_a_bundled_tokenizer_comes_back_as_it_was(name: str) -> None:
    assert_the_same(bundled_file(name).parent, name)
