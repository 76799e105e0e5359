"""Planted defects: each is found at its place, and nothing else is found that the unchanged file does not have."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from planted_defects import PLANTED, Planted

from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import Isolation, select
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names
from tokenizer_conformance.inputs.tokenizer_files import locate
from tokenizer_conformance.research.file_audit import families
from tokenizer_conformance.research.file_audit.checks_table import OF_FILES
from tokenizer_conformance.research.file_audit.engine import FileAuditPlan, Selection, audit_files
from tokenizer_conformance.research.file_audit.reading import described
from tokenizer_conformance.research.file_audit.vocabulary import checks as vocabulary
from tokenizer_conformance.results.records import file_audit as lines

if TYPE_CHECKING:
    from pathlib import Path

TOKENIZERS = select("tokenizers", Isolation())

OF_VOCABULARY = tuple(defect.id for check in vocabulary.CHECKS for defect in check.defects)
"""What tests/conformance/research/file_audit/vocabulary plants."""

TRUE_OF_BUNDLED = {
    ("llama-mini", "byte-fallback-incomplete"),
    ("options-mini", "special-token-single-word"),
    ("gemma-mini", "special-token-not-special"),
    ("rare-mini", "regex-means-otherwise"),
}
"""Warnings that are true of a bundled tokenizer: one has no tokens for the bytes of characters beyond U+FFFF, so that
runs see them become the unknown token; one has each option of an added token on somewhere; Gemma's <mask> stays in
decoded texts; patterns that hardly any tokenizer has are not everywhere the same."""


def findings_in(file: str, *, is_measured: bool = False) -> list[lines.Finding]:
    start = (lambda: TOKENIZERS.start(Limits(seconds=10))) if is_measured else None
    selection = Selection(ignored=OF_VOCABULARY)
    plan = FileAuditPlan((described(locate(file)),), TOKENIZERS.build(), start, selection)
    found = []
    for event in audit_files(plan):
        if isinstance(event, InternalError):
            raise event.error
        if isinstance(event, lines.Finding):
            found.append(event)
    return found


def named(findings: list[lines.Finding]) -> set[tuple[str, str]]:
    return {(each.defect, each.path) for each in findings}


@cache
def found_in_bundled(name: str) -> tuple[lines.Finding, ...]:
    return tuple(findings_in(name))


def original(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(bundled_file(name).read_text("utf-8"))
    return document


@pytest.mark.long_but(8)
@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_a_planted_defect_is_found_at_its_place_and_nothing_else(planted: Planted, tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(planted.document(original(planted.tokenizer)), indent=1), "utf-8")
    findings = findings_in(str(file), is_measured=planted.is_measured)
    before = named(list(found_in_bundled(planted.tokenizer)))
    assert named(findings) - before == planted.expected
    written = file.read_text("utf-8").splitlines()
    for each in findings:
        last = [key for key in each.keys if isinstance(key, str)][-1:]
        assert each.line is not None
        if last and each.defect != "member-missing" and isinstance(each.keys[-1], str):
            assert json.dumps(last[0])[1:-1] in written[each.line - 1]


@pytest.mark.parametrize("name", bundled_names())
def test_the_bundled_tokenizers_have_no_errors_and_no_false_warnings(name: str) -> None:
    wrong = {(name, each.defect) for each in found_in_bundled(name) if each.severity != "note"}
    assert wrong == {each for each in TRUE_OF_BUNDLED if each[0] == name}


ELSEWHERE = {
    "not-json",
    "not-a-tokenizer",
    "repeated-key",
    "decoder-word-suffix",
    "scores-alike",
    "entries-with-endings",
    *(defect.id for defect in families.DEFECTS),
}
"""Kinds of defects that no change of a bundled document plants: tested in modules of their own."""


def test_every_kind_of_defect_is_planted() -> None:
    planted = {id for each in PLANTED for id, _ in each.expected}
    assert {defect.id for defect in OF_FILES.defects} - planted - ELSEWHERE - set(OF_VOCABULARY) == set()
    assert len(PLANTED) >= 40


def test_a_decoder_that_strips_letters_is_not_said_to_strip_spaces(tmp_path: Path) -> None:
    document = original("wordlevel-mini")
    strip = {"type": "Strip", "content": "r", "start": 1, "stop": 1}
    document["decoder"] = {"type": "Sequence", "decoders": [strip, {"type": "Fuse"}]}
    file = tmp_path / "tokenizer.json"
    file.write_text(json.dumps(document), "utf-8")
    assert "decoder-prepend-scheme" not in {each.defect for each in findings_in(str(file))}
