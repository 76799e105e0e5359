"""What holds for pages of every kind of record: ids, cells that lead somewhere, records cut short, altered, hostile."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from altered_records import HOSTILE, places, put, read, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokenizer_conformance.command_io.markdown import is_report
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.markdown import markdown_of
from tokenizer_conformance.results.page import Page, State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[[str], Path]

CULPRITS = {
    "suite": "wrong-type",
    "toy suite": "mine",
    "search": "wrong-type",
    "fuzz": "wrong-type",
    "training": "mine",
}
"""The records, each with the name of an implementation that is at fault there."""

NOT_READ = {"header", "run"}
"""The types of lines of which a page shows nothing."""

NAME = "<script>alert(1)</script>\x1b[31m\u202e](x)|`' -i"

COLUMNS = ("implementation", "tokenizer", "stage", "reason")


@cache
def read_with_places(record: Path) -> tuple[list[Any], list[tuple[Any, ...]]]:
    """Return the lines of a record that nobody changes, and the way to everything in them."""
    lines = read(record)
    return lines, places(lines)


every_kind = pytest.mark.parametrize("name", CULPRITS)


@every_kind
def test_a_report_is_known_for_one_and_replaced(recorded: Recorded, name: str) -> None:
    page = read_page(recorded(name))
    for headline in (page.headline, ""):
        assert is_report(markdown_of(replace(page, headline=headline)).encode())


@every_kind
def test_the_title_says_what_the_record_is_about(recorded: Recorded, name: str) -> None:
    page = read_page(recorded(name))
    assert any(each in page.title for each in (CULPRITS[name], "implementations"))
    assert recorded(name).name not in page.title


@pytest.mark.long_but(1)
@every_kind
def test_findings_have_ids_that_stay(recorded: Recorded, name: str) -> None:
    page, again = read_page(recorded(name)), read_page(recorded(name))
    ids = [each.id for each in page.findings]
    assert ids
    assert len(set(ids)) == len(ids)
    assert ids == [each.id for each in again.findings]
    assert page == again
    assert page.headlines
    assert set(page.headlines) <= set(ids)
    assert any(each.implementation == CULPRITS[name] for each in page.findings)


@pytest.mark.long_but(1)
@every_kind
def test_matrices_are_whole_and_their_cells_lead_to_findings(recorded: Recorded, name: str) -> None:
    page = read_page(recorded(name))
    cells = [cell for matrix in page.matrices for _, row in matrix.rows for cell in row]
    assert all(len(row) == len(matrix.columns) for matrix in page.matrices for _, row in matrix.rows)
    leading = [cell for cell in cells if cell.of]
    assert leading
    for cell in leading:
        assert set(cell.of) <= set(COLUMNS)
        assert any(all(getattr(each, key) == value for key, value in cell.of.items()) for each in page.findings)
    # What differs or fails can be looked at.
    assert all(cell.of for cell in cells if cell.state in (State.DIFFER, State.ERROR))


@every_kind
def test_tables_have_a_value_for_each_column(recorded: Recorded, name: str) -> None:
    tables = [table for section in read_page(recorded(name)).sections for table in section.tables]
    assert tables
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)


@every_kind
def test_a_killed_record_gives_what_it_had_recorded(recorded: Recorded, name: str, tmp_path: Path) -> None:
    lines = recorded(name).read_bytes().splitlines(keepends=True)
    path = tmp_path / "killed.jsonl"
    for kept in range(1, len(lines)):
        path.write_bytes(b"".join(lines[:kept]) + lines[kept][:7])
        page = read_page(path)
        assert page.conclusion == "interrupted"
        assert page.summary == "the record ends before the command did"
        assert "killed" in page.complaints[0]


@every_kind
def test_a_line_of_another_shape_is_named(recorded: Recorded, name: str, tmp_path: Path) -> None:
    lines = read(recorded(name))
    first = {line["type"]: number for number, line in reversed(list(enumerate(lines)))}
    for kind, number in first.items():
        if kind not in NOT_READ:
            path = written(tmp_path / "altered.jsonl", put(lines, (number,), {"type": kind}))
            with pytest.raises(BadInputError, match=f"line {number + 1} "):
                read_page(path)


@every_kind
def test_a_line_that_stands_there_twice_is_named(recorded: Recorded, name: str, tmp_path: Path) -> None:
    lines = read(recorded(name))
    single = next(n for n, line in enumerate(lines) if line["type"] in ("requirement", "cause", "trainer", "footer"))
    path = written(tmp_path / "twice.jsonl", [*lines[: single + 1], *lines[single:]])
    with pytest.raises(BadInputError, match=f"line {single + 2} "):
        read_page(path)


@every_kind
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_an_altered_record_is_refused_or_read(
    recorded: Recorded, name: str, tmp_path: Path, data: st.DataObject
) -> None:
    lines, every_place = read_with_places(recorded(name))
    place = data.draw(st.sampled_from(every_place))
    path = written(tmp_path / "altered.jsonl", put(lines, place, data.draw(st.sampled_from(HOSTILE))))
    try:
        page = read_page(path)
    except BadInputError as error:
        assert str(path) in str(error)
    else:
        assert isinstance(page, Page)


@every_kind
def test_names_pass_through_as_they_are(recorded: Recorded, name: str, tmp_path: Path) -> None:
    text = recorded(name).read_text("ascii").replace(json.dumps(CULPRITS[name]), json.dumps(NAME))
    path = tmp_path / "hostile.jsonl"
    path.write_text(text, "ascii")
    page, plain = read_page(path), read_page(recorded(name))
    assert NAME in {each.name for each in page.compared}
    assert sum(each.implementation == NAME for each in page.findings) == sum(
        each.implementation == CULPRITS[name] for each in plain.findings
    )
    assert any(sentence.startswith(f"{NAME}: ") for sentence in page.said)


OPTIONAL: dict[str, dict[str, tuple[str, ...]]] = {
    "suite": {
        "header": ("suite", "ledgers", "options", "shard", "words", "repeated"),
        "case": ("asked", "unanswered"),
        "footer": ("lines", "sha256"),
    },
    "fuzz": {"result": ("known",), "footer": ("known",)},
    "search": {"finding": ("explained_by",), "cause": ("explained_by",)},
}
"""The members that records of older minor versions do not have."""


@pytest.mark.parametrize("name", OPTIONAL)
def test_an_older_record_is_read(recorded: Recorded, name: str, tmp_path: Path) -> None:
    def older(line: Any) -> Any:
        kinds = OPTIONAL[name]
        missing = {*kinds.get(line["type"], ()), *({"version"} if line["type"] == "header" else ())}
        found = {key: value for key, value in line.items() if key not in missing or key == "version"}
        if line["type"] == "header":
            found["version"] = "1.0"
        if "cases" in found and isinstance(found["cases"], list):
            found["cases"] = [{k: v for k, v in case.items() if k not in kinds["case"]} for case in found["cases"]]
        return found

    path = written(tmp_path / recorded(name).name, list(map(older, read(recorded(name)))))
    page, newer = read_page(path), read_page(recorded(name))
    assert [each.id for each in page.findings] == [each.id for each in newer.findings]
    assert page.matrices == newer.matrices
    assert all(each.repeat.startswith("tokconf ") for each in page.findings)
