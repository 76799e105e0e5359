"""Known changes by release: the marks of each, and the table at the top of their page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import html

from tokenizer_conformance.releases.known_changes.change import KnownChange, Probe
from tokenizer_conformance.releases.known_changes.reader import PACKAGES, known_changes
from tokenizer_conformance.report.site.timelines import Mark, timelines

if TYPE_CHECKING:
    from conftest import Built


def change(id_: str, since: str, until: str | None = None, package: str = "tokenizers") -> KnownChange:
    probe = Probe(program="answer = 1", old=0, new=1)
    words = {"component": "c", "title": "t", "description": "d"}
    return KnownChange(id=id_, package=package, before="0", since=since, until=until, probe=probe, **words)


def test_a_change_is_marked_from_its_release_on_until_it_is_as_before() -> None:
    changes = (
        change("a", "0.9.0"),
        change("b", "0.9.0", "0.11.0"),
        change("c", "0.10.0"),
        change("d", "5.0", None, "x"),
    )
    first, second = timelines(changes, {each.id: each.id.upper() for each in changes})
    assert (first.package, first.releases) == ("tokenizers", ("0.9.0", "0.10.0", "0.11.0"))
    assert {row.id: row.marks for row in first.rows} == {
        "A": (Mark.BEGINS, Mark.HOLDS, Mark.HOLDS),
        "B": (Mark.BEGINS, Mark.HOLDS, Mark.ENDS),
        "C": (None, Mark.BEGINS, Mark.HOLDS),
    }
    assert (second.package, second.releases, second.rows[0].marks) == ("x", ("5.0",), (Mark.BEGINS,))


def test_a_mark_is_seen_and_said() -> None:
    assert [(mark.sign, mark.word) for mark in Mark] == [("●", "changed"), ("━", "still so"), ("○", "as before again")]


def test_the_page_has_a_row_for_each_change_that_leads_to_its_place(site: Built) -> None:
    page = html.fromstring(site.files["changes.html"])
    changes = known_changes().changes
    rows = page.xpath("//div[contains(@class, 'timeline')]//tbody/tr")
    assert len(rows) == len(changes)
    assert [table.get("id") for table in page.xpath("//div[contains(@class, 'timeline')]/table")] == [
        f"of-{package}" for package in PACKAGES
    ]
    for row, each in zip(rows, changes, strict=True):
        (link,) = row.xpath("th/a")
        assert link.text == each.title.replace("`", "")
        (heading,) = page.xpath("//h4[@id=$id]", id=link.get("href").removeprefix("#"))
        assert heading.text_content() == link.text
        words = [word for cell in row.xpath("td") for word in cell.xpath("span[@class='hidden']/text()")]
        assert words.count("changed") == 1
        first_and_last = each.since if each.last in (None, each.since) else f"{each.since} to {each.last}"
        assert row.xpath("string(th/span)") == f"{each.component}, {first_and_last}"
        assert words.count("as before again") == (each.until is not None)
        columns = row.getparent().getparent().xpath("thead/tr/th/text()")[1:]
        began = columns[[cell.get("class") for cell in row.xpath("td")].index("begins")]
        assert began == each.since


def test_the_words_stand_once_and_the_heading_is_the_page_s(site: Built) -> None:
    page = html.fromstring(site.files["changes.html"])
    assert [heading.text_content() for heading in page.xpath("//h1")] == ["Known changes"]
