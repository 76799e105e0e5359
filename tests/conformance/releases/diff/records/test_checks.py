"""Two records for CI systems: what is new or worse fails, what is the same or fixed passes, the rest is skipped."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from click.testing import CliRunner, Result
from record_pairs import SOUND, CrashesOnZ, LossierDecode, NoDecode, called
from written_checks import FILES, Written, agreeing, written

from tokenizer_conformance.cli import main
from tokenizer_conformance.releases.diff.records.changes import FAILING
from tokenizer_conformance.releases.diff.records.checks import RULES
from tokenizer_conformance.results.ci_results.check import CONCLUSION

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[..., Path]
    Judged = Callable[..., Path]
    Diff = Callable[..., Written]

LOSSY = fakes.LossyDecode
FAULT = fakes.WrongNormalization
ON_TOY = "mine on toy-tokenizer"


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def diff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Diff:
    """Compares two records, and returns what CI systems read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "diff"])
    return lambda old, new, *more: agreeing(tmp_path, call("diff", old, new, *FILES, *more).exit_code)


# (then, now, exit status, name of the check, outcome, rule, what is said)
CHANGES = (
    (SOUND, SOUND, 0, "decode", "passed", None, ""),
    (SOUND, LOSSY, 1, "decode", "failure", "new-since-record", "U+007A"),
    (SOUND, LOSSY, 1, "inputs", "failure", "new-since-record", "1 input failing now, and not then: text 4"),
    (SOUND, LOSSY, 1, "model", "passed", None, ""),
    (LOSSY, LossierDecode, 1, "decode", "failure", "worse-than-record", "then,"),
    (LOSSY, LOSSY, 0, "decode", "passed", None, "fails as then: "),
    (LOSSY, SOUND, 0, "decode", "passed", None, "fixed: "),
    (LossierDecode, LOSSY, 0, "decode", "passed", None, "better: "),
    (LOSSY, NoDecode, 0, "decode", "skipped", None, "not compared now: "),
    (NoDecode, LOSSY, 0, "decode", "skipped", None, "not compared then: "),
    (LOSSY, CrashesOnZ, 1, "load", "passed", None, ""),
)


@pytest.mark.long_but(8)
@pytest.mark.parametrize(("then", "now", "status", "name", "outcome", "rule", "said"), CHANGES)
def test_what_became_of_an_implementation(
    diff: Diff,
    recorded: Recorded,
    then: type,
    now: type,
    status: int,
    name: str,
    outcome: str,
    rule: str | None,
    said: str,
) -> None:
    found = diff(recorded(called(then)), recorded(called(now)))
    assert found.title == "tokconf diff"
    assert found.exit_status == status
    assert found.came_to(ON_TOY, name) == outcome
    message = found.message(ON_TOY, name)
    assert said in message
    told = [line for line in message.splitlines() if said and line.startswith(said)]
    assert len(told) == len(set(told)), "each is told once"
    if rule is not None:
        assert rule in found.rules()
    elif status == 0:
        assert found.results == []


def test_every_change_that_fails_breaks_a_rule() -> None:
    assert set(RULES) == set(FAILING)


def test_a_finding_is_told_with_its_example_and_the_command_that_repeats_it(diff: Diff, recorded: Recorded) -> None:
    new = recorded(called(LOSSY))
    found = diff(recorded(called(SOUND)), new)
    (result,) = (each for each in found.results if each["locations"][0]["logicalLocations"][0]["name"] == "decode")
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == new.name
    assert "U+007A" in result["message"]["text"]
    assert "repeat: " in result["message"]["text"]


def test_a_failure_is_the_same_in_the_next_comparison(diff: Diff, recorded: Recorded) -> None:
    sound = recorded(called(SOUND))
    first = diff(sound, recorded(called(LOSSY))).fingerprints()
    assert first
    assert diff(sound, recorded(called(LOSSY))).fingerprints() == first
    assert diff(sound, recorded(called(FAULT))).fingerprints() != first


def test_who_was_not_asked_now_is_skipped_and_who_was_fails_or_passes(diff: Diff, recorded: Recorded) -> None:
    found = diff(recorded(called(SOUND), called(SOUND, "other")), recorded(called(LOSSY)))
    assert found.came_to(ON_TOY, "decode") == "failure"
    assert found.came_to("other on toy-tokenizer", "decode") == "skipped"
    assert "other was not asked" in found.message("other on toy-tokenizer", "decode")


def test_where_nothing_can_be_compared_the_conclusion_fails_alone(diff: Diff, recorded: Recorded) -> None:
    found = diff(recorded(called(SOUND)), recorded(called(SOUND, "another")))
    assert found.exit_status == 3
    assert found.wrong() == {(CONCLUSION, "finished"): "error"}
    assert {found.came_to(*key) for key in found.cases if key[1] not in ("finished", "load")} == {"skipped"}


@pytest.mark.parametrize(("then", "now", "outcome"), [(SOUND, FAULT, "failure"), (FAULT, FAULT, "passed")])
def test_requirements_are_checks_and_their_cases_problems(
    diff: Diff, judged: Judged, then: type, now: type, outcome: str
) -> None:
    new = judged(called(now))
    lines = [json.loads(line) for line in new.read_text("ascii").splitlines()]
    verdicts = {line["requirement"]: line["verdict"] for line in lines if line["type"] == "requirement"}
    found = diff(judged(called(then)), new)
    assert {name for group, name in found.cases if group == "mine"} == set(verdicts)
    failing = {name for name, verdict in verdicts.items() if verdict == "failed"}
    assert failing
    assert {found.came_to("mine", name) for name in failing} == {outcome}
    assert {found.came_to("mine", name) for name, verdict in verdicts.items() if verdict == "passed"} == {"passed"}


def test_records_that_cannot_be_read_are_an_error_in_both_files(recorded: Recorded, tmp_path: Path, diff: Diff) -> None:
    good, bad = recorded(called(SOUND)), tmp_path / "bad.jsonl"
    diff(good, good)  # an earlier comparison has left its files
    bad.write_bytes(good.read_bytes().replace(b'"type": "footer"', b'"type": footer'))
    assert call("diff", good, bad, *FILES).exit_code == 2
    found = written(tmp_path)
    assert found.exit_status == 2
    assert found.came_to("what was given", "records") == "error"
    assert "is no JSON" in found.message("what was given", "records")


def test_github_is_told_too(recorded: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    result = call("diff", recorded(called(SOUND)), recorded(called(LOSSY)), "--github")
    assert result.exit_code == 1
    assert "::error title=decode%3A mine on toy-tokenizer,file=" in result.stdout
    assert "decode" in (tmp_path / "summary.md").read_text("utf-8")
