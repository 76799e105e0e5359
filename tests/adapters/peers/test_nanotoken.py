"""What nanotoken answers, exactly, through its adapter."""

from __future__ import annotations

from typing import Any

import pytest
from peer_questions import Peer, Source, encoding, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Observation,
    Outcome,
    Text,
    Unsupported,
)
from tokenizer_adapters.peers.nanotoken import lengths

ANSWERS: list[tuple[Observation, Outcome]] = [
    (plain(""), encoding((), (), ())),
    (Encode(""), encoding((2, 3), ("[CLS]", "[SEP]"), (1, 1))),
    (plain("é京[CLS]b"), encoding((47, 1, 2, 44), ("e", "[UNK]", "[CLS]", "b"), (0, 0, 0, 0))),
    (
        Encode("é京[CLS]b"),
        encoding((2, 47, 1, 2, 44, 3), ("[CLS]", "e", "[UNK]", "[CLS]", "b", "[SEP]"), (1, 0, 0, 0, 0, 1)),
    ),
    (Encode("a", pair="b"), Unsupported("nanotoken takes no pair of texts")),
    (Decode((2, 43, 1, 44, 3)), Text("a b")),
    (kept((2, 43, 1, 44, 3)), Text("[CLS] a [UNK] b [SEP]")),
]


@pytest.mark.parametrize(("observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, observation: Observation, answer: Outcome) -> None:
    assert peer("nanotoken").load(bundled("bert-mini")).observe(observation) == answer


def test_the_padding_of_a_file_is_told(peer: Peer, bundled: Source) -> None:
    answer = peer("nanotoken").load(bundled("options-mini")).observe(Encode("a"))
    assert answer == Encoded(
        ids=(0, 0, 0, 0, 2, 4, 43, 3),
        tokens=("[PAD]",) * 4 + ("[CLS]", "[TASK]", "a", "[SEP]"),
        type_ids=(0, 0, 0, 0, 0, 0, 1, 0),
        attention_mask=(0, 0, 0, 0, 1, 1, 1, 1),
        special_tokens_mask=(1, 1, 1, 1, 1, 1, 0, 1),
    )


def test_the_truncation_of_a_file_is_told(peer: Peer, bundled: Source) -> None:
    answer = peer("nanotoken").load(bundled("options-mini")).observe(plain("b" + " a" * 40))
    assert isinstance(answer, Encoded)
    assert answer.ids == (43,) * 32


def test_several_texts_are_padded_to_the_longest(peer: Peer, bundled: Source) -> None:
    texts = EncodeBatch((Encode("a"), Encode("a a a a a a a")))
    answer = peer("nanotoken").load(bundled("options-mini")).observe(texts)
    assert isinstance(answer, EncodedBatch)
    assert [each.ids for each in answer.encodings] == [(0,) * 12 + (2, 4, 43, 3), (0,) * 6 + (2, 4, *[43] * 7, 3)]


FIXED = {"strategy": {"Fixed": 5}, "direction": "Left", "pad_id": 7, "pad_to_multiple_of": None}
PADDED = {"padding": "max_length", "padding_side": "left", "pad_id": 7, "pad_to_multiple_of": None, "max_length": 5}
CUT = {"max_length": 4, "direction": "Left"}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({}, {}),
        ({"padding": FIXED}, PADDED),
        ({"truncation": CUT}, {"truncation": True, "max_length": 4, "truncation_side": "left"}),
        ({"truncation": CUT, "padding": FIXED}, {"truncation": True, "max_length": 4, "truncation_side": "left"}),
        (
            {"truncation": CUT | {"max_length": 5}, "padding": FIXED},
            PADDED | {"truncation": True, "truncation_side": "left"},
        ),
    ],
)
def test_what_is_told_of_lengths(document: dict[str, Any], told: dict[str, Any]) -> None:
    assert lengths(document) == told


def test_the_vocabulary_has_added_tokens(peer: Peer, bundled: Source) -> None:
    source = bundled("options-mini")
    vocabulary = peer("nanotoken").load(source).vocabulary()
    assert isinstance(vocabulary, dict)
    assert vocabulary["<|endoftext|>"] == 1015
    assert vocabulary == load_implementation("tokenizers").load(source).vocabulary()
