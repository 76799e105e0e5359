"""Inputs in columns on the command line: chosen, counted, said, and named in the command that repeats a finding."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Tokconf


def written(name: str, text: str) -> str:
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(text, encoding="utf-8")
    return name


def test_rows_without_a_string_are_said_and_cost_nothing(cli: Tokconf, toy_tokenizer: Path) -> None:
    rows = written("rows.jsonl", '{"text": "abc"}\n{"text": 3}\n{"text": "x"}\n')
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--no-builtin", "--inputs", rows)
    assert "inputs    2 for each tokenizer" in result.stdout
    assert result.exit_code == 0
    assert result.stderr == (
        "tokconf: inputs file 'rows.jsonl': 1 of 3 rows have no string in column 'text' and are left out: "
        "1 number (the first in line 2)\n"
    )


def test_the_command_that_repeats_a_long_question_names_its_input_and_the_column_where_there_is_one(
    cli: Tokconf, toy_tokenizer: Path
) -> None:
    long = "x " * 400
    rows = written("rows.jsonl", f'{{"a": "{long}", "b": "abc"}}\n{{"a": "abc", "b": "abc"}}\n')
    plain = written("one/plain.txt", f"{long}\nabc\n")
    others = written("two/plain.txt", "abc\n")
    for files, only in (((rows,), "rows.jsonl:1:a"), ((rows, plain, others), "one/plain.txt:1")):
        asked = ("run", toy_tokenizer, "-i", "toy", "crashing", "--no-builtin", "--inputs", *files, "--column", "a")
        first = cli(*asked, *(("--only", only)))
        assert first.exit_code == 3
        command = first.stdout.partition("repeat: ")[2].partition("\n\n")[0].replace("\n", " ").replace(" \\ ", " ")
        assert command
        program, *arguments = shlex.split(command)
        assert program == "tokconf"
        again = cli(*arguments[: arguments.index(only) + 1])
        assert again.exit_code == 3
        assert "toy-tokenizer: 1 input, " in again.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--column", "a"), "--column is about JSON Lines, Parquet and datasets, and --inputs names none"),
        (("--inputs", "a.txt", "--column", "a"), "--column is about JSON Lines, Parquet and datasets"),
    ],
)
def test_a_column_of_nothing_is_a_mistake(cli: Tokconf, words: tuple[str, ...], message: str) -> None:
    result = cli("run", "-i", "toy", "utf8", *words)
    assert result.exit_code == 2
    assert message in result.stderr


def test_no_report_replaces_a_file_of_inputs_or_of_a_dataset(cli: Tokconf, toy_tokenizer: Path) -> None:
    rows = written("folder/train.jsonl", '{"text": "abc"}\n')
    for word, what in ((rows, "a file of inputs"), ("datasets:folder:train", "a file of a dataset")):
        result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--inputs", word, "--json", rows, "--force")
        assert result.exit_code == 2
        assert f"is {what}; give another file for the report" in result.stderr
    assert Path(rows).read_text(encoding="utf-8") == '{"text": "abc"}\n'
