"""Options of reports: what may be given, and that they reach a command in one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.command_io.outputs import ReportOptions

if TYPE_CHECKING:
    from click.testing import Result

EVERY = ("--json", "--markdown", "--html", "--junit", "--sarif")


def asked(*words: str, **options: bool) -> tuple[Result, list[ReportOptions]]:
    """Return what comes of a command with options of reports, and the reports that it is asked for."""
    seen: list[ReportOptions] = []
    command = click.command()(report_options(**options)(lambda *, reports: seen.append(reports)))
    return CliRunner().invoke(command, words), seen


@pytest.mark.parametrize("option", EVERY)
def test_a_report_may_be_any_file_but_a_folder(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a file that is there can be replaced is told when it is opened, with the reason."""
    monkeypatch.chdir(tmp_path)
    Path("there").touch()
    Path("folder").mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    for name in ("there", "missing", "-"):
        result, (reports,) = asked(option, name, "--no-github", checks=True)
        assert result.exit_code == 0, result.output
        assert reports == ReportOptions(**{option.removeprefix("--"): name})
    result, seen = asked(option, "folder", checks=True)
    assert (result.exit_code, seen) == (2, [])
    assert f"'{option}': File 'folder' is a directory." in result.output


@pytest.mark.parametrize("at_github", [True, False])
def test_reports_reach_a_command_in_one(at_github: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", str(at_github).lower())
    for words, options, expected in (
        ((), {}, ReportOptions()),
        (("--force",), {}, ReportOptions(force=True)),
        (("--resume",), {"resume": True}, ReportOptions(resume=True)),
        ((), {"checks": True}, ReportOptions(github=at_github)),
        (("--github",), {"checks": True}, ReportOptions(github=True)),
        (("--no-github",), {"checks": True}, ReportOptions(github=False)),
    ):
        assert asked(*words, **options)[1] == [expected]


def test_a_command_has_the_options_that_it_can_do_something_with() -> None:
    for words, options in ((("--markdown", "a"), {"markdown": False}), (("--resume",), {}), (("--junit", "a"), {})):
        result, seen = asked(*words, **options)
        assert (result.exit_code, seen) == (2, [])
        assert f"No such option '{words[0]}'." in result.output
