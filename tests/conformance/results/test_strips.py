"""Tokens under a text: each under its characters, and what has a place that the text does not have beside it."""

from __future__ import annotations

import pytest

from tokenizer_conformance.results.page import Answer, Subject, Token
from tokenizer_conformance.results.strips import (
    LINE_COLUMNS,
    MOST_LINES,
    Lane,
    TextRow,
    lines_of_strips,
    strips_of,
    text_rows,
)


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


def lines(text: str, *spans: tuple[int, int] | None) -> list[tuple[str, list[str], list[str], int]]:
    """Return the lines of ``text`` with tokens that have these places: characters, tokens, those without, left out."""
    tokens = tuple(Token(f"t{at}", at, *(span or (None, None))) for at, span in enumerate(spans))
    subject = Subject("text", text, length=len(text))
    found = []
    for strip in lines_of_strips(subject, [Answer("mine", tokens, total=len(tokens)), Answer("no", trouble="none")]):
        (lane,) = strip.lanes
        drawn = [block.shown for row in lane.rows for block in row]
        shown = "".join(each.shown for each in strip.characters)
        found.append((shown, drawn, [block.shown for block in lane.loose], lane.left_out))
    return found


def test_a_whole_text_has_lines_that_end_between_tokens() -> None:
    room = LINE_COLUMNS
    assert lines("a" * room, (0, room)) == [("a" * room, ["t0"], [], 0)]
    assert lines("a" * (room + 4), (0, 3), (room - 2, room + 2), None) == [
        ("a" * (room - 2), ["t0"], [], 0),
        ("a" * 6, ["t1"], ["t2"], 0),
    ]
    long = lines("a" * (room + 4), (0, room + 4))
    assert long == [("a" * room, ["t0"], [], 0), ("a" * 4, ["t0"], [], 0)], (
        "a token that has no room in a line is in two"
    )
    assert lines("", None) == [("", [], ["t0"], 0)]


def test_of_a_very_long_text_the_rest_is_counted() -> None:
    shown = LINE_COLUMNS * MOST_LINES
    found = lines("a" * (shown + 9), *((at, at + 1) for at in range(shown + 9)), (shown, shown + 9))
    assert len(found) == MOST_LINES
    assert [each[3] for each in found[-2:]] == [0, 10]
    assert lines("a" * 5000, (0, 10**12))[0][1] == ["t0"], "a place that no text has takes no time"


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
