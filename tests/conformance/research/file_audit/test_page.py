"""Audits of files as pages: every finding with its place, its witness and what to do about it."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from record_pages import check_hostile, check_killed, check_malformed, check_page, lines_of, standing, write

from tokenizer_conformance.cli import main
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.research.file_audit.page import _examples
from tokenizer_conformance.research.file_audit.vocabulary import checks as vocabulary
from tokenizer_conformance.results.outcomes import Result
from tokenizer_conformance.results.page import Cell, Novelty, Page, State
from tokenizer_conformance.results.plots.plot import Bars

SLOW = ",".join(defect.id for check in vocabulary.CHECKS for defect in check.defects)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the record of an audit of a sound file and of one that has an error, a warning and notes.

    In a second record the latter was mended.
    """
    folder = tmp_path_factory.mktemp("files")
    document = json.loads(bundled_file("bert-mini").read_text("utf-8"))
    document["added_tokens"][4]["id"] = 7
    document["normalizer"]["lower_case"] = True
    document["model"]["max_input_chars_per_word"] = 10
    (folder / "bad.json").write_text(json.dumps(document, indent=1), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["tokconf", "audit", "file"])
        patch.setenv("TOKCONF_PROGRESS", "off")
        for name, words in (("audit.jsonl", ["bert-mini"]), ("mended.jsonl", ["--fix-to", "mended.json"])):
            given = ["bad.json", *words, "--ignore", SLOW, "--json", name]
            result = CliRunner().invoke(main, ["audit", "file", *given])
            assert result.exit_code == 1, result.output
    return folder


@pytest.fixture
def record(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "audit.jsonl", tmp_path))


@pytest.fixture
def mended(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made / "mended.jsonl", tmp_path))


def test_each_finding_stands_there_once_with_its_place(record: Path) -> None:
    page, lines = check_page(record), lines_of(record)
    found = [line for line in lines if line["type"] == "finding"]
    assert len(page.findings) == len(found)
    assert len(standing(page, Novelty.NEW)) == sum(line["fails"] for line in found) > 0
    assert len(standing(page, Novelty.ACCEPTABLE)) == sum(not line["fails"] for line in found) > 0
    for severity, count in lines[-1]["counts"].items():
        assert sum(each.group == f"{severity}s" for each in page.findings) == count
    by_reason = {each.reason: each for each in page.findings if each.tokenizer == "bad"}
    for line in found:
        if line["tokenizer"] == "bad":
            facts = {fact.label: fact.value for fact in by_reason[line["defect"]].facts}
            assert facts["severity"] == line["severity"]
            assert facts["at"].startswith(line["path"])
            assert line["line"] is None or facts["at"].endswith(f"line {line['line']:,}")
            assert facts["fix"]
            assert facts["file"].endswith("bad.json")


def test_the_gravest_stand_first_and_are_shown_first(record: Path) -> None:
    page = read_page(record)
    order = [each.group for each in page.findings]
    assert order == sorted(order, key=["errors", "warnings", "notes"].index)
    assert [*page.headlines] == [each.id for each in standing(page, Novelty.NEW)][: len(page.headlines)]
    assert page.state is State.DIFFER


@pytest.mark.parametrize(
    ("severities", "said"),
    [
        (["note"], "has notes only"),
        (["warning"], "has warnings only"),
        (["note", "warning"], "has warnings or notes only"),
    ],
)
def test_a_file_that_fails_nothing_is_told_by_what_was_found_of_it(
    record: Path, severities: list[str], said: str
) -> None:
    lines = lines_of(record)
    kept = [each for each in lines if each["type"] != "finding" or each["severity"] in severities]
    for each in kept:
        if each["type"] == "finding":
            each["fails"] = False
    page = read_page(write(record, kept), "")
    assert {each.group for each in page.findings} == {f"{severity}s" for severity in severities}
    assert f"bad {said}" in page.headline


def test_a_witness_is_shown_with_its_text_and_what_comes_of_it(record: Path) -> None:
    witnessed = [line for line in lines_of(record) if line["type"] == "finding" and line["witness"]]
    assert witnessed
    shown = [each for each in read_page(record).findings if each.answers]
    assert {line["witness"]["result"] for line in witnessed} == {each.answers[0].text for each in shown}
    texts = {line["witness"]["text"] for line in witnessed if line["witness"]["text"] is not None}
    assert texts == {each.text for found in shown for each in found.subjects if each.text is not None}


def cells_of(page: Page, file: str) -> dict[str, Cell]:
    """Return the cells of a ``file`` by their checks, which are the rows of its matrix."""
    (matrix,) = page.matrices
    column = matrix.columns.index(file)
    return {check: cells[column] for check, cells in matrix.rows}


def test_cells_are_the_checks_of_each_file(record: Path) -> None:
    page = read_page(record)
    rows = {file: cells_of(page, file) for file in ("bad", "bert-mini")}
    found = {each.reason for each in page.findings if each.tokenizer == "bad" and each.standing is Novelty.NEW}
    audited = next(line for line in lines_of(record) if line["type"] == "audited" and line["tokenizer"] == "bad")
    for name, cell in rows["bad"].items():
        assert (cell.state is State.DIFFER) == bool(found & {*audited["checks"][name]}), name
    assert State.DIFFER not in {cell.state for cell in rows["bert-mini"].values()}
    assert State.AGREE in {cell.state for cell in rows["bert-mini"].values()}


def test_more_files_than_checks_are_rows(record: Path) -> None:
    lines = lines_of(record)
    file = next(line for line in lines if line["type"] == "file")
    (matrix,) = read_page(record).matrices
    many = [file | {"tokenizer": f"n{number}"} for number in range(len(matrix.rows))]
    (turned,) = read_page(write(record, [*lines[:-1], *many, lines[-1]])).matrices
    assert turned.columns == tuple(check for check, _ in matrix.rows)
    assert [name for name, _ in turned.rows] == [*matrix.columns, *(each["tokenizer"] for each in many)]
    assert (matrix.corner, turned.corner) == ("check", "file")


@pytest.mark.parametrize(
    ("counts", "said", "series"),
    [
        (
            (7, 1, 1, 0, 1),
            "a text gives 7 of 10 entries of the vocabulary; no text gives 1; 1 is reserved; 1 was not looked at.",
            {"a text gives it": 70.0, "no text gives it": 10.0, "reserved": 10.0, "not known": 10.0},
        ),
        (
            (10, 0, 5, 5, 0),
            "a text gives 10 of 20 entries of the vocabulary; 5 are reserved; of 5 nothing is known.",
            {"a text gives it": 50.0, "reserved": 25.0, "not known": 25.0},
        ),
        ((5, 0, 0, 0, 0), "a text gives every one of 5 entries of the vocabulary.", {"a text gives it": 100.0}),
    ],
)
def test_how_much_of_a_vocabulary_a_text_gives_is_said_and_drawn(
    record: Path, counts: tuple[int, ...], said: str, series: dict[str, float]
) -> None:
    keys = ("given", "never_given", "reserved", "not_found", "not_looked_at")
    lines = lines_of(record)
    for line in lines:
        if line["type"] == "audited" and line["tokenizer"] == "bad":
            line["vocabulary"] = dict(zip(keys, counts, strict=True))
    page = read_page(write(record, lines))
    assert f"bad: {said}" in [sentence.text for sentence in page.sentences]
    (drawing,) = page.sections[0].drawings
    assert isinstance(drawing.plot, Bars)
    assert drawing.plot.groups == ("bad",)
    assert {name: bars[0].value for name, bars in drawing.plot.series.items()} == series


def test_a_vocabulary_without_an_entry_is_not_drawn(record: Path) -> None:
    lines = lines_of(record)
    keys = ("given", "never_given", "reserved", "not_found", "not_looked_at")
    for line in lines:
        if line["type"] == "audited":
            line["vocabulary"] = dict.fromkeys(keys, 0 if line["tokenizer"] == "bad" else 3)
    page = read_page(write(record, lines))
    (drawing,) = page.sections[0].drawings
    assert isinstance(drawing.plot, Bars)
    assert drawing.plot.groups == ("bert-mini",)
    assert not any("bad: a text gives" in sentence.text for sentence in page.sentences)


def test_what_was_mended_is_told(mended: Path) -> None:
    fixed = [line for line in lines_of(mended) if line["type"] == "fixed"]
    sections = [each for each in check_page(mended).sections if each.title.endswith(", mended")]
    assert len(sections) == len(fixed) > 0
    told = sum(len(table.rows) for each in sections for table in each.tables)
    assert told == sum(len(line["fixed"]) + len(line["left"]) for line in fixed)


def test_a_file_of_which_nothing_was_said_is_named(record: Path) -> None:
    lines = [line for line in lines_of(record) if line["type"] != "audited" or line["tokenizer"] != "bad"]
    record.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    page = check_page(record)
    assert "bad: the audit of this file did not finish." in page.said
    assert State.NOT_COMPARED in {cell.state for cell in cells_of(page, "bad").values()}


def test_a_check_that_was_left_out_found_nothing_and_says_nothing(record: Path) -> None:
    lines = lines_of(record)
    audited = next(line for line in lines if line["type"] == "audited" and line["tokenizer"] == "bert-mini")
    del audited["checks"]["merges"]
    cells = cells_of(check_page(write(record, lines)), "bert-mini")
    assert (cells["merges"].state, cells["scores"].state) == (State.NOT_COMPARED, State.AGREE)


@pytest.mark.parametrize(
    ("not_done", "has_note", "result"),
    [
        ({}, False, Result.CONFORMS),
        ({}, True, Result.KNOWN),
        ({"merges": "there are none"}, False, Result.NOTHING),
        ({"merges": "there are none"}, True, Result.KNOWN),
    ],
)
def test_a_file_of_which_something_was_not_done_conforms_to_nothing(
    not_done: dict[str, str], has_note: bool, result: Result, record: Path
) -> None:
    lines = lines_of(record)
    note = next(line for line in lines if line["type"] == "finding" and line["severity"] == "note")
    kept = [line for line in lines if line["type"] != "finding" or line["tokenizer"] == "bad"]
    next(line for line in kept if line["type"] == "audited" and line["tokenizer"] == "bert-mini")["not_done"] = not_done
    if has_note:
        kept.insert(-1, note | {"tokenizer": "bert-mini"})
    outcomes = read_page(write(record, kept)).outcomes
    assert {each.who: each.result for each in outcomes.of} == {"bad": Result.DIFFERS, "bert-mini": result}


def test_a_killed_audit_gives_a_page_that_says_so(record: Path) -> None:
    check_killed(record)


@pytest.mark.long
def test_altered_lines_are_refused(mended: Path) -> None:
    check_malformed(mended)


def test_hostile_names_pass_through(record: Path) -> None:
    check_hostile(record, "bad")


@pytest.mark.parametrize(
    ("count", "shown", "said"),
    [
        (2, 2, ["a", "$.there: b"]),
        (3, 2, ["a", "$.there: b", "and 1 more"]),
        (1_202, 2, ["a", "$.there: b", "and 1,200 more"]),
        (1, 0, []),
    ],
)
def test_examples_are_told_with_how_many_more_there_are(count: int, shown: int, said: list[str]) -> None:
    examples = [SimpleNamespace(path="$.here", message="a"), SimpleNamespace(path="$.there", message="b")]
    finding: Any = SimpleNamespace(path="$.here", count=count, examples=examples[:shown])
    assert list(_examples(finding)) == said
