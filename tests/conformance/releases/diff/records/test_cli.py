"""``tokconf diff`` between two records: what it prints and writes, and how it ends."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import fake_implementations as fakes
import jsonschema
import pytest
from click.testing import CliRunner, Result
from record_pairs import SOUND, called

from tokenizer_conformance.cli import main
from tokenizer_conformance.cli.record_diff import APPLYING
from tokenizer_conformance.results.records.record_diff import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Recorded = Callable[..., Path]
    Tokconf = Callable[..., Result]

LOSSY = fakes.LossyDecode


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs ``tokconf diff`` in this process, in the folder of the records."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "diff"])
    return lambda *arguments: CliRunner().invoke(main, ["diff", *map(str, arguments)])


def test_what_is_new_comes_first_and_the_status_is_1(cli: Tokconf, recorded: Recorded) -> None:
    result = cli(recorded(called(SOUND)), recorded(called(LOSSY)))
    assert result.exit_code == 1
    assert result.stderr == ""
    assert "\n3 new or worse, 0 fixed or better.\n" in result.stdout
    assert '> 0      "zebra' in result.stdout or '"z' in result.stdout
    assert "  1. new: " in result.stdout
    assert result.stdout.endswith("exit status 1\n")


@pytest.mark.parametrize(("then", "now", "status"), [(LOSSY, SOUND, 0), (LOSSY, LOSSY, 0), (SOUND, LOSSY, 1)])
def test_exit_statuses(cli: Tokconf, recorded: Recorded, then: type, now: type, status: int) -> None:
    assert cli(recorded(called(then)), recorded(called(now))).exit_code == status


def test_nothing_that_can_be_compared_is_status_3(cli: Tokconf, recorded: Recorded) -> None:
    result = cli(recorded(called(SOUND)), recorded(called(SOUND, "another")))
    assert result.exit_code == 3
    assert "say who it is now with --match mine=NAME" in result.stdout
    assert "\nnothing was compared; " in result.stdout


def test_the_user_says_who_is_who(cli: Tokconf, recorded: Recorded) -> None:
    old, new = recorded(called(SOUND)), recorded(called(LOSSY, "another"))
    assert cli(old, new, "--match", "mine=another").exit_code == 1
    refused = cli(old, new, "--match", "mine=nobody")
    assert refused.exit_code == 2
    assert "write OLDNAME=NEWNAME; OLD has mine, toy, and NEW has another, toy" in refused.stderr


def test_reports(cli: Tokconf, recorded: Recorded) -> None:
    old, new = recorded(called(SOUND)), recorded(called(LOSSY))
    for _ in range(2):  # an earlier report is replaced
        result = cli(old, new, "--json", "diff.jsonl", "--markdown", "diff.md")
        assert result.exit_code == 1
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    lines = [json.loads(line) for line in Path("diff.jsonl").read_text("ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    assert [lines[0]["type"], lines[-1]["type"]] == ["header", "footer"]
    assert lines[0]["of"] == "tokenizer-conformance-record"
    found = [line for line in lines if line["type"] == "change" and line["aspect"] == "finding"]
    assert [(line["change"], line["parts"][0], line["then"]) for line in found] == [("new", "decode", None)]
    text = Path("diff.md").read_text("utf-8")
    assert text.startswith(f"# {old.name} then, {new.name} now\n\n**")
    assert "\n1. new: mine" in text


def test_no_report_replaces_a_record_that_is_read(cli: Tokconf, recorded: Recorded) -> None:
    old, new = recorded(called(SOUND)), recorded(called(LOSSY))
    before = new.read_bytes()
    result = cli(old, new, "--json", new, "--force")
    assert result.exit_code == 2
    assert "is a record to be compared" in result.stderr
    assert new.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--ledger", "known.toml"), "--ledger means nothing between two records: what was known stands in them"),
        (("--update-ledger", "known.toml"), "--update-ledger means nothing between two records: "),
        (("--stage", "model", "--partial"), "--partial, --stage mean nothing between two records"),
        (("--live",), "--live means nothing between two records"),
        (("-t", "a=b"), "--tokenizer means nothing between two records"),
        (("--timeout", "5"), "--timeout means nothing between two records"),
    ],
)
def test_options_that_mean_nothing_to_records_are_refused(
    cli: Tokconf, recorded: Recorded, options: tuple[str, ...], said: str
) -> None:
    path = recorded(called(LOSSY))
    result = cli(path, path, *options, "--json", "diff.jsonl")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not Path("diff.jsonl").exists()


def test_each_option_of_diff_applies_to_records_or_is_refused(cli: Tokconf, recorded: Recorded) -> None:
    """An option that is new is one or the other; none is ignored."""
    path = recorded(called(LOSSY))
    command = main.get_command(click.Context(main), "diff")
    assert command is not None
    options = [each for each in command.params if isinstance(each, click.Option) and each.expose_value]
    for option in options:
        value = () if option.is_flag else (VALUES.get(str(option.name), "1"),)
        result = cli(path, path, option.opts[0], *value)
        is_refused = f"{option.opts[-1]} means nothing between two records" in result.stderr
        assert is_refused is (option.name not in APPLYING), (option.name, result.stderr)
        assert (result.exit_code == 2) is is_refused, (option.name, result.output)


VALUES = {
    "shard": "1/2",
    "tokenizers": "a=b",
    "matches": "mine=mine",
    "stages": "model",
    "fields": "ids",
    "isolate": "toy",
    "in_process": "toy",
    "json_name": "a.jsonl",
    "markdown_name": "a.md",
    "junit_name": "a.xml",
    "sarif_name": "a.sarif",
}
"""A value for each option that takes no number."""


def test_options_of_a_configuration_that_mean_nothing_to_records_are_named(cli: Tokconf, recorded: Recorded) -> None:
    path = recorded(called(LOSSY))
    Path("tokconf.toml").write_text('ledger = ["known.toml"]\n[diff]\nstage = ["model"]\n', encoding="utf-8")
    result = cli(path, path)
    assert result.exit_code == 0
    assert "--stage, --ledger of the configuration mean nothing between two records" in result.stderr


def test_options_of_records_are_refused_between_snapshots(cli: Tokconf, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(b"")
    result = cli("a.jsonl.gz", "--match", "a=b")
    assert result.exit_code == 2
    assert "--match means something between two records alone" in result.stderr


def test_wrong_records_are_refused(cli: Tokconf, recorded: Recorded, tmp_path: Path) -> None:
    path = recorded(called(LOSSY))
    assert cli(path).exit_code == 2
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(path.read_bytes().replace(b'"type": "footer"', b'"type": footer'))
    result = cli(path, broken)
    assert result.exit_code == 2
    assert f"{str(broken)!r} line" in result.stderr
    assert "is no JSON" in result.stderr
    assert cli(path, tmp_path / "missing.jsonl").exit_code == 2
