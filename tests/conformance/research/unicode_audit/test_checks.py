"""Behaviours as checks: what leaves one unexplained is told, and nothing else fails."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tokenizer_conformance.research.unicode_audit.checks import checks_of
from tokenizer_conformance.research.unicode_audit.page import versions_of
from tokenizer_conformance.research.unicode_audit.properties import TRIED
from tokenizer_conformance.results.ci_results.check import CheckOutcome
from tokenizer_conformance.results.records.unicode_audit import Behaviour, Residual

RESIDUAL = Residual(count=0, more="", fewer="", other="", texts=(), examples=())
EXPLAINED = Behaviour(
    implementation="one",
    implementation_version="1",
    behaviour="Digits",
    question="numbers",
    about="what is a number",
    way="the stage itself",
    members=10,
    digest="0" * 64,
    rule="N",
    exact=True,
    fixed=False,
    versions=("16.0",),
    residual=RESIDUAL,
    unanswered="",
    alone=1200,
    contradicted="",
    seconds=1.0,
)


def behaviour(**changes: Any) -> Behaviour:
    return msgspec.structs.replace(EXPLAINED, **changes)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ()),
        ({"members": 0}, ("it is loaded, and has no effect on any character",)),
        (
            {"residual": msgspec.structs.replace(RESIDUAL, more="0041..0043")},
            ("3 characters beyond the rule: 0041..0043",),
        ),
        ({"residual": msgspec.structs.replace(RESIDUAL, fewer="0041")}, ("1 character of the rule missing: 0041",)),
        ({"unanswered": "0041 0043"}, ("no answer over 2 characters: 0041 0043",)),
        (
            {"contradicted": "0041 0043"},
            ("alone, 2 characters of 1,200 treated otherwise than among others: 0041 0043",),
        ),
    ],
)
def test_what_is_left_unexplained_is_told(changes: dict[str, Any], told: tuple[str, ...]) -> None:
    (check,) = checks_of([behaviour(**changes)])
    assert (check.group, check.name) == ("one 1", "Digits")
    assert check.outcome is (CheckOutcome.FAILED if told else CheckOutcome.PASSED)
    assert [each.details for each in check.problems] == ([told] if told else [])
    assert check.message == ("" if told else "N, Unicode 16.0")


@pytest.mark.parametrize(
    ("changes", "versions"),
    [
        ({}, "16.0"),
        ({"fixed": True}, "any"),
        ({"versions": TRIED}, f"{TRIED[0]} to {TRIED[-1]}"),
        ({"versions": ("4.1", "2.0")}, "4.1, 2.0"),
    ],
)
def test_versions_are_written_as_people_write_them(changes: dict[str, Any], versions: str) -> None:
    assert versions_of(behaviour(**changes)) == versions
