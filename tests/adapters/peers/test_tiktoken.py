"""What tiktoken answers, exactly, through its adapter."""

from __future__ import annotations

import pytest
from peer_questions import Document, Lay, Peer, Source, kept, plain

from tokenizer_adapters.contract import (
    Decode,
    Encode,
    Encoded,
    Failed,
    Observation,
    OffsetUnit,
    Outcome,
    Text,
    Unsupported,
)

ANSWERS: list[tuple[Observation, Outcome]] = [
    (plain(""), Encoded(ids=(), offsets=())),
    (
        plain("é京 <|endoftext|>b"),
        Encoded(ids=(412, 544, 105, 220, 1999, 65), offsets=((0, 2), (2, 4), (4, 5), (5, 6), (6, 19), (19, 20))),
    ),
    (Encode("a"), Unsupported("tiktoken adds no special tokens")),
    (Encode("a", pair="b"), Unsupported("tiktoken takes no pair of texts")),
    (kept((64, 1999, 65)), Text("a<|endoftext|>b")),
    (kept((128, 64)), Text("\ufffda")),
    (Decode((64,)), Unsupported("tiktoken never leaves special tokens out when it decodes")),
]


@pytest.mark.parametrize(("observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, observation: Observation, answer: Outcome) -> None:
    assert peer("tiktoken").load(bundled("gpt2-mini")).observe(observation) == answer


def test_offsets_count_bytes(peer: Peer) -> None:
    assert peer("tiktoken").info.offset_unit is OffsetUnit.UTF8_BYTES


def test_ids_and_special_tokens_in_any_order_are_put_back(peer: Peer, lay: Lay, byte_level: Document) -> None:
    size = len(byte_level["model"]["vocab"])
    special = byte_level["added_tokens"][0]
    byte_level["added_tokens"] = [
        special | {"id": size + 1, "content": "<two>"},
        special,
        special | {"id": size, "content": "<one>"},
    ]
    vocab = byte_level["model"]["vocab"]
    subject = peer("tiktoken").load(lay(byte_level))
    ids = (0, vocab["ab"], size, vocab["Ġab"], size + 1)
    answer = subject.observe(plain("<end>ab<one> ab<two>"))
    assert answer == Encoded(ids=ids, offsets=((0, 5), (5, 7), (7, 12), (12, 15), (15, 20)))
    assert subject.observe(kept(ids)) == Text("<end>ab<one> ab<two>")
    unknown = subject.observe(kept((size + 2,)))
    assert isinstance(unknown, Failed)
    assert unknown.kind == "KeyError"


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
ROBERTA = {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "add_prefix_space": False}
TEMPLATE = {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}


@pytest.mark.parametrize(
    ("post_processor", "shown"),
    [
        (None, True),
        (TEMPLATE, True),
        (BYTE_LEVEL, True),
        (BYTE_LEVEL | {"trim_offsets": True}, False),
        (ROBERTA, False),
        (ROBERTA | {"trim_offsets": False}, True),
        ({"type": "Sequence", "processors": [TEMPLATE, BYTE_LEVEL]}, True),
        ({"type": "Sequence", "processors": [TEMPLATE, BYTE_LEVEL | {"trim_offsets": True}]}, False),
    ],
)
def test_offsets_are_shown_where_the_file_trims_none(
    peer: Peer, lay: Lay, byte_level: Document, post_processor: Document | None, shown: bool
) -> None:
    byte_level["post_processor"] = post_processor
    answer = peer("tiktoken").load(lay(byte_level)).observe(plain("ab ab"))
    assert isinstance(answer, Encoded)
    assert answer.offsets == (((0, 2), (2, 5)) if shown else None)
