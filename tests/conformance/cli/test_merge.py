"""``tokconf merge`` on the records of parts, as a user calls it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from line_schema import validator_of

from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.suite_run import FORMAT

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, CommandLines, Finished, Tokconf

TEXTS = ("aBc", "a-b", "x", "aBc d", "zebra")


NAMES = ["1.jsonl", "2.jsonl", "3.jsonl"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, command_lines: CommandLines, toy_tokenizer: Path) -> Path:
    """A folder with the records of three parts of a run in which some inputs fail."""
    folder = tmp_path_factory.mktemp("parts")
    (folder / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    for part, name in enumerate(NAMES, 1):
        command_lines(folder).run(
            *("run", str(toy_tokenizer), "-i", "toy", "wrong-normalization", "--baseline", "toy", "--no-known"),
            *("--inputs", "texts.txt", "--no-builtin", "--shard", f"{part}/3", "--json", name),
        )
    return folder


@pytest.fixture
def parts(made: Path, tmp_path: Path) -> list[str]:
    """The names of such records, which are of this test alone."""
    for name in ("texts.txt", *NAMES):
        (tmp_path / name).write_bytes((made / name).read_bytes())
    return [*NAMES]


def test_the_whole_run_is_summed_up_and_written(tokconf: CommandLine, parts: list[str], tmp_path: Path) -> None:
    done = tokconf.run("merge", *reversed(parts), "-o", "whole.jsonl", "--markdown", "whole.md")
    assert done.status == 1
    assert "merged    3 parts of 3" in done.out
    assert "differences; 1 tokenizer, 5 inputs" in done.out
    footer = json.loads((tmp_path / "whole.jsonl").read_text().splitlines()[-1])
    assert (footer["inputs"], footer["finished"], footer["exit_status"]) == (5, True, 1)
    assert (tmp_path / "whole.md").read_text().startswith("# toy and wrong-normalization on toy-tokenizer\n")


def test_missing_parts_are_named(tokconf: CommandLine, parts: list[str]) -> None:
    done = tokconf.run("merge", parts[1])
    assert (done.status, "parts 1, 3 of 3 are missing" in done.err) == (3, True)
    assert "parts are missing" in done.out
    done = tokconf.run("merge", parts[0], parts[1], "--partial")
    assert (done.status, "part 3 of 3 is missing" in done.err) == (1, True)


def refused(done: Finished, *words: str) -> bool:
    return done.status == 2 and all(word in done.err for word in words)


@pytest.mark.long
def test_what_cannot_be_merged_is_refused(tokconf: CommandLine, parts: list[str], tmp_path: Path) -> None:
    before = (tmp_path / "1.jsonl").read_bytes()
    assert refused(tokconf.run("merge", *parts, "-o", "1.jsonl"), "'1.jsonl' is a record to merge")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "1.jsonl")
    assert refused(tokconf.run("merge", *parts, "-o", "link.jsonl"), "is a record to merge")
    assert (tmp_path / "1.jsonl").read_bytes() == before
    assert refused(tokconf.run("merge", *parts, "link.jsonl"), "there twice", "link.jsonl")
    assert refused(tokconf.run("merge", "nowhere.jsonl", "no.jsonl"), "nowhere.jsonl", "no.jsonl")
    tokconf.run("merge", *parts, "-o", "whole.jsonl")
    assert refused(tokconf.run("merge", "whole.jsonl", "2.jsonl"), "merged of 3 parts already")
    text = before.decode().replace('"tokconf": "', '"tokconf": "9.', 1)
    (tmp_path / "1.jsonl").write_text(text)
    assert refused(tokconf.run("merge", *parts), "1.jsonl", "altered")
    (tmp_path / "search.jsonl").write_text('{"type": "header", "schema": "tokenizer-conformance-search"}\n')
    assert refused(tokconf.run("merge", "search.jsonl"), "only records of")


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("baseline", None, "line 1 is not that of a record: it has no 'baseline'"),
        ("inputs", None, "line 1 is not that of a record: it has no 'inputs'"),
        ("environment", 3, "line 1 is not that of a record: a value in it has another form than it should"),
        ("implementations", [3], "line 1 is not that of a record: a value in it has another form than it should"),
    ],
)
def test_an_altered_record_is_told_in_sentences(
    cli: Tokconf, parts: list[str], tmp_path: Path, member: str, value: Any, said: str
) -> None:
    lines = [json.loads(line) for line in (tmp_path / parts[0]).read_text().splitlines()]
    lines[0][member] = value
    if value is None:
        del lines[0][member]
    lines[-1].pop("sha256")
    (tmp_path / "altered.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for command in (("merge", "altered.jsonl"), ("report", "altered.jsonl", "--junit", "j.xml")):
        result = cli(*command)
        assert result.exit_code == 2
        assert f"'altered.jsonl' {said}" in result.stderr
        assert "Error:" not in result.stderr


@pytest.mark.long
@pytest.mark.parametrize("of", [8, 400])
def test_parts_of_the_suite(tokconf: CommandLine, tmp_path: Path, of: int) -> None:
    given = ("suite", "run", "-i", "keeps-accent", "-k", "bert or lowercase", "--no-known")
    whole = tokconf.run(*given, "--json", "whole.jsonl")
    numbers = range(1, 9) if of == 8 else (1, 2)
    for part in numbers:
        tokconf.run(*given, "--shard", f"{part}/{of}", "--json", f"{part}.jsonl")
    merged = tokconf.run("merge", *(f"{part}.jsonl" for part in numbers), "-o", "merged.jsonl")
    validator = validator_of(schema_of(FORMAT))
    for name in ("whole", "1", "merged"):
        for line in (tmp_path / f"{name}.jsonl").read_text().splitlines():
            validator.validate(json.loads(line))
    if of == 8:
        assert (merged.status, without_times(tmp_path / "merged.jsonl")) == (
            whole.status,
            without_times(tmp_path / "whole.jsonl"),
        )
        assert whole.status == 1
    else:
        assert (merged.status, "parts 3-400 of 400 are missing" in merged.err) == (3, True)


@pytest.mark.long
def test_parts_and_processes_of_a_diff(
    tokconf: CommandLine, parts: list[str], tmp_path: Path, toy_tokenizer: Path
) -> None:
    for who in ("toy", "wrong-normalization"):
        given = ("--inputs", "texts.txt", "--no-builtin", "-o", f"{who}.gz")
        assert tokconf.run("snapshot", str(toy_tokenizer), "-i", who, *given).status == 0
    given = ("diff", "toy.gz", "wrong-normalization.gz", "--no-live")
    whole = tokconf.run(*given, "--json", "whole.jsonl")
    assert whole.status == 1
    assert tokconf.run(*given, "--jobs", "2", "--json", "two.jsonl").status == 1
    for part in (1, 2):
        tokconf.run(*given, "--shard", f"{part}/2", "--json", f"d{part}.jsonl")
    merged = tokconf.run("merge", "d2.jsonl", "d1.jsonl", "-o", "merged.jsonl", "--junit", "junit.xml")
    assert merged.status == 1
    assert "merged    2 parts of 2" in merged.out
    assert 'name="vocabulary"' in (tmp_path / "junit.xml").read_text()
    one, two, whole_again = (without_times(tmp_path / f"{name}.jsonl") for name in ("whole", "two", "merged"))
    assert two == one
    told = [[line for line in lines if line["type"] != "failing"] for lines in (one, whole_again)]
    assert told[0] == told[1]
    mixed = tokconf.run("merge", "d1.jsonl", parts[1])
    assert refused(mixed, "'d1.jsonl' is a record of 'tokconf diff' and '2.jsonl' of 'tokconf run'")
    assert (missing := tokconf.run("merge", "d1.jsonl")).status == 3
    assert "part 2 of 2 is missing" in missing.err


def without_times(path: Path) -> list[dict[str, Any]]:
    """Return the lines but the header, without what says when and in how many lines."""
    found = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return [timeless(line) for line in found]


def timeless(value: Any) -> Any:
    if isinstance(value, list):
        return [timeless(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: timeless(value[key]) for key in value if key not in {"seconds", "baseline_seconds", "sha256", "lines"}}
