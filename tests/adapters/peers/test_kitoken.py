"""What kitoken answers, exactly, through its adapter."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    Decode,
    Encode,
    Encoded,
    Implementation,
    Observation,
    Outcome,
    Text,
    TokenizerSource,
    Unsupported,
)

Peer = Callable[[str], Implementation]
Source = Callable[[str], TokenizerSource]

NO_TEMPLATES = Unsupported("kitoken reads the templates of a file for its caller to look up, and does not apply them")

ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("bert-mini", Encode("", add_special_tokens=False), Encoded(ids=())),
    ("bert-mini", Encode("a[CLS]b", add_special_tokens=False), Encoded(ids=(43, 2, 44))),
    ("bert-mini", Encode("é 京", add_special_tokens=False), Encoded(ids=(47, 1))),
    ("bert-mini", Encode("a"), NO_TEMPLATES),
    ("bert-mini", Encode("a", pair="b"), Unsupported("kitoken takes no pair of texts")),
    ("bert-mini", Decode((2, 43, 44, 3)), Text("a b")),
    ("bert-mini", Decode((2, 43, 44, 3), skip_special_tokens=False), Text("[CLS] a b [SEP]")),
    ("xlnet-mini", Encode("a<s>b", add_special_tokens=False), Encoded(ids=(14, 1, 86))),
    ("xlnet-mini", Decode((14, 1, 86)), Text("a b")),
    ("xlnet-mini", Decode((14, 1, 86), skip_special_tokens=False), Text("a<s> b")),
    ("gpt2-mini", Encode("é<|endoftext|>b", add_special_tokens=False), Encoded(ids=(412, 1999, 65))),
    ("gpt2-mini", Decode((64, 1999, 65)), Text("ab")),
    ("gpt2-mini", Decode((64, 1999, 65), skip_special_tokens=False), Text("a<|endoftext|>b")),
    ("gpt2-mini", Decode((128, 64)), Text("\ufffda")),
    ("gpt2-mini", Decode((64, 128), skip_special_tokens=False), Text("a\ufffd")),
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
