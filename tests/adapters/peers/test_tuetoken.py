"""What tuetoken answers, exactly, through its adapter."""

from __future__ import annotations

import pytest
from peer_questions import Peer, Source, kept, plain

from tokenizer_adapters.contract import CannotLoadError, Decode, Encode, Encoded, Observation, Outcome, Text

ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("gpt2-mini", plain(""), Encoded(ids=(), tokens=())),
    ("gpt2-mini", plain("a b"), Encoded(ids=(64, 267), tokens=("a", "Ġb"))),
    ("gpt2-mini", Encode("a", "b"), Encoded(ids=(64, 65), tokens=("a", "b"))),
    ("gpt2-mini", Decode((64, 267)), Text("a b")),
    (
        "roberta-mini",
        Encode("a", "b"),
        Encoded(ids=(0, 68, 2, 2, 69, 2), tokens=("<s>", "a", "</s>", "</s>", "b", "</s>")),
    ),
    ("roberta-mini", Decode((0, 68, 2)), Text("a")),
    ("roberta-mini", kept((0, 68, 2)), Text("<s>a</s>")),
    ("llama-mini", plain("a</s>"), Encoded(ids=(341, 2), tokens=("▁a", "</s>"))),
]


@pytest.mark.parametrize(("tokenizer", "question", "answer"), ANSWERS)
def test_it_answers_so(peer: Peer, bundled: Source, tokenizer: str, question: Observation, answer: Outcome) -> None:
    assert peer("tuetoken").load(bundled(tokenizer)).observe(question) == answer


def test_its_vocabulary_is_that_of_the_file(peer: Peer, bundled: Source) -> None:
    vocabulary = peer("tuetoken").load(bundled("gpt2-mini")).vocabulary()
    assert isinstance(vocabulary, dict)
    assert vocabulary["a"] == 64


def test_what_it_does_not_read_it_says(peer: Peer, bundled: Source) -> None:
    with pytest.raises(CannotLoadError, match='unsupported normalizer stage "BertNormalizer"'):
        peer("tuetoken").load(bundled("bert-mini"))
