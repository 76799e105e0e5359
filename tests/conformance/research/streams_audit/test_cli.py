"""``tokconf audit streams`` as users call it: what it prints, writes and returns."""

from __future__ import annotations

import json
import shlex
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner

from tokenizer_conformance.cli import main
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.records.streams_audit import FORMAT

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["audit", "streams", *arguments])


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_a_right_stream_conforms_and_the_record_is_valid(here: Path) -> None:
    done = call("t5-mini", "--cases", "60", "--json", "record.jsonl", "--markdown", "page.md", "--junit", "checks.xml")
    assert done.exit_code == 0, done.stdout + done.stderr
    assert "tokenizers: 60 of 60 streams on 1 tokenizer give the text of decoding at once" in done.stdout
    lines = lines_of(here / "record.jsonl")
    validator = jsonschema.Draft202012Validator(schema_of(FORMAT))
    for line in lines:
        validator.validate(line)
    assert [line["type"] for line in lines] == ["header", "audited", "footer"]
    assert sum(each["judged"] for each in lines[1]["kinds"]) == 60
    assert "| t5-mini | ✓ 60 of 60 |" in (here / "page.md").read_text(encoding="utf-8")
    cases = ET.parse(here / "checks.xml").findall(".//testcase")
    assert {"load", "streams"} <= {case.get("name") for case in cases}


def test_a_wrong_stream_fails_with_an_example_that_can_be_asked_again(here: Path) -> None:
    done = call("t5-mini", "-i", "word-stream", "--cases", "60", "--json", "record.jsonl", "--sarif", "checks.sarif")
    assert done.exit_code == 1, done.stderr
    assert "another text than decoding at once: words without the prompt (word-stream" in done.stdout
    (found,) = lines_of(here / "record.jsonl")[1]["findings"]
    assert found["reason"] == "words without the prompt"
    assert found["repeat"] in done.stdout
    again = call(*shlex.split(found["repeat"])[3:])
    assert again.exit_code == 1
    assert "0 of 1 stream" in again.stdout
    sarif = json.loads((here / "checks.sarif").read_text(encoding="utf-8"))
    assert [each["ruleId"] for each in sarif["runs"][0]["results"]] == ["stream.words-without-the-prompt"]


def test_limits_alone_are_no_failure(here: Path) -> None:  # noqa: ARG001 - where files are written
    done = call("gpt2-mini", "-i", "transformers-streamer", "--seed", "3", "--cases", "40")
    assert "no stream can be right" not in done.stdout  # its end gives what others hold back
    held = call("gpt2-mini", "-i", "tokenizers", "--start", "3", "--cases", "3")
    assert held.exit_code == 0
    assert "2 cannot, and 0 are wrong" in held.stdout


def test_what_cannot_be_asked_for_streams_is_not_judged() -> None:
    done = call("gpt2-mini", "-i", "transformers", "--cases", "10")
    assert done.exit_code == 3
    assert "transformers cannot be asked for streams on" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "status", "conclusion", "outcome"),
    [(("tokenizers", "transformers"), 3, "too little was answered", "error"), (("all",), 0, "conform", "skipped")],
)
def test_one_that_answers_no_stream_fails_if_it_was_asked_for(
    here: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int, conclusion: str, outcome: str
) -> None:
    monkeypatch.setattr("tokenizer_conformance.cli.choosing.names_of_all", lambda: ["tokenizers", "transformers"])
    done = call("t5-mini", "-i", *words, "--cases", "20", "--json", "record.jsonl", "--junit", "checks.xml")
    footer = lines_of(here / "record.jsonl")[-1]
    assert (done.exit_code, footer["conclusion"], footer["judged"]) == (status, conclusion, 20)
    cases = ET.parse(here / "checks.xml").findall(".//testcase[@name='streams']")
    assert [{each.tag for each in case} & {"error", "skipped", "failure"} for case in cases] == [set(), {outcome}]
