"""The page on invariants is made of records, and planted faults are told as they are seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import offsets_report
import pytest

from tokenizer_adapters.registry import load_implementation
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.inputs.corpus import read_corpus
from tokenizer_conformance.inputs.text import Input
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.research.offsets_audit.engine import OffsetsAuditPlan, audit
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.making import lines_of

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable

TOOLS = Path(__file__).resolve().parents[2] / "tools"
TOOL = str(TOOLS / "offsets_report.py")


def test_a_page_is_made_of_what_an_audit_records() -> None:
    corpus, _ = read_corpus([("texts", [Input("one", "one", "Hello"), Input("two", "two", "a b")])])
    plan = OffsetsAuditPlan(
        (read_tokenizer(find_tokenizer("bert-mini")),), (load_implementation("tokenizers"),), corpus
    )
    events = [event for event in audit(plan) if not isinstance(event, InternalError)]
    record = [json_of(line) for event in events for line in lines_of(event)]
    page = offsets_report.page([], [record])
    assert "asked about 2 inputs" in page
    assert "bert-mini" in page


@pytest.mark.long
def test_a_fault_is_told_with_what_sees_it(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    result = run(TOOL, "--power", "types-zero")
    assert result.returncode == 0, result.stderr
    assert result.stdout == "types-zero | special.type-ids\n"


def test_what_cannot_be_used_is_refused(run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    assert run(TOOL, "--power", "no-such-fault").returncode == 2
    assert run(TOOL).returncode == 2


@pytest.mark.long
def test_a_record_of_an_audit_that_was_ended_is_refused(
    run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """It has some of the tokenizers only, and would say less than the page seems to."""
    header, footer = {"type": "header"}, {"type": "footer", "finished": False}
    for lines in ([], [header], [header, footer]):
        record = tmp_path / "record.jsonl"
        record.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        result = run(TOOL, str(record))
        assert result.returncode == 2
        assert f"{record}: the audit did not finish" in result.stderr
