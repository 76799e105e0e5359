"""The record, the report in Markdown and what stands on the terminal tell the same search."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import jsonschema
import pytest
from line_schema import validator_of
from rich.console import Console

from tokenizer_conformance.command_io.markdown import is_report
from tokenizer_conformance.command_io.sinks import WholeFile
from tokenizer_conformance.inputs.text_generators.generator import Generator, Produced
from tokenizer_conformance.results.page_reports import PageMarkdown, PageOf
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.search import FORMAT
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.search.page import SEARCHES
from tokenizer_conformance.validation.search.record import lines_of

if TYPE_CHECKING:
    from pathlib import Path

# The experiments that look for reasons leave it to Python to remove their folders.

HOSTILE = Generator(
    "hostile", "", lambda _: Produced(60, lambda n: f"\x1b[31m`<b>`|{n} B z\u202e\n# heading" if n == 3 else f"a{n}")
)


@pytest.fixture
def events(searched: Any) -> list[Any]:
    found: list[Any] = searched(
        fakes.WrongNormalization, fakes.LossyDecode, generators=(HOSTILE,), cases=70, checkpoint_seconds=0.0
    )
    return found


def test_every_line_of_a_record_fits_the_schema(events: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    with PageOf(SEARCHES, lines_of).record(path) as report:
        for event in events:
            report.handle(event)
    validator = validator_of(schema_of(FORMAT))
    lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
    for line in lines:
        validator.validate(line)
    types = [line["type"] for line in lines]
    assert types[0] == "header"
    assert types[-1] == "footer"
    assert set(types) == {"header", "finding", "checkpoint", "result", "cause", "footer"}
    findings = {line["number"]: line["difference"] for line in lines if line["type"] == "finding"}
    assert {line["number"]: line["difference"] for line in lines if line["type"] == "cause"} == findings
    assert lines[-1]["findings"] == len(findings) == 2


def test_the_schema_is_valid_and_refuses_what_is_no_line() -> None:
    jsonschema.Draft202012Validator.check_schema(schema_of(FORMAT))
    validator = validator_of(schema_of(FORMAT))
    for line in ({}, {"type": "header"}, {"type": "nonsense"}, {"type": "footer", "finished": True}, []):
        assert not validator.is_valid(line)


def test_a_report_in_markdown_is_known_again_and_holds_no_markup_of_texts(events: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    report: PageMarkdown[Any] = PageMarkdown(SEARCHES, lines_of, WholeFile(path))
    for event in events:
        report.handle(event)
    text = path.read_text(encoding="utf-8")
    assert is_report(text.encode())
    assert "\x1b" not in text
    assert "\u202e" not in text
    headings = [line for line in text.splitlines() if line.startswith("# ")]
    assert headings == ["# Search: wrong-normalization and lossy-decode on toy-tokenizer"]


def test_the_terminal_shows_each_finding_and_all_in_the_end(events: list[Any]) -> None:
    out = io.StringIO()
    console = Console(file=out, soft_wrap=True)
    report: PageTerminal[Any] = PageTerminal(SEARCHES, lines_of, console, console)
    for event in events:
        report.handle(event)
    text = out.getvalue()
    assert "\x1b" not in text
    assert "\u202e" not in text
    first, *_, last = [at.start() for at in re.finditer(r"^ *[12]\. ", text, re.MULTILINE)]
    assert "by hostile, after" in text[first:last], "told at once"
    assert "\nFindings\n" in text
    assert text.count("unexplained: no experiment has proven why") == 2
    assert text.rstrip().endswith("exit status 1")
