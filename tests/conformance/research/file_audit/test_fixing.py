"""Mended files: what is mended, what is left and why, and that nothing is written that answers otherwise."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from tokenizer_conformance.cli import main
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_file
from tokenizer_conformance.research.file_audit import added_tokens, fixing
from tokenizer_conformance.research.file_audit.finding import FoundDefect
from tokenizer_conformance.research.file_audit.fit.literal import LITERAL
from tokenizer_conformance.results.records.file_audit import FORMAT
from tokenizer_conformance.results.records.schema import schema_of

if TYPE_CHECKING:
    from collections.abc import Callable

    Mend = Callable[[dict[str, Any]], Result]

KINDS = ",".join(defect.id for defect in fixing.FIXED)


def bundled(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(bundled_file(name).read_text("utf-8"))
    return document


@pytest.fixture
def mend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Mend:
    """Runs ``tokconf audit file --fix-to new.json`` in this process on a document."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["tokconf", "audit", "file"])
    monkeypatch.setattr(fixing, "builtin_inputs", lambda: builtin_inputs()[::5])

    def run(document: dict[str, Any], *options: str) -> Result:
        Path("old.json").write_text(json.dumps(document), "utf-8")
        words = ["old.json", "--fix-to", "new.json", "--json", "a.jsonl", "--markdown", "a.md", *options]
        return CliRunner().invoke(main, ["audit", "file", *words, *([] if options else ["--select", KINDS])])

    return run


def fixed() -> dict[str, Any]:
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    lines = [json.loads(line) for line in Path("a.jsonl").read_text("ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    found: dict[str, Any] = next(line for line in lines if line["type"] == "fixed")
    return found


def legacy(document: dict[str, Any]) -> None:
    del document["version"], document["model"]["type"], document["decoder"]["prepend_scheme"]
    document["decoder"]["add_prefix_space"] = True
    document["decoder"]["no_option"] = 1
    document["normalizer"]["normalizers"].insert(2, {"type": "Strip", "strip_left": False, "strip_right": True})
    document["added_tokens"][3]["id"] = 77


@pytest.mark.long
def test_a_file_is_mended_where_its_answers_stay(mend: Mend) -> None:
    original = bundled("t5-mini")
    changed = copy.deepcopy(original)
    legacy(changed)
    result = mend(changed)
    assert "new.json is written: 4 findings mended" in result.output
    line = fixed()
    assert {each["defect"] for each in line["fixed"]} == {
        "legacy-form",
        "member-ignored",
        "normalizer-repeated",
        "added-token-id",
    }
    assert line["left"] == []
    assert line["questions"] > 1_000
    assert json.loads(Path("new.json").read_text("utf-8")) == original
    assert "| mended | normalizer-repeated | " in Path("a.md").read_text("utf-8").replace("\\", "")


@pytest.mark.long
def test_of_merges_that_are_there_twice_the_one_stays_that_counts(mend: Mend) -> None:
    document = bundled("gpt2-mini")
    merges = document["model"]["merges"]
    merges.append(merges[0])
    assert "1 finding mended" in mend(document).output
    assert json.loads(Path("new.json").read_text("utf-8"))["model"]["merges"] == merges[1:]


@pytest.mark.long
def test_what_needs_a_decision_is_left_and_said(mend: Mend) -> None:
    document = bundled("t5-mini")
    del document["version"]
    document["decoder"]["prepend_scheme"] = "never"
    mend(document, "--select", "member-missing,decoder-prepend-scheme")
    line = fixed()
    assert [each["defect"] for each in line["fixed"]] == ["member-missing"]
    assert [each["defect"] for each in line["left"]] == ["decoder-prepend-scheme"]
    assert line["left"][0]["reason"] == "mending it changes what texts become, or needs to know what is meant"


@pytest.mark.long_but(1)
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (dict, "there is nothing to mend"),
        (lambda document: document["model"].update(dropout=0.5, extra=1), "its answers are random"),
        (
            lambda document: document["model"].update(extra=1) or document["model"]["merges"].append(["q", "qq"]),
            "the file is not loaded",
        ),
    ],
    ids=["nothing", "random", "refused"],
)
def test_nothing_is_written_where_nothing_can_be_proven(
    change: Callable[[dict[str, Any]], None], reason: str, mend: Mend
) -> None:
    document = bundled("gpt2-mini")
    change(document)
    assert f"nothing is written: {reason}" in mend(document).output
    assert not Path("new.json").exists()


def test_a_file_that_answers_otherwise_is_not_written(mend: Mend, monkeypatch: pytest.MonkeyPatch) -> None:
    document = bundled("t5-mini")
    del document["version"]
    without = {**document, "normalizer": None}
    monkeypatch.setattr(fixing, "_without_repeats", lambda *_: without)
    assert "nothing is written: the mended file answers otherwise: normalize of " in mend(document).output
    assert not Path("new.json").exists()


def test_a_file_that_would_have_the_same_findings_is_not_written(mend: Mend, monkeypatch: pytest.MonkeyPatch) -> None:
    document = bundled("t5-mini")
    del document["version"]
    monkeypatch.setattr(fixing, "builtin_inputs", lambda: builtin_inputs()[:1])
    monkeypatch.setattr(fixing, "SAMPLED", 1)
    monkeypatch.setattr(fixing, "_still_in", lambda *_: {*fixing.FIXED})
    assert "nothing is written: the file, written again, has the same findings" in mend(document).output
    assert not Path("new.json").exists()


def test_the_file_itself_and_other_files_are_not_replaced(mend: Mend) -> None:
    document = bundled("t5-mini")
    del document["version"]
    Path("new.json").write_text("mine", "utf-8")
    result = mend(document)
    assert result.exit_code == 2
    assert "it is there already; --force replaces it" in result.output
    assert Path("new.json").read_text("utf-8") == "mine"
    result = CliRunner().invoke(main, ["audit", "file", "old.json", "--fix-to", "old.json", "--force"])
    assert result.exit_code == 2
    assert "the command reads it" in result.output
    result = CliRunner().invoke(main, ["audit", "file", "old.json", "old.json", "--fix-to", "b.json"])
    assert result.exit_code == 2
    assert "--fix-to writes one file: give one TOKENIZER" in result.output


def test_why_something_is_left_is_said_by_what_it_is() -> None:
    mended, meant = min(fixing.FIXED, key=lambda defect: defect.id), added_tokens.COLLISION
    findings = [FoundDefect(defect, ("added_tokens", 0), "") for defect in (mended, meant, LITERAL)]
    assert [(each.defect, each.path, each.reason) for each in fixing._left(findings, set())] == [
        (mended.id, "$.added_tokens[0]", "the file, written again, still has it"),
        (meant.id, "$.added_tokens[0]", "which of the two is meant is for you to say: other texts would become it"),
        (LITERAL.id, "$.added_tokens[0]", "mending it changes what texts become, or needs to know what is meant"),
    ]
    assert [each.defect for each in fixing._left(findings, {mended})] == [meant.id, LITERAL.id]
