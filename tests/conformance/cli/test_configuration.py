"""Options of commands from the project's configuration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from tokenizer_adapters.contract import Field, Stage
from tokenizer_conformance.cli import main
from tokenizer_conformance.cli.commands.diff import diff_command
from tokenizer_conformance.cli.commands.fuzz import fuzz_command
from tokenizer_conformance.cli.commands.snapshot import snapshot_command
from tokenizer_conformance.cli.commands.versions import versions_command
from tokenizer_conformance.cli.configuration import OWN_TABLE_ONLY, TABLES, found_settings, keys_of
from tokenizer_conformance.cli.long_command import COMMANDS_WITH_TABLES, LongCommand
from tokenizer_conformance.cli.options import SpreadOption

if TYPE_CHECKING:
    from conftest import CommandLine


@click.command("run", cls=LongCommand, table="run")
@click.argument("tokenizers", nargs=-1)
@click.option("-i", "--implementation", "wanted", cls=SpreadOption)
@click.option("--inputs", "files", cls=SpreadOption)
@click.option("--ledger", "ledger_files", multiple=True, type=click.Path())
@click.option("--stage", "stages", multiple=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1)
@click.option("--timeout", type=float, default=1.0)
@click.option("--no-builtin", is_flag=True)
@click.option("--json", "json_name", type=click.Path())
@click.option("-k", "selection", default="")
def shown(**options: object) -> None:
    """Print what reaches a command."""
    click.echo(json.dumps(options))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a folder in it, from which commands are called."""
    folder = tmp_path / "project"
    (folder / "sub").mkdir(parents=True)
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder / "sub")
    return folder


def options(*arguments: str) -> dict[str, object]:
    done = CliRunner().invoke(shown, arguments)
    assert done.exit_code == 0, done.output
    result: dict[str, object] = json.loads(done.output)
    return result


def test_the_table_of_the_command_goes_before_the_shared_one_and_the_command_line_before_both(project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.tokconf]\njobs = 2\ntimeout = 3\nstage = "model"\n[tool.tokconf.run]\njobs = 4\nno-builtin = true\n'
    )
    told = options()
    assert (told["jobs"], told["timeout"], told["stages"], told["no_builtin"]) == (4, 3, ["model"], True)
    told = options("--jobs", "7", "--stage", "decode")
    assert (told["jobs"], told["stages"]) == (7, ["decode"])
    assert options("--no-config")["jobs"] == 1


def test_paths_are_relative_to_the_file(project: Path) -> None:
    (project / "ckpt").mkdir()
    (project / "mine").touch()
    (project / "tokconf.toml").write_text(
        'tokenizers = ["ckpt", "gpt2-mini"]\nimplementation = ["toy", "command:./mine --flag", "me=command:./none"]\n'
        'inputs = ["texts.txt", "datasets:name:train"]\nledger = "known.toml"\n'
    )
    told = options()
    assert told["tokenizers"] == ["../ckpt", "gpt2-mini"]
    assert told["wanted"] == ["toy", "command:./../mine --flag", "me=command:./none"]
    assert told["files"] == ["../texts.txt", "datasets:name:train"]
    assert told["ledger_files"] == ["../known.toml"]


def test_the_nearest_file_of_the_project_is_found(project: Path, tmp_path: Path) -> None:
    (tmp_path / "tokconf.toml").write_text("jobs = 9\n")
    assert options()["jobs"] == 1, "what stands above the root of the project is not the project's"
    (project / "pyproject.toml").write_text("[tool.tokconf]\njobs = 2\n")
    assert options()["jobs"] == 2
    (project / "sub" / "pyproject.toml").write_text("[tool.other]\n")
    assert options()["jobs"] == 2, "a file without the table is passed by"
    (project / "sub" / "tokconf.toml").write_text("jobs = 3\n")
    assert options()["jobs"] == 3
    assert options("--config", str(tmp_path / "tokconf.toml"))["jobs"] == 9


FAULTS: dict[str, tuple[bytes, str]] = {
    "an unknown key": (b"\njbos = 2\n", "line 2: jbos: there is no such option; did you mean jobs?"),
    "an unknown key of a table": (
        b"[run]\n\njbos = 2\n",
        "line 3 [run]: jbos: there is no such option; did you mean jobs?",
    ),
    "a string for a number": (b'[run]\njobs = "2"\n', "line 2 [run]: jobs: a whole number is expected, not a string"),
    "a truth value for a number": (b"jobs = true\n", "jobs: a whole number is expected, not a truth value"),
    "a number for a flag": (b"[run]\nno-builtin = 1\n", "no-builtin: true or false is expected, not a number"),
    "a list for one": (b"[run]\njobs = [1]\n", "jobs: a whole number is expected, not a list"),
    "a table in a list": (b"[run]\nstage = [{}]\n", "a string, or a list of these, is expected, not a table"),
    "a value out of range": (b"[run]\njobs = 0\n", "line 2 [run]: jobs: 0 is not in the range"),
    "no table": (b"run = 1\n", "line 1: run: a table is expected, not a number"),
    "what is for one command": (b'json = "a"\n', "this is for one command, not for all"),
    "nested too deeply": (b"jobs = " + b"[" * 100_000, "cannot be read: it is nested too deeply"),
    "a number without end": (b"jobs = 1" + b"0" * 5_000, "is not TOML: Exceeds the limit"),
    "no TOML": (b"jobs =\n", "is not TOML: Invalid value (at line 1"),
    "no UTF-8": (b"jobs = 1\nk = '\xff'\n", "line 2 is not UTF-8"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_told_with_their_place(project: Path, name: str) -> None:
    content, told = FAULTS[name]
    (project / "tokconf.toml").write_bytes(content)
    done = CliRunner().invoke(shown)
    assert done.exit_code == 2
    assert "tokconf.toml" in done.output
    assert told in done.output.replace("\n", " ")


def test_a_file_that_is_named_must_be_one(project: Path) -> None:
    for name in (".", "nowhere.toml"):
        assert CliRunner().invoke(shown, ["--config", name]).exit_code == 2
    (project / "pyproject.toml").write_text("[tool.other]\n")
    assert "no table [tool.tokconf]" in CliRunner().invoke(shown, ["--config", "../pyproject.toml"]).output
    assert CliRunner().invoke(shown, ["--config", "x", "--no-config"]).exit_code == 2


def test_this_project_and_its_tests_have_no_configuration(pytestconfig: pytest.Config) -> None:
    assert found_settings(pytestconfig.rootpath) is None


def test_every_table_has_its_command() -> None:
    assert TABLES.keys() == COMMANDS_WITH_TABLES.keys()


def test_keys_are_the_long_names(project: Path) -> None:
    assert {"tokenizers", "implementation", "no-builtin", "k"} <= {key for key, _ in keys_of(shown)}
    assert "quiet" not in dict(keys_of(shown))
    assert "json" in OWN_TABLE_ONLY
    assert project.is_dir()


TAKEN: dict[str, tuple[click.Command, tuple[str, ...], str, dict[str, object]]] = {
    "snapshot": (
        snapshot_command,
        (),
        (
            'tokenizers = ["ckpt"]\nimplementation = ["tokenizers", "mine:Mine"]\ninputs = "texts.txt"\n'
            'stage = ["model"]\n'
            '[snapshot]\nimplementation = "command:./mine --fast"\noutput = "base.jsonl.gz"\nno-builtin = true\n'
        ),
        {
            "tokenizers": ("../ckpt",),
            "word": "command:./../mine --fast",
            "output": "../base.jsonl.gz",
            "files": ("../texts.txt",),
            "stages": (Stage.MODEL,),
            "no_builtin": True,
        },
    ),
    "snapshot, of the shared table alone": (
        snapshot_command,
        ("-o", "x.jsonl.gz"),
        'tokenizers = "ckpt"\nimplementation = ["toy", "mine:Mine"]\n',
        {"tokenizers": ("../ckpt",), "word": "tokenizers", "output": "x.jsonl.gz"},
    ),
    "diff": (
        diff_command,
        (),
        (
            'tokenizers = ["ckpt"]\nledger = "known.toml"\nfield = "ids"\ntimeout = 7\n'
            '[diff]\nold = "base.jsonl.gz"\nnew = "command:./mine"\ntokenizer = ["toy=ckpt", "other=bert-mini"]\n'
            "live = false\nno-loading = true\n"
        ),
        {
            "old": "../base.jsonl.gz",
            "new": "command:./../mine",
            "tokenizers": ("toy=../ckpt", "other=bert-mini"),
            "fields": (Field.IDS,),
            "timeout": 7.0,
            "live": False,
            "no_loading": True,
        },
    ),
    "diff, before its table": (
        diff_command,
        ("one.jsonl.gz", "two.jsonl.gz", "--field", "text"),
        '[diff]\nold = "base.jsonl.gz"\nnew = "mine:Mine"\nfield = "ids"\n',
        {"old": "one.jsonl.gz", "new": "two.jsonl.gz", "fields": (Field.TEXT,)},
    ),
    "fuzz, of its own table alone": (
        fuzz_command,
        (),
        'tokenizers = ["ckpt"]\njobs = 3\ntimeout = 7\n[fuzz]\njobs = 2\nstart = 5\n',
        {"given": (), "jobs": 2, "timeout": 10.0, "start": 5},
    ),
    "versions": (
        versions_command,
        (),
        (
            'tokenizers = ["ckpt"]\ninputs = ["texts.txt"]\nledger = "known.toml"\ncause-time = 3\n'
            '[versions]\nreleases = ["tokenizers>=0.20", "command:./mine"]\nlast = 3\nsnapshots = "kept"\n'
            "cause-time = 4\n"
        ),
        {
            "releases": ("tokenizers>=0.20", "command:./../mine"),
            "tokenizers": ("../ckpt",),
            "files": ("../texts.txt",),
            "last": 3,
            "folder": Path("../kept"),
            "cause_seconds": 4.0,
        },
    ),
    "versions, with tokenizers of its own": (
        versions_command,
        ("toy",),
        'tokenizers = ["ckpt"]\n[versions]\ntokenizer = "bert-mini"\n',
        {"releases": ("toy",), "tokenizers": ("bert-mini",)},
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_snapshots_diffs_and_versions_take_their_options(project: Path, name: str) -> None:
    command, arguments, text, expected = TAKEN[name]
    for file in ("mine", "base.jsonl.gz", "texts.txt"):
        (project / file).touch()
    (project / "ckpt").mkdir()
    (project / "known.toml").write_text("format = 1\n")
    (project / "tokconf.toml").write_text(text)
    with command.make_context(str(command.name), list(arguments), parent=click.Context(main)) as context:
        assert {key: context.params[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("command", "key"),
    [(snapshot_command, "output"), (diff_command, "old"), (diff_command, "tokenizer"), (versions_command, "releases")],
)
def test_what_means_one_run_is_not_for_all_commands(project: Path, command: click.Command, key: str) -> None:
    (project / "tokconf.toml").write_text(f'{key} = "a"\n')
    done = CliRunner().invoke(command, [])
    assert done.exit_code == 2
    assert f"{key}: this is for one command, not for all" in done.output


@pytest.mark.long
def test_a_run_takes_its_options_and_says_so(tokconf: CommandLine, tmp_path: Path, toy_tokenizer: Path) -> None:
    (tmp_path / "texts.txt").write_text("abc\n")
    (tmp_path / "tokconf.toml").write_text(
        f'tokenizers = [{json.dumps(str(toy_tokenizer))}]\nimplementation = ["toy", "swapped-merge"]\n'
        'baseline = "toy"\ninputs = "texts.txt"\n[run]\nno-builtin = true\ncause-time = 0\nstage = "model"\n'
    )
    done = tokconf.run("run", "--json", "run.jsonl")
    assert done.status == 1
    assert "also from tokconf.toml, SHA-256" in done.out
    assert "--stage model" in done.out, "the command that repeats a finding stands alone"
    header = json.loads((tmp_path / "run.jsonl").read_text().splitlines()[0])
    assert header["environment"]["configuration"]["name"] == "tokconf.toml"
    assert (header["inputs"]["count"], header["stages"]) == (1, ["model"])
    assert f"Configuration used here: {tmp_path / 'tokconf.toml'}\n" in tokconf.run("run", "--help").out
