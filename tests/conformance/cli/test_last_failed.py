"""``--last-failed`` repeats what failed in a record, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

TEXTS = ["aBc", "a-b", "x", "aBc d", "zebra"]


@pytest.fixture
def given(tmp_path: Path, toy_tokenizer: Path) -> list[str]:
    """The options of a run in which some inputs fail."""
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    return [
        *("run", str(toy_tokenizer), "-i", "toy", "wrong-normalization", "--baseline", "toy"),
        *("--inputs", "texts.txt", "--no-builtin", "--cause-time", "0", "--no-known"),
    ]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def failing(path: Path) -> list[Any]:
    return [name for line in lines(path) if line["type"] == "failing" for name in line["inputs"]]


def test_only_what_failed_is_repeated(tokconf: CommandLine, given: list[str], tmp_path: Path) -> None:
    assert tokconf.run(*given, "--json", "run.jsonl").status == 1
    failed = failing(tmp_path / "run.jsonl")
    assert failed
    again = tokconf.run(*given, "--last-failed", "run.jsonl", "--json", "again.jsonl")
    assert again.status == 1
    assert failing(tmp_path / "again.jsonl") == failed
    header, *_, footer = lines(tmp_path / "again.jsonl")
    assert header["repeats"]["name"] == "run.jsonl"
    number = sum(1 if isinstance(name, str) else name[2] - name[1] + 1 for name in failed)
    assert footer["inputs"] == number < len(TEXTS)


def test_what_is_repaired_passes(tokconf: CommandLine, given: list[str], tmp_path: Path) -> None:
    tokconf.run(*given, "--json", "run.jsonl")
    (tmp_path / "texts.txt").write_text("".join(f"{text.lower()}\n" for text in TEXTS))
    done = tokconf.run(*given, "--last-failed", "run.jsonl")
    assert (done.status, "1 tokenizer" in done.out) == (0, True)


def test_inputs_that_are_gone_are_named(tokconf: CommandLine, given: list[str], tmp_path: Path) -> None:
    tokconf.run(*given, "--json", "run.jsonl")
    (tmp_path / "texts.txt").write_text("aBc\n")
    done = tokconf.run(*given, "--last-failed", "run.jsonl")
    assert done.status == 1
    assert "not there any more, or not selected: texts.txt:" in done.err
    (tmp_path / "texts.txt").rename(tmp_path / "other.txt")
    given[given.index("texts.txt")] = "other.txt"
    done = tokconf.run(*given, "--last-failed", "run.jsonl")
    assert done.status == 2
    assert "there is nothing to repeat" in done.err


def test_where_nothing_failed_everything_is_compared(tokconf: CommandLine, given: list[str], tmp_path: Path) -> None:
    given[given.index("wrong-normalization")] = "ids-only"
    assert tokconf.run(*given, "--json", "run.jsonl").status == 0
    done = tokconf.run(*given, "--last-failed", "run.jsonl", "--json", "again.jsonl")
    assert done.status == 0
    assert "nothing failed in 'run.jsonl': everything is compared" in done.err
    assert lines(tmp_path / "again.jsonl")[-1]["inputs"] == len(TEXTS)


def test_a_tokenizer_that_was_not_loaded_is_repeated_whole(
    tokconf: CommandLine, given: list[str], tmp_path: Path
) -> None:
    broken = [*given]
    broken[broken.index("wrong-normalization")] = "cannot-load"
    assert tokconf.run(*broken, "--json", "run.jsonl").status == 3
    assert tokconf.run(*broken, "--last-failed", "run.jsonl").status == 3
    done = tokconf.run(*given, "--last-failed", "run.jsonl", "--json", "again.jsonl")
    assert "nothing failed in 'run.jsonl'" in done.err, "of another implementation"
    assert lines(tmp_path / "again.jsonl")[-1]["inputs"] == len(TEXTS)


@pytest.mark.long
def test_what_cannot_be_repeated_is_refused(tokconf: CommandLine, given: list[str], tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("{}\n")
    assert "no record" in tokconf.run(*given, "--last-failed", "none.jsonl").err
    tokconf.run(*given, "--json", "run.jsonl")
    done = tokconf.run(*given, "--last-failed", "run.jsonl", "--json", "run.jsonl")
    assert (done.status, "is the record of --last-failed" in done.err) == (2, True)
    done = tokconf.run(*given, "--last-failed", "run.jsonl", "--shard", "1/2")
    assert (done.status, "exclude each other" in done.err) == (2, True)


@pytest.mark.long
def test_failed_requirements_are_repeated(tokconf: CommandLine, tmp_path: Path) -> None:
    given = ("suite", "run", "-i", "keeps-accent", "--no-known", "-k", "bert or lowercase")
    assert tokconf.run(*given, "--json", "run.jsonl").status == 1
    wrong = {line["requirement"] for line in lines(tmp_path / "run.jsonl") if line.get("verdict") == "failed"}
    assert tokconf.run(*given, "--last-failed", "run.jsonl", "--json", "again.jsonl").status == 1
    asked = [line["requirement"] for line in lines(tmp_path / "again.jsonl") if line["type"] == "requirement"]
    assert wrong == set(asked)
    assert len(asked) < lines(tmp_path / "run.jsonl")[0]["requirements"]
