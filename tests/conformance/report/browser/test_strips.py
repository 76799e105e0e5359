"""Token strips in a browser: each token stands under the very characters of its offsets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from report_pages import finding_of, page_of

from tokenizer_conformance.results.page import Answer, Subject, Token

if TYPE_CHECKING:
    from opened_pages import Opener
    from playwright.sync_api import Page as Tab

TEXTS: dict[str, tuple[str, tuple[Token, ...], tuple[Token, ...]]] = {
    "words": ("ab cd", (Token("ab", 1, 0, 2), Token("Ġcd", 2, 2, 5)), (Token("a", 3, 0, 1), Token("cd", 4, 3, 5))),
    "bytes of one character": (
        "a🎉b",
        (Token("a", 1, 0, 1), *(Token(f"<{at}>", at, 1, 2) for at in range(4)), Token("b", 9, 2, 3)),
        (Token("a", 1, 0, 1), Token("🎉", 7, 1, 2, differs=True), Token("b", 9, 2, 3)),
    ),
    "Hebrew": ("שלום", (Token("שלום", 1, 0, 4),), (Token("של", 2, 0, 2), Token("ום", 3, 2, 4))),
    "Arabic among Latin": ("a مر b", (Token("a", 1, 0, 1), Token("مر", 2, 2, 4), Token("b", 3, 5, 6)), ()),
    "combining marks": (
        "e\u0301x\u0301",
        (Token("e\u0301", 1, 0, 2), Token("x", 2, 2, 3), Token("\u0301", 3, 3, 4)),
        (),
    ),
    "overlapping": ("abcd", (Token("abc", 1, 0, 3), Token("bcd", 2, 1, 4)), (Token("abcd", 3, 0, 4),)),
    "invisible": ("a\u200b\u202e\n", (Token("a\u200b", 1, 0, 2), Token("\u202e\n", 2, 2, 4)), ()),
}


@dataclass(frozen=True)
class Span:
    """Where something is drawn, in pixels from the left."""

    left: float
    right: float


def spans(tab: Tab, selector: str) -> list[Span]:
    boxes = tab.evaluate(
        "(selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect())"
        ".map(({left, right}) => [left, right])",
        selector,
    )
    return [Span(left, right) for left, right in boxes]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("width", [1280, 360])
def test_tokens_stand_under_the_columns_of_their_offsets(open_page: Opener, name: str, width: int) -> None:
    text, *sides = TEXTS[name]
    tab = open_page(page_of(finding_of(text, *sides)), "#finding=cause-1", viewport={"width": width, "height": 700})
    tab.wait_for_selector(".strip")
    columns = spans(tab, ".strip .characters th[scope=col]")
    assert len(columns) == len(text)
    assert all(one.right <= other.left + 1 for one, other in pairwise(columns)), (
        "a column for each code point, in logical order from left to right"
    )
    titles = tab.locator(".strip td.token").evaluate_all("(cells) => cells.map((cell) => cell.title)")
    drawn = dict(zip(titles, spans(tab, ".strip td.token"), strict=True))
    expected = [token for side in sides for token in side]
    assert len(titles) == len(expected)
    for token in expected:
        title = next(each for each in titles if f"id {token.id}," in each and f" {token.start}–{token.end}" in each)
        assert token.start is not None
        assert token.end is not None
        assert drawn[title].left == pytest.approx(columns[token.start].left, abs=1)
        assert drawn[title].right == pytest.approx(columns[token.end - 1].right, abs=1)


def strip_of(open_page: Opener, text: str, *sides: tuple[Token, ...], pair: str | None = None) -> Tab:
    tab = open_page(page_of(finding_of(text, *sides, pair=pair)), "#finding=cause-1")
    tab.wait_for_selector(".strip")
    return tab


def test_tokens_of_one_character_stand_one_under_the_other(open_page: Opener) -> None:
    text, *sides = TEXTS["bytes of one character"]
    tab = strip_of(open_page, text, *sides)
    tops = tab.locator(".strip td.token").evaluate_all(
        "(cells) => cells.filter((cell) => cell.title.startsWith('<')).map((cell) => cell.getBoundingClientRect().top)"
    )
    assert len(tops) == 4
    assert tops == sorted(set(tops))


def test_marks_have_a_circle_to_sit_on_and_hidden_characters_are_seen(open_page: Opener) -> None:
    tab = strip_of(open_page, "e\u0301 \u200b", (Token("\u0301", 1, 1, 2), Token(" \u200b", 2, 2, 4)))
    assert tab.locator(".strip .characters th[scope=col]").all_inner_texts() == ["e", "◌\u0301", "␣", "\\u200b"]
    assert tab.locator(".strip td.token bdi").all_inner_texts() == ["◌\u0301", "␣\\u200b"]
    assert tab.locator(".strip .characters th[scope=col]").nth(1).get_attribute("title") == (
        "U+0301 COMBINING ACUTE ACCENT"
    )


def test_tokens_without_a_character_stand_under_the_rows(open_page: Opener) -> None:
    tokens = (Token("[CLS]", 101), Token("▁", 5, 0, 0, differs=True), Token("ab", 1, 0, 2), Token("", 6, 2, 2))
    tab = strip_of(open_page, "ab", tokens, tokens)
    loose = tab.locator(".strip .loose").first
    assert loose.locator(".token").count() == 3
    told = loose.locator(".token").all_inner_texts()
    assert [" ".join(each.split()) for each in told] == ["[CLS] 101", "≠ ▁ 5 at 0 (differs)", "∅ 6 at 2"]


def test_answers_without_offsets_are_called_so(open_page: Opener) -> None:
    finding = finding_of("ab", (Token("ab", 1, 0, 2), Token("</s>", 2, 0, 0)), (Token("ab", 1), Token("</s>", 2)))
    tab = open_page(page_of(finding), "#finding=cause-1")
    tab.wait_for_selector(".strip")
    assert tab.locator(".strip .loose .note").all_inner_texts() == ["for no character:", "without offsets:"]


def test_what_differs_is_told_without_colours(open_page: Opener) -> None:
    text, *sides = TEXTS["bytes of one character"]
    cell = strip_of(open_page, text, *sides).locator(".strip .token.differs")
    assert cell.count() == 1
    assert cell.inner_text().startswith("≠")
    assert cell.evaluate("(cell) => getComputedStyle(cell).outlineStyle") == "solid"


def test_each_text_of_a_pair_has_its_own_strip(open_page: Opener) -> None:
    tokens = (Token("ab", 1, 0, 2, 0), Token("[SEP]", 3), Token("c", 2, 0, 1, 1))
    tab = strip_of(open_page, "ab", tokens, tokens, pair="c")
    assert tab.locator(".strip caption").all_inner_texts() == ["Tokens under the text", "Tokens under the pair"]
    for at, (characters, shown) in enumerate((("ab", "ab"), ("c", "c"))):
        strip = tab.locator(".strip").nth(at)
        assert "".join(strip.locator(".characters th[scope=col]").all_inner_texts()) == characters
        assert strip.locator("td.token bdi").all_inner_texts() == [shown, shown]


@pytest.mark.parametrize("width", [1280, 360])
def test_the_page_of_one_text_begins_with_it(open_page: Opener, width: int) -> None:
    text = "ab " * 30
    tokens = tuple(Token("ab", at, 3 * at, 3 * at + 2, differs=True) for at in range(30))
    answers = (Answer("x", tokens, total=30), Answer("y", trouble="it <b>fails</b>"))
    subject = Subject("text", text, length=len(text))
    page = replace(page_of(finding_of("ab", tokens[:1])), subjects=(subject,), answers=answers)
    tab = open_page(page, viewport={"width": width, "height": 700})
    picture = tab.locator("#summary > #picture")
    expect(picture.locator(".strip td.token")).to_have_count(30)
    expect(picture.locator(".trouble")).to_have_text("y it <b>fails</b>")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    top = picture.bounding_box()
    assert top is not None
    assert top["y"] < tab.locator(".overview .sentences").bounding_box()["y"]  # type: ignore[index]


def test_of_a_long_text_the_place_is_shown_where_the_sides_part(open_page: Opener) -> None:
    def side(differing: int) -> tuple[Token, ...]:
        return tuple(Token("x", at, at, at + 1, differs=at == differing) for at in range(500))

    tab = strip_of(open_page, "x" * 500, side(400), side(401))
    assert tab.locator(".strip caption").inner_text() == "Tokens under the text, characters 376 to 472 of 500"
    assert tab.locator(".strip .token.differs").count() == 2
