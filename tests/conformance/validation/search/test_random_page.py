"""Pages of fuzzing with random tokenizers: small cases, and what is shown where there are none yet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from altered_records import read, written

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[[str], Path]


def test_every_small_case_is_a_finding(recorded: Recorded) -> None:
    lines = [line for line in read(recorded("fuzz")) if line["type"] == "finding"]
    page = read_page(recorded("fuzz"))
    assert [(each.count, each.repeat) for each in page.findings] == [
        (line["tokenizers"], line["repeat"]) for line in lines
    ]
    for each, line in zip(page.findings, lines, strict=True):
        documents = [fact.value for fact in each.facts if fact.label == "tokenizer.json"]
        assert list(map(json.loads, documents)) == [line["smallest"]["tokenizer_json"]]
        assert each.subjects
        assert [answer.side for answer in each.answers] == ["tokenizers", "wrong-type"]


def test_where_there_is_no_small_case_yet_differences_are_shown(recorded: Recorded, tmp_path: Path) -> None:
    lines = [line for line in read(recorded("fuzz")) if line["type"] in ("header", "difference")]
    page = read_page(written(tmp_path / "killed.jsonl", lines))
    assert [each.id for each in page.findings] == [f"wrong-type/difference-{number}" for number in range(1, len(lines))]


def test_the_headline_says_on_how_many_who_differs(recorded: Recorded, tmp_path: Path) -> None:
    lines = read(recorded("fuzz"))
    (result,) = [line for line in lines if line["type"] == "result"]
    result["tokenizers"] = 7
    assert (
        read_page(written(tmp_path / "two.jsonl", lines)).headline == "wrong-type differs on 2 of 7 random tokenizers"
    )
    agreeing = [line for line in lines if line["type"] not in ("difference", "finding")]
    assert (
        read_page(written(tmp_path / "none.jsonl", agreeing)).headline
        == "wrong-type conforms on all 7 random tokenizers"
    )


def test_counts_are_those_of_the_record(recorded: Recorded) -> None:
    (result,) = [line for line in read(recorded("fuzz")) if line["type"] == "result"]
    page = read_page(recorded("fuzz"))
    tables = {each.title: each for section in page.sections for each in section.tables}
    coverage = dict(zip(tables["Coverage"].columns, tables["Coverage"].rows[0], strict=True))
    for key in ("tokenizers", "cases", "values", "differences"):
        assert coverage[key] == result[key]
    answers = {row[1]: sum(map(int, row[2:])) for row in tables["Answers by verdict"].rows}  # type: ignore[arg-type]
    assert answers == {stage: sum(counts.values()) for stage, counts in result["answers"].items()}


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ({"agree": 2}, State.AGREE),
        ({"agree": 2, "both_error": 1}, State.ACCEPTABLE),
        ({"agree": 2, "known": 1, "both_error": 1}, State.KNOWN),
        ({"agree": 2, "differ": 1, "unstable": 1}, State.DIFFER),
        ({"differ": 2, "timeout": 1}, State.ERROR),
        ({"unsupported": 2}, State.UNSUPPORTED),
        ({}, State.NOT_COMPARED),
    ],
)
def test_cells_have_the_gravest_state(
    recorded: Recorded, tmp_path: Path, answers: dict[str, int], state: State
) -> None:
    lines = read(recorded("fuzz"))
    for line in lines:
        if line["type"] == "result":
            line["answers"] = {"normalize": answers}
    (matrix,) = read_page(written(tmp_path / "answers.jsonl", lines)).matrices
    assert matrix.rows[0][1][matrix.columns.index("normalize")].state is state


@pytest.mark.parametrize(
    ("found", "stage", "headline"),
    [
        ({"refused_by": "baseline", "reason": "no <b>"}, "load", "tokenizers refuses"),
        ({"refused_by": "implementation", "reason": "no <b>"}, "load", "wrong-type refuses"),
        ({"token": "a", "baseline_id": 1, "implementation_id": None}, "vocabulary", 'no id for "a", not id 1'),
    ],
)
def test_what_differs_before_a_question(
    recorded: Recorded, tmp_path: Path, found: dict[str, Any], stage: str, headline: str
) -> None:
    lines = read(recorded("fuzz"))
    for line in lines:
        if line["type"] == "finding":
            line["smallest"] |= {"question": None, "found": found}
    page = read_page(written(tmp_path / "found.jsonl", lines))
    assert {each.stage for each in page.findings} == {stage}
    assert all(headline in each.headline for each in page.findings)
    (matrix,) = page.matrices
    assert matrix.rows[0][1][matrix.columns.index(stage)].state is State.DIFFER
