"""Small tokenizers, built in code and written to files."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import TokenizerSource

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOY: dict[str, Any] = {
    "version": "1.0",
    "truncation": None,
    "padding": None,
    "added_tokens": [
        {
            "id": id_,
            "content": content,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for id_, content in enumerate(["[UNK]", "[CLS]", "[SEP]"])
    ],
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
        ],
        "pair": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
            {"Sequence": {"id": "B", "type_id": 1}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
        ],
        "special_tokens": {
            "[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]},
            "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]},
        },
    },
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
    "model": {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "un": 3, "##known": 4, "é": 5, "a": 6, "b": 7},
    },
}


@pytest.fixture
def toy() -> dict[str, Any]:
    """A fresh copy of a complete WordPiece pipeline of eight tokens."""
    return copy.deepcopy(TOY)


@pytest.fixture(scope="session")
def toy_source(tmp_path_factory: pytest.TempPathFactory) -> TokenizerSource:
    """The toy pipeline as it is, in a file that lasts."""
    file = tmp_path_factory.mktemp("toy") / "tokenizer.json"
    file.write_text(json.dumps(TOY), encoding="utf-8")
    return TokenizerSource("toy", str(file))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., TokenizerSource]:
    """A function that writes a tokenizer.json and returns its source."""

    def write_tokenizer(content: dict[str, Any], name: str = "toy") -> TokenizerSource:
        file = tmp_path / name / "tokenizer.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(content), encoding="utf-8")
        return TokenizerSource(name, str(file))

    return write_tokenizer
