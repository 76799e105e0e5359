"""``tokconf audit loader``: what it accepts, what it shows, what it writes, and how it ends."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
from click.testing import CliRunner, Result
from line_schema import of_type, valid_lines
from planted_loaders import document

from tokenizer_adapters.peers.transformers_class import VARIABLE
from tokenizer_conformance.cli import main
from tokenizer_conformance.cli.audit_loader import CLASS_VARIABLE
from tokenizer_conformance.command_io.markdown import is_report
from tokenizer_conformance.results.records.loader_audit import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Tokconf = Callable[..., Result]

LEDGER = """
format = 1

[[known]]
implementation = "planted"
tokenizer = "toy"
input = "normalizer"
reason = "The class has no normalizer; see its documentation."
"""


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs ``tokconf audit loader`` on the folder ``toy`` in this process, with few cases."""
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "audit", "loader"])
    Path("toy").mkdir()
    Path("toy/tokenizer.json").write_text(json.dumps(document()), "utf-8")
    Path("texts.txt").write_text("ABC\nabc\nThe end\n", "utf-8")

    def run(loader: str, *arguments: str) -> Result:
        words = ["toy", "-i", f"planted_loaders:{loader}", "--cases", "30", *arguments]
        return CliRunner().invoke(main, ["audit", "loader", *words])

    return run


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))


@pytest.mark.long
def test_a_replaced_component_is_shown_with_both_answers(cli: Tokconf) -> None:
    result = cli("WithoutNormalizer", "--json", "a.jsonl", "--markdown", "a.md")
    assert result.exit_code == 1, result.output
    assert "1. normalizer: Sequence[NFC, Lowercase] in the file, none as loaded" in result.output
    assert re.search(r'3 "a" +29 "A"', result.output)
    assert "1 difference, 1 of them with a witness; " in result.output
    lines = valid_lines("a.jsonl", FORMAT)
    (difference,) = of_type(lines, "difference")
    assert difference["name"] == difference["component"] == "normalizer"
    assert difference["witness"]["found"] is True
    assert difference["witness"]["confirmation"] == "same"
    assert lines[-1]["conclusion"] == "differences"
    page = Path("a.md").read_bytes()
    assert is_report(page)
    assert b"Sequence\\[NFC, Lowercase\\] in the file, none as loaded" in page


@pytest.mark.long
def test_a_faithful_loader_conforms_and_shows_its_defaults(cli: Tokconf) -> None:
    result = cli("Faithful", "--json", "a.jsonl", "--markdown", "a.md")
    assert result.exit_code == 0, result.output
    assert re.search("planted +model_max_length", result.output)
    assert re.search("planted +model_max_length +512\n", result.output)
    assert "every component is as in the file" in result.output
    lines = valid_lines("a.jsonl", FORMAT)
    assert of_type(lines, "loaded")[0]["defaults"]["settings"] == {"model_max_length": 512, "legacy": None}
    assert of_type(lines, "difference") == []


def test_answers_of_a_plain_class_are_findings(cli: Tokconf) -> None:
    result = cli("PlainWithoutNormalizer", "--json", "a.jsonl", "--markdown", "a.md")
    assert result.exit_code == 1, result.output
    assert "components cannot be compared: planted writes no tokenizer.json" in result.output
    (answers,) = of_type(valid_lines("a.jsonl", FORMAT), "answers")
    assert answers["findings"][0]["stage"] == "normalize"
    assert answers["explained"] == 0


@pytest.mark.long
def test_given_texts_that_are_touched_are_counted(cli: Tokconf) -> None:
    result = cli("WithoutNormalizer", "--inputs", "texts.txt", "--json", "a.jsonl")
    assert "touches the ids or text of 2 of 3 inputs" in result.output
    lines = valid_lines("a.jsonl", FORMAT)
    assert lines[0]["given"] == 3
    assert of_type(lines, "difference")[0]["impact"] == {"inputs": 3, "ids": 2, "any": 2}


@pytest.mark.long
def test_hostile_tokens_are_escaped(cli: Tokconf) -> None:
    result = cli("Hostile", "--json", "a.jsonl", "--markdown", "a.md")
    assert result.exit_code == 1, result.output
    page = Path("a.md").read_text("utf-8")
    for shown in (result.output, page):
        assert "\x1b" not in shown
        assert "\u202e" not in shown
    assert "<b>" not in page.replace("\\<b\\>", "").split("```")[0]
    valid_lines("a.jsonl", FORMAT)


@pytest.mark.long
def test_a_ledger_knows_a_component(cli: Tokconf) -> None:
    Path("known.toml").write_text(LEDGER, "utf-8")
    result = cli("WithoutNormalizer", "--ledger", "known.toml", "--json", "a.jsonl")
    assert result.exit_code == 0, result.output
    assert "(planted · toy; known)" in result.output
    (difference,) = of_type(valid_lines("a.jsonl", FORMAT), "difference")
    assert difference["known"]["reason"].startswith("The class has no normalizer")


@pytest.mark.long
def test_an_entry_that_is_not_met_any_more_is_stale(cli: Tokconf) -> None:
    Path("known.toml").write_text(LEDGER, "utf-8")
    result = cli("Faithful", "--ledger", "known.toml", "--json", "a.jsonl")
    assert result.exit_code == 1, result.output
    assert "Stale: " in result.output
    assert valid_lines("a.jsonl", FORMAT)[-1]["conclusion"] == "a ledger is stale"


UPDATE = ("--update-ledger", "known.toml")
LOADERS = {"WithoutNormalizer": ["normalizer"], "PlainWithoutNormalizer": ["answers"], "Hostile": ["added_tokens"]}


@pytest.mark.long_but(1)
@pytest.mark.parametrize("loader", LOADERS)
def test_what_is_new_is_appended_to_a_ledger_and_known_once_a_reason_is_given(cli: Tokconf, loader: str) -> None:
    result = cli(loader, *UPDATE)
    assert result.exit_code == 1, result.output
    assert "say in `reason` why each is known" in result.output
    written = Path("known.toml").read_text("utf-8")
    assert "\x1b" not in written
    entries = tomllib.loads(written)["known"]
    assert {entry["input"].partition(".")[0] for entry in entries} == set(LOADERS[loader])
    assert {(entry["implementation"], entry["tokenizer"], entry["version"]) for entry in entries} == {
        ("planted", "toy", "==1.0")
    }
    refused = cli(loader, "--ledger", "known.toml")
    assert refused.exit_code == 2
    assert "reason" in refused.output
    Path("known.toml").write_text(written.replace('reason = ""', 'reason = "It is documented."'), "utf-8")
    before = Path("known.toml").read_text("utf-8")
    known = cli(loader, *UPDATE)
    assert known.exit_code == 0, known.output
    assert Path("known.toml").read_text("utf-8") == before, "what is known is not new"


@pytest.mark.long
@pytest.mark.parametrize(("loader", "stale"), [("Faithful", 1), ("PlainWithoutNormalizer", 0)])
def test_what_was_appended_is_stale_where_that_was_compared_and_is_gone(cli: Tokconf, loader: str, stale: int) -> None:
    cli("WithoutNormalizer", *UPDATE)
    written = Path("known.toml").read_text("utf-8")
    Path("known.toml").write_text(written.replace('reason = ""', 'reason = "It is documented."'), "utf-8")
    result = cli(loader, "--ledger", "known.toml", "--json", "a.jsonl")
    assert result.exit_code == 1, result.output
    assert len(valid_lines("a.jsonl", FORMAT)[-1]["stale"]) == stale, "what a class does not show was not compared"


@pytest.mark.long
def test_answers_that_are_gone_are_stale(cli: Tokconf) -> None:
    cli("PlainWithoutNormalizer", *UPDATE)
    written = Path("known.toml").read_text("utf-8")
    Path("known.toml").write_text(written.replace('reason = ""', 'reason = "It is documented."'), "utf-8")
    result = cli("Faithful", "--ledger", "known.toml", "--json", "a.jsonl")
    assert result.exit_code == 1, result.output
    assert valid_lines("a.jsonl", FORMAT)[-1]["conclusion"] == "a ledger is stale"


def test_a_ledger_that_cannot_be_appended_to_is_refused_first(cli: Tokconf) -> None:
    result = cli("WithoutNormalizer", "--update-ledger", "missing/known.toml", "--json", "a.jsonl")
    assert result.exit_code == 2
    assert "there is no folder for it" in result.output
    Path("known.toml").write_text(LEDGER, "utf-8")
    taken = cli("WithoutNormalizer", *UPDATE, "--json", "known.toml", "--force")
    assert taken.exit_code == 2
    assert "is a ledger" in taken.output
    assert Path("known.toml").read_text("utf-8") == LEDGER


def test_what_cannot_be_used_is_told(cli: Tokconf) -> None:
    assert "holds no tokenizer.json" in CliRunner().invoke(main, ["audit", "loader", "."]).output
    result = cli("WithoutNormalizer", "--json", "toy/tokenizer.json")
    assert result.exit_code == 2
    assert "give another file for the report" in result.output
    assert cli("NoSuchLoader").exit_code != 0


def test_the_class_is_named_as_the_adapter_reads_it() -> None:
    assert CLASS_VARIABLE == VARIABLE


def test_a_named_class_is_loaded(cli: Tokconf) -> None:
    pytest.importorskip("transformers")
    result = cli("Faithful", "--class", "NoSuchTokenizer")
    assert "transformers 5" in result.output
    assert "has no class NoSuchTokenizer" in result.output


def test_the_help_says_what_is_compared() -> None:
    result = CliRunner().invoke(main, ["audit", "--help"])
    assert "loader" in result.output
    result = CliRunner().invoke(main, ["audit", "loader", "--help"])
    assert "--class" in result.output
