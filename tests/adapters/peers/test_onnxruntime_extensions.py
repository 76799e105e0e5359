"""onnxruntime-extensions, asked by exact values: which flag does what, and which configuration it was given."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from peer_questions import Document, Lay, Peer, Source, kept, plain

from tokenizer_adapters.contract import (
    CannotLoadError,
    Decode,
    Encode,
    Encoded,
    Failed,
    Field,
    Stage,
    Text,
    TokenizerSource,
    Unsupported,
)
from tokenizer_adapters.peers.configuration import VARIABLE

NAME = "onnxruntime-extensions"
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}},
    ],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
    "special_tokens": {
        "<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]},
        "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]},
    },
}
OTHER_TEMPLATE = Unsupported(
    f"{NAME} adds the token that the configuration calls bos before a text and the one called eos after it; this "
    "template has others"
)
ONLY_SKIPPING = Unsupported(f"{NAME} always leaves special tokens out when it decodes")


def special(id_: int, content: str) -> Document:
    flags = dict.fromkeys(["single_word", "lstrip", "rstrip", "normalized"], False)
    return {"id": id_, "content": content, "special": True, **flags}


@pytest.fixture
def unigram() -> Document:
    """A Unigram model of eight pieces with two special tokens at the ends of a text."""
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    pieces = ["<unk>", "<s>", "</s>", "▁", "▁a", "b", "é", "▁é"]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [special(0, "<unk>"), special(1, "<s>"), special(2, "</s>")],
        "normalizer": None,
        "pre_tokenizer": metaspace,
        "post_processor": copy.deepcopy(TEMPLATE),
        "decoder": metaspace,
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": [[piece, 0.0 if id_ < 3 else -float(id_)] for id_, piece in enumerate(pieces)],
            "byte_fallback": False,
        },
    }


@pytest.fixture
def roberta(byte_level: Document) -> Document:
    """The byte-level BPE of these tests, with its special token at both ends of a text."""
    return byte_level | {
        "post_processor": {
            "type": "RobertaProcessing",
            "cls": ["<end>", 0],
            "sep": ["<end>", 0],
            "trim_offsets": True,
            "add_prefix_space": False,
        }
    }


def configured(source: TokenizerSource, **configuration: object) -> TokenizerSource:
    Path(source.file).with_name("tokenizer_config.json").write_text(json.dumps(configuration), encoding="utf-8")
    return source


def remark_of(subject: Any) -> str:
    """What is said of the configuration behind its path."""
    _, file = subject.files
    return str(file).partition("tokenizer_config.json")[2]


# What a flag does -----------------------------------------------------------------------------------------------------


def test_it_shows_ids_and_texts(peer: Peer) -> None:
    info = peer(NAME).info
    assert info.stages == {Stage.MODEL, Stage.POST_PROCESS, Stage.DECODE}
    assert info.fields == {Field.IDS, Field.TEXT}


@pytest.mark.parametrize(
    ("observation", "answer"),
    [
        (plain("abab<end>é"), Encoded(ids=(4, 0, 2))),
        (Encode("abab<end>é"), Encoded(ids=(0, 4, 0, 2, 0))),
        (plain(""), Encoded(ids=())),
        (Encode(""), Encoded(ids=(0, 0))),
        (Decode((0, 4, 0, 2)), Text("ababé")),
        (kept((0, 4, 0, 2)), Text("<end>abab<end>é")),
        (Decode(()), Unsupported(f"{NAME} decodes one id at least")),
        (kept(()), Unsupported(f"{NAME} decodes one id at least")),
        (Encode("a", pair="b"), Unsupported(f"{NAME} takes no pair of texts")),
        (Encode(("a",)), Unsupported(f"{NAME} takes no pre-split input")),
    ],
    ids=repr,
)
def test_bpe(peer: Peer, lay: Lay, roberta: Document, observation: Encode | Decode, answer: object) -> None:
    assert peer(NAME).load(lay(roberta)).observe(observation) == answer


@pytest.mark.parametrize(
    ("observation", "answer"),
    [
        (plain("a</s>é"), Encoded(ids=(4, 2, 6))),
        (Encode("ab é"), Encoded(ids=(1, 4, 5, 7, 2))),
        (plain(""), Encoded(ids=())),
        (Decode((1, 4, 5, 2, 7)), Text("ab é")),
        (kept((1, 4, 5, 2, 7)), ONLY_SKIPPING),
        (Decode(()), Unsupported(f"{NAME} decodes one id at least")),
    ],
    ids=repr,
)
def test_unigram(peer: Peer, lay: Lay, unigram: Document, observation: Encode | Decode, answer: object) -> None:
    assert peer(NAME).load(lay(unigram)).observe(observation) == answer


def test_what_is_no_text_fails(peer: Peer, lay: Lay, unigram: Document) -> None:
    answer = peer(NAME).load(lay(unigram)).observe(Encode("\ud800"))
    assert isinstance(answer, Failed)
    assert answer.kind == "TypeError"


# Which configuration it was given -------------------------------------------------------------------------------------


def test_a_class_that_it_knows_is_given_as_it_is(peer: Peer, lay: Lay, roberta: Document) -> None:
    source = configured(lay(roberta), tokenizer_class="GPT2Tokenizer", bos_token="<end>", eos_token="<end>")
    subject = peer(NAME).load(source)
    assert subject.files == (source.file, str(Path(source.file).with_name("tokenizer_config.json")))
    assert subject.observe(Encode("ab")).ids == (0, 5, 0)


@pytest.mark.parametrize(
    ("given", "remark"),
    [
        ({}, 'bos_token "<end>", eos_token "<end>", tokenizer_class "PreTrainedTokenizerFast"'),
        (
            {"tokenizer_class": "RobertaTokenizer", "bos_token": "<end>"},
            'tokenizer_class "PreTrainedTokenizerFast", eos_token "<end>"',
        ),
    ],
    ids=["none", "RobertaTokenizer"],
)
def test_bpe_of_another_class_is_given_the_one_that_stands_for_the_file(
    peer: Peer, lay: Lay, roberta: Document, given: dict[str, object], remark: str
) -> None:
    subject = peer(NAME).load(configured(lay(roberta), **given))
    assert remark_of(subject) == f" (with {remark})"
    assert subject.observe(Encode("ab")).ids == (0, 5, 0)
    assert subject.observe(plain("ab")).ids == (5,)


def test_unigram_of_another_class_is_given_that_of_xlm_roberta_with_the_tokens_of_its_template(
    peer: Peer, lay: Lay, unigram: Document
) -> None:
    source = configured(lay(unigram), tokenizer_class="CamembertTokenizer", eos_token={"content": "</s>"})
    subject = peer(NAME).load(source)
    assert remark_of(subject) == (
        ' (with tokenizer_class "XLMRobertaTokenizer", bos_token "<s>", add_bos_token true, add_eos_token true)'
    )
    assert subject.observe(Encode("a")).ids == (1, 4, 2)
    unigram["post_processor"]["single"] = unigram["post_processor"]["single"][1:]
    subject = peer(NAME).load(lay(unigram))
    assert remark_of(subject) == ' (with tokenizer_class "XLMRobertaTokenizer", add_eos_token true)'
    assert subject.observe(Encode("a")).ids == (4, 2)


@pytest.mark.parametrize(
    ("single", "answer"),
    [(["A", "<s>", "</s>"], OTHER_TEMPLATE), (["</s>", "A"], Encoded(ids=(2, 4))), (["A"], Encoded(ids=(4,)))],
    ids=["two after", "another one before", "none"],
)
def test_a_template_that_it_has_no_words_for_is_not_asked_about(
    peer: Peer, lay: Lay, unigram: Document, single: list[str], answer: object
) -> None:
    unigram["post_processor"]["single"] = [
        {"Sequence": {"id": "A", "type_id": 0}} if each == "A" else {"SpecialToken": {"id": each, "type_id": 0}}
        for each in single
    ]
    subject = peer(NAME).load(lay(unigram))
    assert subject.observe(Encode("a")) == answer
    assert subject.observe(plain("a")) == Encoded(ids=(4,))


def test_special_tokens_that_the_configuration_does_not_name_are_not_asked_about(
    peer: Peer, lay: Lay, roberta: Document
) -> None:
    subject = peer(NAME).load(configured(lay(roberta), tokenizer_class="GPT2Tokenizer", bos_token="<end>"))
    assert subject.observe(Encode("ab")) == OTHER_TEMPLATE
    subject = peer(NAME).load(configured(lay(roberta), tokenizer_class="GPT2Tokenizer", eos_token="<end>"))
    assert subject.observe(Encode("ab")) == OTHER_TEMPLATE


def test_a_template_in_a_sequence_counts(peer: Peer, lay: Lay, unigram: Document) -> None:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    unigram["post_processor"] = {"type": "Sequence", "processors": [byte_level, TEMPLATE]}
    assert peer(NAME).load(lay(unigram)).observe(Encode("a")).ids == (1, 4, 2)
    unigram["post_processor"] = None
    assert peer(NAME).load(lay(unigram)).observe(Encode("a")).ids == (4,)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "Lowercase"}]}},
            (
                "it normalizes by Replace and Precompiled; this tokenizer.json has Lowercase, NFKD "
                "(a tokenizer of the class XLNetTokenizer, which it does not know)"
            ),
        ),
        ({"model": {"type": "WordPiece"}}, "it reads BPE and Unigram; this model is WordPiece"),
    ],
)
def test_what_no_reader_carries_out_is_refused(
    peer: Peer, lay: Lay, unigram: Document, change: Document, reason: str
) -> None:
    source = configured(lay(unigram | change), tokenizer_class="XLNetTokenizer")
    with pytest.raises(CannotLoadError) as caught:
        peer(NAME).load(source)
    assert str(caught.value) == f"{NAME} cannot load toy ({source.file}): {reason}"


def test_the_normalizers_that_it_carries_out_are_none_to_refuse_for(peer: Peer, lay: Lay, unigram: Document) -> None:
    replace = {"type": "Replace", "pattern": {"String": "``"}, "content": '"'}
    unigram["normalizer"] = {"type": "Sequence", "normalizers": [replace, {"type": "Prepend", "prepend": "▁"}]}
    assert peer(NAME).load(lay(unigram)).observe(plain("a")).ids == (4,)


def test_bpe_of_characters_is_refused_but_for_one_with_a_decoder_that_replaces(
    peer: Peer, lay: Lay, end_of_word: Document
) -> None:
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    document = end_of_word | {"pre_tokenizer": metaspace, "decoder": metaspace}
    document["model"] = document["model"] | {"end_of_word_suffix": None, "vocab": {"<unk>": 0, "▁": 1}, "merges": []}
    reason = "it reads BPE of bytes, or of characters with a decoder that has Replace; this tokenizer.json has neither"
    with pytest.raises(CannotLoadError, match=f"{reason} .a tokenizer without a class.$"):
        peer(NAME).load(lay(document))
    replace = {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}
    assert peer(NAME).load(lay(document | {"pre_tokenizer": None, "decoder": replace})).files


# Real checkpoints -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "remark", "ids"),
    [
        ("gpt2", "", (64, 50256, 2634)),
        ("roberta-base", '; with tokenizer_class "PreTrainedTokenizerFast"', (0, 102, 1140, 2)),
        ("t5-small", "", (3, 9, 154, 1)),
    ],
)
def test_a_stub_is_given_as_transformers_saves_it(
    peer: Peer, checkpoint: Source, name: str, remark: str, ids: tuple[int, ...]
) -> None:
    version = pytest.importorskip("transformers", reason="transformers is not installed").__version__
    subject = peer(NAME).load(checkpoint(name))
    assert remark_of(subject) == f" (as save_pretrained of transformers {version} writes it{remark})"
    answer = subject.observe(Encode("a<|endoftext|>é" if name == "gpt2" else "aé"))
    assert answer.ids == ids


def test_the_stub_is_given_where_that_is_asked_for(
    peer: Peer, checkpoint: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "given")
    subject = peer(NAME).load(checkpoint("t5-small"))
    assert remark_of(subject) == (' (with eos_token "</s>", add_eos_token true, tokenizer_class "XLMRobertaTokenizer")')
    monkeypatch.setenv(VARIABLE, "other")
    with pytest.raises(CannotLoadError, match=f"the environment variable {VARIABLE} is 'other'"):
        peer(NAME).load(checkpoint("t5-small"))


@pytest.mark.parametrize("name", ["albert-base-v1", "xlnet-base-cased", "google-fnet-base"])
def test_a_checkpoint_of_a_class_that_no_reader_covers_is_refused(peer: Peer, checkpoint: Source, name: str) -> None:
    with pytest.raises(CannotLoadError, match="Tokenizer, which it does not know"):
        peer(NAME).load(checkpoint(name))
