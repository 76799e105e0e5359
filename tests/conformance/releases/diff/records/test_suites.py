"""Records of the suite compared: requirements and cases that pass or fail, now or then, and other suites."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from record_pairs import SOUND, Compared, called, lawful

from tokenizer_conformance.releases.diff.records.changes import Change

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Judged = Callable[..., Path]

FAULT = fakes.WrongNormalization


def changed(path: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    """Write the record at ``path`` again, each line as ``edit`` leaves it."""
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
    for line in lines:
        edit(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
    return path


@pytest.mark.parametrize(
    ("then", "now", "change", "status"),
    [(SOUND, FAULT, "new", 1), (FAULT, SOUND, "fixed", 0), (FAULT, fakes.Mute, "not compared now", 0)],
)
def test_what_becomes_of_cases(judged: Judged, then: Any, now: Any, change: str, status: int) -> None:
    compared = lawful(judged(called(then)), judged(called(now)))
    assert any(each.change == change and each.key.aspect == "case" for each in compared.found)
    assert compared.last.exit_status in (status, 3)


def test_a_new_failure_is_shown_with_what_is_expected(judged: Judged) -> None:
    compared = Compared(judged(called(SOUND)), judged(called(FAULT)))
    new = [each for each in compared.found if each.change is Change.NEW and each.key.aspect == "case"]
    assert any("expected" in line for each in new for line in each.outcome.lines)
    assert all(each.outcome.title.endswith(": failed") for each in new)


def test_cases_that_both_suites_have_are_compared_and_others_are_told(judged: Judged) -> None:
    def renamed(line: dict[str, Any]) -> None:
        if line["type"] == "header":
            line["suite"] = {"version": "2", "target": "0.23.3", "sha256": "b" * 64}
        if line["type"] == "requirement":
            line["cases"][0]["case"] = "another"

    compared = Compared(judged(called(SOUND)), changed(judged(called(SOUND)), renamed))
    assert any("another suite" in remark for remark in compared.plan.remarks)
    reasons = {(each.change, each.why) for each in compared.found if each.key.aspect == "case"}
    assert (Change.NOT_COMPARED_NOW, "the suite of that record has no such case") in reasons
    assert (Change.NOT_COMPARED_THEN, "the suite of that record has no such case") in reasons
    assert compared.last.exit_status == 0


def test_what_passed_by_fewer_fields_has_not_passed(judged: Judged) -> None:
    def fewer(line: dict[str, Any]) -> None:
        if line["type"] == "header":
            line["fields"] = ["ids"]

    compared = Compared(judged(called(FAULT)), changed(judged(called(SOUND)), fewer))
    assert not compared.told("fixed")
    assert "fewer fields were judged (--field)" in {each.why for each in compared.found}


def test_a_run_that_was_cut_short_fixes_nothing(judged: Judged) -> None:
    old, new = judged(called(FAULT)), judged(called(SOUND))
    new.write_text(new.read_text().splitlines()[0] + "\n")
    compared = Compared(old, new)
    assert not compared.told("fixed")
    assert compared.last.exit_status == 3
