"""What gigatoken answers, exactly, through its adapter, in the environment of its own."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import pytest
from peer_questions import Peer, Source, kept, plain

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Observation,
    Outcome,
    Stage,
    Text,
    Unsupported,
)
from tokenizer_adapters.peers.gigatoken import OTHER_TEMPLATE, knows_template

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation


@pytest.fixture(scope="module")
def gigatoken(peer: Peer) -> Implementation:
    """One process for all these tests, as to start takes long."""
    return functools.cache(peer)("gigatoken")


NO_TEMPLATE = Unsupported(f"gigatoken {OTHER_TEMPLATE}")

ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("gpt2-mini", plain(""), Encoded(ids=(), tokens=())),
    ("gpt2-mini", plain("a b"), Encoded(ids=(64, 267), tokens=("a", "Ġb"))),
    ("gpt2-mini", Decode((64, 267)), Text("a b")),
    ("gpt2-mini", Encode("a", "b"), Unsupported("gigatoken takes no pair of texts")),
    ("roberta-mini", plain("a"), Encoded(ids=(262,), tokens=("Ġa",))),
    ("roberta-mini", Encode("a"), NO_TEMPLATE),
    ("roberta-mini", EncodeBatch((Encode("a"),)), NO_TEMPLATE),
    ("llama-mini", Encode("a"), Encoded(ids=(1, 341), tokens=("<s>", "▁a"))),
    (
        "llama-mini",
        EncodeBatch((Encode("a"), Encode(""))),
        EncodedBatch((Encoded(ids=(1, 341), tokens=("<s>", "▁a")), Encoded(ids=(1,), tokens=("<s>",)))),
    ),
    ("llama-mini", kept((1, 341)), Text("<s> a")),
]


@pytest.mark.parametrize(("tokenizer", "question", "answer"), ANSWERS)
def test_it_answers_so(
    gigatoken: Implementation, bundled: Source, tokenizer: str, question: Observation, answer: Outcome
) -> None:
    assert gigatoken.load(bundled(tokenizer)).observe(question) == answer


def test_it_says_what_it_is_and_how_it_is_made(gigatoken: Implementation) -> None:
    info = gigatoken.info
    assert (info.name, info.version, info.install) == ("gigatoken", "0.10.0", "tokconf environments add gigatoken")
    assert info.stages == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}


def test_what_it_does_not_read_it_says(gigatoken: Implementation, bundled: Source) -> None:
    with pytest.raises(CannotLoadError, match='Unsupported model type "WordPiece"') as caught:
        gigatoken.load(bundled("bert-mini"))
    assert "\n" not in str(caught.value)


def test_a_template_that_it_refuses_is_known_beforehand() -> None:
    class Refusing:
        def encode(self, text: str) -> None:
            raise ValueError(f"cannot add special tokens to {text!r}")

    assert not knows_template(Refusing())
