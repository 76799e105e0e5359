"""The list of findings in a browser: filters, orders, links, what is opened and copied, by mouse and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from opened_pages import headlines, shown
from playwright.sync_api import expect
from report_pages import many, page_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from opened_pages import Opener, Recorded
    from playwright.sync_api import Page as Tab

    from tokenizer_conformance.results.page import ShownFinding

FINDINGS = many(350)
PAGE = page_of(*FINDINGS)
ROWS = 100
"""How many findings are shown at first."""

FILTERS = ("group", "implementation", "tokenizer", "stage", "reason", "standing")


def said(count: int, size: int) -> str:
    """Return what the list says that shows ``count`` of ``size`` findings."""
    of_all = "" if count == size else f" (of {size:,})"
    return f"{min(count, ROWS):,} of {count:,} findings shown{of_all}"


def first_of(findings: list[ShownFinding]) -> list[str]:
    return [each.headline for each in findings[:ROWS]]


def searched(words: str) -> list[ShownFinding]:
    """Return the findings that have all of these words in what the list shows of them."""

    def has(finding: ShownFinding) -> bool:
        parts = (finding.headline, finding.id, finding.subjects[0].text, *(getattr(finding, name) for name in FILTERS))
        line = " ".join(map(str, parts)).lower()
        return all(word in line for word in words.lower().split())

    return list(filter(has, FINDINGS))


def choose(tab: Tab, name: str, value: str) -> None:
    tab.locator(f"#filters select[name={name}]").select_option(value)


def test_every_filter_shows_the_findings_of_the_record_that_have_that_word(toys: Recorded, open_page: Opener) -> None:
    page = toys.page
    tab = open_page(toys.html, "#findings")
    assert shown(tab) == said(len(page.findings), len(page.findings))
    chosen = 0
    for name in FILTERS:
        for value in sorted({str(getattr(each, name)) for each in page.findings}):
            choose(tab, name, value)
            found = [each for each in page.findings if str(getattr(each, name)) == value]
            assert shown(tab) == said(len(found), len(page.findings)), (name, value)
            assert headlines(tab) == first_of(found)
            chosen += 1
        choose(tab, name, "")
    assert chosen > 20


def test_filters_go_together_and_are_taken_away_by_one_button(open_page: Opener) -> None:
    tab = open_page(PAGE, "#findings")
    choose(tab, "implementation", "beta")
    choose(tab, "stage", "model")
    tab.locator("#filters input[name=text]").fill("LETTER 3 score")
    found = [each for each in searched("letter 3 score") if (each.implementation, each.stage) == ("beta", "model")]
    assert found
    expect(tab.locator("#shown")).to_have_text(said(len(found), 350))
    assert headlines(tab) == first_of(found)
    assert tab.evaluate("location.hash") == "#findings&implementation=beta&stage=model&text=LETTER+3+score"
    tab.get_by_role("button", name="Show all").click()
    expect(tab.locator("#shown")).to_have_text(said(350, 350))


def test_where_nothing_is_found_a_button_shows_all_again(open_page: Opener) -> None:
    tab = open_page(PAGE, "#findings&implementation=beta&text=no+such+words")
    expect(tab.locator("#shown")).to_have_text("None of the 350 findings has all that is asked for.")
    tab.locator("#every").click()
    expect(tab.locator("#shown")).to_have_text(said(350, 350))
    assert tab.locator("#filters select[name=implementation]").input_value() == ""
    assert tab.locator("#filters input[name=text]").input_value() == ""
    expect(tab.locator("#every")).to_be_hidden()


def test_an_address_has_the_filters_and_the_order(open_page: Opener) -> None:
    tab = open_page(PAGE, "#findings&implementation=gamma&text=letter+2&sort=-count")
    found = [each for each in searched("letter 2") if each.implementation == "gamma"]
    assert shown(tab) == said(len(found), 350)
    assert headlines(tab) == first_of(sorted(found, key=lambda each: -each.count))
    assert tab.locator("#filters select[name=implementation]").input_value() == "gamma"


@pytest.mark.parametrize(
    "hash_",
    ["#findings&implementation=nobody", "#findings&sort=toString", "#findings&sort=part", "#findings&nonsense=1"],
)
def test_words_that_the_page_does_not_have_filter_and_sort_nothing(open_page: Opener, hash_: str) -> None:
    tab = open_page(PAGE, hash_)
    assert shown(tab) == said(350, 350)
    assert headlines(tab) == first_of(list(FINDINGS))
    assert tab.locator("#filters select[name=implementation]").input_value() == ""


ORDERS: dict[str, Callable[[ShownFinding], object]] = {
    "implementation": lambda each: each.implementation,
    "tokenizer": lambda each: int(each.tokenizer.split("-")[1]),
    "stage": lambda each: each.stage,
    "standing": lambda each: str(each.standing),
    "headline": lambda each: [int(word) for word in each.headline.split() if word.isdigit()],
    "count": lambda each: each.count,
}
"""What the list is sorted by; numbers in words are numbers."""


@pytest.mark.parametrize("column", ORDERS)
def test_the_head_of_a_column_sorts_in_both_directions(open_page: Opener, column: str) -> None:
    tab = open_page(PAGE, "#findings")
    head = tab.locator(f"#list th[data-column={column}]")
    for is_first in (True, False):
        head.get_by_role("button").click()
        descending = (column == "count") is is_first
        assert head.get_attribute("aria-sort") == ("descending" if descending else "ascending")
        order = sorted(FINDINGS, key=ORDERS[column], reverse=descending)  # type: ignore[arg-type,type-var]
        keys = {each.headline: ORDERS[column](each) for each in FINDINGS}
        assert [keys[each] for each in headlines(tab)] == [ORDERS[column](each) for each in order[:ROWS]]
    assert tab.locator("#list th[aria-sort=ascending], #list th[aria-sort=descending]").count() == 1


def test_tables_are_sorted_by_numbers_where_they_have_numbers(open_page: Opener) -> None:
    tab = open_page(PAGE)
    button = tab.locator("table.sortable th button", has_text="count")
    names = tab.locator("table.sortable tbody td:first-child")
    button.click()
    assert names.all_inner_texts() == ["e", "a", "b", "c", "d"]
    button.click()
    assert names.all_inner_texts() == ["d", "c", "b", "a", "e"]
    assert tab.locator("table.sortable th", has_text="count").get_attribute("aria-sort") == "descending"


def test_further_findings_are_shown_when_they_are_asked_for(open_page: Opener) -> None:
    tab = open_page(PAGE, "#findings")
    further = tab.locator("#further")
    for count in (200, 300, 350):
        further.click()
        assert shown(tab) == f"{count} of 350 findings shown"
        assert tab.locator("#list .title").count() == count
    assert not further.is_visible()


# Links ---------------------------------------------------------------------------------------------------------------


def opened(tab: Tab) -> list[str]:
    """Return the headlines of the findings that are open, once their details are there."""
    tab.wait_for_selector("#list tr.opened .detail")
    return tab.locator("#list tr.open .title button").all_inner_texts()


def test_a_link_opens_its_finding_however_far_down_it_is(open_page: Opener) -> None:
    tab = open_page(PAGE, "#finding=cause-302")
    assert opened(tab) == [FINDINGS[301].headline]
    assert tab.evaluate("document.activeElement.textContent") == FINDINGS[301].headline
    in_group = [each for each in FINDINGS if each.group == FINDINGS[301].group]
    first = in_group.index(FINDINGS[301]) // ROWS * ROWS
    assert tab.locator("#list .title").count() <= ROWS, "not all that stand before it"
    assert shown(tab).startswith(f"{first + 1} to ")
    tab.locator("#earlier").click()
    assert headlines(tab)[0] == in_group[first - ROWS].headline


def test_a_link_is_followed_in_an_open_page_back_and_forward(open_page: Opener) -> None:
    tab = open_page(PAGE, "#findings&implementation=alpha")
    assert shown(tab) == said(sum(each.implementation == "alpha" for each in FINDINGS), 350)
    tab.evaluate("location.hash = '#finding=cause-5'")
    assert opened(tab) == [FINDINGS[4].headline]
    tab.go_back()
    expect(tab.locator("#filters [name=implementation]")).to_have_value("alpha")
    assert shown(tab) == said(sum(each.implementation == "alpha" for each in FINDINGS), 350)
    tab.go_forward()
    assert opened(tab) == [FINDINGS[4].headline]


def test_a_headline_leads_to_its_finding_again_after_that_was_closed(open_page: Opener) -> None:
    tab = open_page(PAGE)
    link = tab.locator(".headlines a").first
    for _ in range(2):
        link.click()
        assert opened(tab) == [FINDINGS[0].headline]
        tab.locator("tr.open .title button").click()
        assert tab.locator("tr.opened").count() == 0


def test_an_unknown_link_says_so(open_page: Opener) -> None:
    tab = open_page(PAGE, "#finding=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E")
    assert shown(tab) == "There is no finding <img src=x onerror=alert(1)> in this report; all are shown."
    assert tab.locator("img").count() == 0
    assert tab.locator("#list .title").count() == ROWS


def test_cells_of_the_matrix_lead_to_their_findings(toys: Recorded, open_page: Opener) -> None:
    page = toys.page
    tab = open_page(toys.html)
    links = tab.locator("#summary .overview .matrix td a")
    cells = [cell for _, row in page.matrices[0].rows for cell in row if cell.of]
    assert links.count() == len(cells) > 5
    for at, cell in enumerate(cells):
        links.nth(at).click()
        found = [each for each in page.findings if all(str(getattr(each, key)) == cell.of[key] for key in cell.of)]
        expect(tab.locator("#shown")).to_have_text(said(len(found), len(page.findings)))
        assert found


def test_what_follows_from_an_earlier_stage_leads_to_the_findings_of_that(toys: Recorded, open_page: Opener) -> None:
    tab = open_page(toys.html)
    tab.locator("details.more > summary").click()
    row = tab.locator("details.more .matrix").first.locator("tr", has_text="wrong-normalization")
    row.locator("td").nth(2).locator("a").click()  # the model, which is given other text
    stages = tab.locator("#list td[data-label=stage]")
    expect(stages.filter(has_not_text="normalize")).to_have_count(0)
    expect(stages.filter(has_text="normalize")).not_to_have_count(0)


# Copying, and the keyboard --------------------------------------------------------------------------------------------


def test_a_reproducer_is_copied(toys: Recorded, open_page: Opener) -> None:
    finding = toys.page.findings[0]
    tab = open_page(toys.html, permissions=["clipboard-read", "clipboard-write"])
    tab.locator("#list .title button").first.click()
    button = tab.locator("tr.opened button.copy")
    button.click()
    expect(button).to_have_text("Copied")
    assert tab.evaluate("navigator.clipboard.readText()") == finding.repeat
    assert finding.repeat.startswith("tokconf run ")


def test_a_reproducer_is_selected_where_the_clipboard_is_forbidden(toys: Recorded, open_page: Opener) -> None:
    tab = open_page(toys.html)
    tab.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('forbidden'); }; }")
    tab.locator("#list .title button").first.click()
    button = tab.locator("tr.opened button.copy")
    button.click()
    expect(button).to_have_text("Selected: press Ctrl-C")
    assert tab.evaluate("getSelection().toString()").strip() == toys.page.findings[0].repeat


def test_the_page_is_used_with_the_keyboard_alone(open_page: Opener) -> None:
    tab = open_page(PAGE)

    def focused() -> str:
        return str(tab.evaluate("document.activeElement.innerText ?? ''")).strip()

    tab.keyboard.press("Tab")
    assert focused() == "Skip to the summary"
    assert tab.locator(".skip").bounding_box()["x"] >= 0, "what has the focus is seen"  # type: ignore[index]
    reached: list[str] = []
    while not tab.evaluate("document.activeElement.matches('#list .title button')"):
        assert len(reached) < 80
        reached.append(focused())
        tab.keyboard.press("Tab")
    assert focused() == headlines(tab)[0]
    assert FINDINGS[0].headline in reached, "what to look at first"
    assert {"Show all", "implementation", "inputs"} <= set(reached), "the filters, and the heads of columns"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowUp")
    second = focused()
    assert second == headlines(tab)[1]
    tab.keyboard.press("Enter")
    assert opened(tab) == [second]
    assert tab.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('.detail') !== null")
    tab.keyboard.press("Shift+Tab")
    tab.keyboard.press("Space")
    assert tab.locator("tr.opened").count() == 0
