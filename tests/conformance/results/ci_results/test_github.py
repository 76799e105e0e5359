"""What GitHub is told: commands of one line each that say what a reader is to see, and a page with an end."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from checked_runs import EVIL, RUNS, failed, of, run_of
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tokenizer_conformance.command_io.environment import is_at_github
from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.ci_results import github
from tokenizer_conformance.results.ci_results.check import CheckOutcome, Level, Location
from tokenizer_conformance.results.ci_results.github import (
    LONGEST_TITLE,
    MOST_ERRORS,
    GitHub,
    command,
    error_commands,
    summary,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.results.ci_results.check import CheckedRun

COMMAND = re.compile(r"::(?P<name>\w+) (?P<properties>[^:]*)::(?P<data>.*)")
UNESCAPED = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}


def unescaped(text: str) -> str:
    """What the runner makes of a value."""
    return re.sub("%(?:0D|0A|3A|2C|25)", lambda match: UNESCAPED[match[0]], text)


def read(line: str) -> tuple[str, dict[str, str], str]:
    """What the runner makes of a command."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    pairs = (pair.split("=", 1) for pair in match["properties"].split(","))
    return match["name"], {key: unescaped(value) for key, value in pairs}, unescaped(match["data"])


@given(RUNS)
def test_any_text_in_any_field_is_one_line_and_reads_back_escaped(run: CheckedRun) -> None:
    lines = list(error_commands(run))
    problems = {
        (visible(f"{check.name}: {check.group}"), "\n".join(map(visible, problem.lines())))
        for check in run.checks
        for problem in check.problems
    }
    for line in lines:
        assert len(line.splitlines()) == 1
        name, properties, data = read(line)
        if name == "error":
            assert (properties["title"], data) in problems
    assert sum(line.startswith("::error ") for line in lines) == min(
        MOST_ERRORS, sum(len(check.problems) for check in run.checks)
    )


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(min_size=1))
def test_the_runner_reads_what_was_meant(message: str, title: str) -> None:
    line = command("error", message, title=title)
    assert not {"\r", "\n"} & set(line)
    pattern = re.fullmatch(r"::error title=([^:,]*)::(.*)", line, re.DOTALL)
    assert pattern is not None
    assert (unescaped(pattern[1]), unescaped(pattern[2])) == (title, message)


def test_an_error_says_where_it_is() -> None:
    (line,) = error_commands(run_of(failed(location=Location("a,b:c%/x.json", 7))))
    name, properties, data = read(line)
    assert name == "error"
    assert properties == {"title": "model: mine on bert", "file": "a,b:c%/x.json", "line": "7"}
    assert data.split("\n") == ["problem 0", 'text  "a"', "repeat: x"]


def test_more_than_github_shows_is_said_and_every_check_comes_first() -> None:
    checks = [failed(f"check {number}", problems=3) for number in range(8)]
    lines = list(error_commands(run_of(*checks)))
    assert len(lines) == MOST_ERRORS + 1
    titles = [read(line)[1]["title"] for line in lines[:8]]
    assert titles == [f"check {number}: mine on bert" for number in range(8)]
    assert lines[-1].startswith("::notice ")
    assert "14 more problems" in lines[-1]


@pytest.mark.parametrize("problems", [1, MOST_ERRORS])
def test_nothing_is_said_where_all_are_shown(problems: int) -> None:
    assert len(list(error_commands(run_of(failed(problems=problems))))) == problems


def test_long_details_are_cut_and_that_is_said() -> None:
    (check,) = (failed(),)
    (problem,) = check.problems
    long = failed(problems=1)
    object.__setattr__(problem, "details", tuple(f"line {number}" for number in range(100)))
    object.__setattr__(long, "problems", (problem,))
    (line,) = error_commands(run_of(long))
    assert read(line)[2].endswith("… 73 further lines")


def test_more_warnings_than_github_shows_are_counted() -> None:
    (problem,) = failed().problems
    remark, note = (replace(problem, level=level) for level in (Level.WARNING, Level.NOTE))
    for warnings, left in ((MOST_ERRORS, []), (MOST_ERRORS + 2, ["2 more warnings"])):
        check = failed(remarks=(note, *[remark] * warnings))
        names, _, data = zip(*map(read, error_commands(run_of(check))), strict=True)
        assert names == ("error", *["warning"] * MOST_ERRORS, *["notice"] * len(left))
        assert [told.partition(" than")[0] for told in data[len(data) - len(left) :]] == left


def test_long_titles_are_cut() -> None:
    (line,) = error_commands(run_of(failed("é" * 300)))
    assert read(line)[1]["title"] == "é" * (LONGEST_TITLE - 1) + "…"


@given(RUNS)
def test_a_summary_with_any_text_has_no_markup_of_others(run: CheckedRun) -> None:
    page = summary(run)
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(page)
    html = "".join(token.content for token in tokens if token.type == "html_block")
    assert set(re.findall(r"<(/?\w+)", html)) <= {"details", "summary", "/summary", "/details"}
    headings = [token for token in tokens if token.type == "heading_open"]
    assert len(headings) == 1
    assert not [
        child for token in tokens for child in token.children or () if child.type in ("html_inline", "link_open")
    ]


def test_a_summary_shows_every_problem_and_what_is_known() -> None:
    page = summary(run_of(failed(problems=2), of(CheckOutcome.KNOWN, message="upstream knows"), notes=("half",)))
    assert "## tokconf run: differences\n" in page
    assert "3 checks: 1 failed, 1 known, 1 passed; exit status 1\n" in page
    assert "| mine on bert |  | 1 | 1 |  |  |\n" in page
    assert page.count("<details>") == page.count("</details>") == 2
    assert "- decode: mine on bert: upstream knows\n" in page
    assert "- half\n" in page


@pytest.mark.long
def test_a_summary_ends_on_a_whole_line_and_says_what_is_left_out() -> None:
    run = run_of(*(failed(f"check {number}") for number in range(500)))
    whole = summary(run)
    for room in range(0, len(whole.encode()), 997):
        page = summary(run, room)
        assert len(page.encode()) <= room
        assert not page or page.endswith("\n")
        assert page.count("<details>") == page.count("</details>")
        assert page.count("```") % 2 == 0
        assert "left out" in page or room < 200


def test_what_a_summary_leaves_out_is_counted_in_parts() -> None:
    run = run_of(*(failed(f"check {number}", problems=2) for number in range(3)), of(CheckOutcome.KNOWN, message="so"))
    whole = summary(run)
    parts = whole.count("<details>") + len(["Known:", "of the check"])
    for shown in range(6):
        room = len(whole.partition("<details>")[0].encode()) + shown * 200 + 150
        page = summary(run, room)
        left_out = parts - page.count("<details>")
        assert f"\n… {left_out} further parts of this page are left out: " in page
    assert "left out" not in whole


def test_several_runs_of_a_step_share_the_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(github, "LARGEST_SUMMARY", 3000)
    file = tmp_path / "summary.md"
    file.write_text("before\n")
    for _ in range(9):
        GitHub(io.StringIO(), file).write(run_of(failed()))
    text = file.read_text("utf-8")
    assert text.startswith("before\n## tokconf run")
    assert text.count("## tokconf run") >= 2
    assert len(text.encode()) <= 3000


def test_what_others_print_is_not_heeded_until_there_is_something_to_tell() -> None:
    output = io.StringIO()
    told = GitHub(output)
    told.heed_nothing()
    output.write("##[add-mask]e\n")
    told.heed_nothing()
    told.write(run_of(failed()))
    stop, theirs, resume, error = output.getvalue().splitlines()
    word = stop.removeprefix("::stop-commands::")
    assert len(word) == 32
    assert resume == f"::{word}::"
    assert (theirs, error[:8]) == ("##[add-mask]e", "::error ")
    other = io.StringIO()
    GitHub(other).heed_nothing()
    assert word not in other.getvalue()


def test_without_a_file_for_the_summary_only_commands_are_printed() -> None:
    output = io.StringIO()
    GitHub(output).write(run_of(failed(EVIL)))
    assert output.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    ("environment", "expected"), [({}, False), ({"GITHUB_ACTIONS": "true"}, True), ({"GITHUB_ACTIONS": "false"}, False)]
)
def test_github_is_known_by_its_variable(environment: dict[str, str], expected: bool) -> None:
    assert is_at_github(environment) is expected
