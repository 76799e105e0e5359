"""Pages of searches: causes as they stand at the end, what was asked, and who was not searched."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import pytest
from altered_records import read, written

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Recorded = Callable[[str], Path]


def changed(path: Path, to: Path, edit: Callable[[dict[str, Any]], object]) -> Path:
    """Write the record at ``path`` to another file, each line as ``edit`` leaves it."""
    lines = read(path)
    for line in lines:
        edit(line)
    return written(to, lines)


def test_causes_are_those_of_the_end(recorded: Recorded) -> None:
    lines = read(recorded("search"))
    causes = {f"cause-{line['number']}": line for line in lines if line["type"] == "cause"}
    page = read_page(recorded("search"))
    assert len(causes) == lines[-1]["findings"]
    assert {each.id: each.count for each in page.findings} == {id_: line["inputs"] for id_, line in causes.items()}
    for each in page.findings:
        assert any(fact.label == "found by" for fact in each.facts)
        assert shlex.split(each.repeat) == [
            "tokconf",
            "minimize",
            str(recorded("search")),
            "--finding",
            each.id.removeprefix("cause-"),
        ]


NOT_AT_CHECKPOINTS = ("complete", "exhausted", "generators", "gone", "kept")
"""What is said of a pairing at its end alone."""


def test_a_killed_search_has_the_causes_that_it_had_found(recorded: Recorded, tmp_path: Path) -> None:
    whole = read(recorded("search"))
    # A search of little time has no checkpoint: one is what its result had been, had it been killed then.
    (result,) = [line for line in whole if line["type"] == "result"]
    told = {key: value for key, value in result.items() if key not in NOT_AT_CHECKPOINTS} | {"type": "checkpoint"}
    lines = [*(line for line in whole if line["type"] in ("header", "finding")), told]
    page = read_page(written(tmp_path / "killed.jsonl", lines))
    found = [line for line in lines if line["type"] == "finding"]
    assert [each.id for each in page.findings] == [f"cause-{line['number']}" for line in found]
    (table,) = [each for section in page.sections for each in section.tables if each.title == "Coverage"]
    assert [row[-1] for row in table.rows] == ["cut short"]


def test_coverage_is_that_of_the_record(recorded: Recorded) -> None:
    (result,) = [line for line in read(recorded("search")) if line["type"] == "result"]
    tables = {each.title: each for section in read_page(recorded("search")).sections for each in section.tables}
    coverage = dict(zip(tables["Coverage"].columns, tables["Coverage"].rows[0], strict=True))
    assert {key: coverage[key] for key in ("cases", "questions", "values", "differing", "skipped")} == {
        key: result[key] for key in ("cases", "questions", "values", "differing", "skipped")
    }
    used = {each["name"]: each["findings"] for each in result["generators"] if each["used"]}
    generators = tables["Generators"]
    assert {row[2]: row[-1] for row in generators.rows} == used


def without_causes(line: dict[str, Any], **counts: Any) -> None:
    if line["type"] == "result":
        line |= counts


@pytest.mark.parametrize(
    ("counts", "state"),
    [
        ({}, State.AGREE),
        ({"values": 0}, State.NOT_COMPARED),
        ({"unstable": 1}, State.UNSTABLE),
        ({"known": [{"ledger": "k.toml", "entry": 1, "reason": "so", "link": None, "count": 2}]}, State.KNOWN),
    ],
)
def test_cells_without_causes(recorded: Recorded, tmp_path: Path, counts: dict[str, Any], state: State) -> None:
    path = changed(recorded("search"), tmp_path / "search.jsonl", lambda line: without_causes(line, **counts))
    written(path, [line for line in read(path) if line["type"] not in ("cause", "finding")])
    (matrix,) = read_page(path).matrices
    assert [[cell.state for cell in row] for _, row in matrix.rows] == [[state]]


def test_a_crash_is_an_error(recorded: Recorded, tmp_path: Path) -> None:
    def crashed(line: dict[str, Any]) -> None:
        if line["type"] == "cause":
            line["difference"] |= {"verdict": "crash", "implementation": {"crashed": {"detail": "signal 11"}}}
            line.pop("answers", None)  # who crashes has none
            line.pop("own", None)  # and is not given a smaller file

    page = read_page(changed(recorded("search"), tmp_path / "crashed.jsonl", crashed))
    assert page.matrices[0].rows[0][1][0].state is State.ERROR
    assert all("signal 11" in each.answers[1].trouble for each in page.findings)


def test_who_does_not_load_is_told(recorded: Recorded, tmp_path: Path) -> None:
    lines = [line for line in read(recorded("search")) if line["type"] in ("header", "footer")]
    refused = {"type": "pairing_refused", "tokenizer": "bert-mini", "implementation": "wrong-type", "reason": "no <b>"}
    page = read_page(written(tmp_path / "refused.jsonl", [lines[0], refused, lines[1]]))
    assert page.complaints == ("wrong-type on bert-mini: no <b>",)
    assert page.matrices[0].rows[0][1][0].state is State.ERROR
    assert page.said == ("wrong-type: nothing was asked.",)
