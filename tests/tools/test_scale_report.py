"""The report on whole corpora says how what was measured grows, and the document has its table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import scale_report as tool
from published.measuring import Measuring, read_measured
from published.records import RecordError

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
            "elapsed": 4.0,
            "memory": 50e6 + memory(size),
            "read": 2 * size + 7,
            "written": 10,
        }
        for size in SIZES
    ]


def recorded(file: Path, name: str, rows: list[dict[str, Any]], **parameters: object) -> Path:
    record = Measuring(file, name, {"tokenizers": "9.9.9", "cores": 64, "note": "Other work ran.", **parameters})
    for row in rows:
        record.add(row)
    record.finish()
    return file


def growth_of(rows: list[dict[str, Any]], folder: Path) -> tool.Growth:
    (found,) = tool.growths_of(read_measured(recorded(folder / "growth.jsonl", tool.GROWN, rows), tool.GROWN))
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
    growth = recorded(tmp_path / "growth.jsonl", tool.GROWN, rows, steps=4, patience=60.0)
    done = [{"what was done": "a | b", "exit status": "3"}]
    faults = recorded(tmp_path / "faults.jsonl", tool.FAULTED, done, size=8.0, line=50.0, findings=1_000_000)
    page = tool.page([growth, faults])
    assert "a \\| b" in page
    assert "time more than linear" in page
    assert page.count("with tokenizers 9.9.9 and CPython") == 2
    assert "on 64 cores. Other work ran.\n" in page
    assert "at most 4 sizes" in page
    assert "1,000,000 inputs differ" in page

    document = tmp_path / "document.md"
    document.write_text(f"before\n{tool.BEGIN}old\n{tool.END}after\n")
    (tmp_path / "scale").mkdir()
    monkeypatch.setattr(tool, "DOCUMENT", document)
    monkeypatch.setattr(tool, "PLOTS", tmp_path / "scale")
    monkeypatch.setattr(sys, "argv", ["", str(growth)])
    assert tool.main() == 0
    for name in ("size-of-the-corpus-processor", "number-of-parts-memory"):
        assert f"(scale/{name}.svg)" in page
        assert (tmp_path / "scale" / f"{name}.svg").read_bytes().startswith(b"<?xml")
    before, table, after = tool.parts_of(document.read_text())
    assert (before, after) == ("before\n", "after\n")
    assert "| `run`" in table
    assert table in page


def test_without_points_of_a_corpus_there_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    growth = recorded(tmp_path / "growth.jsonl", tool.GROWN, points(1, "number of parts"))
    faults = recorded(tmp_path / "faults.jsonl", tool.FAULTED, [{"what was done": "a"}])
    with pytest.raises(RecordError, match=r"no points of the size of the corpus; run benchmarks/growth_runs\.py"):
        tool.page([growth, faults])
    monkeypatch.setattr(sys, "argv", ["", str(growth)])
    assert tool.main() == 2


def test_the_document_has_the_table_of_the_report() -> None:
    _, table, _ = tool.parts_of((PROJECT / "docs" / "how-to" / "cluster.md").read_text("utf-8"))
    assert table.strip()
    assert table in (PROJECT / "reports" / "scale.md").read_text("utf-8")
