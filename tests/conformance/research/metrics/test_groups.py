"""Which group a text belongs to."""

from __future__ import annotations

import pytest
import regex

from tokenizer_conformance.research.metrics.groups import (
    ALL_TEXTS,
    NO_LANGUAGE,
    By,
    Group,
    dominant_script,
    groups_of,
    language_of_file,
    script_of,
)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("", "Common"),
        ("12:30 – 14:00 €", "Common"),
        ("naïve", "Latin"),
        ("nai\u0308ve", "Latin"),
        ("Москва is big", "Cyrillic"),
        ("ab αβ", "Latin"),  # as many of both: the first one
        ("αβ ab", "Greek"),
        ("東京", "Han"),
        ("京タワー", "Katakana"),  # the prolonged sound mark is Common
        ("吾輩は猫である", "Hiragana"),
        ("한국어", "Hangul"),
        ("हिन्दी", "Devanagari"),
        ("😀", "Common"),
        ("\ud800", "Common"),
    ],
)
def test_the_dominant_script_is_that_of_most_characters(text: str, script: str) -> None:
    assert dominant_script(text) == script


def test_a_text_of_ascii_has_the_script_of_its_characters() -> None:
    for character in map(chr, range(0x80)):
        assert dominant_script(character) == (script_of(character) or "Common"), repr(character)


@pytest.mark.long
def test_every_character_has_one_script_or_none_of_its_own() -> None:
    own = regex.compile(r"[^\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}]")
    sample = [chr(number) for number in range(0, 0x33480, 7) if not 0xD800 <= number < 0xE000]
    assert sum(1 for each in sample if own.match(each)) > 10_000
    for each in sample:
        assert (script_of(each) is not None) == bool(own.match(each)), hex(ord(each))


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("fra.txt", "fra"),
        ("news.fr.txt", "fr"),
        ("folder/eng_Latn.dev", "eng_Latn"),
        ("zh-Hans.jsonl", "zh-Hans"),
        ("botchan.txt", "botchan"),
        ("fr", "fr"),
        ("corpus.part1.txt", "corpus.part1"),
    ],
)
def test_the_language_of_a_file_is_in_its_name(name: str, language: str) -> None:
    assert language_of_file(name) == language


def test_a_text_is_in_the_group_of_all_and_in_one_of_each_kind() -> None:
    assert groups_of("да", "ru", "a.txt", ()) == (ALL_TEXTS,)
    assert groups_of("да", "", "a.txt", tuple(By)) == (
        ALL_TEXTS,
        Group("language", NO_LANGUAGE),
        Group("script", "Cyrillic"),
        Group("file", "a.txt"),
    )
