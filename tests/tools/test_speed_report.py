"""The page on speed is what the records of its benchmarks have, and a benchmark goes on where it was ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import speed_report as tool
from growth_tasks import Task
from published.measuring import Measuring, read_measured
from published.records import RecordError

from tokenizer_conformance.inputs.bundled import bundled_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RECORDS: dict[str, list[dict[str, Any]]] = {
    "encode_speed": [
        {
            "tokenizer": "gpt2",
            "text": "English",
            "passes": [
                {"pass": "cold", "goal": 1.0, "seconds": [[3, 2], [1, 1], [4, 2]]},
                {"pass": "warm", "goal": 2.0, "seconds": [[1, 1]]},
            ],
        },
        {"tokenizer": "gpt2", "text": "new words", "passes": [{"pass": "first", "goal": None, "seconds": [[1, 2]]}]},
    ],
    "growth": [
        {
            "stage": "models",
            "component": "a|b",
            "kinds": [
                ["easy", [[1000, 0.001, 0.001]]],
                ["hard", [[1000, 0.001, 0.002], [2000, 0.002, 0.008], [4000, 0.004, 0.032]]],
                ["refused", []],
            ],
        }
    ],
    "train_speed": [
        {
            "model": "BPE",
            "text": "book",
            "pre_tokenizer": "Whitespace",
            "vocab_size": 8000,
            "goal": 0.6,
            "rounds": [[1, 2], [3, 4], [1, 1]],
            "memory": [],
        }
    ],
    "harness_cost": [
        {"measure": "help", "rows": [{"what": "help", "measured": "0.2 s", "goal": "0.15 s", "is_met": False}]}
    ],
}


@pytest.fixture
def records(tmp_path: Path) -> list[Path]:
    """Return a record of each benchmark, in the order of the page."""
    for number, (name, lines) in enumerate(RECORDS.items()):
        note = "Other work ran." if name == "growth" else ""
        record = Measuring(tmp_path / name, name, {"tokenizers": f"{number}.0", "cores": 64, "note": note})
        for line in lines:
            record.add(line)
        record.finish()
    return [tmp_path / name for name in RECORDS]


def rows_of(page: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in page.splitlines() if line[:1] == "|"]


def test_each_section_has_the_table_of_its_record_and_where_it_was_measured(records: list[Path]) -> None:
    page = tool.page(records)
    headings = [page.index(f"## {heading}\n") for heading, _, _ in tool.SECTIONS]
    assert headings == sorted(headings)
    for number in range(4):
        assert f"with tokenizers {number}.0 and CPython" in page
    assert page.count("on 64 cores.\n") == 3
    assert page.count("on 64 cores. Other work ran.\n") == 1
    rows = rows_of(page)
    assert ["gpt2", "English", "cold", "3.000", "2.000", "1.50", "1.00 to 2.00", "1.00", "yes"] in rows
    assert ["gpt2", "English", "warm", "1.000", "1.000", "1.00", "1.00 to 1.00", "2.00", "NO"] in rows
    assert ["gpt2", "new words", "first", "1.000", "2.000", "0.50", "0.50 to 0.50", "-", "-"] in rows
    assert "1 of 2 goals met." in page
    hard = ["`hard`", "4,000", "4.00", "32.00", "8.0", "1.00", "2.00", "missed: growth"]
    assert ["`a\\|b`", "3", *hard] in rows
    assert "3 kinds: 1 meet the goals, 1 miss them, 1 could not be measured" in page
    assert ["BPE", "book", "Whitespace", "8000", "1.00", "2.00", "0.75 (0.50 to 1.00)", "0.6", "yes"] in rows
    assert ["help", "0.2 s", "0.15 s", "NO"] in rows


def test_a_record_of_another_benchmark_is_refused(records: list[Path]) -> None:
    with pytest.raises(RecordError, match="is not a record of encode_speed"):
        tool.page(records[::-1])


ONE = [(1.0, 1.0)]
TRAINED = {
    "model": "BPE",
    "text": "text",
    "pre_tokenizer": "Whitespace",
    "vocab_size": 8000,
    "goal": None,
    "rounds": ONE,
    "memory": [],
}
UNMEASURED = tool.growth.Measurement("a", ())
ROW = tool.harness_cost.Row("a", "b", "c", is_met=True)


@pytest.mark.parametrize(
    ("benchmark", "measures", "result", "options", "ended_at", "calls", "lines"),
    [
        (tool.encode_speed, ["measure"], (ONE, ONE), ["FOLDER", "--only", "English", "Japanese"], 2, 3, 2),
        (tool.growth, ["measured"], UNMEASURED, ["processors", "-k", "Processing"], 3, 7, 3),
        (
            tool.train_speed,
            ["measure"],
            {**TRAINED, "rounds": ONE, "memory": []},
            ["TEXT", "--models", "BPE", "--vocab-size", "8000", "9000"],
            2,
            7,
            6,
        ),
        (tool.harness_cost, ["jobs", "help_page"], [ROW], ["FILE", "--goal", "jobs", "--goal", "help"], 2, 3, 2),
    ],
    ids=list(RECORDS),
)
def test_a_benchmark_goes_on_where_it_was_ended(
    benchmark: Any,
    measures: list[str],
    result: object,
    options: list[str],
    ended_at: int,
    calls: int,
    lines: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    called: list[object] = []

    def measure(*given: object, **_: object) -> object:
        called.append(given)
        if len(called) == ended_at:
            raise KeyboardInterrupt
        return result

    for name in measures:
        monkeypatch.setattr(benchmark, name, measure)
    file, text = bundled_file("gpt2-mini"), tmp_path / "text.txt"
    text.write_text("A text.\n", encoding="utf-8")
    texts = {"encode_speed": ["--english", str(text), "--japanese", str(text)], "harness_cost": ["--text", str(text)]}
    words = {"FOLDER": str(file.parent), "FILE": str(file), "TEXT": str(text)}
    given = [*(words.get(option, option) for option in options), *texts.get(benchmark.TOOL, [])]
    monkeypatch.setattr("gc.freeze", lambda: None)
    for variable in (*tool.train_speed.ONE_THREAD, "TOKENIZERS_PARALLELISM"):
        monkeypatch.setenv(variable, "false")  # and so it is after the test what it was before
    monkeypatch.setattr("sys.argv", ["", *given, "--record", str(tmp_path / "a.jsonl")])
    with pytest.raises(KeyboardInterrupt):
        benchmark.main()
    benchmark.main()
    assert len(called) == calls
    measured = read_measured(tmp_path / "a.jsonl", benchmark.TOOL)
    assert len(measured.lines) == lines
    assert benchmark.table(measured.lines, "github")


def test_growth_is_measured_with_objects_that_remember_no_text() -> None:
    done: list[int] = []

    def work(_library: object, _size: int) -> Callable[[], object]:
        texts: list[int] = []

        def step() -> None:
            texts.append(1)
            done.append(len(texts))

        return step

    measurement = tool.growth.measured(Task("a component", "a kind", work), [1, 2])
    assert [point.size for point in measurement.points] == [1, 2]
    assert len(done) > len(measurement.points) * 2
    assert set(done) == {1}


def test_the_record_of_two_processes_is_that_of_one_whatever_its_checkpoints_are(tmp_path: Path) -> None:
    def recorded(name: str, inputs: int, checkpoints: int) -> list[Any]:
        lines = [
            {"type": "header", "environment": {"started": name, "command": [name]}},
            *({"type": "checkpoint", "inputs": number} for number in range(checkpoints)),
            {"type": "tokenizer", "inputs": inputs, "seconds": len(name)},
            {"type": "footer", "seconds": len(name), "lines": 2 + checkpoints, "sha256": name, "inputs": inputs},
        ]
        file = tmp_path / name
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="ascii")
        return tool.harness_cost.recorded(file)

    assert recorded("one", 9, 3) == recorded("two jobs", 9, 1)
    assert recorded("one", 9, 3) != recorded("two jobs", 8, 3)
