"""Documentation that stands in the folder of a site: the site leads to it, and its search finds it."""

from __future__ import annotations

import base64
import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from lxml import html

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.site import building
from tokenizer_conformance.report.site.building import Documentation, site_of
from tokenizer_conformance.report.site.site import LONGEST_ENTRY

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.validation.suite.requirement import Suite

SECTIONS = [
    {"location": "how-to/ci.html", "title": "In <code>CI</code>", "text": "<p>Shards &amp; parts.</p>"},
    {"location": "how-to/ci.html#exit-status", "title": "Exit status", "text": "<script>alert(1)</script>"},
    {"location": "a.html", "title": "Unclosed", "text": "<" * 200_000},
    {"location": "javascript:alert(1)", "title": "Elsewhere", "text": ""},
    {"location": "../outside.html", "title": "Outside", "text": ""},
]


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """The folder of a site in which documentation was built."""
    search = tmp_path / "site" / "documentation" / "search"
    search.mkdir(parents=True)
    (search.parent / "index.html").write_text("<h1>Start</h1>")
    (search / "search_index.json").write_text(json.dumps({"config": {}, "docs": SECTIONS}))
    return tmp_path / "site"


def entries_of(page: bytes) -> Any:
    """Return what the search of a site finds."""
    packed = html.fromstring(page).get_element_by_id("entries").text
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def test_the_site_leads_to_it_and_its_search_finds_its_sections(
    built: Path, small_suite: Suite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "read_suite", lambda: small_suite)
    files = site_of([], [], Documentation(built, built / "documentation"))
    for name, up in (("index.html", ""), ("requirements/index.html", "../")):
        links = [each.get("href") for each in html.fromstring(files[name]).xpath("//nav//a")]
        assert f"{up}documentation/index.html" in links
    (said,) = html.fromstring(files["index.html"]).xpath("//main/p[1]")
    assert [(each.text, each.get("href")) for each in said.iter("a")] == [
        ("the documentation", "documentation/index.html"),
        ("Unclosed", "documentation/a.html"),
    ]
    found = [entry for entry in entries_of(files["search.html"]) if entry[1] == "documentation"]
    assert found == [
        ["In CI", "documentation", "documentation/how-to/ci.html", "Shards & parts."],
        ["Exit status", "documentation", "documentation/how-to/ci.html#exit-status", "alert(1)"],
        ["Unclosed", "documentation", "documentation/a.html", "<" * LONGEST_ENTRY],
    ]
    assert not any(name.startswith("documentation/") for name in files), "the files are those of MkDocs"


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["report", *arguments])
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.output.split())


def test_what_is_no_documentation_of_the_site_is_refused(built: Path, records: list[Path], tmp_path: Path) -> None:
    record, site = str(records[0]), str(built)
    assert "--site DIR" in refused(record, "--documentation", site)
    into = (record, "--site", site, "--force", "--documentation")
    assert "is not in" in refused(*into, str(tmp_path / "elsewhere"))
    assert "has no index.html" in refused(*into, str(built / "documentation" / "search"))
    index = built / "documentation" / "search" / "search_index.json"
    for content in ("[", "{}", '{"docs": [{"title": "no place"}]}'):
        index.write_text(content)
        assert "is no index" in refused(*into, str(built / "documentation"))
    index.unlink()
    assert "cannot read" in refused(*into, str(built / "documentation"))
    assert not (built / "index.html").exists()
