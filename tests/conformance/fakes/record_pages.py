"""Records that are read as pages, changed as files are that were cut off, altered, or made by somebody hostile."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import Novelty, State
from tokenizer_conformance.results.recorded_page import CUT_SHORT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tokenizer_conformance.results.page import Page, ShownFinding

Line = dict[str, Any]

HOSTILE = "<script>\u202e|`*_[x](y)"
"""A name that means something to HTML, Markdown and terminals."""

WRONG: tuple[Any, ...] = (None, [], {}, -1, "no such word", [[]], {"a": None})
"""Values that a member of a line may have in a file that somebody has altered."""


def lines_of(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write(path: Path, lines: Iterable[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def standing(page: Page, which: Novelty) -> list[ShownFinding]:
    return [each for each in page.findings if each.standing is which]


def check_page(path: Path) -> Page:
    """Return the page of the record at ``path``, of which everything holds that holds of every page."""
    page = read_page(path)
    is_whole = lines_of(path)[-1]["type"] == "footer"
    assert (page.summary != CUT_SHORT) is is_whole
    assert page.conclusion != "conform" or page.state is State.AGREE
    ids = [each.id for each in page.findings]
    assert len({*ids}) == len(ids)
    assert {*page.headlines} <= {*ids}
    assert [each.id for each in read_page(path).findings] == ids, "ids are the same for the same record"
    for matrix in page.matrices:
        for name, cells in matrix.rows:
            assert len(cells) == len(matrix.columns), (matrix.title, name)
            for cell in cells:
                found = [each for each in page.findings if all(getattr(each, k) == v for k, v in cell.of.items())]
                assert found or not cell.of, f"{matrix.title}, {name}: a cell leads nowhere"
    for section in page.sections:
        for table in section.tables:
            assert {len(row) for row in table.rows} <= {len(table.columns)}, table.title
    return page


def check_killed(path: Path) -> None:
    """A record without a footer, and one whose last line is half a line, give pages that say so."""
    whole = read_page(path)
    lines = lines_of(path)
    killed = write(path.with_name("killed.jsonl"), lines[:-1])
    page = check_page(killed)
    assert page.state is State.NOT_COMPARED
    assert page.conclusion == "interrupted"
    assert page.summary == CUT_SHORT
    assert "no footer" in page.complaints[0]
    assert [each.id for each in page.findings] == [each.id for each in whole.findings]
    with killed.open("a") as file:
        file.write(json.dumps(lines[-1])[:20])
    assert "half a line" in read_page(killed).complaints[0]


def check_malformed(path: Path) -> None:
    """A line without its members is refused with its number; one with wrong values is refused, or read."""
    lines = lines_of(path)
    altered = path.with_name("altered.jsonl")
    for at, line in enumerate(lines):
        if at:
            write(altered, [*lines[:at], {"type": line["type"]}, *lines[at + 1 :]])
            with pytest.raises(BadInputError, match=f" line {at + 1} "):
                read_page(altered)
    for at in {line["type"]: at for at, line in enumerate(lines)}.values():
        for key in lines[at]:
            for wrong in WRONG:
                write(altered, [*lines[:at], {**lines[at], key: wrong}, *lines[at + 1 :]])
                try:
                    read_page(altered)
                except BadInputError as error:
                    assert "altered.jsonl" in str(error)


def check_hostile(path: Path, *names: str) -> Page:
    """Return the page of the record in which each of ``names`` is a hostile one, which passes through as it is."""
    text = json.dumps(lines_of(path))
    for number, name in enumerate(names):
        text = text.replace(json.dumps(name), json.dumps(f"{HOSTILE}{number}"))
    page = check_page(write(path.with_name("hostile.jsonl"), json.loads(text)))
    shown = {row for matrix in page.matrices for row, _ in matrix.rows}
    shown |= {column for matrix in page.matrices for column in matrix.columns}
    shown |= {each.name for each in page.compared} | {fact.value for fact in page.facts}
    for number in range(len(names)):
        assert any(f"{HOSTILE}{number}" in each for each in shown)
    return page
