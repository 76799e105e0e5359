"""HTML of pages without a browser: it is well-formed, and no text of a record is markup in it."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test
from lxml import html
from report_pages import many, page_of

from tokenizer_conformance.results.html.writing import html_of
from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Drawing,
    Fact,
    Matrix,
    Page,
    Section,
    Sentence,
    ShownFinding,
    State,
    Step,
    Subject,
    Table,
    Token,
)
from tokenizer_conformance.results.plots.plot import Bar, Bars, Dots, HeatMap

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = st.sampled_from(sorted(HOSTILE.values())) | st.text(st.characters(), min_size=1, max_size=12)

ELEMENTS = frozenset(
    {
        *("html", "head", "meta", "title", "style", "body", "script", "noscript"),
        *("header", "nav", "main", "section", "div", "p", "h1", "h2", "h3", "span", "strong", "a", "code", "bdi"),
        *("ul", "ol", "li", "dl", "dt", "dd", "details", "summary"),
        *("form", "label", "select", "option", "input", "button"),
        *("table", "caption", "thead", "tbody", "tr", "th", "td", "wbr"),
    }
)
"""All that the template has."""


@st.composite
def hostile_pages(draw: st.DrawFn) -> Page:
    """Draw a page in which every string is hostile."""

    def text() -> str:
        return draw(TEXTS)

    finding = ShownFinding(
        id=text(),
        group=text(),
        headline=text(),
        implementation=text(),
        tokenizer=text(),
        stage=text(),
        reason=text(),
        impact=text(),
        subjects=(Subject("text", text()), Subject(text(), text())),
        answers=(Answer(text(), (Token(text(), 1, 0, 1), Token(text()))), Answer(text(), text=text(), trouble=text())),
        lines=(text(),),
        pipeline=(Step(text(), State.DIFFER),),
        explanation=text(),
        proof=(text(),),
        known=text(),
        agreeing=(text(), text()),
        repeat=text(),
        repeat_is=text(),
        facts=(Fact(text(), text()),),
    )
    cell = Cell(State.DIFFER, text(), text(), {"implementation": finding.implementation})
    return Page(
        name=text(),
        kind="run",
        title=text(),
        state=State.DIFFER,
        conclusion="differences",
        summary=text(),
        sentences=(Sentence(text(), (text(),)),),
        facts=(Fact(text(), text()),),
        compared=(Compared(text(), text(), text(), text()),),
        complaints=(text(),),
        matrices=(Matrix(text(), text(), (text(),), ((text(), (cell,)),)),) * 2,
        headlines=(finding.id,),
        findings=(finding,),
        counted=text(),
        sections=(Section(text(), (text(),) * 13, tables=(Table(text(), (text(),), ((text(),),), text()),)),),
    )


@given(hostile_pages())
def test_no_text_of_a_record_becomes_markup(page: Page) -> None:
    written = html_of(page)
    written.encode("utf-8")  # no surrogate is left
    assert not [character for character in written if character < " " and character != "\n"]
    root = html.document_fromstring(written)
    for element in root.iter():
        assert element.tag in ELEMENTS
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name not in ("style", "autofocus", "srcdoc", "src")
            assert name != "href" or value.startswith("#")
    assert len(root.findall(".//script")) == 3, "the index, a part of the findings, and the script of the page"
    for block in root.iterfind(".//script[@type]"):
        assert list(strings(unpacked(block.text)))


def unpacked(block: str) -> Any:
    return json.loads(gzip.decompress(base64.b64decode(block)))


def strings(value: Any) -> Iterator[str]:
    """Yield the strings in ``value``, and assert that all of them can be shown."""
    match value:
        case str():
            value.encode("utf-8")
            assert not [each for each in value if each < " " or each in "\u202e\u2066\u200b\x7f\x9b"]
            yield value
        case dict():
            for each in value.values():
                yield from strings(each)
        case list():
            for each in value:
                yield from strings(each)


RAW = sorted(name for name, text in HOSTILE.items() if set(text) & set("<>&\"'") or not text.isprintable())
"""Those that are not harmless when they stand in HTML as they are."""


@in_one_test("name", RAW)
def test_no_hostile_text_stands_in_a_page_as_it_is(name: str) -> None:
    assert HOSTILE[name] not in html_of(page_of(*many(1), name=HOSTILE[name]))


def test_the_same_page_is_the_same_file() -> None:
    page = page_of(*many(500))
    assert html_of(page) == html_of(page)


def test_pictures_stand_side_by_side_but_those_that_are_wide_or_tall() -> None:
    names = tuple(map(str, range(30)))
    small = Bars("small <b>", "unit", ("a",), {"x": (Bar(1.0),)})
    wide = HeatMap("wide <b>", names, ((1.0,) * 30,) * 30, judges=True)
    tall = Dots("tall", "unit", names, dict.fromkeys("abcdef", (Bar(1.0),) * 30))
    drawings = tuple(Drawing(plot, f"what {plot.title} shows") for plot in (small, wide, tall))
    page = html.fromstring(html_of(replace(page_of(*many(1)), sections=(Section("Pictures", drawings=drawings),))))
    (figures,) = page.xpath("//div[@class='figures']")
    assert [figure.get("class") for figure in figures.xpath("figure")] == [None, "wide", "tall"]
    assert figures.xpath("figure/h3/text()") == ["small <b>", "wide <b>", "tall"]
    (region,) = figures.xpath(".//*[@role='region']")
    assert (region.get("aria-label"), region.get("tabindex"), len(region.xpath("*"))) == ("wide <b>", "0", 1)
    assert [figure.text_content() for figure in figures.xpath("figure/figcaption")] == [
        "what small <b> shows",
        "what wide <b> shows",
        "what tall shows",
    ]
    assert not page.xpath("//@style")
