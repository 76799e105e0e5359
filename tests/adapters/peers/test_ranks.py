"""What ranks are made of, and which splits, merges and added tokens they can say."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tokenizer_adapters.peers.byte_level import byte_characters, byte_level_ranks, merge_pairs, split_pattern
from tokenizer_adapters.pipeline import UnfitTokenizerError

CHARACTERS = byte_characters()
SPLIT: dict[str, Any] = {
    "type": "Sequence",
    "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "a+"}, "behavior": "Isolated", "invert": False},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
    ],
}
ADDED = [
    {"id": 300, "content": "<s>", "special": True},
    {"id": 301, "content": "<plain>", "special": False},
]


def document(**changes: Any) -> dict[str, Any]:
    """Return a byte-level BPE of two merges, whose ids run against the ranks."""
    tokens = [*CHARACTERS, "ab", "abc"]
    whole = {
        "added_tokens": ADDED,
        "normalizer": None,
        "decoder": {"type": "ByteLevel"},
        "pre_tokenizer": SPLIT,
        "model": {
            "type": "BPE",
            "vocab": {token: 257 - place for place, token in enumerate(tokens)},
            "merges": [["a", "b"], ["ab", "c"]],
        },
    }
    return copy.deepcopy(whole) | changes


def test_ranks_follow_bytes_and_merges_and_ids_the_vocabulary() -> None:
    ranks = byte_level_ranks(document())
    assert list(ranks.ranks.items()) == [
        *((bytes([value]), value) for value in range(256)),
        (b"ab", 256),
        (b"abc", 257),
    ]
    assert ranks.ids == tuple(range(257, -1, -1))
    assert ranks.pattern == "a+"
    assert ranks.special_tokens == {"<s>": 300, "<plain>": 301}


@pytest.mark.parametrize(
    ("place", "changes"),
    [
        (0, {"invert": True}),
        (0, {"behavior": "Removed"}),
        (0, {"pattern": {"String": "a"}}),
        (1, {"add_prefix_space": True}),
        (1, {"use_regex": True}),
    ],
    ids=repr,
)
def test_another_split_is_refused(place: int, changes: dict[str, Any]) -> None:
    pre_tokenizer = copy.deepcopy(SPLIT)
    assert split_pattern({"pre_tokenizer": pre_tokenizer}) == "a+"
    pre_tokenizer["pretokenizers"][place] |= changes
    with pytest.raises(UnfitTokenizerError, match="this pre-tokenizer differs"):
        split_pattern({"pre_tokenizer": pre_tokenizer})


def test_merges_are_pairs_or_texts_with_one_space() -> None:
    assert merge_pairs([["a b", "c"], "a b", "\u3000 \u2028"]) == [("a b", "c"), ("a", "b"), ("\u3000", "\u2028")]
