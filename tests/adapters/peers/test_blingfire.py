"""The adapter of ``blingfire``: its compiled models stand beside the vocabularies that they are of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from peer_questions import Document, Lay, Peer, Source, plain

from tokenizer_adapters import load_implementation
from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Failed,
    Normalize,
    OffsetUnit,
    Subject,
    Text,
    Unsupported,
)
from tokenizer_adapters.peers import blingfire

if TYPE_CHECKING:
    from collections.abc import Callable

WORDPIECE = {
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 41, "a": 42}},
}


@pytest.fixture
def load(peer: Peer, lay: Lay, monkeypatch: pytest.MonkeyPatch) -> Callable[[Document, str], Subject]:
    """A function that loads a document as if its vocabulary were that of a compiled model."""

    def loaded(document: Document, model: str) -> Subject:
        digest = blingfire.vocabulary_digest(document["model"]["vocab"])
        monkeypatch.setitem(blingfire.MODELS, digest, ("toy", model))
        return peer("blingfire").load(lay(document))

    return loaded


# Models and vocabularies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("digest", "checkpoint", "model"),
    [
        ("e35a33a0", "gpt2", "gpt2"),
        ("6e8b8d26", "roberta-base", "roberta"),
        ("0f052197", "bert-base-uncased", "bert_base_tok"),
        ("9dd1dce5", "bert-base-cased", "bert_base_cased_tok"),
        ("8550a78c", "bert-base-chinese", "bert_chinese"),
        ("7974e109", "bert-base-multilingual-cased", "bert_multi_cased"),
        ("1adf5643", "xlnet-base-cased", "xlnet"),
    ],
)
def test_each_known_vocabulary_has_its_model_in_the_package(
    peer: Peer, digest: str, checkpoint: str, model: str
) -> None:
    peer("blingfire")
    module = Path(pytest.importorskip("blingfire").__file__)
    known = {full[:8]: names for full, names in blingfire.MODELS.items()}
    assert known[digest] == (checkpoint, model)
    assert module.with_name(f"{model}.bin").is_file()
    assert module.with_name(f"{model}.i2w").is_file()
    assert len(blingfire.MODELS) == 7


def test_a_vocabulary_is_known_by_its_tokens_in_the_order_of_their_ids() -> None:
    as_list = [["a", -1.0], ["b", -2.0]]
    digest = "7e18f737311b2dc3b2f269dd78396b0351f14fb66efa879f768cb23181883c78"
    assert blingfire.vocabulary_digest({"b": 7, "a": 3}) == blingfire.vocabulary_digest(as_list) == digest
    assert blingfire.vocabulary_digest({"a": 1, "b": 0}) != digest


def test_another_vocabulary_is_refused_with_the_names_of_those_it_has(peer: Peer, lay: Lay) -> None:
    reason = (
        "it has compiled models for the vocabularies of gpt2, roberta-base, bert-base-uncased, bert-base-cased, "
        "bert-base-chinese, bert-base-multilingual-cased, xlnet-base-cased, and none for this one"
    )
    with pytest.raises(CannotLoadError, match=re.escape(reason)):
        peer("blingfire").load(lay(WORDPIECE))


@pytest.mark.parametrize(
    ("name", "model", "text"),
    [
        ("gpt2", "gpt2", "the quick brown fox"),
        ("roberta-base", "roberta", "the quick brown fox"),
        ("bert-base-uncased", "bert_base_tok", "the quick brown fox"),
        ("bert-base-cased", "bert_base_cased_tok", "the quick brown Fox"),
        ("xlnet-base-cased", "xlnet", "the quick brown Fox"),
    ],
)
def test_a_published_vocabulary_finds_its_model(
    peer: Peer, checkpoint: Source, name: str, model: str, text: str
) -> None:
    source = checkpoint(name)
    subject = peer("blingfire").load(source)
    assert [Path(file).name for file in subject.files] == [f"{model}.bin", f"{model}.i2w"]
    answer = subject.observe(plain(text))
    assert answer.ids == load_implementation("tokenizers").load(source).observe(plain(text)).ids
    assert subject.observe(Decode(answer.ids)) == Text(text)


# Answers of the compiled models ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prefix_space", "ids", "offsets"),
    [
        (False, (64, 257, 2634, 12859, 105), ((0, 1), (1, 3), (3, 5), (5, 7), (7, 8))),
        (True, (257, 257, 2634, 12859, 105), ((0, 1), (1, 3), (3, 5), (5, 7), (7, 8))),
    ],
)
def test_byte_level_ids_and_offsets_in_bytes(
    load: Callable[[Document, str], Subject],
    byte_level: Document,
    prefix_space: bool,
    ids: tuple[int, ...],
    offsets: tuple[tuple[int, int], ...],
) -> None:
    byte_level["pre_tokenizer"]["add_prefix_space"] = prefix_space
    subject = load(byte_level, "gpt2")
    assert subject.observe(plain("a aé京")) == Encoded(ids=ids, offsets=offsets)
    assert subject.observe(plain("")) == Encoded(ids=(), offsets=())


def test_a_prefix_space_is_put_where_nothing_is_said_of_it(
    load: Callable[[Document, str], Subject], byte_level: Document
) -> None:
    del byte_level["pre_tokenizer"]["add_prefix_space"]
    assert load(byte_level, "gpt2").observe(plain("a")).ids == (257,)


def test_a_space_that_has_a_token_of_its_own_covers_nothing(
    load: Callable[[Document, str], Subject], byte_level: Document
) -> None:
    byte_level["pre_tokenizer"]["add_prefix_space"] = True
    assert load(byte_level, "gpt2").observe(plain("京")) == Encoded(
        ids=(220, 12859, 105), offsets=((0, 0), (0, 2), (2, 3))
    )


def test_two_tokenizers_of_one_vocabulary_keep_their_own_prefix_spaces(
    load: Callable[[Document, str], Subject], byte_level: Document
) -> None:
    without = load(byte_level, "gpt2")
    byte_level["pre_tokenizer"]["add_prefix_space"] = True
    with_space = load(byte_level, "gpt2")
    assert without.observe(plain("a")).ids == (64,)
    assert with_space.observe(plain("a")).ids == (257,)


def test_the_unknown_id_is_that_of_the_tokenizer_json(load: Callable[[Document, str], Subject]) -> None:
    subject = load(WORDPIECE, "bert_base_cased_tok")
    assert subject.observe(plain("a🎉 Clay")) == Encoded(ids=(41, 7592), offsets=((0, 5), (6, 10)))
    unigram = {"model": {"type": "Unigram", "unk_id": 43, "vocab": [["a", 0.0]]}}
    assert load(unigram, "xlnet").observe(plain("🎉")) == Encoded(ids=(17, 43), offsets=((0, 0), (0, 4)))


def test_a_text_of_more_ids_than_bytes_is_encoded_whole(load: Callable[[Document, str], Subject]) -> None:
    unigram = {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0]]}}
    answer = load(unigram, "xlnet").observe(plain("㏂" * 9))  # a.m. in one character of three bytes
    assert answer.ids == (24, 9, 98, 9, *(101, 9, 98, 9) * 8)


def test_nothing_is_put_around_a_text_and_no_stage_is_shown(load: Callable[[Document, str], Subject]) -> None:
    subject = load(WORDPIECE, "bert_base_cased_tok")
    for question, reason in [
        (Encode("a"), "adds no special tokens"),
        (Encode("a", pair="b"), "takes no pair of texts"),
        (Encode(("a",)), "takes no pre-split input"),
        (Normalize("a"), "does not show what its normalizer makes of a text"),
    ]:
        assert subject.observe(question) == Unsupported(f"blingfire {reason}")


@pytest.mark.parametrize(
    ("model", "ids", "without", "kept"),
    [
        ("gpt2", (15496, 11, 50256), "Hello,", "Hello,<|endoftext|>"),
        ("roberta", (0, 31414, 6, 2), "Hello,", "<s>Hello,</s>"),
        ("bert_base_tok", (101, 7592, 2080, 102), "helloo", "[cls] helloo [sep]"),
        ("bert_base_cased_tok", (101, 8667, 117, 102), "Hello ,", "[CLS] Hello , [SEP]"),
        ("bert_chinese", (101, 8143, 8162, 102), "28 29", "[CLS] 28 29 [SEP]"),
        ("xlnet", (11368, 19, 4, 3), "Hello,", "Hello,<sep><cls>"),
    ],
)
def test_ids_are_decoded_with_and_without_special_tokens(
    load: Callable[[Document, str], Subject], model: str, ids: tuple[int, ...], without: str, kept: str
) -> None:
    subject = load(WORDPIECE, model)
    assert subject.observe(Decode(ids)) == Text(without)
    assert subject.observe(Decode(ids, skip_special_tokens=False)) == Text(kept)
    assert subject.observe(Decode(())) == Text("")


def test_a_long_text_is_decoded_whole(load: Callable[[Document, str], Subject], byte_level: Document) -> None:
    subject = load(byte_level, "gpt2")
    longest = 38093  # a space and 65 equals signs
    assert subject.observe(Decode((longest,) * 50)) == Text(((" " + "=" * 65) * 50).removeprefix(" "))
    words = " ".join(["unbelievably"] * 500)
    assert subject.observe(Decode(subject.observe(plain(words)).ids)) == Text(words)


def test_ids_of_half_a_character_are_an_error(load: Callable[[Document, str], Subject], byte_level: Document) -> None:
    failed = load(byte_level, "gpt2").observe(Decode((447,)))
    assert isinstance(failed, Failed)
    assert failed.kind == "UnicodeDecodeError"


def test_offsets_are_bytes_of_the_text(peer: Peer) -> None:
    assert peer("blingfire").info.offset_unit is OffsetUnit.UTF8_BYTES
