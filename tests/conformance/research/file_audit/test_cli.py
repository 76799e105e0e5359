"""``tokconf audit file``: what it accepts, what it shows, what it writes, and how it ends."""

from __future__ import annotations

import json
import re
import sys
from itertools import chain, repeat
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.markdown import is_report
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.research.file_audit import audited
from tokenizer_conformance.research.file_audit.checks_table import OF_FILES
from tokenizer_conformance.research.file_audit.vocabulary import checks as vocabulary
from tokenizer_conformance.results.page import State
from tokenizer_conformance.results.records.file_audit import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Tokconf = Callable[..., Result]


OF_VOCABULARY = tuple(defect.id for check in vocabulary.CHECKS for defect in check.defects)
"""What takes its time, and has tests of its own."""


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs ``tokconf audit file`` in this process; ``bad.json`` has an error, a warning and a note."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "audit", "file"])
    document = json.loads(bundled_file("bert-mini").read_text("utf-8"))
    document["added_tokens"][4]["id"] = 7
    document["normalizer"]["lower_case"] = True
    document["model"]["max_input_chars_per_word"] = 10
    Path("bad.json").write_text(json.dumps(document, indent=1), "utf-8")

    def run(*arguments: str) -> Result:
        words = arguments if "--list" in arguments else (*arguments, "--ignore", ",".join(OF_VOCABULARY))
        return CliRunner().invoke(main, ["audit", "file", *words])

    return run


def records(path: str) -> list[dict[str, Any]]:
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    lines = [json.loads(line) for line in Path(path).read_text(encoding="ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    return lines


def findings(path: str) -> dict[str, dict[str, Any]]:
    return {line["defect"]: line for line in records(path) if line["type"] == "finding"}


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))


@pytest.mark.long
def test_findings_are_told_with_place_and_fix(cli: Tokconf) -> None:
    result = cli("bad.json", "--json", "a.jsonl", "--markdown", "a.md")
    assert result.exit_code == 1, result.output
    assert "error added-token-id: " in result.output
    assert "at: $.added_tokens[4].id, line " in result.output
    assert 'the file says that "[MASK]" has the id 7, and it has 4, as in the vocabulary' in result.output
    assert "fix: Write 4 at $.added_tokens[4].id, or give the token the id 7 in $.model.vocab." in result.output
    found = findings("a.jsonl")
    assert set(found) >= {"added-token-id", "member-ignored", "long-words-unknown"}
    assert (found["added-token-id"]["fails"], found["member-ignored"]["fails"]) == (True, False)
    assert found["member-ignored"]["keys"] == ["normalizer", "lower_case"]
    assert found["long-words-unknown"]["witness"]["length"] == 11
    assert records("a.jsonl")[-1]["counts"]["error"] == 1
    page = Path("a.md").read_bytes()
    assert is_report(page)
    assert page.index(b". error added-token-id: ") < page.index(b". warning member-ignored: ")


@pytest.mark.long
def test_a_clean_file_passes(cli: Tokconf) -> None:
    result = cli("wordlevel-mini", "--json", "a.jsonl")
    assert result.exit_code == 0, result.output
    done = next(line for line in records("a.jsonl") if line["type"] == "audited")
    wanted = {id for ids in done["checks"].values() for id in ids}
    assert wanted == {defect.id for defect in OF_FILES.defects} - set(OF_VOCABULARY)


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("arguments", "ids", "status"),
    [
        (("--select", "added-token-id"), {"added-token-id"}, 1),
        (("--select", "added-token-"), {"added-token-id"}, 1),
        (("--select", "member-ignored,long-words-unknown"), {"member-ignored", "long-words-unknown"}, 0),
        (("--ignore", "added-token-id", "--severity", "warning"), {"member-ignored"}, 0),
        (("--ignore", "added-token-id", "--severity", "warning", "--fail-on", "warning"), {"member-ignored"}, 1),
        (("--severity", "error", "--fail-on", "never"), {"added-token-id"}, 0),
    ],
)
def test_what_is_looked_for_and_what_it_fails_for_is_chosen(
    cli: Tokconf, arguments: tuple[str, ...], ids: set[str], status: int
) -> None:
    result = cli("bad.json", *arguments, "--json", "a.jsonl")
    assert result.exit_code == status, result.output
    assert set(findings("a.jsonl")) == ids


def test_an_unknown_kind_is_refused(cli: Tokconf) -> None:
    result = cli("bad.json", "--select", "no-such")
    assert result.exit_code == 2
    assert "'no-such' is no kind of defect; --list has all" in result.output


def test_nothing_to_look_for_is_an_error(cli: Tokconf) -> None:
    result = cli("bad.json", "--select", "merge-malformed", "--ignore", "merge-")
    assert result.exit_code == 2
    assert "nothing is left to look for" in result.output


def test_a_file_that_takes_too_much_memory_is_not_loaded(cli: Tokconf) -> None:
    text = Path("bad.json").read_text("utf-8")
    Path("large.json").write_text(text + " " * (1 << 20), "utf-8")
    result = cli("large.json", "--memory", "1")
    assert result.exit_code == 2
    assert "is not loaded" in result.output


def test_a_unigram_is_expected_to_take_what_unigrams_take(cli: Tokconf) -> None:
    """Its trie is several times as large as the tables of other models; of a file that is refused nothing is loaded."""
    refusals = {}
    for kind in ("BPE", "Unigram"):
        Path("large.json").write_text(json.dumps({"model": {"type": kind}}) + " " * (1 << 20), "utf-8")
        refusals[kind] = cli("large.json", "--memory", "1").output
    assert "give --memory 24" in refusals["BPE"]
    assert "give --memory 80" in refusals["Unigram"]


def test_what_cannot_be_read_is_said_and_the_rest_is_done(cli: Tokconf) -> None:
    result = cli("no-such.json", "wordlevel-mini", "--json", "a.jsonl")
    assert result.exit_code == 2
    assert "no such file or folder" in result.output
    assert [line["type"] for line in records("a.jsonl")].count("audited") == 1
    assert cli("no-such.json").exit_code == 2


def test_what_is_no_json_and_what_is_refused_are_findings(cli: Tokconf) -> None:
    Path("cut.json").write_text('{"model": {\n', "utf-8")
    document = json.loads(Path("bad.json").read_text("utf-8"))
    document["model"]["vocab"]["the"] = -1
    Path("refused.json").write_text(json.dumps(document), "utf-8")
    result = cli("cut.json", "refused.json", "--json", "a.jsonl")
    assert result.exit_code == 1
    assert "error not-json: " in result.output
    assert "at: $, line 2" in result.output
    assert "the file is not loaded" in result.output
    assert {"not-json", "refused", "id-out-of-range", "member-ignored"} <= set(findings("a.jsonl"))


@pytest.mark.long
def test_ci_is_told_by_severity(cli: Tokconf) -> None:
    result = cli("bad.json", "--sarif", "a.sarif", "--junit", "a.xml", "--github")
    assert result.exit_code == 1
    (run,) = json.loads(Path("a.sarif").read_text("ascii"))["runs"]
    levels = {each["ruleId"]: each["level"] for each in run["results"]}
    assert levels["added-token-id"] == "error"
    assert levels["member-ignored"] == "warning"
    assert levels["long-words-unknown"] == "note"
    place = next(each for each in run["results"] if each["ruleId"] == "member-ignored")["locations"][0]
    line = place["physicalLocation"]["region"]["startLine"]
    assert "lower_case" in Path("bad.json").read_text("utf-8").splitlines()[line - 1]
    commands = [line for line in result.output.splitlines() if "file=bad.json,line=" in line]
    assert [line.partition(" ")[0] for line in commands] == ["::error", "::warning"]
    assert Path("a.xml").read_text("utf-8").count("<failure") == 1


def test_all_kinds_are_listed(cli: Tokconf) -> None:
    result = cli("--list")
    assert result.exit_code == 0
    assert all(f"  {defect.id} ({defect.severity}): " in result.output for defect in OF_FILES.defects)


@pytest.mark.long
def test_what_was_not_looked_at_in_time_is_said(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    passing = chain([0.0], repeat(inf))
    monkeypatch.setattr(audited, "time", SimpleNamespace(monotonic=lambda: next(passing)))
    few = ("--select", "added-token-in-words,score-tie")
    result = cli("xlnet-mini", *few, "--json", "a.jsonl", "--markdown", "a.md")
    done = next(line for line in records("a.jsonl") if line["type"] == "audited")
    assert list(done["checks"]) == ["reading"]
    assert done["unfinished"] == {"added tokens": ["added-token-in-words"], "scores": ["score-tie"]}
    assert done["cut_short"] == ["added tokens from number 0 on", "scores"]
    assert "not looked at within --time: added tokens from number 0 on" in result.output
    assert "nothing to fail for (nothing found), in what could be looked at within --time." in result.output
    assert "not looked at within" in Path("a.md").read_text("utf-8")
    assert result.exit_code == 0  # these are notes, for which it does not fail
    *_, headline, last, _ = result.output.split("\n")
    assert headline == "xlnet-mini was looked through only in part within --time"
    assert "; 1 file looked into (1 of them in part), 0 failing; nothing found; " in last
    assert read_page(Path("a.jsonl")).state is State.NOT_COMPARED
    assert re.search(r"added tokens +· nothing found in a part\nscores +· not looked at", result.output)


@pytest.mark.long
def test_hostile_tokens_are_escaped(cli: Tokconf) -> None:
    document = json.loads(Path("bad.json").read_text("utf-8"))
    document["added_tokens"][4]["content"] = "\x1b[31m\u202e|`<b>"
    document["added_tokens"].append(document["added_tokens"][4])
    Path("bad.json").write_text(json.dumps(document), "utf-8")
    result = cli("bad.json", "--markdown", "a.md", "--sarif", "a.sarif", "--junit", "a.xml")
    for text in (result.output, *(Path(name).read_text("utf-8") for name in ("a.md", "a.sarif", "a.xml"))):
        assert "\x1b" not in text
        assert "\u202e" not in text
