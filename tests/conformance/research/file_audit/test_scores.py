"""Scores with which a text has two best segmentations."""

from __future__ import annotations

import pytest

from tokenizer_conformance.research.file_audit.scores import _two_best

SCORES = {"a": -1.0, "aa": -1.5, "b": -2.0, "ab": -3.0, "c": -1.0, "bc": -3.5}

SEGMENTATIONS: list[tuple[str, tuple[tuple[str, ...], tuple[str, ...]] | None]] = [
    ("aaa", (("a", "aa"), ("aa", "a"))),
    ("ab", (("ab",), ("a", "b"))),
    ("aa", None),
    ("abc", (("ab", "c"), ("a", "b", "c"))),
    ("x", None),
    ("ax", None),
]


@pytest.mark.parametrize(("text", "best"), SEGMENTATIONS)
def test_two_segmentations_tie_where_none_is_better(
    text: str, best: tuple[tuple[str, ...], tuple[str, ...]] | None
) -> None:
    assert _two_best(text, SCORES) == best
