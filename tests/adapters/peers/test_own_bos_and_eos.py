"""Peers that put their own bos and eos: the ids of a small SentencePiece model, and templates of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from peer_questions import plain

from tokenizer_adapters.contract import Encode, Unsupported

if TYPE_CHECKING:
    from peer_questions import LayPieces, Peer, Template

pytestmark = pytest.mark.parametrize("name", ["mistral-common", "pytorch-tokenizers", "sentencepiece"])


def other_template(name: str) -> Unsupported:
    return Unsupported(
        f"{name} puts its own bos before and its own eos after a text, each if told so, and this tokenizer's "
        "template puts others"
    )


@pytest.mark.parametrize(
    ("around", "ids"),
    [(("A",), (6,)), (("<s>", "A"), (1, 6)), (("A", "</s>"), (6, 2)), (("<s>", "A", "</s>"), (1, 6, 2))],
)
def test_bos_and_eos_are_those_of_the_template(
    peer: Peer, lay_pieces: LayPieces, template: Template, name: str, around: tuple[str, ...], ids: tuple[int, ...]
) -> None:
    subject = peer(name).load(lay_pieces(post_processor=template(*around)))
    assert subject.observe(Encode("a")).ids == ids
    assert subject.observe(Encode("a", pair="b")) == Unsupported(f"{name} takes no pair of texts")


@pytest.mark.parametrize(
    "around",
    [
        ("[SEP]", "A"),
        ("A", "[SEP]"),
        ("</s>", "A"),
        ("A", "<s>"),
        ("<s>", "<s>", "A"),
        ("A", "</s>", "</s>"),
        ("A", "</s>", "[SEP]"),
    ],
)
def test_a_template_of_other_tokens_cannot_be_asked_for(
    peer: Peer, lay_pieces: LayPieces, template: Template, name: str, around: tuple[str, ...]
) -> None:
    subject = peer(name).load(lay_pieces(post_processor=template(*around)))
    assert subject.observe(Encode("a")) == other_template(name)
    assert subject.observe(plain("a")).ids == (6,)


def test_bos_and_eos_that_the_tokenizer_json_moved(
    peer: Peer, lay_pieces: LayPieces, template: Template, name: str
) -> None:
    around = template("<s>", "A", "</s>")
    around["special_tokens"]["<s>"]["ids"] = [2]
    around["special_tokens"]["</s>"]["ids"] = [1]
    subject = peer(name).load(lay_pieces(first=("<pad>", "</s>", "<s>", "<unk>"), post_processor=around))
    assert subject.observe(Encode("a")).ids == (2, 6, 1)


@pytest.mark.parametrize(("lacking", "around", "ids"), [("<s>", ("A", "</s>"), (6, 2)), ("</s>", ("<s>", "A"), (1, 6))])
def test_a_model_that_lacks_bos_or_eos(
    peer: Peer,
    lay_pieces: LayPieces,
    template: Template,
    name: str,
    lacking: str,
    around: tuple[str, ...],
    ids: tuple[int, ...],
) -> None:
    source = lay_pieces(without=(lacking,), post_processor=template(*around))
    assert peer(name).load(source).observe(Encode("a")).ids == ids
    both = lay_pieces(without=(lacking,), post_processor=template("<s>", "A", "</s>"))
    assert peer(name).load(both).observe(Encode("a")) == other_template(name)
