"""Documents in Markdown: markup as text, links that lead somewhere or are none, pictures that are still."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test
from lxml import html

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.report.site import document_pages
from tokenizer_conformance.report.site.document_pages import add_documents, read_documents
from tokenizer_conformance.report.site.documents import Part, document_of, parsed, rendered
from tokenizer_conformance.report.site.site import Site
from tokenizer_conformance.report.site.still_pictures import is_still

if TYPE_CHECKING:
    from lxml.html import HtmlElement

PNG = b"\x89PNG\r\n\x1a\n...."
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'


def pages(folder: Path, **texts: str) -> tuple[Site, dict[str, HtmlElement]]:
    """Return a site of documents with these names and texts, and their pages."""
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    site = Site()
    add_documents(site, read_documents([folder / f"{name}.md" for name in texts]))
    return site, {name: html.fromstring(site.files[f"documents/{name}.html"]).find(".//article") for name in texts}


def links(page: HtmlElement) -> dict[str, str]:
    return {link.text_content(): link.get("href") for link in page.iter("a")}


def test_parts_are_folded_up_to_the_next_heading_that_is_as_great() -> None:
    text = "# a\n\n## b\n\n1\n\n### c\n\n2\n\n> ## quoted\n\n## d\n\n3\n\n# e\n\n4"
    page = html.fragment_fromstring(rendered(parsed(text), lambda _: None, folded=2), create_parent="div")
    assert [part.text_content().split() for part in page.iter("details")] == [
        ["b", "1", "c", "2", "quoted"],
        ["d", "3"],
    ]
    assert [part.text_content().strip() for part in page.iter("summary")] == ["b", "d"]
    assert [part.tag for part in page] == ["h1", "details", "details", "h1", "p"]


HOSTILE = {
    "markup": "<script>alert(1)</script> and <img src=x onerror=alert(1)>",
    "block of markup": "<iframe src=//evil></iframe>\n\n<style>*{display:none}</style>",
    "link that is a program": "[x](javascript:alert(1)) [y](<java\tscript:alert(1)>) [z](JaVaScRiPt:alert(1))",
    "data": "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "entities": "[x](&#106;avascript&colon;alert(1)) &lt;script&gt;",
    "autolink": "<javascript:alert(1)>",
    "reference": "[x]\n\n[x]: javascript:alert(1)",
    "title": '[x](https://a.example "\\" onclick=alert(1) x=\\"")',
    "picture": "![x](javascript:alert(1)) ![<script>](https://evil.example/x.png)",
    "fence": '```"><script>\n</code></pre><script>alert(1)</script>\n```',
    "heading": '# "><script>alert(1)</script>',
    "table": "| a |\n| --- |\n| <script>alert(1)</script> |",
    "anchor": '<a id="x" onclick="alert(1)"></a>\n\n<a id="x"></a><script>alert(1)</script>',
}

HARMLESS = {
    "article",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "a",
    "code",
    "pre",
    "em",
    "strong",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "ul",
    "ol",
    "li",
    "br",
    "hr",
    "blockquote",
    "span",
}


def judge(page: HtmlElement) -> None:
    """Assert that nothing on ``page`` can run or fetch anything."""
    for element in page.iter():
        assert element.tag in HARMLESS
        for name, value in element.attrib.items():
            assert name in {"id", "href", "class", "title", "start"}, name
            assert name != "href" or value.startswith(("http://", "https://", "mailto:", "#"))


@in_one_test("text", HOSTILE.values())
def test_nothing_in_a_document_runs(text: str) -> None:
    judge(html.fromstring(f"<article>{rendered(parsed(text), lambda _: None)}</article>"))


@given(st.text("<>\"'()[]!#`|&;:=\n ajscript/\\*_-", max_size=60) | st.sampled_from(sorted(HOSTILE.values())))
def test_whatever_is_written_nothing_runs(text: str) -> None:
    judge(html.fromstring(f"<article>{rendered(parsed(text), lambda _: None)}</article>"))


def test_markup_is_shown_as_it_stands(tmp_path: Path) -> None:
    _, found = pages(tmp_path, one="# One\n\nA <b>word</b>.")
    assert "A <b>word</b>." in found["one"].text_content()


def test_a_comment_is_not_shown_and_describes_nothing(tmp_path: Path) -> None:
    text = (
        "<!-- Written by a program;\ndo not edit. -->\n\n# One\n\n<!-- x -->\n\nIt shows a: b. More.\n\n`<!-- code -->`"
    )
    _, found = pages(tmp_path, one=text)
    assert found["one"].text_content().split() == ["One", "It", "shows", "a:", "b.", "More.", "<!--", "code", "-->"]
    assert parsed(text).opening == "It shows a: b."


def test_a_long_sentence_describes_a_page_by_its_beginning() -> None:
    assert parsed("# One\n\n" + "word " * 100).opening == ("word " * 50) + "…"


def test_links_lead_to_documents_of_the_site_and_others_are_words(tmp_path: Path) -> None:
    one = """
# One
[other](two.md) [heading](two.md#a-heading) [no heading](two.md#none) [encoded](%74wo.md) [none](three.md) [up](../x.md)
[here](#one) [nowhere](#two) [web](https://a.example/) [host](//a.example/x) [root](/etc/passwd) [folder](.)
"""
    (tmp_path / "three.md").write_text("not given")
    _, found = pages(tmp_path, one=one, two="# Two\n\n## A heading\n\n[back](one.md#one)")
    assert links(found["one"]) == {
        "other": "two.html",
        "heading": "two.html#a-heading",
        "no heading": "two.html",
        "encoded": "two.html",
        "here": "#one",
        "web": "https://a.example/",
    }
    assert links(found["two"]) == {"back": "one.html#one"}
    for word in ("none", "up", "nowhere", "host", "root", "folder"):
        assert word in found["one"].text_content()


def test_ids_are_those_of_github_but_for_those_that_the_page_has(tmp_path: Path) -> None:
    text = "# Twice\n\n## Twice\n\n## Theme\n\n"
    text += '[theme](#theme) [second](#twice-1)\n\n<a id="AN-ID"></a>\n\nx [an id](#AN-ID)'
    site, found = pages(tmp_path, one=text)
    whole = html.fromstring(site.files["documents/one.html"])
    ids = [element.get("id") for element in whole.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert links(found["one"]) == {"theme": "#theme-1", "second": "#twice-1", "an id": "#AN-ID"}
    assert [element.get("id") for element in found["one"].iter() if element.get("id")] == [
        "twice",
        "twice-1",
        "theme-1",
        "AN-ID",
    ]


def test_a_place_that_has_an_id_and_nothing_else_is_one_line() -> None:
    text = 'a\n\n<a id="one"></a>\n\nb\n\n<a id="two"></a>'
    assert rendered(parsed(text), lambda _: None) == (
        '<p>a</p>\n<span id="one"></span>\n<p>b</p>\n<span id="two"></span>\n'
    )


def test_cells_of_tables_break_lines(tmp_path: Path) -> None:
    _, found = pages(tmp_path, one="| a |\n| --- |\n| b<br>c |")
    assert len(found["one"].findall(".//td/br")) == 1


def test_columns_of_numbers_are_aligned_without_styles(tmp_path: Path) -> None:
    _, found = pages(tmp_path, one="| a | b |\n| :- | -: |\n| c | 1 |")
    assert [(cell.text, dict(cell.attrib)) for cell in found["one"].iter("td")] == [
        ("c", {}),
        ("1", {"class": "number"}),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [("# One `two` *three*", "One two three"), ("no heading", "name"), ("```\n# no\n```\n# Yes", "Yes"), ("", "name")],
)
def test_the_title_is_the_first_heading(text: str, title: str) -> None:
    assert document_of(Path("name.md"), text).title == title


# Pictures ------------------------------------------------------------------------------------------------------------


def test_pictures_beside_a_document_are_a_part_of_the_site(tmp_path: Path) -> None:
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "a b.svg").write_bytes(SVG)
    (tmp_path / "same.svg").write_bytes(SVG)
    (tmp_path / "x.png").write_bytes(PNG)
    site, found = pages(tmp_path, one="![A](plots/a%20b.svg) ![B](same.svg) ![C](x.png)")
    sources = [(image.get("alt"), image.get("src")) for image in found["one"].iter("img")]
    assert [alt for alt, _ in sources] == ["A", "B", "C"]
    assert sources[0][1] == sources[1][1]
    for _, source in sources:
        assert site.files[source.removeprefix("../")] in (SVG, PNG)


def test_other_pictures_are_words(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "outside.svg").write_bytes(SVG)
    (folder / "link.svg").symlink_to(tmp_path / "outside.svg")
    (folder / "false.png").write_bytes(b"<svg/>")
    (folder / "runs.svg").write_bytes(SVG.replace(b"<path", b"<script>alert(1)</script><path"))
    (folder / "page.html").write_bytes(b"<script>alert(1)</script>")
    names = ("../outside.svg", "link.svg", "false.png", "runs.svg", "page.html", "none.svg", "https://a.example/x.svg")
    site, found = pages(folder, one=" ".join(f"![picture-{name}]({name})" for name in names))
    assert not list(found["one"].iter("img"))
    assert not [path for path in site.files if path.startswith("pictures/")]
    for name in names:
        assert f"picture-{name}" in found["one"].text_content()


def test_a_link_to_a_picture_is_none(tmp_path: Path) -> None:
    """It would open as a page of its own."""
    (tmp_path / "x.svg").write_bytes(SVG)
    site, found = pages(tmp_path, one="[x](x.svg) ![[y](x.svg)](none.png)")
    assert links(found["one"]) == {}
    assert not [path for path in site.files if path.startswith("pictures/")]


def svg(inside: str, root: str = "") -> bytes:
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {spaces} {root}>{inside}</svg>".encode()


NOT_STILL = {
    "script": svg("<script>alert(1)</script>"),
    "prefixed script": b'<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></s:svg>',
    "event": svg("<path d='M0 0' onclick='alert(1)'/>"),
    "event of the root": svg("", "onload='alert(1)'"),
    "html": svg("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>"),
    "link": svg("<a xlink:href='javascript:alert(1)'><path d=''/></a>"),
    "use": svg("<use href='https://evil.example/x.svg#a'/>"),
    "image": svg("<image href='https://evil.example/x.png'/>"),
    "picture in a picture": svg("<image href='data:image/svg+xml;base64,AAAA'/>"),
    "animation": svg("<set attributeName='href' to='javascript:alert(1)'/>"),
    "import": svg("<style>@import 'https://evil.example/x.css';</style>"),
    "url": svg("<path style='fill: url(https://evil.example/x)'/>"),
    "escaped url": svg("<path style='fill: u\\72l(https://evil.example/x)'/>"),
    "metadata": svg("<metadata><script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script></metadata>"),
    "style sheet": b"<?xml-stylesheet href='https://evil.example/x.xsl'?>" + SVG,
    "entities": b'<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + SVG,
    "no picture": b"<html xmlns='http://www.w3.org/1999/xhtml'/>",
    "no XML": b"<svg",
    "nothing": b"",
}


@in_one_test("content", NOT_STILL.values())
def test_a_picture_that_may_do_something_is_none(content: bytes) -> None:
    assert not is_still(content, ".svg")


STILL = {
    "plain": SVG,
    "inner url": svg("<path style='fill: url(#a)' clip-path='url(#b)'/><use xlink:href='#c'/>"),
    "pixels": svg("<image xlink:href='data:image/png;base64,AAAA'/>"),
}


@pytest.mark.parametrize("content", STILL.values(), ids=STILL)
def test_a_picture_that_does_nothing_is_one(content: bytes) -> None:
    assert is_still(content, ".svg")


def test_published_plots_are_still() -> None:
    found = sorted((Path(__file__).parents[4] / "reports").glob("**/*.svg"))
    assert found
    assert [path.name for path in found if not is_still(path.read_bytes(), ".svg")] == []


# Files that are no documents -----------------------------------------------------------------------------------------


def test_a_document_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bytes.md").write_bytes(b"ab\xff")
    (tmp_path / "long.md").write_bytes(b"x" * 11)
    monkeypatch.setattr(document_pages, "LARGEST", 10)
    for name, said in (
        ("none.md", "No such file"),
        (".", "no regular file"),
        ("bytes.md", "no text in UTF-8: byte 2"),
        ("long.md", "11 bytes"),
    ):
        with pytest.raises(BadInputError, match=said):
            read_documents([tmp_path / name])


def test_documents_of_one_name_keep_their_folders(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "README.md").write_text(f"# {folder}\n")
    found = read_documents([tmp_path / "b" / "README.md", tmp_path / "a" / "README.md"])
    assert [each.document.title for each in found] == ["a", "b"]
    assert len({each.address for each in found}) == 2
    with pytest.raises(BadInputError, match="2 times"):
        read_documents([tmp_path / "a" / "README.md", tmp_path / "b" / ".." / "a" / "README.md"])


def test_parts_are_what_stands_under_each_heading() -> None:
    text = "before\n\n# One *a*\n\nfirst\n\n- second\n\n## Two\n\n`code` and\nmore\n\n### Three\n"
    assert list(parsed(text).parts()) == [
        Part("one-a", 1, "One a", "first second"),
        Part("two", 2, "Two", "`code` and more"),
        Part("three", 3, "Three", ""),
    ]
    assert list(parsed("no heading").parts()) == []


@pytest.mark.parametrize(
    ("file", "name"), [("TEXTBOOK.md", "Textbook errata"), ("errata.md", "Errata"), ("my-Errata.md", "My-errata")]
)
def test_links_to_errata_say_of_what_they_are(tmp_path: Path, file: str, name: str) -> None:
    (tmp_path / file).write_text("# Errata\n", "utf-8")
    (found,) = read_documents([tmp_path / file])
    assert found.name_of_errata == name


@pytest.mark.parametrize(("title", "is_errata"), [("Errata", True), ("Known ERRATA of it", True), ("Results", False)])
def test_errata_are_known_by_their_title(tmp_path: Path, title: str, is_errata: bool) -> None:
    (tmp_path / "a.md").write_text(f"# {title}\n", "utf-8")
    (found,) = read_documents([tmp_path / "a.md"])
    assert found.is_errata is is_errata
