"""What an implementation shows as its vocabulary is one where all of it is."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from tokenizer_conformance.comparison.vocabularies import (
    OtherEntry,
    name_of_all,
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


def sha256_of(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def test_names_and_digests_are_of_json_in_ascii() -> None:
    """Ledgers and snapshots of earlier releases have them."""
    entries = [OtherEntry("é", 5, None), OtherEntry("b\n", 0, 7)]
    assert [each.name for each in entries] == ['"\\u00e9": 5 -> not there', '"b\\n": 0 -> 7']
    assert [each.words for each in entries] == ['"é": 5 -> not there', '"b\\n": 0 -> 7']
    assert name_of_all(entries) == "2 entries, SHA-256 " + sha256_of('[["\\u00e9", 5, null], ["b\\n", 0, 7]]')
    assert name_of_all(entries * 600).startswith("1,200 entries, SHA-256 ")
    assert vocabulary_digest({"b": 1, "é": 0, "a": 0}) == (3, sha256_of('[["a", 0], ["\\u00e9", 0], ["b", 1]]'))


def test_an_entry_that_only_one_side_has_stands_at_its_id_and_after_those_of_both() -> None:
    one, other = {"a": 0, "z": 1, "b": 1}, {"c": 0, "z": 2, "b": 3, "y": 1}
    assert [each.token for each in other_entries(one, other)] == ["a", "c", "b", "z", "y"]
