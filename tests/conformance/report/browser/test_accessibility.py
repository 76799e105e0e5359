"""What axe-core finds wrong with pages: nothing serious, in any theme, on any screen, with findings open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from opened_pages import violations
from playwright.sync_api import expect
from report_pages import finding_of, page_of

from tokenizer_conformance.results.page import Answer, ShownFinding, Token

if TYPE_CHECKING:
    from opened_pages import Opener, Recorded
    from playwright.sync_api import Page as Tab

SCREENS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 700}},
}

HAND_MADE = page_of(
    finding_of("a🎉 שלום", (Token("a", 1, 0, 1), Token("x", 2), Token("של", 3, 3, 5)), (Token("a", 4, 0, 2, 0, True),)),
    ShownFinding("texts", "causes", "text differs", answers=(Answer("base", text="abc"), Answer("alpha", text="axc"))),
    ShownFinding(
        "trouble", "causes", "an error", answers=(Answer("base", text="abc"), Answer("alpha", trouble="crashed"))
    ),
)


def complaints(tab: Tab, axe: str) -> list[str]:
    """Open the first findings of a page, and all else that opens; return what axe finds that is serious or critical."""
    tab.evaluate("[...document.querySelectorAll('#list .title button')].slice(0, 12).forEach((each) => each.click())")
    tab.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    expect(tab.locator("#list .detail")).to_have_count(min(12, tab.locator("#list .title").count()))
    return violations(tab, axe)


# The page's own policy would stop axe, which makes scripts of strings.
@pytest.mark.long_but(1)
@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_serious_in_a_run(toys: Recorded, open_page: Opener, axe: str, screen: str) -> None:
    assert complaints(open_page(toys.html, "#findings", bypass_csp=True, **SCREENS[screen]), axe) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_serious_in_strips_and_answers(open_page: Opener, axe: str, screen: str) -> None:
    assert complaints(open_page(HAND_MADE, "#findings", bypass_csp=True, **SCREENS[screen]), axe) == []


def test_axe_finds_what_is_planted(open_page: Opener, axe: str) -> None:
    tab = open_page(HAND_MADE, "#findings", bypass_csp=True)
    tab.evaluate("document.querySelector('h1').style.cssText = 'color: #eee; background: #fff'")
    tab.evaluate(
        "document.querySelector('#filters input').closest('label').replaceWith(document.createElement('input'))"
    )
    assert {each.partition(":")[0] for each in complaints(tab, axe)} == {"color-contrast", "label"}
