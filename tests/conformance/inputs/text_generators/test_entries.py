"""Entries of vocabularies become texts out of which they come again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tokenizers import Tokenizer

from tokenizer_conformance.inputs.bundled import TODAY, bundled_names
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import MOST_FILLERS, PLAIN, entries_of, texts_of_bytes
from tokenizer_conformance.inputs.text_generators.vocabulary import unreachable

if TYPE_CHECKING:
    from conftest import Bundled, Document, Made

BYTE_LEVEL = {"pre_tokenizer": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": {}, "merges": []}}
METASPACE = {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁"}, "model": {"type": "Unigram", "vocab": []}}
OTHER_MARK = {"pre_tokenizer": {"type": "Metaspace", "replacement": "_"}, "model": {"type": "Unigram", "vocab": []}}
REPLACED = {"normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}, "model": {"type": "BPE"}}
WORDPIECE = {"model": {"type": "WordPiece", "vocab": {"ж": 0, "##a": 1}}}
SUFFIX = {"model": {"type": "BPE", "vocab": {}, "merges": [], "end_of_word_suffix": "</w>"}}

ENTRIES = [
    (BYTE_LEVEL, "Ġthe", " the", " the"),
    (BYTE_LEVEL, "Ċ", "\n", "\n"),
    (BYTE_LEVEL, "Ã©", "é", "é"),
    (BYTE_LEVEL, "â", "\u2000", "\u2000"),
    (BYTE_LEVEL, "ÿ", "ÿ", "ÿ"),
    (METASPACE, "▁the", "the", "the"),
    (METASPACE, "ing", "ing", "ᚠing"),
    (METASPACE, "▁", "▁", "ᚠ▁"),
    (METASPACE, "▁a▁b", "a b", "a b"),
    (OTHER_MARK, "_the", "the", "the"),
    (REPLACED, "▁the", "the", "the"),
    (WORDPIECE, "##a", "a", "жa"),
    (WORDPIECE, "the", "the", "the"),
    (SUFFIX, "the</w>", "the", "the"),
    (SUFFIX, "th", "th", "thᚠ"),
    ({"model": {"type": "WordLevel"}}, "the", "the", "the"),
]
"""A document, an entry, its text, and that where it can come out."""

NEVER = {"gpt2-mini": 70, "roberta-mini": 20, "rare-mini": 1, **dict.fromkeys(TODAY[:-1], 25)}
"""How many entries come out beside certain characters only, or are bytes that no text has."""

PACKS = {"gemma-mini": 300}
"""How many packs there are at most, where that is more than usual: runs of white space stand alone."""


@pytest.mark.parametrize(("document", "token", "text", "placed"), ENTRIES, ids=[row[1] for row in ENTRIES])
def test_an_entry_as_text(document: Document, token: str, text: str, placed: str) -> None:
    entries = entries_of(parts_of(document))
    assert entries.entry(token).text == text
    assert entries.placed(entries.entry(token)) == placed


def test_before_a_part_of_a_word_stands_what_begins_few_others() -> None:
    vocabulary = {token: number for number, token in enumerate(("q", "я", "ж", "Ы", "中", "ab", "##a", "яa"))}
    entries = entries_of(parts_of({"model": {"type": "WordPiece", "vocab": vocabulary}}))
    assert entries.fillers == ("я", "ж", "q", "q"), "the rarest first, then what most vocabularies have"
    assert entries.placed(entries.entry("##a")) == "жa", "яa is an entry of its own"
    many = [*"abcdefghijklmnopqrstuvwxyz", *"αβγδεζηθικλμνξοπρ", *"абвгдежзиклмнопрстуфхцчшщъыьэюя"]
    entries = entries_of(parts_of({"model": {"type": "WordPiece", "vocab": dict.fromkeys((*many, "##a"), 0)}}))
    first = sorted(many, reverse=True)[:MOST_FILLERS]
    assert entries.fillers == (*first, *PLAIN.removesuffix("0"))


def pre_tokenizer(**members: object) -> Document:
    return {"pre_tokenizer": members, "model": {"type": "BPE", "vocab": {}, "merges": []}}


PREPEND = [{"type": "Prepend", "prepend": "▁"}, {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]
JOINED = [
    (pre_tokenizer(type="ByteLevel", add_prefix_space=True), "the", " \nthe \nthe"),
    (pre_tokenizer(type="ByteLevel", add_prefix_space=True), "Ġthe", " the \n the"),
    (pre_tokenizer(type="ByteLevel", add_prefix_space=False), "the", "the \nthe"),
    (pre_tokenizer(type="ByteLevel"), "the", "the \nthe"),
    (METASPACE, "▁the", "the the"),
    (METASPACE, "ing", "ᚠing ᚠing"),
    (pre_tokenizer(type="Metaspace", replacement="▁", prepend_scheme="first"), "▁the", "the the"),
    (pre_tokenizer(type="Metaspace", replacement="▁", prepend_scheme="always"), "▁the", "the the"),
    (pre_tokenizer(type="Metaspace", replacement="▁", prepend_scheme="never"), "▁the", " the the"),
    (pre_tokenizer(type="Metaspace", replacement="▁", prepend_scheme="never"), "ing", "ᚠing ᚠing"),
    ({"normalizer": {"type": "Sequence", "normalizers": PREPEND}, "model": {"type": "BPE"}}, "▁the", "the the"),
]
"""A document, an entry, and a text that has it twice: what would make another word of the first does not."""


@pytest.mark.parametrize(("document", "token", "text"), JOINED)
def test_entries_of_one_text_leave_each_other_alone(document: Document, token: str, text: str) -> None:
    entries = entries_of(parts_of(document))
    assert entries.joined([entries.entry(token)] * 2) == text


def test_every_byte_of_utf_8_stands_in_a_text() -> None:
    every = [bytes([byte]) for byte in range(256) if byte not in {0xC0, 0xC1, *range(0xF5, 256)}]
    assert [data for data in every if data not in next(texts_of_bytes(data)).encode()] == []


@pytest.mark.parametrize("data", [b"\xc0", b"\xf5", b"a\xff", b"\x80\x80\x80\x80"])
def test_bytes_that_no_text_has_give_none(data: bytes) -> None:
    assert list(texts_of_bytes(data)) == []


def plain_tokenizer(document: Document) -> Tokenizer:
    """The tokenizer without what would hide the tokens of the model."""
    return Tokenizer.from_str(
        json.dumps({**document, "added_tokens": [], "truncation": None, "padding": None, "post_processor": None})
    )


@pytest.mark.parametrize("name", bundled_names())
def test_every_entry_comes_out_of_a_pack_unless_it_is_said_to_be_unreachable(
    name: str, bundled: Bundled, made: Made
) -> None:
    document = bundled(name)
    tokenizer, packs = plain_tokenizer(document), made("vocabulary-packs", document)
    came_out = set()
    for number in range(packs.count):
        came_out.update(tokenizer.encode(packs.text(number), add_special_tokens=False).tokens)
    added = {token["content"] for token in document["added_tokens"]}
    missing = set(parts_of(document).tokens) - came_out - added - set(unreachable(parts_of(document)))
    assert len(missing) <= NEVER.get(name, 0)
    assert packs.count < PACKS.get(name, 120)


@pytest.mark.parametrize("name", bundled_names())
def test_entries_that_are_said_to_be_unreachable_hardly_come_out(name: str, bundled: Bundled) -> None:
    document = bundled(name)
    tokenizer, entries = plain_tokenizer(document), entries_of(parts_of(document))
    unknown = parts_of(document).text_option("unk_token")  # comes out for what is in no entry
    tokens = [token for token in unreachable(parts_of(document)) if token != unknown]
    came_out = [token for token in tokens if token in tokenizer.encode(entries.placed(entries.entry(token))).tokens]
    assert len(came_out) <= 0.15 * len(tokens)


def test_characters_within_a_word_come_out_by_themselves_and_longer_entries_by_merges() -> None:
    tokens = ["a", "b", "##a", "##b", "ab", "##ab", "##ba", "a##b"]
    model = {
        "type": "BPE",
        "vocab": {token: id_ for id_, token in enumerate(tokens)},
        "merges": [["a", "##b"], ["##a", "##b"], ["##b", "##a"]],
        "continuing_subword_prefix": "##",
    }
    document = {"added_tokens": [], "model": model}
    assert unreachable(parts_of(document)) == ("a##b",)
    tokenizer = Tokenizer.from_str(json.dumps(document))
    came_out = {token for word in ("ab", "ba", "aab", "bba", "bb", "baa") for token in tokenizer.encode(word).tokens}
    assert came_out == set(tokens) - {"a##b"}


@pytest.mark.parametrize("name", bundled_names())
def test_every_character_of_the_vocabulary_stands_in_a_pack_and_alone(name: str, bundled: Bundled, made: Made) -> None:
    alphabet = entries_of(parts_of(bundled(name))).alphabet
    produced = made("vocabulary-characters", bundled(name))
    texts = [produced.text(number) for number in range(produced.count)]
    early = set("".join(texts[: 10 + len(alphabet) // 12]))
    assert set(alphabet) <= early
    assert set(alphabet) <= set(texts)
