"""Parts of a search with random tokenizers, merged, are the whole search: findings, order and examples."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from line_schema import validator_of

from tokenizer_conformance.results.records.fuzz import FORMAT
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.validation.search import merging, random_search

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Tokconf

GIVEN = ("fuzz", "--seed", 3, "--tokenizers", 12, "--texts", 2, "--no-known", "-i", "wrong-type", "sound")
OF_ITS_OWN = {"seconds", "started", "command", "environment", "merged", "shard", "lines", "sha256"}


def lines_in(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a record without what tells when, by which command, and of which part it is."""
    return [
        {name: value for name, value in json.loads(line).items() if name not in OF_ITS_OWN}
        for line in path.read_text().splitlines()
    ]


def part(cli: Tokconf, number: int, of: int) -> str:
    name = f"{number}.jsonl"
    cli(*GIVEN, "--baseline", "keeps-accent", "--shard", f"{number}/{of}", "--json", name)
    return name


@pytest.mark.parametrize("of", [2, pytest.param(8, marks=pytest.mark.long)])
def test_parts_come_to_what_the_whole_does(
    cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: int
) -> None:
    for module in (random_search, merging):
        monkeypatch.setattr(module, "MOST_REDUCED", 1)
    whole = cli(*GIVEN, "--baseline", "keeps-accent", "--json", "whole.jsonl")
    parts = [part(cli, number, of) for number in range(1, of + 1)]
    merged = cli("merge", *reversed(parts), "-o", "merged.jsonl")
    found = lines_in(tmp_path / "merged.jsonl")
    assert (merged.exit_code, found) == (whole.exit_code, lines_in(tmp_path / "whole.jsonl"))
    findings = [line for line in found if line["type"] == "finding"]
    assert {line["is_reduced"] for line in findings} == {True, False}
    in_parts = [line for name in parts for line in lines_in(tmp_path / name) if line["type"] == "finding"]
    assert all(line["is_reduced"] for line in in_parts)  # a part cannot know which kinds the whole has most of
    assert f"merged    {of} parts of {of}" in merged.stdout
    validator = validator_of(schema_of(FORMAT))
    for line in (tmp_path / "merged.jsonl").read_text().splitlines():
        validator.validate(json.loads(line))


def test_a_part_that_was_killed_is_named_and_what_it_found_is_there(cli: Tokconf, tmp_path: Path) -> None:
    parts = [part(cli, number, 2) for number in (1, 2)]
    written = (tmp_path / "2.jsonl").read_text().splitlines(keepends=True)
    kept = next(number for number, line in enumerate(written) if '"type": "result"' in line)
    (tmp_path / "2.jsonl").write_text("".join(written[:kept]))
    told = sum('"type": "difference"' in line for line in written[:kept])
    assert told
    merged = cli("merge", *parts, "-o", "merged.jsonl")
    assert (merged.exit_code, "part 2 of 2, '2.jsonl', is not whole: its run was killed" in merged.stderr) == (3, True)
    ends = {line["type"]: line for line in lines_in(tmp_path / "merged.jsonl") if line.get("complete") is not True}
    assert (ends["result"]["complete"], ends["footer"]["conclusion"]) == (False, "parts are missing")
    whole = [line for line in lines_in(tmp_path / "1.jsonl") if line["type"] == "difference"]
    assert ends["footer"]["differences"] == len(whole) + told
    assert cli("merge", *parts, "--partial").exit_code == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (("--seed", 6), "--seed: 5 there, 6 here"),
        (("--texts", 3), "--texts: 2 there, 3 here"),
        (("--tokenizers", 13), "--tokenizers: 12 there, 13 here"),
    ],
)
def test_parts_of_another_search_are_refused(cli: Tokconf, changed: tuple[str, int], said: str) -> None:
    given = ("fuzz", "--seed", 5, "--tokenizers", 12, "--texts", 2, "-i", "reference", "--shard")
    cli(*given, "1/12", "--json", "1.jsonl")
    cli(*given, "2/12", *changed, "--json", "2.jsonl")
    refused = cli("merge", "1.jsonl", "2.jsonl")
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_what_makes_no_parts_is_refused(cli: Tokconf) -> None:
    assert "--shard needs the --seed that all parts have" in cli("fuzz", "--shard", "1/2").stderr
    assert "--shard is about random tokenizers" in cli("fuzz", "gpt2-mini", "--shard", "1/2", "--seed", 1).stderr
