"""Large parts of a saved tokenizer stand as their digests; merges as that of their pairs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tokenizer_conformance.releases.snapshot_file.saved_document import LONGEST_LIST, cut_down

STRINGS: list[Any] = [f"a {number}" for number in range(LONGEST_LIST + 1)]
PAIRS: list[Any] = [["a", str(number)] for number in range(LONGEST_LIST + 1)]


def kept(merges: Any) -> Any:
    return cut_down(json.dumps({"model": {"merges": merges}}))["model"]["merges"]


def test_merges_have_one_digest_in_both_forms() -> None:
    strings, pairs = kept(STRINGS), kept(PAIRS)
    assert (strings.pop("form"), pairs.pop("form")) == ("strings", "pairs")
    assert strings == pairs
    assert pairs["entries"] == len(PAIRS)


@pytest.mark.parametrize(
    "other",
    [
        [*PAIRS[:-1], ["a", "x"]],
        [*PAIRS[1:], PAIRS[0]],
        [[right, left] for left, right in PAIRS],
        [*PAIRS[:-1], ["a 1", "0"]],
    ],
    ids=["another merge", "another order", "turned", "a space in a part"],
)
def test_other_merges_have_another_digest(other: list[Any]) -> None:
    assert kept(other)["sha256"] != kept(PAIRS)["sha256"]
    assert kept(other)["form"] == "pairs"


@pytest.mark.parametrize(
    "merges",
    [
        [*STRINGS, "a b c"],
        [*STRINGS, "ab"],
        [*STRINGS, ["a", "b"]],
        [*PAIRS, ["a"]],
        [*PAIRS, 1],
        dict.fromkeys(STRINGS, 0),
    ],
    ids=["two spaces", "no space", "both forms", "one part", "a number", "an object"],
)
def test_what_is_no_list_of_merges_stands_as_what_it_is(merges: Any) -> None:
    found = kept(merges)
    assert found.keys() == {"entries", "sha256"}
    assert found["sha256"] not in (kept(STRINGS)["sha256"], kept(PAIRS)["sha256"])


def test_a_list_of_another_name_is_no_list_of_merges() -> None:
    document = cut_down(json.dumps({"words": STRINGS, "others": PAIRS}))
    assert document["words"].keys() == {"entries", "sha256"}
    assert document["words"] != document["others"]


def test_few_merges_stand_as_they_are() -> None:
    assert kept(STRINGS[:2]) == ["a 0", "a 1"]


VOCABULARY = {f"t{number}": number for number in range(LONGEST_LIST + 1)}


def test_a_vocabulary_has_one_digest_in_any_order_and_another_with_other_ids() -> None:
    def vocabulary_kept(vocab: dict[str, int]) -> Any:
        return cut_down(json.dumps({"model": {"vocab": vocab}}))

    found = vocabulary_kept(VOCABULARY)
    assert found["model"]["vocab"].keys() == {"entries", "sha256"}
    assert vocabulary_kept(dict(reversed(VOCABULARY.items()))) == found
    assert vocabulary_kept(VOCABULARY | {"t0": 1, "t1": 0}) != found
    assert vocabulary_kept(VOCABULARY | {"t0": 1000}) != found
    assert vocabulary_kept({f"x{token}": number for token, number in VOCABULARY.items()}) != found
