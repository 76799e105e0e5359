"""Checks as values: what contradicts itself is refused, a run that fails has a check that does, problems keep names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from checked_runs import RUNS, failed, of, run_of
from hypothesis import given

from tokenizer_conformance.results.ci_results.check import CONCLUSION, Check, CheckedRun, CheckOutcome, Location
from tokenizer_conformance.results.ci_results.location import located


@pytest.mark.parametrize("outcome", CheckOutcome)
def test_what_is_wrong_has_problems_and_nothing_else_has(outcome: CheckOutcome) -> None:
    problems = failed().problems
    with pytest.raises(ValueError, match="problems"):
        Check(group="a", name="b", outcome=outcome, problems=() if outcome.is_wrong else problems)


@given(RUNS)
def test_a_run_that_fails_has_a_check_that_fails(run: CheckedRun) -> None:
    if run.exit_status or not run.finished:
        assert any(run.wrong())


@pytest.mark.parametrize(
    ("run", "outcome"),
    [
        (run_of(of(CheckOutcome.PASSED), exit_status=0), CheckOutcome.PASSED),
        (run_of(failed()), CheckOutcome.PASSED),
        (run_of(failed(), exit_status=130, finished=False), CheckOutcome.ERROR),
        (run_of(of(CheckOutcome.SKIPPED), exit_status=3), CheckOutcome.ERROR),
        (run_of(of(CheckOutcome.KNOWN), exit_status=0), CheckOutcome.PASSED),
    ],
)
def test_the_end_of_a_run_is_a_check_of_its_own(run: CheckedRun, outcome: CheckOutcome) -> None:
    *_, last = run.checks
    assert (last.group, last.outcome) == (CONCLUSION, outcome)


def test_a_fingerprint_is_that_of_the_problem_and_not_of_what_is_said_about_it() -> None:
    check = failed(problems=2)
    first, second = check.problems
    told_otherwise = replace(first, message="9 inputs", details=("other",), location=Location("elsewhere"))
    assert check.fingerprint(told_otherwise) == check.fingerprint(first)
    others = [
        check.fingerprint(second),
        replace(check, name="decode").fingerprint(first),
        replace(check, group="mine on gpt2").fingerprint(first),
        check.fingerprint(replace(first, rule=replace(first.rule, id="other"))),
        # What is put together is not what was apart.
        replace(check, group="mine on bertm", name="odel").fingerprint(first),
    ]
    assert len({check.fingerprint(first), *others}) == 1 + len(others)


def test_files_are_named_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    work = tmp_path / "work"
    (work / "models").mkdir(parents=True)
    monkeypatch.chdir(work)
    assert located("models/a.json", 3) == Location("models/a.json", 3)
    assert located(work / "models" / "a.json") == Location("models/a.json")
    assert located("../a.json") == Location((tmp_path / "a.json").as_posix())
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert located("models/a.json") == Location("work/models/a.json")


def test_files_of_the_package_are_named_alike_on_every_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    import tokenizer_conformance

    file = Path(tokenizer_conformance.__file__).parent / "ledger" / "known.toml"
    for folder in (Path("/"), file.parent):
        monkeypatch.chdir(folder)
        assert located(file, 2) == Location("tokenizer_conformance/ledger/known.toml", 2)
