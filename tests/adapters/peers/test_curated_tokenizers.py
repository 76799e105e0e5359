"""The adapter of ``curated-tokenizers``: exact answers of its processors, about small models."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from peer_questions import Document, Lay, LayPieces, Peer, Source, Template, kept, plain

from tokenizer_adapters.contract import CannotLoadError, Decode, Encode, Encoded, Failed, Normalize, Text, Unsupported

CALLER_ADDS = Unsupported("curated-tokenizers leaves it to its caller to put special tokens around a text")


# SentencePieceProcessor -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "unknown"), [("Unigram", "京"), ("BPE", "<unk>")])
def test_pieces_of_a_sentencepiece_model_have_the_ids_of_the_tokenizer_json(
    peer: Peer, lay_pieces: LayPieces, kind: str, unknown: str
) -> None:
    source = lay_pieces(kind)
    subject = peer("curated-tokenizers").load(source)
    assert subject.files == (str(Path(source.file).with_name("spiece.model")),)
    assert subject.observe(plain("a<user>b é京ﬁ a")) == Encoded(
        ids=(6, 4, 7, 5, 8, 3, 10, 11, 6), tokens=("▁a", "<user>", "b", "▁", "é", unknown, "f", "i", "▁a")
    )
    assert subject.observe(plain("a</s>b")).ids == (6, 3, 7)
    assert subject.observe(plain("")) == Encoded(ids=(), tokens=())


def test_nothing_is_put_around_a_text(peer: Peer, lay_pieces: LayPieces, template: Template) -> None:
    subject = peer("curated-tokenizers").load(lay_pieces(post_processor=template("<s>", "A", "</s>")))
    assert subject.observe(Encode("a")) == CALLER_ADDS
    assert subject.observe(Encode("a", pair="b")) == Unsupported("curated-tokenizers takes no pair of texts")
    assert subject.observe(Normalize("a")) == Unsupported(
        "curated-tokenizers does not show what its normalizer makes of a text"
    )


def test_a_sentencepiece_model_is_decoded_without_control_symbols_only(peer: Peer, lay_pieces: LayPieces) -> None:
    subject = peer("curated-tokenizers").load(lay_pieces())
    ids = (1, 6, 4, 7, 5, 8, 10, 2)
    assert subject.observe(Decode(ids)) == Text("a<user>b éf")
    assert subject.observe(kept(ids)) == Unsupported(
        "curated-tokenizers decodes the control symbols of a SentencePiece model into nothing, whatever it is asked"
    )
    assert subject.observe(Decode((6, 3))) == Unsupported(
        "curated-tokenizers leaves out control symbols only; the id 3 is none in its model"
    )
    assert subject.observe(Decode((6, 14))) == Unsupported(
        "curated-tokenizers has no token for the id 14 in what it reads"
    )


def test_the_vocabulary_of_a_sentencepiece_model_has_the_ids_of_the_tokenizer_json(
    peer: Peer, lay_pieces: LayPieces
) -> None:
    vocabulary = peer("curated-tokenizers").load(lay_pieces()).vocabulary()
    assert isinstance(vocabulary, dict)
    assert len(vocabulary) == 12
    assert {piece: vocabulary[piece] for piece in ("<unk>", "<s>", "</s>", "<user>", "▁a", "a")} == {
        "<unk>": 3,
        "<s>": 1,
        "</s>": 2,
        "<user>": 4,
        "▁a": 6,
        "a": 12,
    }


# ByteBPEProcessor -----------------------------------------------------------------------------------------------------


def test_byte_level_pieces_are_those_of_the_vocabulary(peer: Peer, lay: Lay, byte_level: Document) -> None:
    source = lay(byte_level)
    vocab = byte_level["model"]["vocab"]
    subject = peer("curated-tokenizers").load(source)
    assert subject.files == (source.file,)
    assert subject.observe(plain("abab ab éx")) == Encoded(
        ids=tuple(vocab[token] for token in ("abab", "Ġab", "Ġ", "Ã©", "x")), tokens=("abab", "Ġab", "Ġ", "Ã©", "x")
    )
    assert subject.observe(plain("")) == Encoded(ids=(), tokens=())
    assert subject.observe(plain("a<end>")).tokens == ("a", "<", "e", "n", "d", ">")
    assert subject.observe(Encode("a")) == CALLER_ADDS
    assert subject.vocabulary() == vocab


def test_byte_level_ids_are_decoded_with_special_tokens_only(peer: Peer, lay: Lay, byte_level: Document) -> None:
    vocab = byte_level["model"]["vocab"]
    subject = peer("curated-tokenizers").load(lay(byte_level))
    ids = (vocab["Ġab"], vocab["Ã©"], 0)
    assert subject.observe(kept(ids)) == Text(" abé<end>")
    assert subject.observe(Decode(ids)) == Unsupported(
        "curated-tokenizers never leaves special tokens out when it decodes"
    )
    failed = subject.observe(kept((vocab["Ã"],)))
    assert isinstance(failed, Failed)
    assert failed.kind == "UnicodeDecodeError"
    failed = subject.observe(kept((9999,)))
    assert failed == Failed("ValueError", "Unknown piece identifier: 9999")


def test_curated_tokenizers_refuses_another_split_than_that_of_gpt2(peer: Peer, lay: Lay, byte_level: Document) -> None:
    byte_level["pre_tokenizer"] = {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True}
    with pytest.raises(CannotLoadError, match="without a prefix space"):
        peer("curated-tokenizers").load(lay(byte_level))


# WordPieceProcessor ---------------------------------------------------------------------------------------------------


def test_wordpiece_is_left_to_those_who_split_words(peer: Peer, bundled: Source) -> None:
    reason = (
        "its WordPieceProcessor encodes single words, and leaves normalizing and splitting to its caller "
        "(curated-transformers)"
    )
    with pytest.raises(CannotLoadError, match=re.escape(reason)):
        peer("curated-tokenizers").load(bundled("bert-mini"))
