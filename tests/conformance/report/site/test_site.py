"""A whole site: no dead link, every page reachable, the same bytes for the same records, nothing hostile in it."""

from __future__ import annotations

import base64
import gzip
import json
import posixpath
import shutil
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

import pytest
from lxml import html

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import visible
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.report.site import building
from tokenizer_conformance.report.site.about import implementations_of, tokenizers_of
from tokenizer_conformance.report.site.building import site_of
from tokenizer_conformance.report.site.folder import FILE_OF_A_SITE
from tokenizer_conformance.results.agreement import Agreement
from tokenizer_conformance.results.outcomes import Result
from tokenizer_conformance.results.page import Compared, Page, ShownFinding, State
from tokenizer_conformance.validation.badge.drawing import Format, is_badge

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.html import HtmlElement

    from conftest import Built
    from tokenizer_conformance.validation.suite.requirement import Suite

PARTS = ("index.html", "search.html", "suite.html", "quirks.html", "changes.html", "requirements/index.html")
PARTS += ("implementations/index.html", "tokenizers/index.html", "site.json")


@pytest.fixture(scope="module")
def pages(site: Built) -> dict[str, HtmlElement]:
    """The pages of the site by their addresses."""
    return {name: html.fromstring(text) for name, text in site.files.items() if name.endswith(".html")}


def packed_in(page: HtmlElement, id_: str) -> Any:
    """Return the data that a script of the page unpacks."""
    return json.loads(gzip.decompress(base64.b64decode(page.get_element_by_id(id_).text)))


def links_of(name: str, page: HtmlElement) -> list[tuple[str, str]]:
    """Return where all links of a page lead: paths in the site, and fragments; of the search its entries, too."""
    found = [link for _, _, link, _ in page.iterlinks() if not link.startswith(("http://", "https://", "data:"))]
    if name == "search.html":
        found += [address for _, _, address, _ in packed_in(page, "entries")]
    split = (link.partition("#") for link in found)
    folder = posixpath.dirname(name)
    return [(posixpath.normpath(posixpath.join(folder, path)) if path else name, part) for path, _, part in split]


def is_there(page: HtmlElement, fragment: str) -> bool:
    """Tell whether ``fragment`` leads somewhere on ``page``: to an id, a finding, or findings with these words."""
    if fragment.startswith("finding="):
        return unquote(fragment.removeprefix("finding=")) in packed_in(page, "index")["id"]
    if fragment.startswith("findings&"):
        index = packed_in(page, "index")
        wanted = {name: values[0] for name, values in parse_qs(fragment.removeprefix("findings&")).items()}
        columns = [index["words"][name] for name in wanted]
        rows = [tuple(column["values"][column["codes"][at]] for column in columns) for at in range(index["size"])]
        return tuple(wanted.values()) in rows
    return bool(page.xpath("//*[@id=$id]", id=unquote(fragment)))


def test_every_link_leads_somewhere(site: Built, pages: dict[str, HtmlElement]) -> None:
    dead, followed = [], 0
    for name, page in pages.items():
        for path, fragment in links_of(name, page):
            followed += 1
            if path not in site.files or (fragment and not is_there(pages[path], fragment)):
                dead.append((name, path, fragment))
    assert dead == []
    assert followed > 500


def test_every_file_is_reached_from_the_index(site: Built, pages: dict[str, HtmlElement]) -> None:
    reached, new = set(), {"index.html"}
    while new:
        reached |= new
        new = {path for name in new & pages.keys() for path, _ in links_of(name, pages[name])} - reached
    assert set(site.files) - reached == set()


def test_ids_are_unique_on_each_page(pages: dict[str, HtmlElement]) -> None:
    for name, page in pages.items():
        ids = page.xpath("//@id")
        assert len(ids) == len(set(ids)), name


def test_the_site_has_all_its_parts(site: Built, small_suite: Suite) -> None:
    assert set(PARTS) - {"site.json"} <= set(site.files)
    assert all(map(FILE_OF_A_SITE.fullmatch, site.files))
    assert len({name.casefold() for name in site.files}) == len(site.files)
    requirements = [f"requirements/{each.id}.html" for area in small_suite.areas for each in area.requirements]
    assert set(requirements) <= set(site.files)
    for folder, number in (("records", len(site.records)), ("documents", len(site.documents))):
        assert sum(name.startswith(f"{folder}/") for name in site.files) == number
    assert "Textbook errata" in html.fromstring(site.files["index.html"]).find(".//nav").text_content()


def test_nothing_hostile_is_on_any_page(pages: dict[str, HtmlElement]) -> None:
    for name, page in pages.items():
        scripts = [element for element in page.iter("script") if element.get("type") != "application/octet-stream"]
        assert len(scripts) == 1, name
        for element in page.iter():
            attributes = [attribute for attribute in element.attrib if attribute.startswith("on")]
            assert not attributes, (name, element.tag)
            assert element.get("style") is None or name.startswith("records/")
            assert not str(element.get("href", "")).lower().startswith(("javascript:", "data:"))
        text = page.text_content()
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_hostile_names_have_pages_that_show_them(pages: dict[str, HtmlElement]) -> None:
    for folder in ("implementations", "tokenizers"):
        titles = [page.find(".//h1").text for name, page in pages.items() if name.startswith(f"{folder}/")]
        assert sum("<script>alert(1)</script>" in title for title in titles) == 1, titles


@pytest.mark.long
def test_the_order_of_records_says_nothing(site: Built, small_suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "read_suite", lambda: small_suite)
    assert site_of(site.records[::-1], site.documents[::-1]) == site.files


def test_nothing_of_the_machine_is_in_the_site(site: Built) -> None:
    for name, content in site.files.items():
        assert str(site.folder.parent).encode() not in content, name


@pytest.mark.long
def test_where_records_lie_says_nothing(
    site: Built, small_suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records of one name are told apart by their folders, others by their names alone."""
    moved = []
    for record in site.records:
        copy = tmp_path / "else" / "where" / record.parent.name / record.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(record, copy)
        moved.append(copy)
    monkeypatch.setattr(building, "read_suite", lambda: small_suite)
    files = site_of(moved, site.documents)
    assert all("run.jsonl" in name for name in files.keys() ^ site.files.keys())


def test_a_record_given_twice_is_refused(site: Built) -> None:
    with pytest.raises(BadInputError, match="2 times"):
        site_of([site.records[0], site.records[0]], [])


def test_an_implementation_has_its_verdicts_versions_and_smallest_texts(
    site: Built, pages: dict[str, HtmlElement]
) -> None:
    page = pages["implementations/swapped-merge.html"]
    text = page.text_content()
    record = next(each for each in site.records if each.name == "run.jsonl" and each.parent.name != "nightly")
    findings = [each for each in read_page(record).findings if each.implementation == "swapped-merge"]
    assert findings
    assert any(visible(each.headline) in text for each in findings)
    assert "smallest" in text
    assert page.xpath("//p[@class='kind']")[0].text_content().startswith("implementation · ")
    rows = page.xpath("//table[@class='matrix']//tbody//th")
    assert {row.text_content() for row in rows} >= {"swapped-merge"}


def test_the_baseline_has_a_page_with_the_records_it_was_in(pages: dict[str, HtmlElement]) -> None:
    sections = pages["implementations/toy.html"].xpath("//main//h2")
    assert len(sections) == 3


# The suite -----------------------------------------------------------------------------------------------------------


def test_a_requirement_says_who_passes_it(site: Built, pages: dict[str, HtmlElement]) -> None:
    record = next(each for each in site.records if each.name == "suite.jsonl")
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    asked = [line for line in lines if line["type"] == "requirement"]
    judged = [line for line in asked if f"requirements/{line['requirement']}.html" in pages]
    assert {line["verdict"] for line in judged} > {"passed"}
    for line in judged:
        page = pages[f"requirements/{line['requirement']}.html"]
        words = {"passed": "passes", "failed": "fails", "error": "no answer"}.get(line["verdict"], "not shown")
        rows = [row.text_content() for row in page.xpath("//tbody/tr[th/a]")]
        assert any(row.startswith(line["implementation"]) and words in row for row in rows)


def test_each_requirement_has_its_rule_and_an_example(pages: dict[str, HtmlElement], small_suite: Suite) -> None:
    for area in small_suite.areas:
        for requirement in area.requirements:
            page = pages[f"requirements/{requirement.id}.html"]
            assert page.find(".//h1").text_content() == requirement.title.replace("`", "")
            assert requirement.id in page.xpath("//pre[@id='asking']")[0].text_content()
            assert len(page.find(".//article").text_content()) > 40


def test_badges_are_those_that_services_read_with_texts_to_copy(site: Built, pages: dict[str, HtmlElement]) -> None:
    badges = [name for name in site.files if name.startswith("badges/")]
    assert len(badges) == 4
    for name in badges:
        assert is_badge(site.files[name], Format.SVG if name.endswith(".svg") else Format.JSON)
    page = pages["implementations/sound.html"]
    texts = [each.text_content() for each in page.xpath("//pre[contains(@class, 'of-site')]")]
    assert len(texts) == 2
    assert texts[0].startswith("[![sound ")
    assert texts[0].endswith("](SITE/badges/sound.svg)](SITE/implementations/sound.html)")
    assert texts[1] == "SITE/badges/sound.json"


# The search ----------------------------------------------------------------------------------------------------------


def test_the_search_has_everything(site: Built, pages: dict[str, HtmlElement], small_suite: Suite) -> None:
    entries = packed_in(pages["search.html"], "entries")
    titles = {title for title, *_ in entries}
    kinds = {kind for _, kind, *_ in entries}
    assert {"toy", "swapped-merge", "one", "Quirks", "Known changes"} <= titles
    assert {f"requirement {each.id}" for area in small_suite.areas for each in area.requirements} <= kinds
    for record in site.records:
        assert {visible(each.headline) for each in read_page(record).findings} <= titles


@pytest.mark.long
def test_each_record_has_its_share_of_the_search(
    site: Built, small_suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "read_suite", lambda: small_suite)
    monkeypatch.setattr(building, "MOST_ENTRIES", len(site.records))
    files = site_of(site.records, [])
    page = html.fromstring(files["search.html"])
    findings = [address for *_, address, _ in packed_in(page, "entries") if "#finding=" in address]
    assert len(findings) == len({address.partition("#")[0] for address in findings})
    left_out = sum(max(len(read_page(record).findings) - 1, 0) for record in site.records)
    assert f"{left_out:,} findings of great records" in page.text_content()


def test_the_index_says_how_many_requirements_have_cases(site: Built, small_suite: Suite) -> None:
    requirements = [each for _, each in small_suite.requirements()]
    having = sum(bool(each.cases) for each in requirements)
    said = " ".join(html.fromstring(site.files["index.html"]).text_content().split())
    assert f"{len(requirements)} requirements, {having} of them with cases that implementations are asked, each" in said


# The overview --------------------------------------------------------------------------------------------------------


def test_the_index_has_who_gives_the_same_ids_where(site: Built, pages: dict[str, HtmlElement]) -> None:
    table = pages["index.html"].xpath("//table[contains(@class, 'standings')]")[0]
    columns = [each.text_content() for each in table.xpath(".//thead//th")]
    rows = {
        row.find("th").text_content(): dict(zip(columns, row.findall("td"), strict=True))
        for row in table.xpath(".//tbody/tr")
    }
    assert {"one", "another"} <= set(columns)
    record = next(each for each in site.records if each.name == "run.jsonl" and each.parent.name != "nightly")
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    results = [line for line in lines if line["type"] == "tokenizer" and line["tokenizer"] == "one"][-1]["results"]
    asked = {each["implementation"]: each for each in results}
    assert set(rows) >= set(asked)
    for name, result in asked.items():
        cell = rows[name]["one"]
        share = (result["impact"] or {}).get("documents", {"changed": 0, "total": 0})
        if not share["total"]:
            assert cell.get("class") in {"state-unsupported", "state-not-compared"}
            continue
        stages = [result["stages"][each]["differing_fields"].get("ids", 0) for each in ("model", "post_process")]
        percentage = 1000 * (share["total"] - max(stages)) // share["total"] / 10
        assert f"{percentage:g}" in cell.text_content().split()
        differs = result["failing_inputs"] > 0
        expected = "differ" if any(stages) else "acceptable" if differs else "agree"
        assert cell.get("class") == f"state-{expected}", name
        assert bool(cell.findall("a")) is differs, "a cell leads to what differs"
    assert {each.get("class") for row in rows.values() for each in row.values()} >= {"state-differ", "state-agree"}


def test_an_implementation_is_described_first(pages: dict[str, HtmlElement]) -> None:
    first = " ".join(pages["implementations/swapped-merge.html"].find(".//main").text_content().split())
    assert "Other ids for some texts with" in first
    assert pages["implementations/sound.html"].xpath("//main//svg[contains(@class, 'bar')]")


def page_of(**values: Any) -> Page:
    """A page with these values, and nothing else to show."""
    return Page(name="r", title="r", kind="run", state=State.AGREE, conclusion="", summary="", **values)


def test_only_tokenizers_are_among_tokenizers() -> None:
    """Findings of a comparison are about two of them."""
    found = ShownFinding("1", "kinds", "spaces", tokenizer="one beside another")
    assert list(tokenizers_of(page_of(findings=(found,), tokenizers=("one", "another")))) == ["one", "another"]


def test_what_is_called_like_a_tokenizer_may_be_an_implementation_too() -> None:
    both = Agreement("both", "both", Result.CONFORMS)
    page = page_of(compared=(Compared("both"),), tokenizers=("both",), agreements=(both,))
    assert set(implementations_of(page)) == set(tokenizers_of(page)) == {"both"}


def test_a_run_that_asked_for_no_ids_says_nothing_about_them(site: Built, tmp_path: Path) -> None:
    record = next(each for each in site.records if each.name == "run.jsonl" and each.parent.name != "nightly")
    assert read_page(record).agreements
    head, rest = record.read_text("utf-8").split("\n", 1)
    header = json.loads(head)
    header["stages"] = ["decode"]
    (tmp_path / "decode.jsonl").write_text(f"{json.dumps(header)}\n{rest}", "utf-8")
    assert read_page(tmp_path / "decode.jsonl").agreements == ()
