"""``tokconf run --speed``: tables beside the comparison, in every report, and no other exit status."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from line_schema import valid_lines

from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.validation.running import speed

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tokconf

TITLES = (
    "one text at a time on one processor, by processor time",
    "all texts at once, on ",
)


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.txt"
    path.write_text("abc\nd zebra\nx\n", encoding="utf-8")
    return path


@pytest.mark.long
@pytest.mark.parametrize(("name", "status"), [("utf8", 0), ("lossy-decode", 1)])
def test_reports_have_the_speed_of_all_and_the_status_is_what_it_was(
    cli: Tokconf,
    toy_tokenizer: Path,
    texts: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    status: int,
) -> None:
    monkeypatch.setattr(speed, "ROUNDS", 2)
    record, page = tmp_path / "r.jsonl", tmp_path / "r.html"
    words = ("run", toy_tokenizer, "-i", "toy", name, "--no-builtin", "--inputs", texts, "--cause-time", "0")
    result = cli(*words, "--speed", "--speed-time", "0.01s", "--json", record, "--markdown", tmp_path / "r.md")
    assert result.exit_code == cli(*words).exit_code == status
    (line,) = (each for each in valid_lines(record, FORMAT) if each["type"] == "speed")
    assert line["texts"] + line["new_texts"] in (1, 2, 3)  # as many as there is time for
    assert (line["left_out"], line["missing"]) == (0, {})
    assert [(row["implementation"], row["threads"], row["clocked"], len(row["rounds"])) for row in line["rows"]] == [
        (each, threads, "adapter", 2) for each in ("toy", name) for threads in ("one", "all")
    ]
    assert cli("report", record, "--html", page).exit_code == 0
    for shown in (result.stdout, (tmp_path / "r.md").read_text("utf-8"), page.read_text("utf-8")):
        for title in TITLES:
            assert f"toy-tokenizer: {title}" in shown


MIXED = {
    "--shard 1/2": "--speed measures a whole run, all implementations in turns; leave --shard out",
    "--last-failed r.jsonl": "leave --last-failed out",
    "--json r.jsonl --resume": "leave --resume out",
    "--chat": "--speed is not about conversations; leave it out with --chat",
    '--ask {"ask":"vocabulary"}': "leave --speed out",
    "--speed-time 0": "'0' is no length of time; write 90s, 5m, 1h, or a number of seconds",
}


@pytest.mark.parametrize("words", MIXED)
def test_speed_is_measured_in_whole_runs_on_texts(
    cli: Tokconf, toy_tokenizer: Path, tmp_path: Path, words: str
) -> None:
    (tmp_path / "r.jsonl").touch()
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--speed", *words.split())
    assert result.exit_code == 2
    assert MIXED[words] in re.sub(r"\s+", " ", result.stderr)
