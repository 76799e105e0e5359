"""A run of the suite as checks: one for each requirement and implementation, with its case, place and command."""

from __future__ import annotations

import json
from pathlib import Path

import fake_implementations as fakes
import pytest
from small_suites import plan_of, toy_suite

from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.ci_results.check import CheckedRun, CheckOutcome, with_conclusion
from tokenizer_conformance.results.ci_results.github import error_commands
from tokenizer_conformance.results.ci_results.junit import junit_xml
from tokenizer_conformance.results.ci_results.sarif import sarif_json
from tokenizer_conformance.validation.suite.checks import SuiteChecks, requirement_location
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.reader import read_suite


def checked(*implementations: object, interrupt_after: int | None = None, **changes: object) -> CheckedRun:
    found: list[CheckedRun] = []
    consumer = SuiteChecks(found.append)
    events = run_suite(plan_of(toy_suite(), *implementations, **changes))
    for number, event in enumerate(events):
        consumer.handle(event)
        if number == interrupt_after:
            consumer.handle(events.throw(KeyboardInterrupt()))
    (run,) = found
    return with_conclusion(run)


def test_there_is_a_check_for_each_requirement_and_implementation() -> None:
    run = checked(fakes.Toy(), fakes.SwappedMerge())
    ids = [requirement.id for _, requirement in toy_suite().requirements() if requirement.cases]
    groups = {check.group for check in run.checks if check.name in ids}
    assert {group.split(" on ")[0] for group in groups} == {"toy", "swapped-merge"}
    assert len([check for check in run.checks if check.name in ids]) == 2 * len(ids)
    assert not [check for check in run.wrong() if check.group.startswith("toy ")]


def test_a_failed_requirement_says_the_rule_the_case_both_sides_and_the_command() -> None:
    run = checked(fakes.SwappedMerge())
    wrong = next(run.wrong())
    (problem,) = wrong.problems
    assert wrong.outcome is CheckOutcome.FAILED
    assert problem.rule.id == wrong.name
    assert problem.rule.help[0] in problem.details
    assert any("expected" in line and "swapped-merge" in line for line in problem.details)
    assert problem.repeat == f"tokconf suite run -i swapped-merge -k {wrong.name}"
    assert wrong.name in junit_xml(run).decode()
    results = json.loads(sarif_json(run))["runs"][0]["results"]
    assert wrong.name in {result["ruleId"] for result in results}
    assert any(wrong.name in line for line in error_commands(run))


@pytest.mark.parametrize(
    ("fake", "outcome"),
    [(fakes.Crashing, CheckOutcome.ERROR), (fakes.Mute, CheckOutcome.SKIPPED), (fakes.Toy, CheckOutcome.PASSED)],
)
def test_outcomes_are_those_of_the_verdicts(fake: type[fakes.Toy], outcome: CheckOutcome) -> None:
    run = checked(fake())
    assert outcome in {check.outcome for check in run.checks if " on " in check.group}
    assert all(check.message for check in run.checks if check.outcome is CheckOutcome.SKIPPED)
    assert bool(run.exit_status) == any(run.wrong())


def test_known_failures_pass_and_stale_entries_fail_where_they_stand() -> None:
    known = Entry(implementation="swapped-merge", reason="It is known.", place=Place("ours.toml", 1, 3))
    stale = Entry(implementation="toy", requirements=("TOY-MERGES",), reason="Gone.", place=Place("ours.toml", 2, 9))
    run = checked(fakes.Toy(), fakes.SwappedMerge(), ledger=Ledger([known, stale]))
    outcomes = {check.outcome for check in run.checks if check.group.startswith("swapped-merge")}
    assert CheckOutcome.KNOWN in outcomes
    assert not outcomes & {CheckOutcome.FAILED, CheckOutcome.ERROR}
    assert any("It is known." in check.message for check in run.checks)
    (wrong,) = run.wrong()
    assert wrong.problems[0].rule.id == "stale-ledger-entry"
    assert wrong.location is not None
    assert (Path(wrong.location.file).name, wrong.location.line) == ("ours.toml", 9)


def test_who_is_missing_is_in_error() -> None:
    run = checked(fakes.Toy(), unavailable=(Rejected("implementation", "gone", "gone is not installed"),))
    assert [(check.name, check.outcome) for check in run.wrong()] == [("implementation gone", CheckOutcome.ERROR)]


def test_an_interrupted_run_says_what_was_not_asked() -> None:
    run = checked(fakes.Toy(), fakes.SwappedMerge(), interrupt_after=2)
    assert not run.finished
    assert run.exit_status == 130
    left = [(check.group, check.outcome) for check in run.checks if check.name == "all cases"]
    assert left == [("toy", CheckOutcome.SKIPPED), ("swapped-merge", CheckOutcome.SKIPPED)]
    assert run.checks[-1].problems[0].rule.id == "not-finished"


def test_requirements_have_their_lines_in_the_files_of_the_package() -> None:
    import tokenizer_conformance

    package = Path(tokenizer_conformance.__file__).parent.parent
    for area in list(read_suite().areas)[:5]:
        for requirement in area.requirements:
            place = requirement_location(area, requirement)
            assert place.line is not None
            line = (package / place.file).read_text("utf-8").splitlines()[place.line - 1]
            assert f'"id": "{requirement.id}"' in line


def test_of_other_suites_only_the_file_is_known() -> None:
    (area, *_) = toy_suite().areas
    assert requirement_location(area, area.requirements[0]).line is None
