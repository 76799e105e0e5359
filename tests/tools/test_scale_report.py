"""The report on whole corpora says how what was measured grows, and the document has its table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import scale_report as tool

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT = Path(__file__).resolve().parents[2]

SIZES = (0, 1000, 2000, 4000, 8000)


def points(
    power: float, grows: str = tool.CORPUS, command: str = "metrics", memory: Callable[[int], float] = lambda _: 0
) -> list[dict[str, Any]]:
    """Points whose seconds grow with this power of the size, on top of a start of 3 s and 50 MB."""
    return [
        {
            "grows": grows,
            "command": command,
            "unit": "bytes",
            "exponent": 1,
            "size": size,
            "status": 0,
            "processor": 3 + (size / 1000) ** power if size else 3.0,
            "clock": 4.0,
            "memory": 50e6 + memory(size),
            "read": 2 * size + 7,
            "written": 10,
        }
        for size in SIZES
    ]


def growth_of(rows: list[dict[str, Any]], folder: Path) -> tool.Growth:
    (folder / "points.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (found,) = tool.read_growth(folder / "points.jsonl")
    return found


@pytest.mark.parametrize(("power", "verdict"), [(1, ""), (2, "time more than linear"), (0.5, "")])
def test_the_exponent_is_that_of_what_comes_on_top_of_the_start(tmp_path: Path, power: float, verdict: str) -> None:
    growth = growth_of(points(power), tmp_path)
    assert growth.exponent_of("processor") == pytest.approx(power)
    assert growth.verdict == verdict


def test_memory_that_does_not_grow_says_nothing(tmp_path: Path) -> None:
    assert growth_of(points(1), tmp_path).exponent_of("memory") is None
    growth = growth_of(points(1, memory=lambda size: size**2 * 20), tmp_path)
    assert growth.exponent_of("memory") == pytest.approx(2)
    assert growth.verdict == "memory more than linear"


def test_the_cost_of_1_tb_is_that_of_a_line_through_the_points(tmp_path: Path) -> None:
    name, hours, *rest = tool.cost_row(growth_of(points(1), tmp_path))
    assert (name, hours) == ("`metrics`", "278,000")  # 1 s for each 1000 bytes: 10⁹ seconds
    assert rest == ["50", "–", "2", "0"]  # MB of memory, which does not grow; bytes for each byte read, and written


def test_the_page_its_plots_and_the_table_in_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*points(1), *points(2, "number of parts"), *points(1, command="run")]
    (tmp_path / "points.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "faults.jsonl").write_text(json.dumps({"what was done": "a | b", "exit status": "3"}) + "\n")
    document = tmp_path / "document.md"
    document.write_text(f"before\n{tool.BEGIN}old\n{tool.END}after\n")
    given = ["--faults", str(tmp_path / "faults.jsonl"), "--document", str(document)]
    monkeypatch.setattr(
        sys, "argv", ["", str(tmp_path / "points.jsonl"), "--output", str(tmp_path / "scale.md"), *given]
    )
    assert tool.main() == 0
    page = (tmp_path / "scale.md").read_text()
    assert "a \\| b" in page
    assert "time more than linear" in page
    for name in ("size-of-the-corpus-processor", "number-of-parts-memory"):
        assert f"(scale/{name}.svg)" in page
        assert (tmp_path / "scale" / f"{name}.svg").read_bytes().startswith(b"<?xml")
    before, table, after = tool.parts_of(document.read_text())
    assert (before, after) == ("before\n", "after\n")
    assert "| `run`" in table
    assert table in page


def test_without_points_there_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "points.jsonl").write_text("")
    monkeypatch.setattr(sys, "argv", ["", str(tmp_path / "points.jsonl"), "--output", str(tmp_path / "scale.md")])
    assert tool.main() == 1
    assert not (tmp_path / "scale.md").exists()


def test_the_document_has_the_table_of_the_report() -> None:
    _, table, _ = tool.parts_of((PROJECT / "docs" / "how-to" / "cluster.md").read_text("utf-8"))
    assert table.strip()
    assert table in (PROJECT / "reports" / "scale.md").read_text("utf-8")
