"""A command whose growth is measured goes on where it was ended, and stops where its runs take too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import growth_runs as tool
import pytest
from published.measuring import Measuring

if TYPE_CHECKING:
    from pathlib import Path

LINE = tool.Line("size", "run", "bytes", 100, 2, lambda _, size: [str(size)])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the sizes that are measured: the run of each takes as many seconds."""
    sizes: list[int] = []

    def cost(words: list[str], _: Path) -> tool.Cost:
        sizes.append(int(words[0]))
        return tool.Cost(float(words[0]), 1.0, 2, 3, 4, 3 if words == ["800"] else 0)

    monkeypatch.setattr(tool, "cost_of", cost)
    return sizes


def test_sizes_that_were_measured_are_not_measured_again(tmp_path: Path, asked: list[int]) -> None:
    at, record = tool.Place(tmp_path, ()), Measuring(tmp_path / "a.jsonl", "growth_runs")
    assert tool.measured(LINE, at, 2, 1000, record)
    assert tool.measured(LINE, at, 3, 1000, record)
    assert asked == [0, 100, 200, 400]
    assert [line["size"] for line in record.lines] == asked
    assert record.lines[-1]["elapsed"] == 1.0


@pytest.mark.parametrize("begun", [0, 3])
def test_no_size_is_measured_after_one_that_took_too_long(tmp_path: Path, asked: list[int], begun: int) -> None:
    at, record = tool.Place(tmp_path, ()), Measuring(tmp_path / "a.jsonl", "growth_runs")
    for steps in (begun, 5):
        assert tool.measured(LINE, at, steps, 150, record)
    assert asked == [0, 100, 200]


def test_a_run_that_did_not_come_to_its_end_is_told(
    tmp_path: Path, asked: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "said.txt").write_text("what it said")
    at, record = tool.Place(tmp_path, ()), Measuring(tmp_path / "a.jsonl", "growth_runs")
    assert not tool.measured(LINE, at, 5, 10_000, record)
    assert asked == [0, 100, 200, 400, 800]
    assert len(record.lines) == 4
    assert "what it said" in capsys.readouterr().err
