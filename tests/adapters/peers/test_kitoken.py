"""What kitoken answers, exactly, through its adapter."""

from __future__ import annotations

import pytest
from peer_questions import Peer, Source, kept, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import Decode, Encode, Encoded, Observation, Outcome, Text, Unsupported

NO_TEMPLATES = Unsupported("kitoken reads the templates of a file for its caller to look up, and does not apply them")

ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("bert-mini", plain(""), Encoded(ids=())),
    ("bert-mini", plain("a[CLS]b"), Encoded(ids=(43, 2, 44))),
    ("bert-mini", plain("é 京"), Encoded(ids=(47, 1))),
    ("bert-mini", Encode("a"), NO_TEMPLATES),
    ("bert-mini", Encode("a", pair="b"), Unsupported("kitoken takes no pair of texts")),
    ("bert-mini", Decode((2, 43, 44, 3)), Text("a b")),
    ("bert-mini", kept((2, 43, 44, 3)), Text("[CLS] a b [SEP]")),
    ("xlnet-mini", plain("a<s>b"), Encoded(ids=(14, 1, 86))),
    ("xlnet-mini", Decode((14, 1, 86)), Text("a b")),
    ("xlnet-mini", kept((14, 1, 86)), Text("a<s> b")),
    ("gpt2-mini", plain("é<|endoftext|>b"), Encoded(ids=(412, 1999, 65))),
    ("gpt2-mini", Decode((64, 1999, 65)), Text("ab")),
    ("gpt2-mini", kept((64, 1999, 65)), Text("a<|endoftext|>b")),
    ("gpt2-mini", Decode((128, 64)), Text("\ufffda")),
    ("gpt2-mini", kept((64, 128)), Text("a\ufffd")),
]


@pytest.mark.parametrize(("tokenizer", "observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, tokenizer: str, observation: Observation, answer: Outcome) -> None:
    assert peer("kitoken").load(bundled(tokenizer)).observe(observation) == answer


@pytest.mark.parametrize("tokenizer", ["bert-mini", "gpt2-mini", "roberta-mini", "xlnet-mini"])
def test_the_vocabulary_is_spelled_as_the_file_spells_it(peer: Peer, bundled: Source, tokenizer: str) -> None:
    source = bundled(tokenizer)
    assert peer("kitoken").load(source).vocabulary() == load_implementation("tokenizers").load(source).vocabulary()


def test_a_vocabulary_with_byte_tokens_is_not_shown(peer: Peer, bundled: Source) -> None:
    assert peer("kitoken").load(bundled("llama-mini")).vocabulary() == Unsupported(
        "kitoken keeps byte tokens as bytes, not as its vocabulary spells them"
    )
