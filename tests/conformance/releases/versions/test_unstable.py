"""A release that does not repeat its answers is unstable, which is no change; it is told in every report."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import jsonschema
import pytest
from fake_releases import TEXTS, compared, last, plan_of, released, steps
from rich.console import Console
from snapshots import named

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.releases.versions import matrix
from tokenizer_conformance.releases.versions.checks import VersionsChecks
from tokenizer_conformance.releases.versions.events import lines_of
from tokenizer_conformance.releases.versions.page import VERSIONS
from tokenizer_conformance.results.ci_results.check import CheckOutcome
from tokenizer_conformance.results.ci_results.rules import UNSTABLE
from tokenizer_conformance.results.page_reports import PageMarkdown
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.versions import FORMAT
from tokenizer_conformance.results.terminal import PageTerminal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizer_adapters.contract import Subject, TokenizerSource
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.releases.versions.facts import Release
    from tokenizer_conformance.releases.versions.plan import VersionsPlan
    from tokenizer_conformance.results.ci_results.check import CheckedRun


def terminal_of(events: Sequence[Any]) -> str:
    written = io.StringIO()
    report = PageTerminal(VERSIONS, lines_of, Console(file=written, width=500), Console(file=io.StringIO()))
    for event in events:
        report.handle(event)
    return written.getvalue()


def markdown_of(events: Sequence[Any]) -> str:
    written = io.BytesIO()
    report = PageMarkdown(VERSIONS, lines_of, written)
    for event in events:
        report.handle(event)
    return written.getvalue().decode("utf-8")


def checked(plan: VersionsPlan, events: Sequence[Any]) -> CheckedRun:
    found: list[CheckedRun] = []
    checks = VersionsChecks(plan, found.append)
    for event in events:
        checks.handle(event)
    return found[0]


class OnceWrong:
    """``release``, which answers as ``wrong`` does where its snapshot is made, and then as it should."""

    def __init__(self, release: Release, wrong: fakes.Toy) -> None:
        self.info = release.implementation.info
        self._later = release.implementation
        self._wrong = wrong
        self._loads = 0

    def load(self, source: TokenizerSource) -> Subject:
        self._loads += 1
        return (self._wrong if self._loads == 1 else self._later).load(source)


def once_wrong(release: Release, wrong: type[fakes.Toy]) -> Release:
    return replace(release, implementation=OnceWrong(release, wrong()))


@pytest.fixture
def noisy_plan(tmp_path: Path, toy_file: TokenizerFile) -> VersionsPlan:
    """A release that does not repeat itself, between two that do."""
    first, second, third = released(fakes.Toy, fakes.Toy, fakes.Toy)
    return plan_of((first, once_wrong(second, fakes.ShiftedOffset), third), (toy_file,), tmp_path)


@pytest.fixture
def noisy(noisy_plan: VersionsPlan) -> list[Any]:
    return compared(noisy_plan)


def test_noise_is_no_change(noisy: list[Any]) -> None:
    for step in steps(noisy):
        assert (step.inputs, step.is_new, step.is_unstable) == (0, False, True)
        assert step.unstable > 0
        (finished,) = step.tokenizers
        assert finished.findings == ()
        assert finished.unstable
        # Of the two it is said which one does not repeat itself.
        assert [each.implementation for each in step.asked_again] == ["tokenizers==2.0"]
        (asked,) = step.asked_again
        assert 0 < asked.others <= asked.asked
        assert (asked.left, asked.reason) == (0, "")
    assert last(noisy).conclusion is Conclusion.IMPLEMENTATION_FAILED
    assert last(noisy).exit_status == 3


def test_every_report_calls_it_unstable(noisy_plan: VersionsPlan, noisy: list[Any]) -> None:
    first = steps(noisy)[0]
    title = f"{first.unstable} inputs with unstable answers"
    again = "differently when asked again"
    for told in (terminal_of(noisy), markdown_of(noisy)):
        assert title in told
        assert "tokenizers==2.0 at model, offsets: 6 inputs answered in another way when asked again" in told
        assert "known changes explain" not in told
        assert again in told
        assert "2 steps with unstable answers" in told
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    (line, _) = (json_of(line) for event in steps(noisy) for line in lines_of(event))
    validator.validate(json.loads(json.dumps(line)))
    assert (line["inputs"], line["unstable"], line["unconfirmed"]) == (0, first.unstable, 0)
    assert line["asked_again"][0]["implementation"] == "tokenizers==2.0"
    assert line["tokenizers"][0]["unstable"]
    run = checked(noisy_plan, noisy)
    (check, _) = (each for each in run.checks if "->" in each.group)
    assert check.outcome is CheckOutcome.ERROR
    assert {problem.rule for problem in check.problems} == {UNSTABLE}
    assert any(again in line for line in check.details)
    assert list(check.properties) == ["inputs with other answers, unstable ones among them"]
    assert run.exit_status == 3


def test_a_change_beside_noise_is_a_change(tmp_path: Path, toy_file: TokenizerFile) -> None:
    texts = named((*TEXTS, *(f"word {number} c" for number in range(30))))
    plan = plan_of(released(fakes.Toy, fakes.FlakyAndWrong), (toy_file,), tmp_path, texts)
    (step,) = steps(events := compared(plan))
    assert step.is_new
    assert step.is_unstable
    (finished,) = step.tokenizers
    (row,) = finished.results
    assert {name for finding in finished.findings for name in finding.own_inputs} == {"test 4"}
    assert step.inputs == row.failing_inputs == 1
    assert step.unstable > 0
    assert last(events).exit_status == 3
    (check,) = (each for each in checked(plan, events).checks if "->" in each.group)
    assert check.outcome is CheckOutcome.ERROR
    assert len({problem.rule for problem in check.problems}) > 1


@pytest.mark.parametrize("old", [fakes.Toy, fakes.LossyDecode])
def test_a_release_that_repeats_itself_is_told_of_as_ever(
    old: type[fakes.Toy], tmp_path: Path, toy_file: TokenizerFile
) -> None:
    events = compared(plan_of(released(old, fakes.WrongPieces), (toy_file,), tmp_path))
    (step,) = steps(events)
    assert step.inputs > 0
    assert (step.unstable, step.unconfirmed, step.asked_again) == (0, 0, ())
    assert last(events).exit_status == 1
    for told in (terminal_of(events), markdown_of(events)):
        assert "unstable answers" not in told
        assert "asked again" not in told


class OnlyOnce:
    """A release that loads its tokenizer for the snapshot, and not again."""

    def __init__(self, release: Release) -> None:
        self.info = release.implementation.info
        self._implementation = release.implementation
        self._loads = 0

    def load(self, source: TokenizerSource) -> Subject:
        self._loads += 1
        if self._loads > 1:
            raise CannotLoadError("the disk is gone")
        return self._implementation.load(source)


def test_what_cannot_be_asked_again_stays_a_change_and_is_said_to_be_unconfirmed(
    tmp_path: Path, toy_file: TokenizerFile
) -> None:
    old, new = released(fakes.Toy, fakes.LossyDecode)
    new = replace(new, implementation=OnlyOnce(new))
    plan = plan_of((old, new), (toy_file,), tmp_path)
    events = compared(plan)
    (step,) = steps(events)
    assert step.is_new
    (asked,) = step.asked_again
    assert (asked.implementation, asked.asked) == ("tokenizers==2.0", 0)
    assert asked.left > 0
    assert last(events).exit_status == 1
    told = f"was asked again 0 of the {asked.left} differing questions: it does not load the tokenizer"
    assert told in terminal_of(events)
    (check,) = (each for each in checked(plan, events).checks if "->" in each.group)
    assert check.outcome is CheckOutcome.FAILED
    assert any(told in line for line in check.details)


def test_inputs_beyond_those_that_are_looked_into_are_told(
    tmp_path: Path, toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrix, "MOST_IDS", 2)
    first, second = released(fakes.Toy, fakes.Toy)
    events = compared(plan_of((first, once_wrong(second, fakes.ShiftedOffset)), (toy_file,), tmp_path))
    (step,) = steps(events)
    assert step.unstable == 2
    assert step.unconfirmed == step.inputs > 0
    assert (
        f"{step.unconfirmed} further inputs with other answers, of which it is not known whether they are unstable"
        in (terminal_of(events))
    )
