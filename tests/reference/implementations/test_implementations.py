"""The `train` methods of the ready-made tokenizers learn what those of `tokenizers` learn."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers.implementations

import tokenizer_reference.implementations

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "BertWordPieceTokenizer",
    "ByteLevelBPETokenizer",
    "CharBPETokenizer",
    "SentencePieceBPETokenizer",
    "SentencePieceUnigramTokenizer",
]
LIBRARIES = [tokenizer_reference, tokenizers]
LINES = ["The hugs of the pugs,", "and the bugs under a mug!", "Hug the pug; the pug hugs the mug."] * 3


def learned(tokenizer: Any) -> Any:
    """Return the tokenizer.json without what is random in the target: ids, and small differences of scores."""
    document = json.loads(tokenizer.to_str())
    model = document["model"]
    if model["type"] == "Unigram":
        model["vocab"] = sorted((piece, round(score, 2)) for piece, score in model["vocab"])
    elif model["type"] == "WordPiece" or model["end_of_word_suffix"]:
        model["vocab"] = sorted(model["vocab"])
        model.pop("merges", None)
    return document


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("source", ["file", "files", "iterator"])
def test_the_same_is_learned(tmp_path: Path, name: str, source: str) -> None:
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for file in files:
        file.write_text("\n".join(LINES), encoding="utf-8")
    results = []
    for library in LIBRARIES:
        tokenizer = getattr(library.implementations, name)()
        if source == "iterator":
            tokenizer.train_from_iterator(LINES, show_progress=False, length=len(LINES))
        else:
            tokenizer.train(str(files[0]) if source == "file" else list(map(str, files)), show_progress=False)
        results.append(learned(tokenizer))
    ours, theirs = results
    assert ours == theirs


@pytest.mark.parametrize("name", NAMES)
def test_options_are_passed_on(name: str) -> None:
    options: dict[str, Any] = {"vocab_size": 40, "special_tokens": ["<x>", "<unk>"]}
    kind = getattr(tokenizer_reference.implementations, name)
    known = inspect.signature(kind.train_from_iterator).parameters
    optional = {"min_frequency": 3, "limit_alphabet": 100, "initial_alphabet": ["ж"], "suffix": "$", "unk_token": "<x>"}
    optional["wordpieces_prefix"] = "@"
    options |= {option: value for option, value in optional.items() if option in known}
    results = []
    for library in LIBRARIES:
        tokenizer = getattr(library.implementations, name)()
        tokenizer.train_from_iterator(LINES, show_progress=False, **options)
        results.append(learned(tokenizer))
    ours, theirs = results
    assert ours == theirs


@pytest.mark.parametrize("name", ["BertWordPieceTokenizer", "CharBPETokenizer", "SentencePieceBPETokenizer"])
def test_the_alphabet_is_limited(name: str) -> None:
    for library in LIBRARIES:
        tokenizer = getattr(library.implementations, name)()
        tokenizer.train_from_iterator(LINES, show_progress=False, limit_alphabet=4, special_tokens=[])
        assert len({char for char in tokenizer.get_vocab() if len(char) == 1}) == 4
