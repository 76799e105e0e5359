"""``tokconf suite``: its commands, what they print, and their exit statuses."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from small_suites import TOY_FILES, area, files_of, register_of, requirement, toy_suite

from tokenizer_conformance.cli import main
from tokenizer_conformance.cli import suite as command
from tokenizer_conformance.validation.suite.reader import Register, suite_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Tokconf = Callable[..., Result]


@pytest.fixture
def suite(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Tokconf:
    """Runs ``tokconf suite`` in this process, in an empty folder, on the suite of the toy."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "argv", ["tokconf", "suite"])
    monkeypatch.setattr(command, "read_suite", toy_suite)
    monkeypatch.setattr(command, "read_files", lambda: TOY_FILES)
    monkeypatch.setattr(command, "read_register", lambda: register_of(toy_suite()))
    return lambda *arguments: CliRunner().invoke(main, ["suite", *map(str, arguments)])


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("-i", "toy"), 0),
        (("-i", "toy", "wrong-normalization"), 1),
        (("-i", "wrong-normalization", "-k", "merges or special"), 0),
        (("-i", "wrong-normalization", "--importance", "edge"), 0),
        (("-i", "wrong-normalization", "--features", "model"), 0),
        (("-i", "swapped-merge", "--field", "text"), 0),
        (("-i", "toy", "-k", "nosuch"), 2),
        (("-i", "toy", "-k", "(a"), 2),
        (("-i", "toy", "--importance", "high"), 2),
        (("-i", "nosuch"), 2),
        (("-i", "unavailable"), 3),
        (("-i", "crashing"), 3),
        (("-i", "mute"), 3),
    ],
)
def test_exit_statuses_of_a_run(suite: Tokconf, arguments: tuple[str, ...], status: int) -> None:
    result = suite("run", *arguments)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    assert "internal error" not in result.output


def test_the_first_failure_can_be_enough(suite: Tokconf) -> None:
    assert "Not all cases were asked." in suite("run", "-i", "raising", "-x").stdout
    assert "Not all cases were asked." not in suite("run", "-i", "raising", "--max-fail", 9).stdout


def test_a_record_is_written_and_nothing_else_is_replaced(suite: Tokconf, tmp_path: Path) -> None:
    assert suite("run", "-i", "toy", "--json", "record.jsonl").exit_code == 0
    lines = (tmp_path / "record.jsonl").read_text("ascii").splitlines()
    assert [json.loads(line)["type"] for line in (lines[0], lines[-1])] == ["header", "footer"]
    (tmp_path / "mine").write_text("mine", "ascii")
    assert suite("run", "-i", "toy", "--json", "mine").exit_code == 2
    assert (tmp_path / "mine").read_text("ascii") == "mine"


def test_a_ledger_that_names_no_requirement_is_refused_with_the_closest(suite: Tokconf, tmp_path: Path) -> None:
    entry = 'format = 1\n[[known]]\nimplementation = "toy"\nrequirement = "TOY-MERGE"\nreason = "It is known."\n'
    (tmp_path / "typo.toml").write_text(entry, "utf-8")
    result = suite("run", "-i", "toy", "--ledger", "typo.toml")
    assert result.exit_code == 2
    assert "there is no requirement 'TOY-MERGE'; did you mean TOY-MERGES?" in result.stderr


def test_failures_are_appended_to_a_ledger_and_known_from_then_on(suite: Tokconf, tmp_path: Path) -> None:
    assert suite("run", "-i", "swapped-merge", "--update-ledger", "new.toml").exit_code == 1
    ledger = tmp_path / "new.toml"
    ledger.write_text(ledger.read_text("utf-8").replace('reason = ""', 'reason = "It is known."'), "utf-8")
    result = suite("run", "-i", "swapped-merge", "--ledger", "new.toml")
    assert (result.exit_code, "known: It is known. (" in result.stdout) == (0, True)


def test_requirements_are_shown_with_their_cases(suite: Tokconf) -> None:
    shown = suite("show", "toy-lowercase")
    assert shown.exit_code == 0
    assert '    ask      {"ask": "normalize", "text": "aB"}' in shown.stdout
    assert '    expected {"text": "ab"}' in shown.stdout
    assert "further cases" not in shown.stdout
    assert "… 1 further cases; --cases 2 shows all" in suite("show", "TOY-LOWERCASE", "--cases", 1).stdout
    unknown = suite("show", "TOY-LOWERCASE", "NOSUCH")
    assert (unknown.exit_code, unknown.stdout) == (2, "")
    assert unknown.stderr == "tokconf: no requirement is called 'NOSUCH'; 'tokconf suite list' names them all\n"
    near = suite("show", "toy-lowercas")
    assert near.stderr == "tokconf: no requirement is called 'toy-lowercas'; did you mean TOY-LOWERCASE?\n"


def test_requirements_are_listed(suite: Tokconf) -> None:
    assert suite("list", "-k", "toy-l").stdout == (
        "normalizers.Toy (normalize)\n  TOY-LOWERCASE (core, 2 cases): The title of TOY-LOWERCASE\n"
    )
    assert suite("list").stdout.count("TOY-") == 8
    wrong = suite("list", "-k", "a and")
    assert (wrong.exit_code, wrong.stdout) == (2, "")


def test_a_list_says_how_many_have_cases() -> None:
    listed = CliRunner().invoke(main, ["suite", "list", "-k", "ADDED"]).stdout.splitlines()
    without = sum(", 0 cases)" in line for line in listed)
    total = sum(" cases)" in line for line in listed)
    assert without > 0
    assert listed[-1] == f"{total} requirements, of which {total - without} have cases, which 'tokconf suite run' asks"


def test_a_suite_is_checked(suite: Tokconf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenizer_conformance.validation.suite.checking.wanted_cells", tuple)
    right = suite("check")
    assert (right.exit_code, right.stdout.splitlines()[-1]) == (
        0,
        f"2 areas, 4 requirements (4 with cases), 5 cases; coverage: {len(command.wanted_cells()):,} cells; 0 problems",
    )
    files = files_of(area(requirement("R", rule="It should be.")))
    monkeypatch.setattr(command, "read_suite", lambda: suite_of(files))
    monkeypatch.setattr(command, "read_files", lambda: files)
    monkeypatch.setattr(command, "read_register", lambda: Register(("R", "S"), {}))
    wrong = suite("check", "--table")
    assert wrong.exit_code == 1
    assert "R: the rule says 'should'; say what is" in wrong.stdout
    assert "S: the requirement is gone" in wrong.stdout
    assert "normalizers.NFC" in wrong.stdout


def test_the_suite_is_exported(suite: Tokconf, tmp_path: Path) -> None:
    done = suite("export", "out")
    assert (done.exit_code, done.stdout) == (0, "wrote 5 files to 'out'\n")
    assert suite("export", "out", "--format", "jsonl", "-k", "merges").exit_code == 0
    assert (tmp_path / "out" / "suite.jsonl").read_text("ascii").count("\n") == 1
    (tmp_path / "out" / "mine").touch()
    assert suite("export", "out").exit_code == 2
    assert suite("export", "out", "--force").exit_code == 0
    assert suite("export", "out/mine").exit_code == 2
    assert suite("export", "other", "-k", "nosuch").exit_code == 2
    assert not (tmp_path / "other").exists()
