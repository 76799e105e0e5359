"""What an implementation shows as its vocabulary is one where all of it is."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_conformance.comparison.vocabularies import (
    OtherEntry,
    other_entries,
    vocabulary_digest,
    why_no_vocabulary,
)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ({}, ""),
        ({"a": 0, "b": 1}, ""),
        (["a"], "it answers with list, and not with tokens and their ids"),
        (None, "it answers with NoneType, and not with tokens and their ids"),
        ({"a": 0, 1: 1}, "1 has 1 for an id"),
        ({1: 1, "a": 0}, "1 has 1 for an id"),
        ({"a": 0, "b": "1"}, "'b' has '1' for an id"),
        ({"a": 0.0, "b": 1}, "'a' has 0.0 for an id"),
        ({"a": True, "b": 1}, "'a' has True for an id"),
        ({"a": 0, "b": None}, "'b' has None for an id"),
    ],
)
def test_what_is_no_vocabulary_is_said(shown: Any, words: str) -> None:
    assert why_no_vocabulary(shown) == words


def test_all_entries_that_differ_are_told_by_their_ids() -> None:
    baseline = {"a": 0, "b": 1, "c": 2, "d": 3}
    other = {"a": 0, "b": 5, "x": 2, "d": 3, "y": 1, "z": 9}
    assert other_entries(baseline, other) == [
        OtherEntry("b", 1, 5),
        OtherEntry("y", None, 1),
        OtherEntry("c", 2, None),
        OtherEntry("x", None, 2),
        OtherEntry("z", None, 9),
    ]
    assert other_entries(baseline, dict(reversed(baseline.items()))) == []


def test_the_digest_is_that_of_tokens_and_ids_in_any_order() -> None:
    assert vocabulary_digest({"a": 0, "b": 1}) == vocabulary_digest({"b": 1, "a": 0})
    assert len({vocabulary_digest(each) for each in ({"a": 0, "b": 1}, {"a": 1, "b": 0}, {"a": 0}, {})}) == 4
