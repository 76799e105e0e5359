"""Hostile text in every place of a record and of a page, in a browser: nothing of it runs, and it is shown as text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hostile import HOSTILE
from in_one_test import run_all
from playwright.sync_api import expect

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import visible
from tokenizer_conformance.report.reading import read_page

if TYPE_CHECKING:
    from pathlib import Path

    from opened_pages import Opener, Recorded
    from playwright.sync_api import Page as Tab

KEPT = frozenset(
    {
        *(
            "type",
            "schema",
            "version",
            "ask",
            "stage",
            "stages",
            "field",
            "fields",
            "verdict",
            "kind",
            "party",
            "conclusion",
        ),
        *("differs_at", "consequence_of", "baseline", "offset_unit", "implementation", "tokenizer", "name", "outcome"),
        *("sha256", "sources", "differing_fields", "unsupported_fields"),
    }
)
"""Keys of which the strings are keywords, or names that hold a record together; those are hostile by :data:`NAMES`."""

NAMES = ("wrong-normalization", "shifted-offset", "swapped-merge", "lossy-decode", "one", "another")
"""Names of implementations and tokenizers, which stand in many lines of a record."""


def hostile_record(record: Path, folder: Path) -> Path:
    """Write ``record`` with a hostile text in place of each string that is no keyword, in turn, and return its path."""
    texts = list(HOSTILE.values())
    named = {name: f"{name} {text}" for name, text in zip(NAMES, texts, strict=False)}
    turn = iter(range(10**9))

    def changed(value: Any, key: str = "") -> Any:
        match value:
            case dict():
                return {named.get(name, name): changed(each, name) for name, each in value.items()}
            case list():
                return [changed(each, key) for each in value]
            case str() if value in named:
                return named[value]
            case str() if key in KEPT or not value:
                return value
            case str():
                return texts[next(turn) % len(texts)]
            case _:
                return value

    written = folder / "run.jsonl"
    with record.open(encoding="utf-8") as lines, written.open("w", encoding="ascii") as file:
        file.writelines(json.dumps(changed(json.loads(line))) + "\n" for line in lines)
    return written


def assert_harmless(tab: Tab) -> None:
    """Assert that the live page has no element, attribute or address that the page itself does not make."""
    names = set(tab.evaluate("[...new Set([...document.querySelectorAll('*')].map((each) => each.localName))]"))
    assert not names & {"img", "iframe", "object", "embed", "base", "link", "textarea", "b", "x"}
    attributes = tab.evaluate("[...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames())")
    assert attributes
    assert not [name for name in attributes if name.startswith("on") or name in ("autofocus", "srcdoc", "style")]
    addresses = tab.evaluate("[...document.querySelectorAll('[href]')].map((each) => each.getAttribute('href'))")
    assert addresses
    assert all(each.startswith("#") for each in addresses)
    assert tab.evaluate("document.scripts.length") == tab.locator("script[type]").count() + 1


@pytest.fixture
def hostile(toys: Recorded, tmp_path: Path) -> Path:
    return hostile_record(toys.record, tmp_path)


def test_a_hostile_record_opens_and_is_shown_as_text(hostile: Path, open_page: Opener) -> None:
    page = read_page(hostile)
    tab = open_page(page, "#findings")
    assert_harmless(tab)
    buttons = tab.locator("#list .title button")
    assert buttons.count() == len(page.findings) > 10
    tab.evaluate("document.querySelectorAll('#list .title button').forEach((each) => each.click())")
    expect(tab.locator("#list .detail")).to_have_count(len(page.findings))
    assert_harmless(tab)
    text = tab.locator("body").text_content() or ""
    for name, hostile_text in HOSTILE.items():
        assert visible(hostile_text) in text or visible(f'"{hostile_text}"')[1:-1] in text, name
    for finding, shown in zip(page.findings, tab.locator("#list .detail").all_text_contents(), strict=True):
        assert visible(finding.repeat) in shown
        assert all(visible(fact.value) in shown for fact in finding.facts)


def test_names_of_hostile_implementations_filter_and_link(hostile: Path, open_page: Opener) -> None:
    page = read_page(hostile)
    tab = open_page(page)
    for finding in {each.implementation: each for each in page.findings}.values():
        tab.locator("#filters [name=implementation]").select_option(visible(finding.implementation))
        count = sum(
            each.implementation == finding.implementation and each.group == page.findings[0].group
            for each in page.findings
        )
        assert tab.locator("#list .title").count() == count
    links = tab.locator(".matrix td a")
    for at in range(links.count()):
        named = links.nth(at).evaluate("(link) => new URLSearchParams(link.hash).get('implementation')")
        links.nth(at).evaluate("(link) => link.click()")
        expect(tab.locator("#filters [name=implementation]")).to_have_value(named)
        expect(tab.locator("#list .title")).not_to_have_count(0)
    assert_harmless(tab)


def test_a_hostile_address_does_nothing(toys: Recorded, open_page: Opener) -> None:
    tab = open_page(toys.html)

    def check(name: str) -> None:
        quoted = "".join(f"%{byte:02X}" for byte in HOSTILE[name].encode("utf-8", "replace"))
        tab.goto("about:blank")  # another fragment alone loads nothing
        tab.goto(f"{toys.html.as_uri()}#finding={quoted}")
        expect(tab.locator("#shown")).to_contain_text("There is no finding")
        assert_harmless(tab)
        assert tab.evaluate("window.violations") == []

    run_all(check, [*HOSTILE])


def test_the_policy_allows_no_script_but_that_of_the_page(toys: Recorded, open_page: Opener) -> None:
    """The tests above cannot see what the policy would stop, so the policy is asked itself."""
    tab = open_page(toys.html)
    tab.evaluate(
        "() => { const script = document.createElement('script'); "
        "try { script.text = 'window.planted = 1'; } catch (error) { window.refused = error.name; } "
        "document.body.append(script); }"
    )
    assert tab.evaluate("window.refused") == "TypeError", "Trusted Types"
    assert tab.evaluate("window.planted") is None
    open_page.troubles.clear()  # they say just that
    tab.evaluate("window.violations.length = 0")


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("<script>alert(1)</script>\n")
    with pytest.raises(BadInputError, match=re.escape("no JSON")):
        read_page(tmp_path / "x.jsonl")
