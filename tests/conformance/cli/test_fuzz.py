"""``tokconf fuzz``: what it finds, shows and writes, how it is repeated, and how it ends."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from line_schema import of_type, valid_lines, validator_of

from tokenizer_conformance.results.records.fuzz import FORMAT
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.writing import LinesFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import CommandLine, Tokconf


Line = dict[str, Any]


@pytest.fixture
def cli(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> Tokconf:
    """Runs ``tokconf fuzz`` in this process, in an empty folder; implementations run in its workers."""
    monkeypatch.setenv("RUST_BACKTRACE", "0")
    monkeypatch.setattr(sys, "argv", ["tokconf", "fuzz"])
    return lambda *arguments: cli("fuzz", *arguments)


def timeless(lines: list[Line]) -> list[Line]:
    """Return ``lines`` without what another run has otherwise."""
    return [{key: value for key, value in line.items() if key not in ("seconds", "environment")} for line in lines]


@pytest.mark.long
def test_random_tokenizers_are_shared_out_by_number_without_overlap(cli: Tokconf, tmp_path: Path) -> None:
    """What the refusal of --shard tells to do finds what the whole finds."""
    found = []
    for start, count in ((0, 12), (0, 6), (6, 6)):
        path = tmp_path / f"{start}-{count}.jsonl"
        cli("-i", "wrong-type", "--seed", 3, "--start", start, "--tokenizers", count, "--texts", 4, "--json", path)
        found.append(of_type(valid_lines(path, FORMAT), "difference"))
    whole, *parts = found
    assert whole
    assert [line for part in parts for line in part] == whole


# The same again ------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_seed_gives_the_same_again_in_however_many_processes(cli: Tokconf, tmp_path: Path) -> None:
    records = []
    for name, jobs in (("one", 1), ("two", 2)):
        path = tmp_path / f"{name}.jsonl"
        result = cli("-i", "wrong-type", "--seed", 3, "--tokenizers", 12, "--texts", 4, "--jobs", jobs, "--json", path)
        assert result.exit_code == 1
        records.append(timeless(valid_lines(path, FORMAT)))
    assert records[0] == records[1]
    assert of_type(records[0], "difference")


@pytest.mark.long
def test_the_printed_command_shows_the_difference_again(cli: Tokconf, tmp_path: Path) -> None:
    first = cli("-i", "wrong-type", "--seed", 3, "--tokenizers", 12, "--texts", 4, "--json", tmp_path / "all.jsonl")
    finding = of_type(valid_lines(tmp_path / "all.jsonl", FORMAT), "finding")[0]
    assert f"repeat: {finding['repeat']}\n" in first.stdout
    program, command, *arguments = shlex.split(finding["repeat"])
    assert (program, command) == ("tokconf", "fuzz")
    again = cli(*arguments, "--json", tmp_path / "again.jsonl")
    assert again.exit_code == 1
    (same,) = of_type(valid_lines(tmp_path / "again.jsonl", FORMAT), "difference")
    assert same in of_type(valid_lines(tmp_path / "all.jsonl", FORMAT), "difference")
    assert same["number"] == finding["first"]


@pytest.mark.long
def test_without_a_seed_one_is_drawn_and_printed(cli: Tokconf) -> None:
    seeds = {
        re.findall(
            r"^seed +(\d+): tokenizers 0 to 0, 1 text each$", cli("--tokenizers", 1, "--texts", 1).stdout, re.MULTILINE
        )[0]
        for _ in range(2)
    }
    assert len(seeds) == 2


@pytest.mark.long
def test_a_part_can_be_done_alone(cli: Tokconf, tmp_path: Path) -> None:
    for name, start, count in (("all", 0, 8), ("begin", 0, 3), ("rest", 3, 5)):
        cli("-i", "sound", "--seed", 5, "--start", start, "--tokenizers", count, "--json", tmp_path / f"{name}.jsonl")
    results = {
        name: of_type(valid_lines(tmp_path / f"{name}.jsonl", FORMAT), "result")[0] for name in ("all", "begin", "rest")
    }
    for count in ("tokenizers", "cases", "values"):
        assert results["begin"][count] + results["rest"][count] == results["all"][count] > 0


# What is found -------------------------------------------------------------------------------------------------------


def test_the_reference_conforms(cli: Tokconf, tmp_path: Path) -> None:
    result = cli("--seed", 1, "--tokenizers", 10, "--json", tmp_path / "record.jsonl")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert re.search(r"^reference: no new difference on 10 tokenizers and \d\d cases", result.stdout, re.MULTILINE)
    assert re.search(r"^conform; 10 tokenizers, .* 0 differences; .* exit status 0$", result.stdout, re.MULTILINE)
    header, only, footer = valid_lines(tmp_path / "record.jsonl", FORMAT)
    assert (header["seed"], header["tokenizers"], header["texts"]) == (1, 10, 10)
    assert only["complete"]
    no_value = sum(row["count"] for row in only["no_value"] if row["where"] != "load")
    assert no_value == sum(verdicts.get("both_error", 0) for verdicts in only["answers"].values()) > 0
    assert (footer["finished"], footer["conclusion"], footer["exit_status"]) == (True, "conform", 0)


@pytest.mark.long
def test_what_both_sides_refuse_is_told_in_words(cli: Tokconf, tmp_path: Path) -> None:
    out = cli("--seed", 1, "--tokenizers", 25, "--json", tmp_path / "record.jsonl").stdout
    refused = of_type(valid_lines(tmp_path / "record.jsonl", FORMAT), "result")[0]["no_value"]
    told = out[out.index("No value on either side") :]
    rows = re.findall(r"^reference +(\w+) .*(?:raises|crashes).*raises \w+Error: .* ([\d,]+)$", told, re.MULTILINE)
    assert [(where, int(count.replace(",", ""))) for where, count in rows] == [
        (each["where"], each["count"]) for each in refused[: len(rows)]
    ]
    assert rows


REDUCED: dict[str, tuple[str, Callable[[Line], bool]]] = {
    "wrong-type": (
        "Encode: type_ids: differ: other values",
        lambda question: question["pair"] != [] and sum(word["length"] for word in question["pair"]) == 1,
    ),
    "keeps-accent": ("Normalize: text: differ: other values", lambda question: question["text"]["length"] <= 2),
    "lenient": ("Decode: crash: crashed: baseline", lambda question: question["ids_length"] == 1),
    "forgetful": ("vocabulary", lambda question: question is None),
    "picky": ("load: implementation", lambda question: question is None),
}


@pytest.mark.long_but(1)
@pytest.mark.parametrize("name", REDUCED)
def test_a_planted_fault_is_found_made_small_and_shown(cli: Tokconf, tmp_path: Path, name: str) -> None:
    headline, is_small = REDUCED[name]
    result = cli("-i", name, "--seed", 2, "--tokenizers", 40, "--texts", 5, "--json", tmp_path / "record.jsonl")
    lines = valid_lines(tmp_path / "record.jsonl", FORMAT)
    (finding,) = of_type(lines, "finding")
    assert result.exit_code == lines[-1]["exit_status"] == (3 if name == "lenient" else 1)
    assert finding["signature"] == headline.split(": ")
    assert finding["is_reduced"]
    assert finding["tokenizers"] == len(of_type(lines, "difference")) == lines[-1]["differences"]
    assert re.search(rf"^  1\. .* \({headline}\) \((?:{name} · )?number \d+", result.stdout, re.MULTILINE)
    assert re.search(rf"^     {finding['tokenizers']} tokenizers? of 40$", result.stdout, re.MULTILINE)
    smallest = finding["smallest"]
    assert is_small(smallest["question"])
    document = smallest["tokenizer_json"]
    assert f"tokenizer.json  {json.dumps(document)}" in result.stdout
    given = next(line for line in of_type(lines, "difference") if line["number"] == smallest["number"])
    assert len(json.dumps(document)) < len(json.dumps(given["tokenizer_json"]))
    assert (
        sum(document.get(part) is not None for part in ("normalizer", "pre_tokenizer", "post_processor", "decoder"))
        <= 1
    )


@pytest.mark.long
def test_an_implementation_that_takes_its_process_down_costs_one_answer(cli: Tokconf, tmp_path: Path) -> None:
    result = cli("-i", "aborting", "--seed", 8, "--tokenizers", 8, "--texts", 8, "--json", tmp_path / "record.jsonl")
    lines = valid_lines(tmp_path / "record.jsonl", FORMAT)
    (only,) = of_type(lines, "result")
    assert result.exit_code == 3
    assert only["tokenizers"] == 8
    assert only["answers"]["normalize"]["crash"] >= 1
    (finding,) = of_type(lines, "finding")
    assert finding["signature"] == ["Normalize", "crash", "crashed", "implementation"]
    assert finding["smallest"]["question"] == {"ask": "normalize", "text": {"value": "\x07", "length": 1}}


@pytest.mark.slow
def test_an_implementation_that_does_not_answer_costs_one_answer(cli: Tokconf, tmp_path: Path) -> None:
    result = cli(
        *("-i", "sleeping", "--seed", 8, "--start", 0, "--tokenizers", 3, "--texts", 8, "--timeout", "1.5"),
        *("--json", tmp_path / "record.jsonl"),
    )
    lines = valid_lines(tmp_path / "record.jsonl", FORMAT)
    assert result.exit_code == 3
    assert of_type(lines, "result")[0]["answers"]["normalize"]["timeout"] >= 1
    assert of_type(lines, "finding")[0]["signature"] == ["Normalize", "timeout", "timed out", "implementation"]


def test_a_process_that_cannot_start_in_time_is_said_in_one_line(cli: Tokconf) -> None:
    result = cli("--seed", "1", "--tokenizers", "2", "--timeout", "0.01")
    assert result.exit_code == 3
    assert result.stderr.count("\n") == 1
    assert (
        "does not start: it gave no answer within 0.01 s; if it needs longer to start, raise --timeout" in result.stderr
    )


@pytest.mark.long
def test_several_implementations_are_compared_and_hostile_text_does_no_harm_to_a_terminal(
    cli: Tokconf, tmp_path: Path
) -> None:
    names = ["short-decode", "keeps-accent", "late-pieces"]
    result = cli("-i", *names, "--seed", 4, "--tokenizers", 15, "--json", tmp_path / "record.jsonl")
    assert result.exit_code == 1
    assert [
        line["implementation"] for line in of_type(valid_lines(tmp_path / "record.jsonl", FORMAT), "result")
    ] == names
    assert set(re.findall(r" \(([\w-]+) · number ", result.stdout)) == set(names)
    assert [character for character in result.stdout if not character.isprintable() and character != "\n"] == []


# How it ends ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_ctrl_c_leaves_a_valid_partial_record(tokconf: CommandLine) -> None:
    process = tokconf.start(
        "fuzz",
        "-i",
        "wrong-type",
        "--seed",
        "3",
        "--tokenizers",
        "100000",
        "--json",
        "record.jsonl",
        RUST_BACKTRACE="0",
    )
    record = tokconf.folder / "record.jsonl"
    while not record.exists() or record.read_text().count("\n") < 3:  # the header, and two differences
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err == ""
    lines = valid_lines(record, FORMAT)
    (only,) = of_type(lines, "result")
    assert not only["complete"]
    assert only["tokenizers"] >= only["differences"] == len(of_type(lines, "difference")) >= 2
    assert of_type(lines, "finding")[0]["is_reduced"] is False
    footer = lines[-1]
    assert (footer["type"], footer["finished"], footer["conclusion"], footer["exit_status"]) == (
        "footer",
        False,
        "interrupted",
        130,
    )
    assert re.search(r"^wrong-type: .* on \d+ tokenizers? and .* Not all was asked\.$", out, re.MULTILINE)
    assert "the case is not made smaller" in out
    assert re.search(r"^interrupted; .* exit status 130$", out, re.MULTILINE)


def test_an_interrupt_before_anything_is_compared(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tokenizer_conformance.cli.fuzz.chosen", interrupted)
    result = cli("--tokenizers", 1)
    assert result.exit_code == 130
    assert result.stderr == "tokconf: interrupted before anything was compared\n"


def test_an_implementation_that_is_not_installed_costs_the_others_nothing(cli: Tokconf, tmp_path: Path) -> None:
    result = cli("-i", "unavailable", "sound", "--seed", 1, "--tokenizers", 1, "--json", tmp_path / "record.jsonl")
    assert result.exit_code == 3
    assert result.stderr == "tokconf: unavailable is not installed; install it with: pip install unavailable\n"
    lines = valid_lines(tmp_path / "record.jsonl", FORMAT)
    assert len(of_type(lines, "implementation_missing")) == 1
    assert of_type(lines, "result")[0]["values"]


@pytest.mark.long
def test_a_record_that_cannot_be_written_on_is_a_failure(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LinesFile, "handle", full)
    result = cli("--seed", 1, "--tokenizers", 1, "--json", "record.jsonl")
    assert result.exit_code == 3
    assert result.stderr == (
        "tokconf: cannot write 'record.jsonl': No space left on device\n"
        "tokconf: exit status 3: not every report could be written\n"
    )
    assert "conform; 1 tokenizer" in result.stdout


def test_where_nothing_is_compared_it_is_no_success(cli: Tokconf) -> None:
    result = cli("-i", "toy", "mute", "--baseline", "toy", "--seed", 1, "--tokenizers", 2)
    assert result.exit_code == 3
    assert "nothing was compared" in result.stdout


USAGE: list[tuple[str, str]] = [
    ("--tokenizers 0", "Invalid value for '--tokenizers': 0 is not in the range x>=1."),
    ("--texts x", "Invalid value for '--texts': 'x' is not a valid integer range."),
    ("--seed 1.5", "Invalid value for '--seed': '1.5' is not a valid integer."),
    ("--start -1", "Invalid value for '--start': -1 is not in the range x>=0."),
    ("--jobs 0", "Invalid value for '--jobs': 0 is not in the range x>=1."),
    ("--timeout 0", "Invalid value for '--timeout': 0.0 is not in the range x>0."),
    ("-i refrence", "no implementation is called 'refrence'"),
    ("--baseline refrence", "no implementation is called 'refrence'"),
    ("-i tokenizers", "nothing to compare tokenizers with: give a second implementation with -i"),
    ("-i", "Option '-i' requires at least one value"),
    ("--json .", "Invalid value for '--json': File '.' is a directory."),
    ("--json /dev/null/folder/r.jsonl", "cannot write '/dev/null/folder'"),
    ("gpt2-mini --tokenizers 5", "--tokenizers is about random tokenizers, and a TOKENIZER is given"),
    ("gpt2-mini --texts 5", "--texts is about random tokenizers, and a TOKENIZER is given"),
    ("gpt2-mini --start 5", "--start is about random tokenizers, and a TOKENIZER is given"),
    ("--time 5s", "--time needs a TOKENIZER; TOKENIZERs stand before the options"),
    ("--cases 5", "--cases needs a TOKENIZER"),
    ("--corpus found", "--corpus needs a TOKENIZER"),
    ("--inputs a.txt", "--inputs needs a TOKENIZER"),
    ("gpt2-mini --time 5s --cases 5", "--time and --cases both say when the search ends; give one of them"),
    ("gpt2-mini --time soon", "'soon' is no length of time; write 90s, 5m, 1h, or a number of seconds"),
    ("gpt2-mini --time 0", "'0' is no length of time"),
    ("gpt2-mini --cases 0", "Invalid value for '--cases': 0 is not in the range x>=1."),
    ("nothing-here/", "no such file or folder"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_wrong_usage(cli: Tokconf, arguments: str, message: str) -> None:
    result = cli(*arguments.split())
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_the_schema_is_valid_and_refuses_what_is_no_line() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))
    validator = validator_of(schema_of(FORMAT))
    for line in ({}, {"type": "header"}, {"type": "nonsense"}, {"type": "footer", "finished": True}, []):
        assert not validator.is_valid(line)
