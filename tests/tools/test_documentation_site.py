"""The documentation as a site: links lead somewhere, in it and out of it, and nothing is fetched from elsewhere."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import generate_command_page
import pytest
from lxml import html

if TYPE_CHECKING:
    from types import ModuleType

PROJECT = Path(__file__).resolve().parents[2]
FETCHING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}
"""Elements that a browser fetches something for."""

AROUND = frozenset({"index.html", "search.html"})
"""Pages of the site around the documentation that its header leads to."""


@pytest.fixture
def hooks() -> ModuleType:
    """What MkDocs is made to do beyond its own."""
    spec = importlib.util.spec_from_file_location("hooks", PROJECT / "tools" / "documentation" / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_command_line_is_the_one_that_the_commands_give() -> None:
    committed = generate_command_page.OUTPUT.read_text("utf-8")
    assert committed == generate_command_page.page(), "run `python tools/generate_command_page.py` and commit the page"


def test_links_lead_to_documents_or_are_words(hooks: ModuleType) -> None:
    assert doctest.testmod(hooks).failed == 0
    source = hooks.DOCS / "index.md"
    for text in ("[a](https://a.example/b)", "![a](../x.png)", "[a](#b)", "```\n[a](../Makefile)\n```"):
        assert hooks.linked(text, source) == text


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning."""
    pytest.importorskip("mkdocstrings_handlers.python", reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("site") / "documentation"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def pages(site: Path) -> dict[Path, Any]:
    return {path: html.parse(str(path)).getroot() for path in site.rglob("*.html")}


@pytest.mark.long
def test_every_link_leads_somewhere(site: Path) -> None:
    found = pages(site)
    anchors = {path: {each.get("id") or each.get("name") for each in page.iter()} for path, page in found.items()}
    documents = {f"{path.stem}.html" for path in (PROJECT / "reports").rglob("*.md")} | {"TEXTBOOK.html"}
    for path, page in found.items():
        for link in (each.get("href") for each in page.iter("a")):
            if link is None or ":" in link:
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if target.is_relative_to(site):
                assert target.is_dir() or target in found, f"{path.name}: {link}"
                assert not anchor or target not in found or anchor in anchors[target], f"{path.name}: {link}"
            elif target.parent == site.parent / "documents":
                assert target.name in documents, f"{path.name}: {link}"
            else:
                assert target.parent == site.parent, f"{path.name}: {link}"
                assert target.name in AROUND, f"{path.name}: {link}"


@pytest.mark.long
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for path, page in pages(site).items():
        for element, attribute in FETCHING.items():
            for address in (each.get(attribute) for each in page.iter(element)):
                assert not re.match(r"(?:[a-z]+:)?//", address or ""), f"{path.name}: {address}"
    for path in (*site.rglob("*.js"), *site.rglob("*.css")):
        # Notices of licences stay, in comments.
        code = re.sub(r"/\*.*?\*/|!--!.*?--", "", path.read_text("utf-8"), flags=re.DOTALL)
        hosts = set(re.findall(r"https?://([\w.-]+\.\w+)", code)) - {"www.w3.org"}
        assert hosts == set(), f"{path.name}: {hosts}"


@pytest.mark.long
def test_the_search_of_the_site_around_can_read_the_sections(site: Path) -> None:
    sections = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    assert len(sections) > 200
    for section in sections:
        assert {"location", "title", "text"} <= set(section)
        assert (site / section["location"].partition("#")[0]).is_file()
    assert not any(page.xpath("//form[@name='search']") for page in pages(site).values())
