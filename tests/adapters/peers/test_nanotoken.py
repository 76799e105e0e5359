"""What nanotoken answers, exactly, through its adapter."""

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

ANSWERS: list[tuple[Observation, Outcome]] = [
    (Encode("", add_special_tokens=False), Encoded(ids=())),
    (Encode(""), Encoded(ids=(2, 3))),
    (Encode("é京[CLS]b", add_special_tokens=False), Encoded(ids=(47, 1, 2, 44))),
    (Encode("é京[CLS]b"), Encoded(ids=(2, 47, 1, 2, 44, 3))),
    (Encode("a", pair="b"), Unsupported("nanotoken takes no pair of texts")),
    (Decode((2, 43, 1, 44, 3)), Text("a b")),
    (Decode((2, 43, 1, 44, 3), skip_special_tokens=False), Text("[CLS] a [UNK] b [SEP]")),
]


@pytest.mark.parametrize(("observation", "answer"), ANSWERS)
def test_answers(peer: Peer, bundled: Source, observation: Observation, answer: Outcome) -> None:
    assert peer("nanotoken").load(bundled("bert-mini")).observe(observation) == answer


def test_the_vocabulary_has_added_tokens(peer: Peer, bundled: Source) -> None:
    source = bundled("options-mini")
    vocabulary = peer("nanotoken").load(source).vocabulary()
    assert isinstance(vocabulary, dict)
    assert vocabulary["<|endoftext|>"] == 1015
    assert vocabulary == load_implementation("tokenizers").load(source).vocabulary()
