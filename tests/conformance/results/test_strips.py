"""Tokens under a text: each under its characters, and what has a place that the text does not have beside it."""

from __future__ import annotations

import pytest

from tokenizer_conformance.results.page import Answer, Subject, Token
from tokenizer_conformance.results.strips import Lane, TextRow, strips_of, text_rows


def lane(text: str, *spans: tuple[int, int] | None) -> Lane:
    """Return the lane of tokens with these places in ``text``."""
    tokens = tuple(Token(f"t{at}", at, *(span or (None, None)), differs=True) for at, span in enumerate(spans))
    (strip,) = strips_of([Subject("text", text, length=len(text))], [Answer("mine", tokens, total=len(tokens))])
    return strip.lanes[0]


def test_a_token_stands_under_its_characters() -> None:
    found = lane("abc", (0, 1), (1, 3))
    assert [(block.shown, block.start, block.end) for block in found.rows[0]] == [("t0", 0, 1), ("t1", 1, 3)]
    assert (found.loose, found.left_out) == ((), 0)


OUTSIDE = {
    "ends behind the text": ((2, 4), "t0␣[2–4]"),
    "lies behind the text": ((7, 9), "t0␣[7–9]"),
    "ends before it begins": ((2, 1), "t0␣[2–1]"),
    "is empty behind the text": ((9, 9), "t0␣[at␣9]"),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_place_that_the_text_does_not_have_is_shown(name: str) -> None:
    span, shown = OUTSIDE[name]
    found = lane("abc", span)
    assert [block.shown for block in found.loose] == [shown]
    assert (found.rows, found.left_out) == ((), 0)


def test_an_empty_place_in_the_text_is_none_outside() -> None:
    assert [block.shown for block in lane("abc", (3, 3), None).loose] == ["t0", "t1"]


def test_of_a_text_that_may_have_been_cut_no_place_is_outside() -> None:
    found = lane("a" * 2000, (2001, 2003))
    assert (found.loose, found.left_out) == ((), 1)


TEXTS = {
    "longer in the middle": (("ab-c1234567", "ab+d1234567"), (("ab", "-c", "1234567"), ("ab", "+d", "1234567"))),
    "more in the middle": (("ab1234567", "ab-1234567"), (("ab", "", "1234567"), ("ab", "-", "1234567"))),
    "another end": (("abc", "abd"), (("ab", "c", ""), ("ab", "d", ""))),
    "another beginning": (("xbcde", "ybcde"), (("", "x", "bcde"), ("", "y", "bcde"))),
    "one is the end of the other": (("cde", "abcde"), (("", "", "cde"), ("", "ab", "cde"))),
    "one begins the other": (("abc", "abcde"), (("abc", "", ""), ("abc", "de", ""))),
    "one letter more of many": (("aaa", "aaaa"), (("aaa", "", ""), ("aaa", "a", ""))),
    "the same": (("abc", "abc"), (("abc", "", ""), ("abc", "", ""))),
    "nothing and something": (("", "a"), (("", "", ""), ("", "a", ""))),
}


@pytest.mark.parametrize("name", TEXTS)
def test_of_two_texts_is_told_what_only_one_has(name: str) -> None:
    texts, parts = TEXTS[name]
    answers = [Answer(side, text=text) for side, text in zip(("then", "now"), texts, strict=True)]
    assert text_rows(answers) == tuple(TextRow(side, *each) for side, each in zip(("then", "now"), parts, strict=True))
    assert text_rows(answers[:1]) == (TextRow("then", texts[0], "", ""),)
