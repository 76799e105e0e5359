"""What OpenVINO Tokenizers answers, exactly, through its adapter, in the environment of its own."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest
from peer_questions import Lay, Peer, Source, kept, plain

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Failed,
    Field,
    Observation,
    Outcome,
    Stage,
    Text,
    Unsupported,
)

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation


@pytest.fixture(scope="module")
def openvino(peer: Peer) -> Implementation:
    """One process for all these tests, as to start takes long."""
    return functools.cache(peer)("openvino")


def encoded(ids: tuple[int, ...], types: tuple[int, ...] | None = None) -> Encoded:
    """An answer with all fields; type ids are 0 where nothing is said, the attention is 1."""
    return Encoded(ids=ids, type_ids=types or (0,) * len(ids), attention_mask=(1,) * len(ids))


NO_PAIR = Unsupported("openvino takes no pair of texts with this template: it makes the model of one text all the same")

ANSWERS: list[tuple[str, Observation, Outcome]] = [
    ("bert-mini", plain(""), encoded(())),
    ("bert-mini", Encode(""), encoded((2, 3))),
    ("bert-mini", plain("é京[CLS]b"), encoded((47, 1, 2, 44))),
    ("bert-mini", Encode("a", "b"), encoded((2, 43, 3, 44, 3), (0, 0, 0, 1, 1))),
    ("bert-mini", Encode("a", "b", add_special_tokens=False), encoded((43, 44), (0, 1))),
    ("bert-mini", Decode((2, 43, 44, 3)), Text("a b")),
    ("bert-mini", kept((2, 43, 44, 3)), Text("[CLS] a b [SEP]")),
    ("bert-mini", Decode(()), Text("")),
    ("gpt2-mini", plain("é京"), encoded((412, 544, 105))),
    ("gpt2-mini", plain("a\0"), encoded((64,))),
    ("gpt2-mini", Encode("a", "b"), encoded((64, 65), (0, 0))),
    ("gpt2-mini", kept((2, 43, 44, 3)), Text("#LM$")),
    ("xlnet-mini", Encode("a"), encoded((14, 4, 3), (0, 0, 2))),
    ("xlnet-mini", Encode("a", "b"), NO_PAIR),
    ("xlnet-mini", Decode((2, 43, 44, 3)), Text("st la")),
    ("xlnet-mini", kept((2, 43, 44, 3)), Text("</s>st la<cls>")),
]


@pytest.mark.parametrize(("tokenizer", "question", "answer"), ANSWERS)
def test_it_answers_so(
    openvino: Implementation, bundled: Source, tokenizer: str, question: Observation, answer: Outcome
) -> None:
    assert openvino.load(bundled(tokenizer)).observe(question) == answer


def test_it_says_what_it_is_and_how_it_is_made(openvino: Implementation) -> None:
    info = openvino.info
    assert (info.name, info.version, info.install) == ("openvino", "2026.4.1.0", "tokconf environments add openvino")
    assert info.stages == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}
    assert info.fields == {Field.TEXT, Field.IDS, Field.TYPE_IDS, Field.ATTENTION_MASK}


def test_a_template_of_which_it_makes_no_pair_is_not_shown(openvino: Implementation, bundled: Source) -> None:
    assert openvino.load(bundled("xlnet-mini")).shows.keys() == {Stage.MODEL, Stage.DECODE}
    assert openvino.load(bundled("bert-mini")).shows.keys() == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}


def test_what_it_raises_is_its_error_and_it_goes_on(openvino: Implementation, bundled: Source) -> None:
    subject = openvino.load(bundled("bert-mini"))
    failed = subject.observe(Encode("", ""))
    assert isinstance(failed, Failed)
    assert failed.kind == "RuntimeError"
    assert subject.observe(Encode("a")) == encoded((2, 43, 3))


def test_what_it_has_no_call_for_is_unsupported(openvino: Implementation, bundled: Source) -> None:
    subject = openvino.load(bundled("bert-mini"))
    assert subject.observe(Encode(("a", "b"))) == Unsupported("openvino takes no pre-split input")
    assert subject.vocabulary() == Unsupported("openvino does not list its vocabulary")


@pytest.mark.parametrize(
    ("part", "component", "message"),
    [
        ("normalizer", {"type": "Nmt"}, "Normalizer type 'Nmt' is not supported"),
        ("pre_tokenizer", {"type": "UnicodeScripts"}, "Pre-tokenizer type 'UnicodeScripts' is not supported"),
    ],
)
def test_a_component_that_it_does_not_know_is_refused_in_its_words(
    openvino: Implementation, byte_level: dict[str, Any], lay: Lay, part: str, component: dict[str, str], message: str
) -> None:
    with pytest.raises(CannotLoadError, match=message) as caught:
        openvino.load(lay(byte_level | {part: component}))
    assert "\n" not in str(caught.value)
