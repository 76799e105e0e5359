"""Remembered: a function is asked once about each text, unless it is long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.text import remembered
from tokenizer_reference.text.remembered import Remembered

if TYPE_CHECKING:
    import pytest


def test_a_text_is_asked_about_once_unless_it_is_long() -> None:
    asked: list[str] = []

    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    lengths = Remembered(length)
    assert [lengths["a" * size] for size in (3, 3, 200, 200)] == [3, 3, 200, 200]
    assert list(map(len, asked)) == [3, 200, 200]


def test_all_is_forgotten_when_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembered, "_MOST", 2)
    lengths = Remembered(len)
    assert [lengths[text] for text in ("a", "bb", "ccc")] == [1, 2, 3]
    assert lengths == {"ccc": 3}
