"""The head of a page as HTML: its title, its headline with the state, what is to be looked at first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from lxml import html
from report_pages import finding_of, page_of

from tokenizer_conformance.results.html.writing import html_of
from tokenizer_conformance.results.page import Answer, Compared, Subject, Token

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from tokenizer_conformance.results.page import Page


def written(page: Page) -> HtmlElement:
    return html.document_fromstring(html_of(page))


def test_the_page_is_called_by_its_title_and_its_file_is_told_below() -> None:
    page = page_of()
    root = written(page)
    assert root.findtext(".//title") == f"{page.title} · tokconf run"
    assert root.find_class("kind")[0].text == page.title
    assert page.name not in root.find(".//header").text_content()
    assert page.name in root.get_element_by_id("about").text_content()


@pytest.mark.parametrize(("headline", "is_long"), [("a" * 80, False), ("a" * 81, True)])
def test_a_long_headline_is_smaller_and_its_state_is_a_sign(headline: str, is_long: bool) -> None:
    (heading,) = written(replace(page_of(), headline=headline)).findall(".//h1")
    assert (heading.get("class") == "long") is is_long
    (state,) = heading
    assert (state.get("class"), state.text_content(), state.tail.strip()) == (
        "state state-differ",
        "✗differ: ",
        headline,
    )


def test_a_class_that_the_title_does_not_say_is_a_tag() -> None:
    told = [
        replace(finding_of("a"), id="1", reason="unexplained"),
        replace(finding_of("a"), id="2", headline="by x", reason="x"),
    ]
    root = written(page_of(*told))
    assert [each.text for each in root.find_class("tag")] == ["unexplained"]


def test_of_many_what_was_compared_is_folded_and_who_agrees_is_counted() -> None:
    names = [f"peer-{number}" for number in range(13)]
    page = page_of(replace(finding_of("a"), agreeing=tuple(names)))
    root = written(replace(page, compared=tuple(Compared(name, "1") for name in names)))
    (summary,) = root.findall(".//header/details/summary")
    assert summary.text == "13 compared"
    assert "13 implementations pass" in root.find_class("headlines")[0].text_content()


def test_what_all_sides_say_of_a_text_comes_first() -> None:
    page = replace(
        page_of(), subjects=(Subject("text", "ab"),), answers=(Answer("x", (Token("ab", 1, 0, 2),), total=1),)
    )
    root = written(page)
    assert root.get_element_by_id("summary")[1].get("id") == "picture"
    assert root.get_element_by_id("picture-data").text
    assert not written(page_of()).xpath("//*[@id='picture']")


@pytest.mark.parametrize(
    ("groups", "said"), [(["causes"] * 3, "3"), (["causes", "known", "causes"], "3: 2 causes, 1 known")]
)
def test_findings_are_counted_by_their_kind(groups: list[str], said: str) -> None:
    told = [replace(finding_of("a"), id=str(number), group=group) for number, group in enumerate(groups)]
    assert f"Findings ({said})" in [link.text for link in written(page_of(*told)).iter("a")]
