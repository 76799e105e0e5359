"""Hostile text cannot act: every character that is not plainly visible is shown as an escape."""

from __future__ import annotations

import ast
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.escape import HIDDEN_RANGES, code_point, escape, one_line, quoted

HOSTILE = [
    ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
    ("a\u202eb\u2066c", r"a\u202eb\u2066c"),
    ("\x00\x07\x08\x7f\x9b", r"\x00\x07\x08\x7f\x9b"),
    ("line\nreturn\rtab\t", r"line\nreturn\rtab\t"),
    ("zero\u200bwidth\u200d\ufeff", r"zero\u200bwidth\u200d\ufeff"),
    ("\u2028\u2029\x85", r"\u2028\u2029\x85"),
    ("\ud800", r"\ud800"),
    ("\U000e0041\U000f0000\ue000", r"\U000e0041\U000f0000\ue000"),
    ("\u00a0\u3000", r"\xa0\u3000"),
    ("☃\ufe0f", r"☃\ufe0f"),
    ("\u180b\u180e\u180f", r"\u180b\u180e\u180f"),
    ("\u17b3\u17b4\u17b5\u17b6", "\u17b3\\u17b4\\u17b5\u17b6"),
    ('back\\slash and "quote"', r"back\\slash and \"quote\""),
    ("plain é 漢 ᾳ 🎉 \u180a\u1810", "plain é 漢 ᾳ 🎉 \u180a\u1810"),
]


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_what_is_not_plainly_visible_is_escaped(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_every_control_format_and_separator_character_is_escaped_but_visible_ones() -> None:
    # These format characters are drawn: signs above or below Arabic, Syriac, Kaithi and Egyptian text.
    drawn = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)}
    for number in range(0x110000):
        character = chr(number)
        if unicodedata.category(character) in {"Cc", "Cf", "Zs", "Zl", "Zp", "Cs", "Co"} and character != " ":
            assert (escape(character) == character) is (number in drawn), code_point(character)


def test_what_unicode_says_is_ignorable_is_escaped_and_what_is_drawn_is_not() -> None:
    every = [chr(number) for number in range(0x110000)]
    ignorable = set(regex.findall(r"\p{Default_Ignorable_Code_Point}", "".join(every)))
    assert [code_point(each) for each in sorted(ignorable) if escape(each) == each] == []
    drawn = {each for each in every if unicodedata.category(each)[0] in "LMNPS"} - ignorable - {*'"\\'}
    assert [code_point(each) for each in sorted(drawn) if escape(each) != each] == ["U+2800"]  # Braille without a dot


def test_ranges_are_in_order_and_apart() -> None:
    flat = [number for pair in HIDDEN_RANGES for number in pair]
    assert flat == sorted(flat)


@given(st.text(st.characters()))
def test_quoted_text_is_a_literal_of_itself(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text


@given(st.text(st.characters()))
def test_escaped_text_stays_on_its_line_and_has_no_control_character(text: str) -> None:
    shown = escape(text)
    assert len(shown.splitlines()) <= 1
    assert not any(unicodedata.category(character) in {"Cc", "Cs", "Co"} for character in shown)


def test_a_combining_mark_sits_on_neither_quote_nor_escape() -> None:
    assert quoted("\u0301\u0302a\u0301\u200d\u0301") == '"\\u0301\\u0302a\u0301\\u200d\\u0301"'


def test_a_message_is_one_short_line() -> None:
    assert one_line('a\n "b"\t\x1b') == 'a "b" \\x1b'
    assert one_line("x" * 600) == "x" * 500 + "…"
