"""Added tokens, limits, bytes, and characters that the vocabulary lacks."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.inputs.text_generators.added_tokens import BESIDE
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.normalized_characters import cased_characters, decomposing_characters

if TYPE_CHECKING:
    from conftest import Bundled, Document, Made
    from tokenizer_conformance.inputs.text_generators.generator import Produced


def added(*contents: str) -> Document:
    return {"added_tokens": [{"id": number, "content": content} for number, content in enumerate(contents)]}


def texts_of(produced: Produced) -> set[str]:
    return {produced.text(number) for number in range(produced.count)}


def test_added_tokens_stand_between_all_that_can_stand_beside_them(made: Made) -> None:
    texts = texts_of(made("added-tokens", added("<s>", "[X]")))
    assert {before + content + after for content in ("<s>", "[X]") for before in BESIDE for after in BESIDE} <= texts


def test_the_first_texts_have_every_neighbour_of_added_tokens(made: Made) -> None:
    produced = made("added-tokens", added("<s>"))
    first = [produced.text(number).partition("<s>") for number in range(len(BESIDE))]
    assert {before for before, _, _ in first} == {after for _, _, after in first} == set(BESIDE)


@pytest.mark.parametrize(
    "text",
    [
        "<Sé><Sé>",
        "<<Sé>",
        "<Sé>>",
        "<sÉ>",
        "<sé>",
        "<SÉ>",
        "<S<Sé>",
        "<Sé>é>",
        "<Sé> <Sé>",
        "<Se\u0301>",
        "＜Ｓé＞",
        "<S",
        "é>",
        "<S é>",
    ],
)
def test_what_is_nearly_an_added_token(text: str, made: Made) -> None:
    assert text in texts_of(made("added-token-parts", added("<Sé>")))


def test_added_tokens_side_by_side_and_grown_together(made: Made) -> None:
    texts = texts_of(made("added-token-pairs", added("abc", "bcd", "cx")))
    assert {"abcbcd", "abc bcd", "bcdaabc", "abcd", "abcx", "cxcx"} <= texts


@pytest.mark.parametrize("step", [-2, -1, 0, 1, 2])
def test_words_around_the_longest_that_wordpiece_takes(step: int, made: Made) -> None:
    document = {"model": {"type": "WordPiece", "vocab": {"a": 0}, "max_input_chars_per_word": 40}}
    texts = texts_of(made("limit-words", document))
    assert {each * (40 + step) for each in "aé中😀"} <= texts


@pytest.mark.parametrize("count", [5, 6, 7, 9, 10, 11, 16, 24])
def test_texts_of_as_many_words_as_truncation_and_padding_say(count: int, made: Made) -> None:
    document = {
        "model": {"type": "WordLevel", "vocab": {"the": 0}},
        "truncation": {"max_length": 10, "stride": 4},
        "padding": {"pad_to_multiple_of": 8, "strategy": "BatchLongest"},
    }
    assert " ".join(["the"] * count) in texts_of(made("limit-tokens", document))


def test_the_longest_entry_is_one_character_shorter_and_longer(bundled: Bundled, made: Made) -> None:
    entries = entries_of(parts_of(bundled("gpt2-mini")))
    longest = max(entries.tokens, key=len)
    text = entries.entry(longest).text
    assert {text, text[:-1], text + text[-1], text[1:]} <= texts_of(made("limit-words", bundled("gpt2-mini")))


@pytest.mark.parametrize("name", ["gpt2-mini", "bert-mini", "t5-mini", "llama-mini"])
def test_characters_that_no_entry_has(name: str, bundled: Bundled, made: Made) -> None:
    alphabet = set(entries_of(parts_of(bundled(name))).alphabet)
    texts = texts_of(made("uncovered-characters", bundled(name)))
    alone = {text for text in texts if len(text) == 1}
    assert len(alone) > 50
    assert not alone & alphabet
    assert {len(text.encode()) for text in alone} >= {2, 3, 4}
    assert all({each * 2, each * 17} <= texts for each in alone)


def test_every_byte_of_entries_that_cut_characters_stands_in_a_text(bundled: Bundled, made: Made) -> None:
    entries = entries_of(parts_of(bundled("gpt2-mini")))
    texts = {text.encode() for text in texts_of(made("bytes-across", bundled("gpt2-mini")))}
    cut = [
        entries.bytes_of(token)
        for token in entries.tokens
        if entries.entry(token).text.encode() != entries.bytes_of(token)
    ]
    cut = [data for data in cut if data not in {bytes([byte]) for byte in (0xC0, 0xC1, *range(0xF5, 256))}]
    assert len(cut) > 100
    assert all(any(data in text for text in texts) for data in cut)


def test_characters_that_differ_in_their_last_byte_stand_together(bundled: Bundled, made: Made) -> None:
    texts = texts_of(made("bytes-shared", bundled("llama-mini")))
    assert any(
        len(text) > 5 and len({character.encode()[:-1] for character in text}) == 1 and len(set(text)) == len(text)
        for text in texts
    )


def test_tokens_of_bytes_are_written_out(bundled: Bundled, made: Made) -> None:
    texts = texts_of(made("bytes-written", bundled("llama-mini")))
    assert {"<0x00>", "<0xFF>", "a<0x41>b", "<0x0a>"} <= texts


NEITHER = {"normalizer": {"type": "Strip", "strip_left": True, "strip_right": True}}


@pytest.mark.parametrize(
    ("normalizer", "characters"),
    [
        ("Lowercase", "AÀİΣǅ\u1e9eⰀ\u13a0\U00010400"),
        ("NFD", "\u01f0é가\u212b\u2126\u0344\u0958\uf900\U0001d15e\u1b06"),
        ("StripAccents", "\u0301\u0903\u20dd"),
        ("NFKC", "ﬁ①㎏ﷺ\uff76\U0001d400"),
        ("BertNormalizer", "A\u01f0\u0301"),
    ],
)
def test_characters_that_a_normalizer_is_about_stand_in_early_packs_and_alone(
    normalizer: str, characters: str, made: Made
) -> None:
    produced = made("normalizer-characters", {"normalizer": {"type": normalizer}})
    early = "".join(produced.text(number) for number in range(800))
    assert set(characters) <= set(early)
    assert set(characters) <= texts_of(produced)


def test_without_such_a_normalizer_there_are_none(made: Made) -> None:
    assert made("normalizer-characters", NEITHER).count == 0


def test_no_character_with_a_lower_case_or_a_decomposition_is_left_out() -> None:
    cased, decomposing = set(cased_characters()), set(decomposing_characters())
    others = [chr(number) for number in range(0x110000) if not 0xAC00 <= number <= 0xD7A3]  # syllables: some
    assert [hex(ord(each)) for each in others if each.lower() != each and each not in cased] == []
    assert [hex(ord(each)) for each in others if unicodedata.decomposition(each) and each not in decomposing] == []
