"""What a run is given has a word that names it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.inputs.hub import HubSnapshot
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile, find_tokenizer, read_tokenizer
from tokenizer_conformance.validation.running.preparation import word_for

SNAPSHOT = HubSnapshot("org/name", "1" * 40, Path("cache"))

WORDS: list[tuple[TokenizerFile, str]] = [
    (TokenizerFile(TokenizerSource("a", "x/a.json"), ""), "x/a.json"),
    (TokenizerFile(TokenizerSource("a", "x/a/tokenizer.json", "x/a"), ""), "x/a"),
    (
        TokenizerFile(TokenizerSource("org/name", "cache/tokenizer.json", "cache"), "", snapshot=SNAPSHOT),
        f"hub:org/name@{'1' * 40}",
    ),
    (read_tokenizer(find_tokenizer("gpt2-mini")), "gpt2-mini"),
]


@pytest.mark.parametrize(("tokenizer", "word"), WORDS, ids=[word for _, word in WORDS])
def test_a_tokenizer_is_named_by_what_finds_it_again(tokenizer: TokenizerFile, word: str) -> None:
    assert word_for(tokenizer) == word
