"""Audits of loaders as pages: what was replaced, with the answers of the file and of the loader."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from planted_loaders import document
from record_pages import check_hostile, check_killed, check_malformed, check_page, lines_of, standing, write

from tokenizer_conformance.cli import main
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.page import Novelty, State

if TYPE_CHECKING:
    from collections.abc import Callable

    Audited = Callable[..., Path]

LEDGER = """
format = 1

[[known]]
implementation = "planted"
tokenizer = "toy"
input = "normalizer"
reason = "The class has no normalizer; see its documentation."
"""


MADE: dict[tuple[str, ...], bytes] = {}
"""The records of audits, each made once, by the words of the command."""


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Audited:
    """A function that writes the record of an audit of a planted loader."""
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "audit", "loader"])
    Path("toy").mkdir()
    Path("toy/tokenizer.json").write_text(json.dumps(document()), "utf-8")
    Path("texts.txt").write_text("ABC\nabc\nThe end\n", "utf-8")
    Path("known.toml").write_text(LEDGER, "utf-8")

    def write_record(loader: str, *arguments: str) -> Path:
        words = ("toy", "-i", f"planted_loaders:{loader}", "--cases", "30", "--json", "audit.jsonl", *arguments)
        record = tmp_path / "audit.jsonl"
        if words in MADE:
            record.write_bytes(MADE[words])
        else:
            CliRunner().invoke(main, ["audit", "loader", *words])
            MADE[words] = record.read_bytes()
        return record

    return write_record


@pytest.mark.long
def test_a_replaced_component_stands_there_once_with_both_answers(audited: Audited) -> None:
    path = audited("WithoutNormalizer", "--inputs", "texts.txt")
    page, footer = check_page(path), lines_of(path)[-1]
    found = [each for each in page.findings if each.group == "differences"]
    assert len(found) == footer["differences"] == 1
    (line,) = (line for line in lines_of(path) if line["type"] == "difference")
    assert (found[0].reason, found[0].stage, found[0].standing) == ("normalizer", "normalize", Novelty.NEW)
    assert [each.side for each in found[0].answers] == ["the file", "planted"]
    whole = line["witness"]
    for answer, key in zip(found[0].answers, ("raw", "loaded"), strict=True):
        assert answer.tokens is not None
        assert [token.id for token in answer.tokens] == whole[key]["answer"]["ids"]
        assert any(token.differs for token in answer.tokens)
    assert found[0].explanation == "planted answers so"
    assert found[0].count == line["impact"]["any"]
    assert found[0].subjects[0].text == whole["question"]["text"]["value"]


@pytest.mark.long
def test_cells_are_components_and_answers(audited: Audited) -> None:
    page = check_page(audited("WithoutNormalizer", "--inputs", "texts.txt"))
    (matrix,) = page.matrices
    cells = dict(zip(matrix.columns, dict(matrix.rows)["toy"], strict=True))
    assert cells["normalizer"].state is State.DIFFER
    assert cells["normalizer"].of["reason"] == "normalizer"
    assert cells["model"].state is State.AGREE
    assert cells["answers"].state is State.DIFFER
    assert page.state is State.DIFFER


def test_what_a_ledger_knows_is_known(audited: Audited) -> None:
    path = audited("WithoutNormalizer", "--ledger", "known.toml", "--inputs", "texts.txt")
    page = check_page(path)
    (found,) = standing(page, Novelty.KNOWN)
    assert len(standing(page, Novelty.KNOWN)) == lines_of(path)[-1]["known"]
    assert "The class has no normalizer" in found.known
    (matrix,) = page.matrices
    cells = dict(zip(matrix.columns, dict(matrix.rows)["toy"], strict=True))
    assert cells["normalizer"].state is State.KNOWN
    assert cells["answers"].state is State.KNOWN


@pytest.mark.long
def test_who_does_not_load_is_told_from_who_has_no_way_to(audited: Audited) -> None:
    path = audited("WithoutNormalizer")
    lines = lines_of(path)
    about = {"tokenizer": "toy", "loader": "planted", "loader_version": "1", "reason": "no file"}
    for unsupported, state in ((True, State.UNSUPPORTED), (False, State.ERROR)):
        refused = {"type": "not_loaded", **about, "unsupported": unsupported}
        page = check_page(write(path, [lines[0], refused, lines[-1]]))
        assert {cell.state for cell in page.matrices[0].rows[0][1]} == {state}
        assert any("no file" in each for each in page.said)


@pytest.mark.long
def test_components_that_are_not_shown_are_not_called_sound(audited: Audited) -> None:
    path = audited("WithoutNormalizer")
    lines = [line for line in lines_of(path) if line["type"] != "difference"]
    loaded = next(line for line in lines if line["type"] == "loaded")
    loaded |= {"no_structure": "it saves nothing", "defaults": None}
    (matrix,) = check_page(write(path, lines)).matrices
    cells = dict(zip(matrix.columns, matrix.rows[0][1], strict=True))
    assert {cell.state for name, cell in cells.items() if name != "answers"} == {State.UNSUPPORTED}


def test_without_a_witness_it_says_why(audited: Audited) -> None:
    path = audited("WithoutNormalizer")
    lines = lines_of(path)
    next(line for line in lines if line["type"] == "difference")["witness"] = {
        "found": False,
        "inputs": 30,
        "reason": "",
    }
    (found,) = (each for each in read_page(write(path, lines)).findings if each.group == "differences")
    assert found.explanation == "No witness: none in 30 inputs shows it"


def test_answers_that_no_component_explains_are_new_unless_a_ledger_knows_them(audited: Audited) -> None:
    path = audited("WithoutNormalizer")
    lines = lines_of(path)
    values = {"position": 0, "baseline": {"excerpt": {"start": 0, "total": 1, "text": "a"}}}
    values |= {"implementation": {"excerpt": {"start": 0, "total": 1, "text": "A"}}, "party": None, "part": None}
    finding = {
        "stage": "normalize",
        "inputs": 354,
        "question": {"ask": "normalize", "text": {"value": "A", "length": 1}},
        "difference": values | {"verdict": "differ", "kind": "other values", "field": "text", "detail": ""},
        "raw": {"outcome": "Text", "answer": {"text": "a"}},
        "loaded": {"outcome": "Text", "answer": {"text": "A"}},
    }
    known = {"entry": "known.toml, entry 1", "reason": "It is so.", "link": None}
    answers = next(line for line in lines if line["type"] == "answers")
    answers |= {"inputs": 1304, "findings": [finding, finding | {"inputs": 1, "known": known}]}
    found = [each for each in read_page(write(path, lines)).findings if each.group == "answers"]
    assert [(each.id, each.standing, each.known, each.count, each.impact) for each in found] == [
        ("answers-1", Novelty.NEW, "", 354, "354 inputs of 1,304"),
        ("answers-2", Novelty.KNOWN, "known.toml, entry 1: It is so.", 1, "1 input of 1,304"),
    ]
    assert found[0].headline == "normalize: text other values that no replaced component explains; normalize"
    assert [(each.side, each.text) for each in found[0].answers] == [("the file", "a"), ("planted", "A")]
    assert found[0].window == (
        '  the file  "a"  character 0 is U+0061',
        '  planted   "A"  character 0 is U+0041',
    )


def test_a_killed_audit_gives_a_page_that_says_so(audited: Audited) -> None:
    check_killed(audited("WithoutNormalizer"))


@pytest.mark.long
def test_altered_lines_are_refused(audited: Audited) -> None:
    check_malformed(audited("WithoutNormalizer"))


def test_hostile_names_pass_through(audited: Audited) -> None:
    check_hostile(audited("WithoutNormalizer"), "toy", "planted")
