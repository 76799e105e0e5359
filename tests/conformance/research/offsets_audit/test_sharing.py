"""An audit of offsets in several processes, and in parts that are merged, comes to what a whole one does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main
from tokenizer_conformance.research.offsets_audit import engine
from tokenizer_conformance.results.records.offsets_audit import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

TEXTS = ("naïve one two", "a  b", "café two three", "ok", "[UNK] ☃", "x café y z", "", "café a", "end")

LEDGER = """format = 1
[[known]]
implementation = "late"
tokenizer = "bert-mini"
input = "content.slice: *"
reason = "late"
[[known]]
implementation = "late"
tokenizer = "bert-mini"
input = "coverage.text: never seen"
reason = "was so"
"""

OF_ITS_OWN = {"seconds", "started", "command", "environment", "merged", "shard", "lines", "sha256"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), "utf-8")
    (tmp_path / "known.toml").write_text(LEDGER, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setattr(engine, "BATCH", 2)
    return tmp_path


def audit(*arguments: str, implementations: tuple[str, ...] = ("late_spans:Late", "late_spans:IdsOnly")) -> Result:
    given = ("bert-mini", "--no-builtin", "--inputs", "texts.jsonl", "--ledger", "known.toml")
    return CliRunner().invoke(main, ["audit", "offsets", *given, "-i", *implementations, *arguments])


def lines_in(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a record without what tells when, by which command, and of which part it is."""
    return [
        {name: value for name, value in json.loads(line).items() if name not in OF_ITS_OWN}
        for line in path.read_text().splitlines()
    ]


@pytest.mark.long
def test_two_processes_come_to_what_one_does(here: Path) -> None:
    one, two = (audit("--jobs", jobs, "--json", f"{jobs}.jsonl") for jobs in ("1", "2"))
    assert (two.exit_code, lines_in(here / "2.jsonl")) == (one.exit_code, lines_in(here / "1.jsonl"))
    assert len(lines_in(here / "1.jsonl")[1]["findings"]) > 2


@pytest.mark.long
@pytest.mark.parametrize("of", [2, pytest.param(8, marks=pytest.mark.long)])
def test_parts_come_to_what_the_whole_does(here: Path, of: int) -> None:
    whole = audit("--json", "whole.jsonl")
    parts = [f"{number}.jsonl" for number in range(1, of + 1)]
    for number, name in enumerate(parts, 1):
        audit("--shard", f"{number}/{of}", "--json", name)
    merged = CliRunner().invoke(main, ["merge", *reversed(parts), "-o", "merged.jsonl", "--junit", "checks.xml"])
    found = lines_in(here / "merged.jsonl")
    assert (merged.exit_code, found) == (whole.exit_code, lines_in(here / "whole.jsonl"))
    assert [each["reason"] for each in found[-1]["stale"]] == ["was so"]
    assert {each["known"] is None for each in found[1]["findings"]} == {True, False}
    assert f"merged    {of} parts of {of}" in merged.stdout
    assert "known.toml" in (here / "checks.xml").read_text()
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    for name in ("merged.jsonl", "1.jsonl"):
        for line in (here / name).read_text().splitlines():
            validator.validate(json.loads(line))


def test_a_part_that_is_missing_or_killed_is_named(here: Path) -> None:
    for number in (1, 2):
        audit("--shard", f"{number}/3", "--json", f"{number}.jsonl", implementations=("late_spans:Late",))
    written = (here / "2.jsonl").read_text().splitlines(keepends=True)
    (here / "2.jsonl").write_text("".join(written[:-1]))
    merged = CliRunner().invoke(main, ["merge", "1.jsonl", "2.jsonl", "-o", "merged.jsonl"])
    assert merged.exit_code == 3
    assert "part 3 of 3 is missing" in merged.stderr
    assert "part 2 of 3, '2.jsonl', is not whole: its run was killed" in merged.stderr
    _, audited, footer = lines_in(here / "merged.jsonl")
    assert (audited["finished"], audited["inputs"], footer["stale"]) == (False, 6, [])
    assert CliRunner().invoke(main, ["merge", "1.jsonl", "2.jsonl", "--partial"]).exit_code == 1


@pytest.mark.long
def test_a_process_that_is_killed_is_told_and_nothing_before_it_is_lost(here: Path) -> None:
    done = audit("--jobs", "2", "--json", "record.jsonl", implementations=("late_spans:Late", "late_spans:Deadly"))
    assert done.exit_code == 3
    assert "a process that judges is lost: killed by signal 9 (SIGKILL)" in done.stderr
    _, late, deadly, footer = lines_in(here / "record.jsonl")
    assert (late["finished"], late["inputs"]) == (True, len(TEXTS))
    assert (deadly["finished"], deadly["inputs"]) == (False, 2)  # the next batch asks about the snowman in a pair
    assert footer["conclusion"] == "internal error"
