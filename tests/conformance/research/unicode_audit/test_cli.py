"""``tokconf audit unicode``: what it accepts, what it shows, what it writes, and how it ends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from line_schema import valid_lines

from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.markdown import is_report
from tokenizer_conformance.research.unicode_audit.behaviours import BEHAVIOURS
from tokenizer_conformance.results.records.unicode_audit import FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable

    Tokconf = Callable[..., Result]

PLANTED = "planted_unicode:PlantedImplementation"
FAULTY = "planted_unicode:FaultyImplementation"


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs ``tokconf audit unicode`` in this process."""
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "audit", "unicode"])
    return lambda *arguments: CliRunner().invoke(main, ["audit", "unicode", *arguments])


@pytest.mark.long
def test_two_implementations_in_all_reports(cli: Tokconf) -> None:
    files = ("--json", "r.jsonl", "--markdown", "r.md", "--junit", "r.xml", "--sarif", "r.sarif")
    result = cli("-i", PLANTED, FAULTY, "--behaviour", "Digits", "--behaviour", "Nmt*", *files)
    assert result.exit_code == 1, result.output
    lines = valid_lines("r.jsonl", FORMAT)
    kinds = [line["type"] for line in lines]
    assert kinds[0] == "header"
    assert sorted(kinds[1:-1]) == sorted(["behaviour", "not_asked", "not_asked"] * 2 + ["difference"])
    assert kinds[-2:] == ["difference", "footer"]
    faulty = next(line for line in lines if line["type"] == "behaviour" and line["implementation"] == "faulty")
    assert (faulty["rule"], faulty["versions"], faulty["residual"]["more"]) == ("N", ["17.0"], "1F600")
    difference = next(line for line in lines if line["type"] == "difference")
    assert (difference["count"], difference["code_points"]) == (1, "1F600")
    assert lines[-1]["exit_status"] == 1
    assert is_report(Path("r.md").read_bytes())
    assert "beyond the rule: 1F600" in Path("r.md").read_text("utf-8")
    assert "unicode-unexplained" in Path("r.sarif").read_text("utf-8")
    assert 'name="Digits"' in Path("r.xml").read_text("utf-8")
    assert "beyond the rule: 1F600" in result.stdout
    assert "cannot be asked" in result.stdout


@pytest.mark.long
def test_what_is_explained_ends_well(cli: Tokconf) -> None:
    result = cli("-i", PLANTED, "--behaviour", "Digits")
    assert result.exit_code == 0, result.output
    assert "17.0" in result.stdout


def test_what_cannot_be_asked_at_all_is_no_success(cli: Tokconf) -> None:
    result = cli("-i", PLANTED, "--behaviour", "StripAccents")
    assert result.exit_code == 3, result.output
    assert "nothing was compared" in result.stdout


def test_behaviours_are_listed(cli: Tokconf) -> None:
    result = cli("--list")
    assert result.exit_code == 0
    assert [line.split("  ")[0] for line in result.stdout.splitlines()] == list(BEHAVIOURS)


def test_an_unknown_behaviour_is_a_usage_error(cli: Tokconf) -> None:
    result = cli("--behaviour", "Punctuatoin")
    assert result.exit_code == 2
    assert "did you mean 'Punctuation'?" in result.stderr


@pytest.mark.long
def test_any_number_of_processes_comes_to_the_same(cli: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    fakes = Path(__file__).resolve().parents[2] / "fakes"
    monkeypatch.setenv("PYTHONPATH", str(fakes))
    asked = ("-i", PLANTED, FAULTY, "--behaviour", "Digits", "--behaviour", "Nmt*", "--behaviour", "Lowercase")
    for jobs in ("1", "2"):
        assert cli(*asked, "--jobs", jobs, "--json", f"{jobs}.jsonl").exit_code == 1

    def told(file: str) -> list[dict[str, Any]]:
        found = [line for line in valid_lines(file, FORMAT) if line["type"] not in ("header", "footer")]
        return [{key: value for key, value in line.items() if key != "seconds"} for line in found]

    assert told("2.jsonl") == told("1.jsonl")
    assert len(told("1.jsonl")) >= 5


@pytest.mark.long
def test_a_bug_in_one_of_several_processes_ends_the_audit_in_good_order(
    cli: Tokconf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving.py").write_text(
        "import os\n"
        "from tokenizer_adapters.tokenizers import TokenizersImplementation\n\n\n"
        "class Leaving(TokenizersImplementation):\n"
        "    def load(self, source):\n"
        "        os._exit(7)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    result = cli("-i", "leaving:Leaving", "--behaviour", "Digits", "--jobs", "2", "--json", "r.jsonl")
    assert result.exit_code == 3, result.output
    last = valid_lines("r.jsonl", FORMAT)[-1]
    assert (last["type"], last["exit_status"]) == ("footer", 3)
