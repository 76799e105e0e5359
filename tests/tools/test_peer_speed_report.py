"""The page on speed has both runs side by side, says how far they lie apart, and is of two records of the same work."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import peer_speed_report
import pytest

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.page import Compared, Estimate, Fact, Page, Section, State, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS = ("implementation", "call", "MB/s first", "MB/s again", "MB/s new", "texts/s", "times base", "% other ids")
RECORDS = (Path("1.jsonl"), Path("2.jsonl"))


def table(title: str, columns: tuple[str, ...] = COLUMNS, **new: float) -> Table:
    """Return a table in which each implementation has so many MB/s of new texts.

    It has half of that first, thrice that again, and twice the number as its ratio.
    """
    cells = {
        name: {
            "implementation": name,
            "call": "" if name == "line|s" else "encode",
            "MB/s first": Estimate(value / 2, 0, 9),
            "MB/s again": Estimate(3 * value, 0, 9),
            "MB/s new": Estimate(value, 0, 9),
            "texts/s": 7,
            "times base": Estimate(2 * value, 0, 9),
            "processors busy": 1.5,
            "% other ids": None if name == "base" else 12.5,
        }
        for name, value in new.items()
    }
    return Table(title, columns, tuple(tuple(row[column] for column in columns) for row in cells.values()))  # type: ignore[misc]


def run(*tables: Table, notes: Sequence[str] = ()) -> Page:
    return Page(
        name="a run",
        kind="run",
        title="base and <other>",
        state=State.AGREE,
        conclusion="",
        summary="",
        facts=(Fact("made by", "tokconf 1.0, Linux"),),
        compared=(Compared("base", "2.0"), Compared("<other>", "3.0")),
        sections=(Section("Notes"), Section("Speed", ("what it is", *notes), tables=tables)),
    )


def written(monkeypatch: pytest.MonkeyPatch, *pages: Page) -> str:
    given = dict(zip(RECORDS, pages, strict=True))
    monkeypatch.setattr(peer_speed_report, "read_page", lambda path: given[path])
    return peer_speed_report.page(RECORDS)


def rows(page: str) -> list[list[str]]:
    """Return the cells of all rows of the tables."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]


def test_both_runs_stand_side_by_side_with_what_lies_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = (*COLUMNS[:-1], "processors busy", COLUMNS[-1])
    first = run(table("gpt2: one", base=2.0, other=4.0, once=1.0), table("gpt2: all", busy, base=1.0), notes=("a", "b"))
    second = run(table("gpt2: one", other=5.0, base=2.0), table("gpt2: all", busy, base=1.1), notes=("b", "c"))
    page = written(monkeypatch, first, second)
    assert rows(page) == [
        [*COLUMNS[:5], "times base", "% between runs", "% other ids"],
        ["base", "encode", "1 · 1", "6 · 6", "2 · 2", "4 · 4", "0", "–"],
        ["other", "encode", "2 · 2.5", "12 · 15", "4 · 5", "8 · 10", "25", "12.5"],
        [*COLUMNS[:5], "times base", "% between runs", "processors busy", "% other ids"],
        ["base", "encode", "0.5 · 0.55", "3 · 3.3", "1 · 1.1", "2 · 2.2", "10", "1.5", "–"],
    ]
    assert "by tokconf 1.0, Linux: base 2.0, <other> 3.0." in page
    assert "*new* differs by 10 % in the middle, and by 25 % at most (other, gpt2: one)." in page
    assert page.endswith("\n## Notes\n\n- a\n- b\n- c\n")


def test_who_has_no_call_and_no_baseline_has_fewer_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = tuple(column for column in COLUMNS if column != "times base")
    one = run(table("gpt2: one", columns, mine=3.0))
    assert rows(written(monkeypatch, one, one))[1] == ["mine", "encode", "1.5 · 1.5", "9 · 9", "3 · 3", "0", "12.5"]


WRONG: dict[str, tuple[Page, str]] = {
    "other tokenizers": (run(table("bert: one", base=1.0)), "not measured on the same tokenizers"),
    "no measurement": (run(), "a run has no measurement: it is of a run without --speed, or one that was cut short"),
}


@pytest.mark.parametrize("name", WRONG)
def test_records_of_other_work_are_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    page, reason = WRONG[name]
    with pytest.raises(ValueError, match=reason):
        written(monkeypatch, run(table("gpt2: one", base=1.0)), page)


def test_the_tool_writes_the_page_or_says_why_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "page.md"
    monkeypatch.setattr(sys, "argv", ["it", "1.jsonl", "2.jsonl", "--output", str(output)])

    def unreadable(_path: Path) -> Any:
        raise BadInputError("1.jsonl is no record")

    monkeypatch.setattr(peer_speed_report, "read_page", unreadable)
    assert peer_speed_report.main() == 2
    assert capsys.readouterr().err == "peer_speed_report: 1.jsonl is no record\n"
    assert not output.exists()
    monkeypatch.setattr(peer_speed_report, "read_page", lambda _: run(table("gpt2: one", base=1.0)))
    assert peer_speed_report.main() == 0
    assert output.read_text().startswith("# Speed of implementations beside each other\n")
