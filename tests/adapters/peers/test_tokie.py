"""What tokie answers, exactly, through its adapter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from peer_questions import Document, Lay, Peer, Source, encoding, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Observation,
    OffsetUnit,
    Outcome,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.peers.tokie import set_padding, set_truncation

TRUNCATION = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
PADDING = {
    "strategy": "BatchLongest",
    "direction": "Right",
    "pad_to_multiple_of": None,
    "pad_id": 7,
    "pad_type_id": 1,
    "pad_token": "#",
}


ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("bert-mini", plain(""), encoding((), (), ())),
    ("bert-mini", Encode(""), encoding((2, 3), ("[CLS]", "[SEP]"), (1, 1))),
    # A special token in the text is found, and marked as one.
    ("bert-mini", plain("a[CLS]b"), encoding((43, 2, 44), ("a", "[CLS]", "b"), (0, 1, 0))),
    (
        "bert-mini",
        Encode("a[CLS]b"),
        encoding((2, 43, 2, 44, 3), ("[CLS]", "a", "[CLS]", "b", "[SEP]"), (1, 0, 1, 0, 1)),
    ),
    (
        "bert-mini",
        Encode("a", pair="b"),
        encoding((2, 43, 3, 44, 3), ("[CLS]", "a", "[SEP]", "b", "[SEP]"), (1, 0, 1, 0, 1), types=(0, 0, 0, 1, 1)),
    ),
    (
        "bert-mini",
        Encode("b", pair="a", add_special_tokens=False),
        encoding((44, 43), ("b", "a"), (0, 0), types=(0, 1)),
    ),
    (
        "bert-mini",
        EncodeBatch((Encode("a"), Encode("b c"))),
        EncodedBatch(
            (
                encoding((2, 43, 3), ("[CLS]", "a", "[SEP]"), (1, 0, 1)),
                encoding((2, 44, 45, 3), ("[CLS]", "b", "c", "[SEP]"), (1, 0, 0, 1)),
            )
        ),
    ),
    (
        "bert-mini",
        EncodeBatch((plain("a"), plain("b c"))),
        EncodedBatch((encoding((43,), ("a",), (0,)), encoding((44, 45), ("b", "c"), (0, 0)))),
    ),
    (
        "bert-mini",
        EncodeBatch((Encode("a", pair="b"),)),
        Unsupported("tokie is asked about batches of single texts only"),
    ),
    ("bert-mini", EncodeBatch((Encode(("a",)),)), Unsupported("tokie is asked about batches of single texts only")),
    # Special tokens of the template are left out, others are kept.
    ("bert-mini", Decode((2, 43, 1, 44, 3)), Text("a [UNK] b")),
    ("bert-mini", kept((2,)), Unsupported("tokie always leaves special tokens out when it decodes")),
    ("xlnet-mini", Decode((14, 86)), Text("a b")),
    ("gpt2-mini", plain("é京"), encoding((412, 544, 105), None, (0, 0, 0), offsets=((0, 2), (2, 4), (4, 5)))),
    ("gpt2-mini", Encode("é京"), encoding((412, 544, 105), None, (0, 0, 0), offsets=((0, 2), (2, 4), (4, 5)))),
    # Offsets come from a call that finds no added tokens, so here there are none.
    ("gpt2-mini", plain("é<|endoftext|>b"), encoding((412, 1999, 65), None, (0, 0, 0))),
    ("gpt2-mini", kept((64, 1999, 65)), Text("a<|endoftext|>b")),
    ("gpt2-mini", kept((128, 64)), Text("\ufffda")),
    ("gpt2-mini", Decode((64,)), Unsupported("tokie never leaves special tokens out when it decodes")),
]


@pytest.mark.parametrize(("tokenizer", "observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, tokenizer: str, observation: Observation, answer: Outcome) -> None:
    assert peer("tokie").load(bundled(tokenizer)).observe(observation) == answer


def test_offsets_count_bytes(peer: Peer) -> None:
    assert peer("tokie").info.offset_unit is OffsetUnit.UTF8_BYTES


def test_what_is_offset_under_a_template(peer: Peer, lay: Lay, byte_level: Document) -> None:
    byte_level["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]}},
    }
    byte_level["model"]["vocab"]["<s>"] = byte_level["model"]["vocab"].pop("<end>")
    byte_level["added_tokens"][0]["content"] = "<s>"
    subject = peer("tokie").load(lay(byte_level))
    ab, space_ab = (byte_level["model"]["vocab"][token] for token in ("ab", "Ġab"))
    bare = subject.observe(plain("ab ab"))
    assert bare == encoding((ab, space_ab), None, (0, 0), offsets=((0, 2), (2, 5)))
    templated = subject.observe(Encode("ab ab"))
    assert templated == encoding((0, ab, space_ab), None, (1, 0, 0), offsets=((0, 0), (0, 2), (2, 5)))


def test_offsets_of_a_normalized_text_are_not_shown(peer: Peer, lay: Lay, byte_level: Document) -> None:
    answer = peer("tokie").load(lay(byte_level | {"normalizer": {"type": "NFC"}})).observe(Encode("ab"))
    assert isinstance(answer, Encoded)
    assert answer.offsets is None


def test_the_vocabulary_of_byte_level_tokens_is_not_shown(peer: Peer, bundled: Source) -> None:
    vocabulary = peer("tokie").load(bundled("gpt2-mini")).vocabulary()
    assert vocabulary == Unsupported("tokie does not list its vocabulary")


# Truncation and padding -----------------------------------------------------------------------------------------------


def edited(bundled: Source, lay: Lay, changes: Document) -> TokenizerSource:
    document = json.loads(Path(bundled("bert-mini").file).read_text(encoding="utf-8"))
    return lay(document | changes)


@pytest.mark.parametrize(
    ("changes", "observation", "ids"),
    [
        ({}, Encode("a b c d"), (2, 43, 44, 3)),
        ({"direction": "Left"}, Encode("a b c d"), (2, 45, 46, 3)),
        ({"max_length": 3}, plain("a b c d"), (43, 44, 45)),
        ({"max_length": 6}, Encode("a b c", pair="d e f"), (2, 43, 3, 46, 47, 3)),
        ({"max_length": 7, "strategy": "OnlyFirst"}, Encode("a b c", pair="d e f"), (2, 43, 3, 46, 47, 48, 3)),
        ({"max_length": 7, "strategy": "OnlySecond"}, Encode("a b c", pair="d e f"), (2, 43, 44, 45, 3, 46, 3)),
    ],
)
def test_the_truncation_of_the_file_is_applied(
    peer: Peer, bundled: Source, lay: Lay, changes: Document, observation: Encode, ids: tuple[int, ...]
) -> None:
    source = edited(bundled, lay, {"truncation": TRUNCATION | changes})
    answer = peer("tokie").load(source).observe(observation)
    assert isinstance(answer, Encoded)
    assert answer.ids == ids
    expected = load_implementation("tokenizers").load(source).observe(observation)
    assert isinstance(expected, Encoded)
    assert expected.ids == ids


def test_the_padding_of_the_file_is_applied_to_a_text_and_to_a_batch(peer: Peer, bundled: Source, lay: Lay) -> None:
    subject = peer("tokie").load(edited(bundled, lay, {"padding": PADDING}))
    one = encoding((2, 43, 3), ("[CLS]", "a", "[SEP]"), (1, 0, 1))
    assert subject.observe(Encode("a")) == one
    assert subject.observe(EncodeBatch((Encode("a"), Encode("b c")))) == EncodedBatch(
        (
            encoding(
                (2, 43, 3, 7), ("[CLS]", "a", "[SEP]", "#"), (1, 0, 1, 0), types=(0, 0, 0, 1), attention=(1, 1, 1, 0)
            ),
            encoding((2, 44, 45, 3), ("[CLS]", "b", "c", "[SEP]"), (1, 0, 0, 1)),
        )
    )


@pytest.mark.parametrize(
    ("changes", "special", "ids"),
    [
        ({"strategy": {"Fixed": 5}}, True, (2, 43, 3, 7, 7)),
        ({"strategy": {"Fixed": 5}, "direction": "Left"}, True, (7, 7, 2, 43, 3)),
        ({"strategy": {"Fixed": 2}}, False, (43, 7)),
        ({"pad_to_multiple_of": 4}, True, (2, 43, 3, 7)),
    ],
)
def test_a_padded_text_is_a_batch_of_one(
    peer: Peer, bundled: Source, lay: Lay, changes: Document, special: bool, ids: tuple[int, ...]
) -> None:
    source = edited(bundled, lay, {"padding": PADDING | changes})
    given = Encode("a", add_special_tokens=special)
    for name in ("tokie", "tokenizers"):
        answer = peer(name).load(source).observe(given)
        assert isinstance(answer, Encoded)
        assert answer.ids == ids


def test_pairs_are_not_padded_by_any_call(peer: Peer, bundled: Source, lay: Lay) -> None:
    """Padding is for ``encode_batch`` (its documentation), which takes single texts."""
    subject = peer("tokie").load(edited(bundled, lay, {"padding": PADDING | {"strategy": {"Fixed": 9}}}))
    refusal = Unsupported("tokie pads batches of single texts alone, and no pairs")
    assert subject.observe(Encode("a", pair="b")) == refusal
    assert subject.observe(Encode("a", pair="b", add_special_tokens=False)) == refusal
    tokie = pytest.importorskip("tokie", reason="tokie is not installed")
    tokenizer = tokie.Tokenizer.from_json(bundled("bert-mini").file)
    tokenizer.enable_padding(length=9)
    assert len(tokenizer.encode_pair("a", "b")) == len(tokenizer("a", "b")) == 5


def test_all_settings_reach_the_library(bundled: Source) -> None:
    tokie = pytest.importorskip("tokie", reason="tokie is not installed")
    tokenizer = tokie.Tokenizer.from_json(bundled("bert-mini").file)
    set_truncation(tokenizer, None)
    set_padding(tokenizer, None)
    assert tokenizer.truncation is None
    assert tokenizer.padding is None
    set_truncation(tokenizer, TRUNCATION | {"stride": 2, "direction": "Left"})
    set_padding(tokenizer, PADDING | {"strategy": {"Fixed": 9}, "pad_to_multiple_of": 3, "direction": "Left"})
    assert tokenizer.truncation == {"max_length": 4, "stride": 2, "strategy": "longest_first", "direction": "left"}
    assert tokenizer.padding == {
        "length": 9,
        "direction": "left",
        "pad_to_multiple_of": 3,
        "pad_id": 7,
        "pad_type_id": 1,
    }
