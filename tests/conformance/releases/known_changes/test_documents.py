"""Which places of saved files that differ are of one change, told by its own rule."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_conformance.releases.known_changes.documents import ABSENT, SAVED_RELATIONS, Place

STRINGS, PAIRS = ["a b", "c d"], [["a", "b"], ["c", "d"]]


def of_bpe(member: str, old: Any, new: Any) -> Place:
    return Place("model", "BPE", member, old, new)


@pytest.mark.parametrize(
    ("place", "is_of_it"),
    [
        (of_bpe("merges", STRINGS, PAIRS), True),
        (of_bpe("merges", STRINGS, PAIRS[:1]), False),
        (of_bpe("merges", PAIRS, PAIRS), False),
        (of_bpe("merges", PAIRS, STRINGS), False),
        (of_bpe("merges", ABSENT, PAIRS), False),
        (of_bpe("merges", "a b", PAIRS), False),
        (of_bpe("merges", STRINGS, "a b"), False),
        (of_bpe("vocab", STRINGS, PAIRS), False),
        (Place("decoder", "BPE", "merges", STRINGS, PAIRS), False),
        (of_bpe("form", "strings", "pairs"), True),
        (of_bpe("form", "pairs", "strings"), False),
        (of_bpe("form", "strings", "strings"), False),
    ],
)
def test_the_same_merges_are_written_as_pairs(place: Place, *, is_of_it: bool) -> None:
    assert SAVED_RELATIONS["saves-merges-as-pairs"](place) is is_of_it


@pytest.mark.parametrize(
    ("place", "is_of_it"),
    [
        (Place("pre_tokenizer", "Metaspace", "split", ABSENT, True), True),
        (Place("pre_tokenizer", "Metaspace", "split", ABSENT, False), False),
        (Place("pre_tokenizer", "Metaspace", "split", False, True), False),
        (Place("pre_tokenizer", "Metaspace", "add_prefix_space", True, ABSENT), True),
        (Place("decoder", "Metaspace", "add_prefix_space", True, ABSENT), True),
        (Place("decoder", "Metaspace", "add_prefix_space", False, ABSENT), False),
        (Place("decoder", "Metaspace", "add_prefix_space", True, False), False),
        (Place("decoder", "Metaspace", "replacement", True, ABSENT), False),
        (Place("pre_tokenizer", "ByteLevel", "add_prefix_space", True, ABSENT), False),
        (Place("pre_tokenizer", "Split", "split", ABSENT, True), False),
    ],
)
def test_a_metaspace_has_split_in_place_of_a_prefix_space(place: Place, *, is_of_it: bool) -> None:
    assert SAVED_RELATIONS["saves-split"](place) is is_of_it
