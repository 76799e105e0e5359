"""Inputs in columns on the command line: chosen, counted, said, and named in the command that repeats a finding."""

from __future__ import annotations

import importlib
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


def test_the_command_that_repeats_a_question_about_a_file_of_a_folder_names_the_folder(
    cli: Tokconf, toy_tokenizer: Path
) -> None:
    written("corpus/.hidden.txt", "x\n")
    (Path("corpus") / "en").mkdir()
    written("corpus/en/a.txt", f"{'x ' * 400}\nabc\n")
    asked = ("run", toy_tokenizer, "-i", "toy", "crashing", "--no-builtin", "--inputs", "corpus")
    first = cli(*asked, "--only", "en/a.txt:1")
    command = first.stdout.partition("repeat: ")[2].partition("\n\n")[0].replace("\n", " ").replace(" \\ ", " ")
    assert "--inputs corpus --only en/a.txt:1" in " ".join(command.split())
    assert "inputs    2 for each tokenizer" in cli(*asked).stdout


def test_a_text_whose_answers_memory_does_not_hold_is_told_and_the_other_files_are_used(
    cli: Tokconf, toy_tokenizer: Path
) -> None:
    long, short = written("long.txt", f"abc\n{'x' * 2000}\n"), written("short.txt", "abc\n")
    asked = ("run", toy_tokenizer, "-i", "toy", "utf8", "--no-builtin", "--inputs", long, short)
    result = cli(*asked, "--memory", 1)
    assert result.exit_code == 2
    assert "toy-tokenizer: 1 input, " in result.stdout
    assert result.stderr == (
        "tokconf: input 'long.txt:2' has 2,000 characters: an input and all answers to it are held in memory, here "
        "about 3 MB, and --memory allows 1; cut it into several, or give --memory 3\n"
    )
    assert cli(*asked, "--memory", 3).exit_code == 0


def test_a_row_group_that_is_damaged_is_told_and_the_other_files_are_used(cli: Tokconf, toy_tokenizer: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="Parquet is read by pyarrow, of the extra 'parquet'")
    written("corpus/a.txt", "abc\n")
    path = Path("corpus/b.parquet")
    table = arrow.table({"text": [f"row {number}" for number in range(3000)]})
    importlib.import_module("pyarrow.parquet").write_table(table, path, row_group_size=1000, compression="zstd")
    content = bytearray(path.read_bytes())
    chunk = importlib.import_module("pyarrow.parquet").ParquetFile(path).metadata.row_group(1).column(0)
    content[chunk.dictionary_page_offset + 30 : chunk.dictionary_page_offset + 200] = bytes(170)
    path.write_bytes(content)
    result = cli("run", toy_tokenizer, "-i", "toy", "utf8", "--no-builtin", "--inputs", "corpus")
    assert result.exit_code == 2
    assert f"inputs file {str(path)!r}, row group 2 (rows 1,001 to 2,000): " in result.stderr
    assert "toy-tokenizer: 1 input, " in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--column", "a"), "--column is about tables (JSON Lines, Parquet, Arrow, datasets); --inputs names none"),
        (("--inputs", ""), "--inputs: an empty name names no file; is a variable not set?"),
        (("--inputs", "a.txt", "--column", "a"), "--column is about tables (JSON Lines, Parquet, Arrow, datasets)"),
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
