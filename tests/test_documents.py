"""The documents are short enough to be read, and every link in them leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

from in_one_test import in_one_test

PROJECT = Path(__file__).parent.parent
DOCUMENTS = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"), *(PROJECT / "examples").glob("*/*.md")])
LONGEST = {"README.md": 1500, "ARCHITECTURE.md": 900}
"""How many words a document may have."""

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors_of(path: Path) -> set[str]:
    """The addresses of the headings of a document, as they are on a page of it."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@in_one_test("path", DOCUMENTS)
def test_every_link_leads_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in LINK.findall(text):
        if ":" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), f"{path.name}: {link}"
        assert not anchor or anchor in anchors_of(target), f"{path.name}: {link}"


@in_one_test("name", LONGEST)
def test_a_document_is_short_enough_to_be_read(name: str) -> None:
    assert len((PROJECT / name).read_text("utf-8").split()) <= LONGEST[name]


def test_a_link_that_leads_nowhere_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# It's `here`: now\n")
    assert anchors_of(tmp_path / "a.md") == {"its-here-now"}
    assert LINK.findall("[a](b.md#c) and [`d`](../e)") == ["b.md#c", "../e"]
