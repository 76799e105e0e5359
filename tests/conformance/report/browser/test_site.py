"""A site opened from disk in a browser: its search, its theme, its lists; nothing is refused there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from opened_pages import violations
from playwright.sync_api import expect

from tokenizer_conformance.report.site import building
from tokenizer_conformance.report.site.building import site_of
from tokenizer_conformance.report.site.folder import write_site
from tokenizer_conformance.validation.suite.reader import read_suite

if TYPE_CHECKING:
    from pathlib import Path

    from opened_pages import Opener, Recorded
    from playwright.sync_api import Page as Tab


@pytest.fixture(scope="module")
def site(toys: Recorded, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a run, in a folder."""
    suite = read_suite()
    folder = tmp_path_factory.mktemp("site")
    document = folder / "notes.md"
    document.write_text("# Notes\n\n## Search\n\n| a | b |\n| - | -: |\n| c | 1 |\n\n<script>alert(1)</script>\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "read_suite", lambda: replace(suite, areas=suite.areas[:2]))
        write_site(folder / "public", site_of([toys.record], [document]), frozenset())
    return folder / "public"


@pytest.fixture
def tab(site: Path, open_page: Opener) -> Tab:
    """The search, opened from disk."""
    return open_page(site / "search.html")


FOUND = {
    "an implementation": ("swapped-merge", "implementations/swapped-merge.html"),
    "a tokenizer": ("another", "tokenizers/another.html"),
    "a requirement": ("BERTNORM-LOWERCASE", "requirements/BERTNORM-LOWERCASE.html"),
    "a register": ("quirks", "quirks.html"),
    "a document": ("notes", "documents/notes.html"),
    "a name with another joint": ("swapped.merge", "implementations/swapped-merge.html"),
    "another ending": ("searching", "documents/notes.html#search"),
    "a name and what it was asked": ("swapped-merge another", "implementations/swapped-merge.html"),
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize(("words", "address"), FOUND.values(), ids=FOUND)
def test_the_search_finds_it_first(tab: Tab, words: str, address: str) -> None:
    tab.get_by_role("searchbox").fill(words)
    assert tab.locator("#hits li a").first.get_attribute("href") == address
    tab.locator("#hits li a").first.click()
    expect(tab.locator("h1").first).to_be_visible()


def test_the_search_finds_findings_and_says_how_many(tab: Tab, toys: Recorded) -> None:
    finding = toys.page.findings[0]
    tab.get_by_role("searchbox").fill(f"{finding.implementation} {finding.stage} {finding.tokenizer}")
    hits = tab.locator("#hits li a")
    assert "#finding=" in (hits.first.get_attribute("href") or "")
    expect(tab.locator("#found")).to_have_text(f"{hits.count():,} found")
    tab.get_by_role("searchbox").fill("no such word anywhere")
    expect(tab.locator("#found")).to_have_text("0 found")


def test_the_words_stand_in_the_address(site: Path, open_page: Opener) -> None:
    tab = open_page(site / "search.html", "#words=swapped+merge")
    assert tab.get_by_role("searchbox").input_value() == "swapped merge"
    tab.get_by_role("searchbox").fill("a & b=c")
    assert tab.evaluate("new URLSearchParams(location.hash.slice(1)).get('words')") == "a & b=c"


def opened(tab: Tab, address: str) -> Tab:
    tab.goto(tab.url.partition("search.html")[0] + address)
    return tab


PAGES = ("index.html", "quirks.html", "changes.html", "requirements/index.html", "documents/notes.html")
PAGES += ("implementations/toy.html", "implementations/swapped-merge.html", "requirements/BERTNORM-LOWERCASE.html")


@pytest.mark.parametrize("address", PAGES)
def test_a_page_has_its_look_and_fits_a_phone(tab: Tab, address: str) -> None:
    opened(tab, address)
    assert tab.evaluate("getComputedStyle(document.querySelector('.skip')).position") == "absolute"
    tab.set_viewport_size({"width": 360, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_theme_is_chosen(tab: Tab) -> None:
    opened(tab, "index.html")
    for theme, colour in (("dark", "rgb(20, 23, 27)"), ("light", "rgb(255, 255, 255)")):
        tab.locator("#theme").select_option(theme)
        assert tab.evaluate("getComputedStyle(document.documentElement).backgroundColor") == colour


def test_lists_are_sorted_and_narrowed_down(tab: Tab) -> None:
    opened(tab, "requirements/index.html")
    rows = tab.locator("tbody tr:visible")
    every = rows.count()
    tab.get_by_role("searchbox").fill("bertnorm lowercase")
    assert 0 < rows.count() < every
    expect(tab.locator("#narrowed")).to_have_text(f"{rows.count()} of {every} shown")
    tab.get_by_role("searchbox").fill("")
    tab.get_by_role("button", name="id", exact=True).click()
    names = tab.locator("tbody th").all_inner_texts()
    assert names == sorted(names)


def test_known_changes_are_narrowed_down_in_all_tables_and_their_heads_stay_in_view(tab: Tab) -> None:
    opened(tab, "changes.html")
    tables = tab.locator(".timeline tbody")
    every = [tables.nth(at).locator("tr").count() for at in range(tables.count())]
    assert len(every) == 2
    tab.get_by_role("searchbox").fill("add_prefix_space")
    shown = [tables.nth(at).locator("tr:visible").count() for at in range(len(every))]
    assert all(0 < some < total for some, total in zip(shown, every, strict=True))
    expect(tab.locator("#narrowed")).to_have_text(f"{sum(shown)} of {sum(every)} shown")
    tab.get_by_role("searchbox").fill("")
    tab.set_viewport_size({"width": 390, "height": 800})
    tab.evaluate("document.querySelector('.timeline').scrollTo(400, 900)")
    corner = tab.locator(".timeline thead th").first.bounding_box()
    frame = tab.locator(".timeline").first.bounding_box()
    assert corner is not None
    assert frame is not None
    assert abs(corner["x"] - frame["x"]) < 2
    assert abs(corner["y"] - frame["y"]) < 2
    assert corner["width"] < 200


def test_a_known_change_is_opened_by_its_row(tab: Tab) -> None:
    opened(tab, "changes.html")
    parts = tab.locator(".document details")
    assert parts.count() > 50
    assert tab.locator(".document details[open]").count() == 0
    link = tab.locator(".timeline tbody a").nth(7)
    link.click()
    shown = tab.locator(".document details[open]")
    expect(shown.locator("summary")).to_have_text(link.inner_text())
    expect(shown).to_be_in_viewport()


def test_pictures_have_the_theme_that_is_chosen(tab: Tab, site: Path) -> None:
    (record,) = (site / "records").iterdir()
    opened(tab, f"records/{record.name}")
    fill = "getComputedStyle(document.querySelector('.plot .plot-fill-ink')).fill"
    for theme, colour in (("dark", "rgb(233, 236, 240)"), ("light", "rgb(28, 30, 33)")):
        tab.locator("#theme").select_option(theme)
        assert tab.evaluate(fill) == colour


def test_a_command_is_copied(tab: Tab) -> None:
    opened(tab, "requirements/BERTNORM-LOWERCASE.html")
    tab.get_by_role("button", name="Copy").click()
    expect(tab.locator("button.copy")).not_to_have_text("Copy")


LISTS = ("index.html", "implementations/index.html", "implementations/swapped-merge.html", "tokenizers/another.html")


@pytest.mark.long_but(1)
@pytest.mark.parametrize("address", [*LISTS, "tokenizers/index.html", "changes.html"])
def test_axe_finds_nothing_serious(site: Path, open_page: Opener, axe: str, address: str) -> None:
    for scheme in ("light", "dark"):
        tab = open_page(site / "search.html", color_scheme=scheme, bypass_csp=True)
        assert violations(opened(tab, address), axe) == []


@pytest.mark.parametrize("address", LISTS)
def test_the_first_column_and_the_head_of_a_table_stay(site: Path, open_page: Opener, address: str) -> None:
    tab = opened(open_page(site / "search.html", viewport={"width": 360, "height": 500}), address)
    for cell in ("tbody th", "thead th"):
        styles = tab.evaluate(
            "(cell) => [...document.querySelectorAll(`.tall ${cell}`)].map((each) => getComputedStyle(each).position)",
            cell,
        )
        assert set(styles) <= {"sticky"}, cell


def test_a_cell_of_the_overview_leads_to_findings(tab: Tab) -> None:
    opened(tab, "index.html")
    cells = tab.locator(".standings td a")
    assert cells.count() > 0
    cells.first.click()
    expect(tab.locator("#list .title").first).to_be_visible()
