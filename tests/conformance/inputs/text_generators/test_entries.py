"""Entries of vocabularies become texts out of which they come again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tokenizers import Tokenizer

from tokenizer_conformance.inputs.bundled import TODAY, bundled_names
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of, texts_of_bytes
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

NEVER = {"gpt2-mini": 70, "roberta-mini": 20, **dict.fromkeys(TODAY[:-1], 25)}
"""How many entries of byte-level tokenizers are bytes that no text has, or come out beside certain bytes only."""

PACKS = {"gemma-mini": 300}
"""How many packs there are at most, where that is more than usual: runs of white space stand alone."""


@pytest.mark.parametrize(("document", "token", "text", "placed"), ENTRIES, ids=[row[1] for row in ENTRIES])
def test_an_entry_as_text(document: Document, token: str, text: str, placed: str) -> None:
    entries = entries_of(parts_of(document))
    assert entries.entry(token).text == text
    assert entries.placed(entries.entry(token)) == placed


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


@pytest.mark.parametrize("name", bundled_names())
def test_every_character_of_the_vocabulary_stands_in_a_pack_and_alone(name: str, bundled: Bundled, made: Made) -> None:
    alphabet = entries_of(parts_of(bundled(name))).alphabet
    produced = made("vocabulary-characters", bundled(name))
    texts = [produced.text(number) for number in range(produced.count)]
    early = set("".join(texts[: 10 + len(alphabet) // 12]))
    assert set(alphabet) <= early
    assert set(alphabet) <= set(texts)
