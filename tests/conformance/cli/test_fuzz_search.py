"""``tokconf fuzz TOKENIZER``: what it finds, writes and keeps, in however many processes, and how it ends."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING, Any

import pytest
from line_schema import of_type, valid_lines

from tokenizer_conformance.cli import searching
from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.results.records.search import FORMAT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, Tokconf


Line = dict[str, Any]

TEXTS = "\n".join([*(f"a{number} b c" for number in range(60)), "the zebra Bs", "x y", "bell \x07"]) + "\n"


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text(TEXTS)
    return path


@pytest.fixture
def cli(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> Tokconf:
    """Runs ``tokconf fuzz`` in this process, in an empty folder, without generators; workers ask."""
    monkeypatch.setattr(searching, "SEARCH_GENERATORS", ())
    monkeypatch.setattr(sys, "argv", ["tokconf", "fuzz"])
    return lambda *arguments: cli("fuzz", *arguments)


def timeless(lines: list[Line]) -> list[Line]:
    """Return ``lines`` without what another search has otherwise."""
    left_out = ("seconds", "environment", "jobs")
    return [
        {key: value for key, value in line.items() if key not in left_out}
        for line in lines
        if line["type"] != "checkpoint"
    ]


@pytest.mark.parametrize(
    ("written", "seconds"), [("60s", 60), ("5m", 300), ("1h", 3600), ("90", 90), ("1.5m", 90), (" 2 S ", 2)]
)
def test_a_time_is_written_as_people_do(written: str, seconds: float) -> None:
    assert Duration().convert(written, None, None) == seconds


@pytest.mark.long
def test_the_same_is_found_in_however_many_processes(
    cli: Tokconf, toy_tokenizer: Path, inputs: Path, tmp_path: Path
) -> None:
    records = []
    for jobs in (1, 2):
        path = tmp_path / f"{jobs}.jsonl"
        result = cli(
            *(toy_tokenizer, "-i", "toy", "wrong-normalization", "--baseline", "toy", "--cases", 120, "--seed", 3),
            *("--jobs", jobs, "--inputs", inputs, "--json", path),
        )
        assert result.exit_code == 1, result.output
        records.append(timeless(valid_lines(path, FORMAT)))
    assert records[0] == records[1]
    assert [line["difference"]["field"] for line in of_type(records[0], "finding")] == ["text"]


@pytest.mark.long
def test_what_takes_its_process_down_is_found_and_the_search_goes_on(
    cli: Tokconf, inputs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "record.jsonl"
    result = cli("bert-mini", "-i", "aborting", "--cases", 63, "--seed", 3, "--inputs", inputs, "--json", path)
    assert result.exit_code == 3, result.output
    lines = valid_lines(path, FORMAT)
    assert {line["difference"]["verdict"] for line in of_type(lines, "finding")} == {"crash"}
    (done,) = of_type(lines, "result")
    assert done["lost"] >= 1
    assert done["complete"]
    assert done["cases"] == 63


@pytest.mark.long
def test_a_corpus_is_gone_on_with(cli: Tokconf, toy_tokenizer: Path, inputs: Path, tmp_path: Path) -> None:
    call = (toy_tokenizer, "-i", "toy", "lossy-decode", "--baseline", "toy", "--cases", 80, "--inputs", inputs)
    for number, path in enumerate((tmp_path / "one.jsonl", tmp_path / "two.jsonl")):
        result = cli(*call, "--corpus", tmp_path / "found", "--json", path)
        assert result.exit_code == 1, result.output
        (finding,) = of_type(valid_lines(path, FORMAT), "finding")
        assert finding["generator"] == ("kept" if number else "given-texts")
    seeds = {valid_lines(tmp_path / name, FORMAT)[0]["seed"] for name in ("one.jsonl", "two.jsonl")}
    assert len(seeds) == 1


def test_a_corpus_of_somebody_else_is_refused(cli: Tokconf, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("mine")
    result = cli("bert-mini", "--corpus", "mine")
    assert result.exit_code == 2
    assert "give an empty folder, or a new one" in result.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_a_search_that_is_ended_keeps_what_it_found(
    tokconf: CommandLine, toy_tokenizer: Path, inputs: Path, tmp_path: Path, number: int, status: int
) -> None:
    call = ["-i", "toy", "wrong-normalization", "--baseline", "toy", "--time", "60s", "--inputs", str(inputs)]
    process = tokconf.start(
        "fuzz", str(toy_tokenizer), *call, "--corpus", "found", "--json", "record.jsonl", PYTHONUNBUFFERED="1"
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("1. "):
            break
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, out + err
    lines = valid_lines(tmp_path / "record.jsonl", FORMAT)
    assert len(of_type(lines, "finding")) == 1
    assert len(of_type(lines, "footer")) == (status == 130)
    assert "Traceback" not in err
    assert len(list((tmp_path / "found" / "findings").iterdir())) == 1
