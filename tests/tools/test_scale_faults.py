"""What is done to long runs is done indeed, and what is wrong about one is said."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
import scale_faults as tool
from published.measuring import read_measured

if TYPE_CHECKING:
    from pathlib import Path

BOOK = "A line of a book.\nAnother one, somewhat longer than the first.\n吾輩は猫である。\n"


@pytest.mark.parametrize(
    ("result", "wrong"),
    [
        (tool.Result(tool.Ended(0, ""), 10, 10, "the record of the whole"), ""),
        (tool.Result(tool.Ended(3, "lost"), 4, 10, "continued: the record of the whole"), ""),
        (tool.Result(tool.Ended(0, ""), 11, 10), "counted twice"),
        (tool.Result(tool.Ended(1, "Traceback (most recent call last):\n"), 10, 10), "a traceback"),
        (tool.Result(tool.Ended(0, ""), 10, 10, tool.ANOTHER), "lost"),
    ],
)
def test_what_is_wrong_is_said(result: tool.Result, wrong: str) -> None:
    assert result.wrong == wrong


def test_two_records_are_compared_but_for_times(tmp_path: Path) -> None:
    lines = [{"type": "header", "environment": 1}, {"type": "tokenizer", "inputs": 5, "seconds": 1}]
    others = [lines[0], {"type": "checkpoint"}, {"type": "tokenizer", "inputs": 5, "seconds": 2}]
    less = [lines[0], {"type": "tokenizer", "inputs": 4, "seconds": 1}]
    cut = [lines[0], {"type": "tokenizer", "inputs": 2, "complete": False}, {"type": "footer", "finished": False}]
    continued = [*cut, {"type": "resumed"}, lines[1]]
    records = {"one": lines, "other": others, "less": less, "cut": cut, "continued": continued}
    for name, written in records.items():
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in written))
    assert tool.is_same(tmp_path / "one", tmp_path / "other")
    assert not tool.is_same(tmp_path / "one", tmp_path / "less")
    assert not tool.is_same(tmp_path / "one", tmp_path / "cut")
    assert tool.is_same(tmp_path / "one", tmp_path / "continued")
    assert tool.counted(tmp_path / "less") == 4
    assert tool.counted(tmp_path / "missing") == 0


def test_what_was_done_before_it_was_ended_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def fault(_: tool.Given, command: str) -> tool.Result:
        done.append(command)
        if len(done) == 2:
            raise KeyboardInterrupt
        return tool.Result(tool.Ended(0, ""), 11 if command == "run" else 10, 10)

    monkeypatch.setattr(tool, "FAULTS", {"a fault": (fault, tool.BOTH)})
    monkeypatch.setattr(sys, "argv", ["", str(tmp_path / "book.txt"), "--record", str(tmp_path / "a.jsonl")])
    with pytest.raises(KeyboardInterrupt):
        tool.main()
    assert tool.main() == 1  # that of before the end was counted twice
    assert done == ["run", "metrics", "metrics"]
    rows = read_measured(tmp_path / "a.jsonl", "scale_faults").lines
    assert [(row["command"], row["wrong"]) for row in rows] == [("`run`", "counted twice"), ("`metrics`", "")]


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it reads /proc")
def test_a_broken_text_and_a_part_that_is_there_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book.txt").write_text(BOOK * 50, "utf-8")
    for wanted in ("broken UTF-8", "a part merged twice"):
        results = tmp_path / f"{wanted}.jsonl"
        monkeypatch.setattr(
            sys, "argv", ["", str(tmp_path / "book.txt"), "-k", wanted, "--size", "0.01", "--record", str(results)]
        )
        assert tool.main() == 0
        row = read_measured(results, "scale_faults").lines[0]
        assert (row["command"], row["exit status"], row["wrong"]) == ("`run`", "2", "")
        assert ("is not UTF-8" if "UTF-8" in wanted else "is there twice") in row["what it said"]
        assert str(tmp_path.parent) not in row["what it said"]
    assert "exit status: 2" in capsys.readouterr().out
