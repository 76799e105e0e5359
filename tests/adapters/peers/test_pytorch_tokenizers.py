"""The adapter of ``pytorch-tokenizers``: exact answers of its two readers, about small models."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from peer_questions import Document, Lay, LayPieces, Peer, Template, kept, plain

from tokenizer_adapters.contract import CannotLoadError, Decode, Encode, Encoded, Failed, Text, Unsupported
from tokenizer_adapters.peers.pytorch_tokenizers import _load
from tokenizer_adapters.pipeline import UnfitTokenizerError

ONE_BY_ONE = Unsupported("pytorch-tokenizers decodes single tokens of a SentencePiece model, not sequences")


# SPTokenizer ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["Unigram", "BPE"])
def test_a_sentencepiece_model_has_the_ids_of_the_tokenizer_json(peer: Peer, lay_pieces: LayPieces, kind: str) -> None:
    # HFTokenizer takes no Precompiled normalizer, so that a BPE comes to SPTokenizer too.
    normalizer = {"type": "Precompiled", "precompiled_charsmap": None} if kind == "BPE" else None
    source = lay_pieces(kind, normalizer=normalizer)
    subject = peer("pytorch-tokenizers").load(source)
    assert subject.files == (str(Path(source.file).with_name("spiece.model")),)
    assert subject.observe(plain("a<user>b é京ﬁ a")) == Encoded(ids=(6, 4, 7, 5, 8, 3, 10, 11, 6))
    assert subject.observe(plain("a</s>b")) == Encoded(ids=(6, 3, 7))
    assert subject.observe(plain("")) == Encoded(ids=())
    assert subject.observe(Decode((6, 7))) == ONE_BY_ONE
    assert subject.observe(kept((6, 7))) == ONE_BY_ONE


@pytest.mark.parametrize("without", [(), ("<s>",)])
def test_a_sentencepiece_model_puts_the_tokens_of_the_template_that_it_has(
    peer: Peer, lay_pieces: LayPieces, template: Template, without: tuple[str, ...]
) -> None:
    processor = template("A", "</s>")
    processor["special_tokens"] = {"</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}
    subject = peer("pytorch-tokenizers").load(lay_pieces("Unigram", without=without, post_processor=processor))
    assert subject.observe(Encode("ab")) == Encoded(ids=(6, 7, 2))


# HFTokenizer ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def with_template(byte_level: Document, template: Template) -> Document:
    """The byte-level BPE with the special token "<s>" (262) beside "<end>" (0), and both around a text."""
    special = byte_level["added_tokens"][0]
    byte_level["added_tokens"].append({**special, "id": 262, "content": "<s>"})
    byte_level["post_processor"] = template("<s>", "A", "<end>")
    byte_level["post_processor"]["special_tokens"] = {
        token: {"id": token, "ids": [id_], "tokens": [token]} for token, id_ in (("<s>", 262), ("<end>", 0))
    }
    return byte_level


def test_a_tokenizer_json_is_read_with_its_template(peer: Peer, lay: Lay, with_template: Document) -> None:
    source = lay(with_template)
    vocab = with_template["model"]["vocab"]
    subject = peer("pytorch-tokenizers").load(source)
    assert subject.files == (source.file,)
    assert subject.observe(Encode("ab é")) == Encoded(ids=(262, vocab["ab"], vocab["Ġ"], vocab["Ã©"], 0))
    assert subject.observe(plain("ab<end>é")) == Encoded(ids=(vocab["ab"], 0, vocab["Ã©"]))
    assert subject.observe(plain("")) == Encoded(ids=())
    assert subject.observe(Encode("")) == Encoded(ids=(262, 0))
    assert subject.observe(Encode("a", pair="b")) == Unsupported("pytorch-tokenizers takes no pair of texts")


def test_ids_of_a_tokenizer_json_are_decoded_with_and_without_special_tokens(
    peer: Peer, lay: Lay, with_template: Document
) -> None:
    vocab = with_template["model"]["vocab"]
    subject = peer("pytorch-tokenizers").load(lay(with_template))
    ids = (262, vocab["Ġab"], vocab["Ã©"], 0)
    assert subject.observe(Decode(ids)) == Text(" abé")
    assert subject.observe(kept(ids)) == Text("<s> abé<end>")
    failed = subject.observe(Decode((vocab["Ã"],)))
    assert isinstance(failed, Failed)
    assert failed.kind == "UnicodeDecodeError"
    assert subject.observe(Decode((9999,))) == Failed("RuntimeError", "Tokenizer error: DecodeFailure")


def test_a_tokenizer_json_that_it_takes_is_not_left_for_a_sentencepiece_model(
    peer: Peer, lay_pieces: LayPieces, byte_level: Document
) -> None:
    source = lay_pieces("BPE", **byte_level)
    assert peer("pytorch-tokenizers").load(source).files == (source.file,)


def test_what_the_library_says_is_the_reason(peer: Peer, lay: Lay, byte_level: Document) -> None:
    byte_level["post_processor"] = {"type": "RobertaProcessing", "sep": ["<end>", 0], "cls": ["<end>", 0]}
    with pytest.raises(
        CannotLoadError, match=r": Failed to load HF tokenizer: .*Unsupported PostProcessor type: RobertaProcessing$"
    ):
        peer("pytorch-tokenizers").load(lay(byte_level))


def test_the_last_line_that_the_library_says_is_the_reason(capfd: pytest.CaptureFixture[str]) -> None:
    class Silent:
        def load(self, file: str) -> None:
            raise RuntimeError(f"cannot load {file}")

    class Loud(Silent):
        def load(self, file: str) -> None:
            os.write(2, b"E tokenizers:a.cpp:1] first\nE tokenizers:b.cpp:23] a list of words\n")
            super().load(file)

    with pytest.raises(UnfitTokenizerError, match=r"^cannot load x: a list of words$"):
        _load(Loud(), "x")
    with pytest.raises(UnfitTokenizerError, match=r"^cannot load x: it does not say why$"):
        _load(Silent(), "x")
    os.write(2, b"heard again")
    assert capfd.readouterr().err == "heard again"
