"""``--junit``, ``--sarif`` and ``--github`` of the command line: what is written where, and what is never replaced."""

from __future__ import annotations

import io
import json
import signal
import time
from typing import TYPE_CHECKING, Any

import junitparser
import pytest

from tokenizer_conformance.results.ci_results.check import CONCLUSION

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine, Tokconf


FILES = ("--junit", "junit.xml", "--sarif", "run.sarif")


@pytest.fixture
def cli(cli: Tokconf, tmp_path: Path) -> Tokconf:
    """Runs a command in this process, in a folder with two texts."""
    (tmp_path / "texts.txt").write_text("abc\nd\n", encoding="utf-8")
    return cli


@pytest.fixture
def compare(cli: Tokconf, toy_tokenizer: Path) -> Tokconf:
    given = ("run", toy_tokenizer, "-i", "toy", "swapped-merge", "--no-builtin", "--inputs", "texts.txt")
    return lambda *arguments: cli(*given, *arguments)


def junit(folder: Path) -> dict[tuple[str, str], list[str]]:
    """What each test came to."""
    found = junitparser.JUnitXml.fromfile(io.BytesIO((folder / "junit.xml").read_bytes()))
    return {
        (case.classname, case.name): [type(each).__name__ for each in case.result] for suite in found for case in suite
    }


def sarif(folder: Path) -> dict[str, Any]:
    run: dict[str, Any] = json.loads((folder / "run.sarif").read_text("ascii"))["runs"][0]
    return run


def test_a_fault_is_in_both_files_and_the_status_stays(compare: Tokconf, tmp_path: Path) -> None:
    result = compare(*FILES)
    assert result.exit_code == 1
    assert "::error" not in result.stdout
    cases = junit(tmp_path)
    assert cases["swapped-merge on toy-tokenizer", "model"] == ["Failure"]
    assert cases[CONCLUSION, "finished"] == []
    found = sarif(tmp_path)
    assert found["invocations"][0]["exitCode"] == 1
    logical = {result["locations"][0]["logicalLocations"][0]["name"] for result in found["results"]}
    assert "model" in logical


def test_files_of_earlier_runs_are_replaced_and_others_are_not(compare: Tokconf, tmp_path: Path) -> None:
    assert compare(*FILES).exit_code == 1
    assert compare(*FILES).exit_code == 1
    for option, name in (("--junit", "other.xml"), ("--sarif", "other.sarif")):
        (tmp_path / name).write_text('<?xml version="1.0"?><testsuites name="of others"/>', encoding="utf-8")
        refused = compare(option, name)
        assert refused.exit_code == 2
        assert f"{option} '{name}' is there already and is no " in refused.stderr
        assert compare(option, name, "--force").exit_code == 1
        assert "of others" not in (tmp_path / name).read_text("utf-8")


@pytest.mark.parametrize("option", ["--junit", "--sarif"])
def test_no_file_replaces_what_is_read_or_another_report(compare: Tokconf, tmp_path: Path, option: str) -> None:
    refused = compare(option, "texts.txt", "--force")
    assert refused.exit_code == 2
    assert (tmp_path / "texts.txt").read_text("utf-8") == "abc\nd\n"
    assert f"--json and {option} both name 'one'" in compare("--json", "one", option, "one").stderr


def test_a_report_on_standard_output_is_alone_there(compare: Tokconf) -> None:
    result = compare("--junit", "-", "--github")
    assert junitparser.JUnitXml.fromstring(result.stdout.encode()).failures == 1
    assert "::error " in result.stderr


# GitHub --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "option", "is_told"),
    [("", (), False), ("true", (), True), ("true", ("--no-github",), False), ("", ("--github",), True)],
)
def test_github_is_told_where_the_run_is_or_where_asked(
    compare: Tokconf,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    variable: str,
    option: tuple[str, ...],
    is_told: bool,
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", variable)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    result = compare(*option)
    assert ("::error title=model%3A swapped-merge on toy-tokenizer,file=" in result.stdout) is is_told
    assert (tmp_path / "summary.md").exists() is is_told
    if is_told:
        lines = result.stdout.splitlines()
        last_word = next(number for number, line in enumerate(lines) if "exit status 1" in line)
        assert all(line.startswith("::") for line in lines[last_word + 1 :])


def test_what_a_tokenizer_has_printed_is_no_command(cli: Tokconf, toy_tokenizer: Path) -> None:
    result = cli("run", toy_tokenizer, "-i", "toy", "hostile", "--no-builtin", "--inputs", "texts.txt", "--github")
    lines = result.stdout.splitlines()
    stop = next(number for number, line in enumerate(lines) if line.startswith("::stop-commands::"))
    resume = lines.index(f"::{lines[stop].removeprefix('::stop-commands::')}::")
    shown = [number for number, line in enumerate(lines) if "hostile at decode" in line and line[:2] != "::"]
    assert shown
    assert all(stop < number < resume for number in shown)
    assert lines[resume + 1].startswith("::error ")


def test_a_summary_that_cannot_be_written_costs_nothing_else(
    compare: Tokconf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "missing" / "summary.md"))
    result = compare("--github", *FILES)
    assert result.exit_code == 3
    assert "cannot write GitHub's annotations and summary: No such file or directory" in result.stderr
    assert junit(tmp_path)


# Cut short, and gone on with -----------------------------------------------------------------------------------------


@pytest.mark.long
def test_an_interrupted_run_leaves_valid_files_that_say_so(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    process = tokconf.start(
        "run", str(toy_tokenizer), "-i", "toy", "slow", "--json", "record.jsonl", *FILES, "--github"
    )
    record = tokconf.folder / "record.jsonl"
    while not record.exists() or record.read_text().count("\n") < 3:  # the header, and two loaded
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    cases = junit(tokconf.folder)
    assert cases[CONCLUSION, "finished"] == ["Error"]
    assert cases["slow on toy-tokenizer", "decode"] == ["Skipped"]
    found = sarif(tokconf.folder)
    assert found["invocations"][0]["executionSuccessful"] is False
    assert [result["ruleId"] for result in found["results"]] == ["not-finished"]
    assert "::error title=finished%3A " in out


def test_with_resume_the_files_are_those_of_the_whole_run(compare: Tokconf, tmp_path: Path) -> None:
    assert compare("--json", "run.jsonl", *FILES).exit_code == 1
    whole = junit(tmp_path), sarif(tmp_path)["results"]
    lines = (tmp_path / "run.jsonl").read_text().splitlines(keepends=True)
    for kept in (len(lines) - 1, 1):  # without its footer; nothing but the header
        (tmp_path / "run.jsonl").write_text("".join(lines[:kept]))
        assert compare("--json", "run.jsonl", *FILES, "--resume").exit_code == 1
        assert (junit(tmp_path), sarif(tmp_path)["results"]) == whole


@pytest.mark.long
def test_fuzzing_writes_them_too(cli: Tokconf, tmp_path: Path) -> None:
    result = cli("fuzz", "-i", "short-decode", "--seed", "1", "--tokenizers", "6", "--texts", "3", *FILES)
    assert result.exit_code == 1, result.output
    assert junit(tmp_path)["short-decode on random tokenizers", "fuzz"] == ["Failure"]
    (found, *_) = sarif(tmp_path)["results"]
    assert found["ruleId"] == "random-tokenizer-differs"
    assert "repeat: tokconf fuzz --seed 1 --start" in found["message"]["text"]


@pytest.mark.long
def test_a_search_writes_them_too(cli: Tokconf, tmp_path: Path) -> None:
    call = ("fuzz", "gpt2-mini", "-i", "tokenizers", "--seed", "1", "--cases", "4")
    faulty = cli(*call[:4], "short-decode", *call[4:], *FILES)
    assert faulty.exit_code == 1, faulty.output
    assert junit(tmp_path)["short-decode on gpt2-mini", "search"] == ["Failure"]
    (found, *_) = sarif(tmp_path)["results"]
    place = found["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("gpt2-mini/tokenizer.json")
    sound = cli(*call[:4], "sound", *call[4:], *FILES)
    assert sound.exit_code == 0, sound.output
    assert junit(tmp_path)["sound on gpt2-mini", "search"] == []
    assert sarif(tmp_path)["results"] == []


def test_the_suite_writes_them_too(cli: Tokconf, tmp_path: Path) -> None:
    result = cli("suite", "run", "-i", "tokenizers", "-k", "TEMPLATE-PAIR", *FILES)
    assert result.exit_code == 0, result.output
    assert any(name == "TEMPLATE-PAIR" for _, name in junit(tmp_path))
    assert sarif(tmp_path)["results"] == []


# Of records ----------------------------------------------------------------------------------------------------------


def told(folder: Path) -> tuple[Any, ...]:
    """What both files say, but for what the command was called."""
    results = [(each["ruleId"], each["message"], each["partialFingerprints"]) for each in sarif(folder)["results"]]
    return junit(folder), sorted(results, key=str), sarif(folder)["invocations"][0]["exitCode"]


def test_merged_parts_have_the_checks_of_the_whole_run(compare: Tokconf, cli: Tokconf, tmp_path: Path) -> None:
    given = ("-i", "wrong-normalization", "mute", "cannot-load", "unavailable", "--no-known")
    assert compare(*given, *FILES, "--json", "whole.jsonl").exit_code == 3
    whole = told(tmp_path)
    for part in ("1", "2"):
        compare(*given, "--shard", f"{part}/2", "--json", f"{part}.jsonl")
    merged = cli("merge", "1.jsonl", "2.jsonl", *FILES)
    assert merged.exit_code == 3
    cases, results, status = told(tmp_path)
    assert cases == whole[0]
    assert cases["swapped-merge on toy-tokenizer", "model"] == ["Failure"]
    assert ("what was given", "implementation unavailable") in cases
    assert status == 3
    assert [each[0] for each in results] == [each[0] for each in whole[1]]
    reported = cli("report", "whole.jsonl", *FILES)
    assert reported.exit_code == 0, reported.output
    assert reported.stdout.splitlines() == ["'junit.xml': the checks of the run", "'run.sarif': the checks of the run"]
    assert told(tmp_path) == whole


def test_a_record_of_the_suite_has_its_checks(cli: Tokconf, tmp_path: Path) -> None:
    given = ("suite", "run", "-i", "wrong-type", "sound", "-k", "PIPELINE-GPT2")
    assert cli(*given, *FILES, "--json", "suite.jsonl").exit_code == 1
    whole = told(tmp_path)
    assert ["Failure"] in whole[0].values()
    assert cli("report", "suite.jsonl", *FILES).exit_code == 0
    assert told(tmp_path) == whole
    for part in ("1", "2"):
        cli(*given, "--shard", f"{part}/2", "--json", f"{part}.jsonl")
    assert cli("merge", "1.jsonl", "2.jsonl", *FILES).exit_code == 1
    assert told(tmp_path)[0] == whole[0]


def test_of_a_killed_run_is_said_that_it_did_not_finish(compare: Tokconf, cli: Tokconf, tmp_path: Path) -> None:
    compare("--json", "whole.jsonl")
    lines = (tmp_path / "whole.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "killed.jsonl").write_text("".join(lines[:-1]))
    assert cli("report", "killed.jsonl", *FILES).exit_code == 0
    assert junit(tmp_path)[CONCLUSION, "finished"] == ["Error"]
    assert sarif(tmp_path)["invocations"][0]["exitCode"] == 130


def test_annotations_of_a_record_are_for_who_asks(
    compare: Tokconf, cli: Tokconf, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare("--json", "whole.jsonl")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert "::error" not in cli("report", "whole.jsonl", "--junit", "junit.xml").stdout
    assert "::error" in cli("report", "whole.jsonl", "--github").stdout


def test_other_records_have_no_checks(cli: Tokconf, tmp_path: Path) -> None:
    cli("explain", "bert-mini", "a", "--json", "explained.jsonl")
    refused = cli("report", "explained.jsonl", *FILES)
    assert refused.exit_code == 2
    assert "is no record of 'tokconf run' or 'tokconf suite run'" in refused.stderr
    assert not (tmp_path / "junit.xml").exists()
    assert "take one record" in cli("report", "explained.jsonl", "other.jsonl", *FILES).stderr
