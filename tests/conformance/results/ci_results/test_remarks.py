"""Remarks of a check: what is worth knowing and fails nothing, in each of the files that CI systems read."""

from __future__ import annotations

import pytest

from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.results.ci_results.check import (
    Check,
    CheckedRun,
    CheckOutcome,
    Level,
    Location,
    Problem,
    plain_rule,
)
from tokenizer_conformance.results.ci_results.github import error_commands
from tokenizer_conformance.results.ci_results.junit import junit_xml
from tokenizer_conformance.results.ci_results.sarif import sarif_log

PLACE = Location("a.json", 7)


def run_with(level: Level) -> CheckedRun:
    remark = Problem(rule=plain_rule("odd", "It is odd"), message="look at this", location=PLACE, level=level)
    check = Check(group="a", name="b", outcome=CheckOutcome.PASSED, remarks=(remark,))
    return CheckedRun(
        title="tokconf audit file",
        environment=current_environment(("tokconf",)),
        checks=(check,),
        conclusion="conform",
        exit_status=0,
        finished=True,
        seconds=0.0,
    )


@pytest.mark.parametrize("level", [Level.WARNING, Level.NOTE])
def test_a_remark_is_a_result_of_its_level(level: Level) -> None:
    (log,) = sarif_log(run_with(level))["runs"]
    (result,) = log["results"]
    assert (result["level"], result["ruleId"]) == (level, "odd")
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 7}
    assert log["invocations"][0]["exitCode"] == 0


def test_a_remark_fails_no_test() -> None:
    xml = junit_xml(run_with(Level.WARNING)).decode()
    assert "<failure" not in xml
    assert "warning: look at this" in xml


def test_warnings_are_annotations_and_notes_are_none() -> None:
    (line,) = error_commands(run_with(Level.WARNING))
    assert line.startswith("::warning ")
    assert "file=a.json,line=7" in line
    assert list(error_commands(run_with(Level.NOTE))) == []
