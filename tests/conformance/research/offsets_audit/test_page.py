"""Audits of offsets as pages: implementations and invariants, and each violation once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from record_pages import check_hostile, check_killed, check_malformed, check_page, lines_of, standing, write

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import Novelty, State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Audited = Callable[..., Path]

TEXTS = ("naïve café, one", "")


MADE: dict[tuple[str, ...], bytes] = {}
"""The records of audits, each made once, by the words of the command."""


@pytest.fixture
def audited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Audited:
    """A function that writes the record of an audit of planted implementations."""
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")

    def write_record(*arguments: str, tokenizers: tuple[str, ...] = ("bert-mini",)) -> Path:
        words = (*tokenizers, "--no-builtin", "--inputs", "texts.jsonl", "--json", "audit.jsonl", "--force", *arguments)
        record = tmp_path / "audit.jsonl"
        if words in MADE:
            record.write_bytes(MADE[words])
        else:
            CliRunner().invoke(main, ["audit", "offsets", *words])
        if not any("ledger" in word for word in words):
            MADE[words] = record.read_bytes()
        return record

    return write_record


BOTH = ("-i", "late_spans:Late", "late_spans:IdsOnly")


def test_each_violation_stands_there_once(audited: Audited) -> None:
    path = audited(*BOTH)
    page, lines = check_page(path), lines_of(path)
    check_killed(path)
    recorded = [found for line in lines if line["type"] == "audited" for found in line["findings"]]
    assert len(page.findings) == len(recorded) == lines[-1]["findings"] > 0
    assert sum(each.count for each in page.findings) == sum(found["answers"] for found in recorded)
    by_reason = {each.reason: each for each in page.findings}
    for found in recorded:
        shown = by_reason[found["invariant"]]
        assert shown.lines == (found["detail"],)
        assert shown.repeat == found["repeat"]
        assert shown.explanation
        assert {"severity", "question"} <= {fact.label for fact in shown.facts}


def test_cells_are_invariants_and_implementations(audited: Audited) -> None:
    path = audited(*BOTH)
    (matrix,) = check_page(path).matrices
    assert matrix.columns == ("late", "ids-only")
    tallies = [{each["id"]: each for each in line["invariants"]} for line in lines_of(path) if "invariants" in line][1:]
    for name, (late, bare) in matrix.rows:
        assert (late.state is State.DIFFER) == bool(tallies[0][name]["violated"]), name
        assert (bare.state in (State.AGREE, State.DIFFER)) == bool(tallies[1][name]["things"]), name
    cells = dict(matrix.rows)
    assert cells["content.slice"][0].state is State.DIFFER
    assert cells["content.slice"][1].state is State.UNSUPPORTED
    assert cells["content.slice"][0].of["reason"] == "content.slice"


def test_several_tokenizers_have_an_overview(audited: Audited) -> None:
    page = check_page(audited("-i", "tokenizers", tokenizers=("bert-mini", "wordlevel-mini")))
    assert [each.columns for each in page.matrices] == [
        ("bert-mini", "wordlevel-mini"),
        ("tokenizers",),
        ("tokenizers",),
    ]
    assert {cell.state for cell in page.matrices[0].rows[0][1]} == {State.AGREE}
    assert page.state is State.AGREE
    assert page.headline == "tokenizers keeps all invariants on all 2 tokenizers"
    assert not page.findings


def test_what_a_ledger_knows_is_known(audited: Audited, tmp_path: Path) -> None:
    new = check_page(audited("-i", "late_spans:Late", "--update-ledger", "known.toml"))
    assert new.headline == "late breaks invariants on bert-mini"
    ledger = tmp_path / "known.toml"
    ledger.write_text(ledger.read_text("utf-8").replace('reason = ""', 'reason = "it is late"'), "utf-8")
    path = audited("-i", "late_spans:Late", "--ledger", "known.toml")
    page = check_page(path)
    assert len(standing(page, Novelty.KNOWN)) == lines_of(path)[-1]["known"] == len(page.findings) > 0
    assert all("it is late" in each.known for each in page.findings)
    assert page.headline == "late breaks invariants only as is known on bert-mini"
    assert dict(page.matrices[0].rows)["content.slice"][0].state is State.KNOWN


def test_who_does_not_load_is_told_from_who_has_no_way_to(audited: Audited) -> None:
    path = audited("-i", "tokenizers")
    lines = lines_of(path)
    about = {"tokenizer": "bert-mini", "implementation": "tokenizers", "implementation_version": "1", "reason": "none"}
    for unsupported, state in ((True, State.UNSUPPORTED), (False, State.ERROR)):
        refused = {"type": "not_loaded", **about, "unsupported": unsupported}
        page = check_page(write(path, [lines[0], refused, lines[-1]]))
        assert {cells[0].state for _, cells in page.matrices[0].rows} == {state}


def test_lost_answers_are_a_complaint_and_an_error(audited: Audited) -> None:
    path = audited("-i", "tokenizers", tokenizers=("bert-mini", "wordlevel-mini"))
    lines = lines_of(path)
    lines[1] |= {"lost": 3, "trouble": ["it died"]}
    page = read_page(write(path, lines))
    assert page.matrices[0].rows[0][1][0].state is State.ERROR
    assert any("it died" in each for each in page.complaints)


def test_an_audit_that_did_not_finish_is_told(audited: Audited) -> None:
    path = audited("-i", "tokenizers", tokenizers=("bert-mini", "wordlevel-mini"))
    lines = lines_of(path)
    lines[1] |= {"finished": False}
    told = [each for each in read_page(write(path, lines)).said if " could not be checked" in each]
    assert [each.partition(",")[0] for each in told] == ["bert-mini", "wordlevel-mini"]
    assert ["could not be checked, and the audit of it did not finish; " in each for each in told] == [True, False]


@pytest.mark.long
def test_violations_on_several_tokenizers_are_told_apart(audited: Audited) -> None:
    path = audited("-i", "late_spans:Late", tokenizers=("bert-mini", "wordlevel-mini"))
    page = check_page(path)
    assert {each.tokenizer for each in page.findings} == {"bert-mini", "wordlevel-mini"}
    assert len(page.findings) == lines_of(path)[-1]["findings"]


@pytest.mark.long
def test_altered_lines_are_refused(audited: Audited) -> None:
    check_malformed(audited("-i", "late_spans:Late"))


@pytest.mark.long
def test_hostile_names_pass_through(audited: Audited) -> None:
    check_hostile(audited("-i", "late_spans:Late"), "bert-mini", "late")
