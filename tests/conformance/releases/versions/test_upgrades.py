"""Diffs of snapshots as pages: an upgrade, with what is loaded otherwise and what known changes explain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fake_implementations as fakes
import pytest
from record_pages import check_killed, check_page, lines_of, write
from record_pairs import TEXTS, called, corpus_of

from tokenizer_conformance import RunPlan, run
from tokenizer_conformance.results.page import Novelty, State
from tokenizer_conformance.validation.running.record import JsonLinesReport

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

SIDES = {"type": "sides", "old": "a.gz: toy", "new": "b.gz: mine", "only_old": 0, "only_new": 2, "other_files": []}
EXPLAINED = [{"id": "a-change", "since": "1.0", "title": "It was so"}]
CHANGE = {
    "type": "loading_change",
    "tokenizer": "toy-tokenizer",
    "what": "save",
    "path": "$.model",
    "old": "1",
    "new": "2",
}
KNOWN = {"ledger": 0, "entry": 1, "line": 7}


@pytest.fixture
def record(toy_file: TokenizerFile, tmp_path: Path) -> Path:
    """Return the record of a run, with the lines that a diff of snapshots has beside those of a run."""
    path = tmp_path / "diff.jsonl"
    plan = RunPlan(
        tokenizers=(toy_file,),
        implementations=(called(fakes.Toy, "toy"), called(fakes.LossyDecode)),
        baseline="toy",
        corpus=corpus_of(TEXTS),
    )
    with JsonLinesReport(path) as report:
        for event in run(plan):
            report.handle(event)  # type: ignore[arg-type]  # no internal error
    header, *lines = lines_of(path)
    header["ledgers"] = [{"name": "known.toml", "sha256": "0" * 64}]
    changes = (
        {**CHANGE, "known": None, "explained_by": []},
        {**CHANGE, "known": KNOWN, "explained_by": None},
        {**CHANGE, "known": None, "explained_by": EXPLAINED},
    )
    return write(path, [header, SIDES, *changes, *lines])


def test_changes_of_loading_are_findings(record: Path) -> None:
    page = check_page(record)
    found = [each for each in page.findings if each.group == "changes"]
    assert [each.standing for each in found] == [Novelty.NEW, Novelty.KNOWN, Novelty.EXPLAINED]
    assert (found[1].known, found[2].known) == ("known.toml:7", "a-change, since 1.0: It was so")
    assert [(each.side, each.text) for each in found[0].answers] == [("toy", "1"), ("mine", "2")]
    assert "3 changes in loading, saved files and vocabularies, 1 of them new." in page.said
    assert page.kind == "diff"
    assert [each.role for each in page.compared] == ["old", "new"]


def test_what_known_changes_explain_is_no_news(record: Path) -> None:
    assert dict(check_page(record).matrices[0].rows)["mine"][-1].state is State.DIFFER
    lines = lines_of(record)
    for line in lines:
        if line["type"] in ("causes", "footer"):
            line.update({"uncounted": 0} if line["type"] == "causes" else {})
            for cause in line["causes"]:
                cause["explained_by"] = EXPLAINED
    page = check_page(write(record, lines))
    causes = [each for each in page.findings if each.group in ("causes", "findings")]
    assert {each.standing for each in causes} == {Novelty.EXPLAINED}
    assert dict(page.matrices[0].rows)["mine"][-1].state is State.KNOWN
    assert any("as known changes explain" in each for each in page.said)
    assert page.state is State.DIFFER  # one change of loading is new
    known = [line for line in lines if line["type"] != "loading_change" or line["known"] or line["explained_by"]]
    page = check_page(write(record, known))
    assert page.state is State.KNOWN
    assert {each.standing for each in page.findings if each.id in page.headlines} == {Novelty.EXPLAINED}


def test_what_is_explained_in_part_is_news(record: Path) -> None:
    lines = lines_of(record)
    tokenizer = next(line for line in lines if line["type"] == "causes")
    (cause, *_) = tokenizer["causes"]
    tokenizer["causes"] = [{**cause, "explained_by": EXPLAINED}, {**cause, "explained_by": []}]
    tokenizer["uncounted"] = 0
    found = [each for each in check_page(write(record, lines)).findings if each.group == "findings"]
    assert {each.standing for each in found} == {Novelty.NEW}


def test_records_from_before_there_were_known_changes_are_read(record: Path) -> None:
    lines = lines_of(record)
    for line in lines:
        if line["type"] == "loading_change":
            del line["known"], line["explained_by"]
    assert {each.standing for each in check_page(write(record, lines)).findings} == {Novelty.NEW}


def test_a_killed_diff_gives_a_page_that_says_so(record: Path) -> None:
    lines = lines_of(record)
    page = check_page(write(record.with_name("killed.jsonl"), lines[:-1]))
    assert page.conclusion == "interrupted"
    check_killed(write(record, lines))
