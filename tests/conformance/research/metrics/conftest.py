"""A corpus and tokenizers that can be counted by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_tokenizers import characters_tokenizer, words_tokenizer

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = "ab ba\nab\nabc b\n"
"""Five words of nine characters in three texts; ``abc`` is none of the words that the first tokenizer knows."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that commands run in: with the tokenizers ``words`` and ``characters``, and ``texts.txt``."""
    words_tokenizer(tmp_path)
    characters_tokenizer(tmp_path)
    (tmp_path / "texts.txt").write_text(TEXTS)
    return tmp_path
