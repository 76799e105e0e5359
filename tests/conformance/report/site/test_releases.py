"""What a site says of releases: the strongest record first, and every step that a reader asks for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from lxml import html

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.site import building
from tokenizer_conformance.report.site.building import site_of

if TYPE_CHECKING:
    from tokenizer_conformance.validation.suite.requirement import Suite

RELEASES = ("toy", "lossy-decode", "swapped-merge")


@pytest.fixture(scope="module")
def pages(
    plugin: Path, toy_tokenizer: Path, small_suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, html.HtmlElement]:
    """The overview and the page of releases, of a record of two tokenizers, and a later one of a single tokenizer."""
    folder = tmp_path_factory.mktemp("releases")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(plugin))
        patch.setenv("TOKCONF_IN_PROCESS", "all")
        patch.setattr(sys, "argv", sys.argv)
        patch.setattr(building, "read_suite", lambda: small_suite)
        patch.chdir(folder)
        Path("texts.txt").write_text("abc\nbcb\nzebra\n", encoding="utf-8")
        for record, names in (("b-strong", ("one", "another")), ("a-weak", ("one",))):
            for name in names:
                Path(name).mkdir(exist_ok=True)
                (Path(name) / "tokenizer.json").write_bytes(toy_tokenizer.read_bytes())
            options = ("--no-builtin", "--inputs", "texts.txt", "--snapshots", "kept", "--cause-time", "0", "--quiet")
            sys.argv = ["tokconf", "versions", *RELEASES, "-t", *names, *options, "--json", f"{record}.jsonl"]
            result = CliRunner().invoke(main, sys.argv[1:])
            assert result.exit_code == 1, result.output
        files = site_of([Path("a-weak.jsonl"), Path("b-strong.jsonl")], [])
    return {name: html.fromstring(files[name]) for name in ("index.html", "versions.html")}


def test_the_record_with_most_tokenizers_is_first(pages: dict[str, html.HtmlElement]) -> None:
    for name, headings in (("index.html", "//h3/a"), ("versions.html", "//section/h2/a")):
        titles = [each.text for each in pages[name].xpath(headings)]
        assert [title.endswith(" on one and another") for title in titles] == [True, False]


def test_the_overview_has_a_row_for_each_release_and_no_sentences(pages: dict[str, html.HtmlElement]) -> None:
    (first, _) = pages["index.html"].xpath("//h3/following-sibling::div[1]/table")
    assert first.xpath("tbody/tr/th/text()") == [*RELEASES[:-1]]
    assert not pages["index.html"].xpath("//ul[@class='sentences']")


def test_the_page_of_releases_tells_the_widest_step_and_any_two(pages: dict[str, html.HtmlElement]) -> None:
    (section, _) = pages["versions.html"].xpath("//section")
    told = section.xpath("ul[@class='sentences']/li/text()")
    assert [each.partition(":")[0] for each in told if each.startswith("From ")] == [
        f"From {old} to {RELEASES[-1]}" for old in RELEASES[:-1]
    ]
    captions = [each.text_content() for each in section.xpath(".//table/caption")]
    assert "Inputs with other answers between any two releases" in captions
    assert "What each step changes, by tokenizer" in captions
