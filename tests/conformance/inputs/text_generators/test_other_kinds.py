"""Added tokens, limits, bytes, and characters that the vocabulary lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.inputs.text_generators.added_tokens import BESIDE
from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import entries_of
from tokenizer_conformance.inputs.text_generators.limits import PADDED, _token_limits

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


def test_one_letter_of_an_added_token_is_in_another_case(made: Made) -> None:
    texts = texts_of(made("added-token-parts", added("<aBc>")))
    assert {"<ABc>", "<abc>", "<aBC>"} <= texts
    parts = {text for end in range(1, 5) for text in ("<aBc>"[:end], "<aBc>"[end:])}
    beside = {text for end in range(1, 5) for text in ("<aBc>"[:end] + "<aBc>", "<aBc>" + "<aBc>"[end:])}
    spaced = {f"{'<aBc>'[:end]}{mark}{'<aBc>'[end:]}" for end in range(1, 5) for mark in (" ", "\u0301")}
    assert parts | beside | spaced <= texts


@pytest.mark.parametrize(
    ("document", "limits"),
    [
        ({}, ()),
        ({"truncation": None, "padding": None}, ()),
        ({"truncation": {"max_length": 10, "stride": 3}}, (10, 7, 17, 14, 30)),
        ({"truncation": {"max_length": 10}}, (10, 7, 20, 30)),
        ({"truncation": {"max_length": 2, "stride": 0}}, (2, 4, 6)),
        ({"truncation": {"max_length": 0, "stride": 3}}, ()),
        ({"padding": {"strategy": {"Fixed": 9}}}, (9, 6)),
        ({"padding": {"strategy": "BatchLongest", "pad_to_multiple_of": 4}}, tuple(range(4, 4 * PADDED + 1, 4))),
    ],
)
def test_limits_are_where_truncation_and_padding_do_something(document: Document, limits: tuple[int, ...]) -> None:
    assert _token_limits(document) == limits


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
