"""How pages look in a browser: themes, narrow screens, paper, motion, without a script."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from opened_pages import headlines
from playwright.sync_api import expect
from report_pages import finding_of, many, page_of

from tokenizer_conformance.results.html.writing import SIGNS
from tokenizer_conformance.results.page import State, Token

if TYPE_CHECKING:
    from opened_pages import Opener, Recorded
    from playwright.sync_api import Page as Tab

PAGE = page_of(finding_of("abc", (Token("abc", 1, 0, 3),), (Token("ab", 2, 0, 2),), id_="strip"), *many(3))

DARK, LIGHT = "rgb(20, 23, 27)", "rgb(255, 255, 255)"


def ground(tab: Tab) -> str:
    return str(tab.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


@pytest.mark.parametrize(
    ("system", "chosen", "colour"),
    [
        ("light", "", LIGHT),
        ("dark", "", DARK),
        ("light", "dark", DARK),
        ("dark", "light", LIGHT),
    ],
)
def test_the_theme_is_that_of_the_system_or_the_chosen_one(
    open_page: Opener, system: str, chosen: str, colour: str
) -> None:
    tab = open_page(PAGE, color_scheme=system)
    tab.locator("#theme").select_option(chosen)
    assert ground(tab) == colour
    tab.reload()
    expect(tab.locator("#theme"), "it is remembered").to_have_value(chosen)
    assert ground(tab) == colour


def test_states_are_told_apart_without_colours(open_page: Opener) -> None:
    tab = open_page(PAGE)
    cells = tab.locator(".overview .matrix tbody td").all_inner_texts()
    assert [cell.split()[0] for cell in cells] == [SIGNS[state][0] for state in State]
    assert len({cell.split()[0] for cell in cells}) == len(State)
    assert all(str(state) in cell for state, cell in zip(State, cells, strict=True))


@pytest.mark.parametrize("width", [360, 800])
def test_narrow_screens_are_not_scrolled_sideways(toys: Recorded, open_page: Opener, width: int) -> None:
    tab = open_page(toys.html, viewport={"width": width, "height": 700}, is_mobile=True, has_touch=True)
    for button in tab.locator("#list .title button").all()[:3]:
        button.tap()
    expect(tab.locator("#list .detail")).to_have_count(3)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    sizes = tab.evaluate(
        "[...document.querySelectorAll('body *')].filter((each) => each.checkVisibility() && "
        "[...each.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))"
        ".map((each) => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(sizes) >= 10, "every text can be read"


def test_the_first_screen_has_the_conclusion_versions_matrix_and_headlines(toys: Recorded, open_page: Opener) -> None:
    tab = open_page(toys.html, viewport={"width": 1280, "height": 900})
    for selector in ("h1", ".compared li:last-child", ".overview .matrix tbody tr:last-child", ".headlines li"):
        box = tab.locator(selector).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 900, selector
    versions = tab.locator(".compared li").all_inner_texts()
    assert versions[0].startswith("toy 1.0 (baseline")


def test_paper_has_everything_open_and_nothing_to_press(open_page: Opener) -> None:
    tab = open_page(PAGE, "#finding=strip", color_scheme="dark")
    tab.wait_for_selector(".detail")
    tab.emulate_media(media="print")
    tab.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for selector in ("nav", "#filters", "button.copy", "#shown", ".skip"):
        assert not tab.locator(selector).first.is_visible(), selector
    assert tab.locator("details").count() == tab.locator("details[open]").count() > 0
    assert headlines(tab)[0] in tab.locator("#list").inner_text()
    assert tab.locator(".strip").is_visible()
    assert ground(tab) == LIGHT
    tab.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert tab.locator("details[open]").count() == 0


@pytest.mark.parametrize("chosen", ["", "dark"])
def test_paper_has_the_colours_of_the_light_theme_and_no_more_width_than_it_has(
    toys: Recorded, open_page: Opener, chosen: str
) -> None:
    tab = open_page(toys.html, viewport={"width": 718, "height": 1000}, color_scheme="light")  # A4 with its margins
    names = "['--faint', '--link', '--differ']"
    colours = f"{names}.map((each) => getComputedStyle(document.documentElement).getPropertyValue(each))"
    light = tab.evaluate(colours)
    tab.emulate_media(color_scheme="dark")
    tab.locator("#theme").select_option(chosen)
    assert tab.evaluate(colours) != light
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate(colours) == light
    assert tab.evaluate("document.documentElement.scrollWidth") <= 718


def test_a_page_becomes_a_pdf_in_dark_themes_too(open_page: Opener) -> None:
    pdf = open_page(PAGE, "#finding=strip", color_scheme="dark").pdf(format="A4")
    assert io.BytesIO(pdf).read(5) == b"%PDF-"


@pytest.mark.parametrize(("motion", "behaviour"), [("reduce", "auto"), ("no-preference", "smooth")])
def test_motion_is_as_the_reader_prefers(open_page: Opener, motion: str, behaviour: str) -> None:
    tab = open_page(PAGE, reduced_motion=motion)
    assert tab.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == behaviour


def test_without_a_script_the_first_screen_is_there(open_page: Opener) -> None:
    tab = open_page(PAGE, java_script_enabled=False)
    text = tab.locator("body").inner_text()
    assert "differences" in tab.locator("h1").inner_text()
    assert tab.locator(".overview .matrix").is_visible()
    assert "This list needs JavaScript" in text
    assert PAGE.findings[0].headline in tab.locator(".headlines").inner_text()
    assert "abc" in tab.locator(".headlines").inner_text(), "the smallest text"
