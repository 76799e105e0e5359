"""What splintr-rs answers, exactly, through its adapter."""

from __future__ import annotations

import pytest
from peer_questions import Peer, Source, kept, plain

from tokenizer_adapters.contract import (
    Chunks,
    Decode,
    DecodeStream,
    Encode,
    Encoded,
    Observation,
    Outcome,
    Text,
    Unsupported,
)

ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("bert-mini", plain(""), Encoded(ids=())),
    ("bert-mini", Encode(""), Encoded(ids=(2, 3))),
    ("bert-mini", plain("a[CLS]b"), Encoded(ids=(43, 2, 44))),
    ("bert-mini", Encode("a[CLS]b"), Encoded(ids=(2, 43, 2, 44, 3))),
    ("bert-mini", plain("é 京"), Encoded(ids=(47, 1))),
    ("bert-mini", Encode("a", pair="b"), Unsupported("splintr-rs takes no pair of texts")),
    ("bert-mini", Decode((2, 43, 44, 3)), Text("a b")),
    ("bert-mini", kept((2, 43, 44, 3)), Text("[CLS] a b [SEP]")),
    ("bert-mini", DecodeStream((2, 43, 44, 3)), Chunks((None, "a", " b", None))),
    ("bert-mini", DecodeStream((2, 43, 44, 3), skip_special_tokens=False), Chunks(("[CLS]", " a", " b", " [SEP]"))),
    ("xlnet-mini", Encode("a<s>b"), Encoded(ids=(14, 1, 86, 4, 3))),
    ("xlnet-mini", Decode((14, 1, 86)), Text("a b")),
    # The first token is a U+2581 that the decoder drops: an empty addition is none.
    ("xlnet-mini", DecodeStream((10, 14)), Chunks((None, " a"))),
    ("gpt2-mini", plain("é<|endoftext|>b"), Encoded(ids=(412, 1999, 65))),
    ("gpt2-mini", Decode((64, 1999, 65)), Text("ab")),
    ("gpt2-mini", kept((64, 1999, 65)), Text("a<|endoftext|>b")),
    ("gpt2-mini", Decode((128, 64)), Text("\ufffda")),
    ("gpt2-mini", kept((64, 128)), Text("a\ufffd")),
    ("gpt2-mini", DecodeStream((127, 102, 1999, 64)), Chunks((None, "é", None, "a"))),
    (
        "gpt2-mini",
        DecodeStream((127, 102, 1999, 64), skip_special_tokens=False),
        Chunks((None, "é", "<|endoftext|>", "a")),
    ),
]


@pytest.mark.parametrize(("tokenizer", "observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, tokenizer: str, observation: Observation, answer: Outcome) -> None:
    assert peer("splintr-rs").load(bundled(tokenizer)).observe(observation) == answer


def test_the_vocabulary_is_not_shown(peer: Peer, bundled: Source) -> None:
    assert peer("splintr-rs").load(bundled("bert-mini")).vocabulary() == Unsupported(
        "splintr-rs shows what the tokens of its vocabulary add to a text, not the tokens"
    )
