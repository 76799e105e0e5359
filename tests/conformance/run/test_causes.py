"""A run says why answers differ: in its events, in the record, at the terminal and in Markdown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes

from tokenizer_adapters.contract import Normalize, Stage
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.causes.record_forms import cause_record
from tokenizer_conformance.run.events import DifferenceFound, RunFinished, TokenizerFinished
from tokenizer_conformance.run.record import JsonLinesReport
from tokenizer_conformance.run.record_reader import read_record
from tokenizer_conformance.session.conclusion import Conclusion
from tokenizer_conformance.session.internal_error import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from conftest import CommandLine

    EventsOf = Callable[..., list[Any]]


def test_a_fault_is_one_cause_over_all_stages(events_of: EventsOf) -> None:
    events = events_of(fakes.WrongNormalization, texts=("aBc", "xyz", "BBB d"), cause_seconds=60.0)
    (cause,) = events[-1].causes
    assert cause.signature.manner.stage is Stage.NORMALIZE
    assert cause.witness.question == Normalize("B")
    assert cause.inputs == len(cause.examples) == 2
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    assert finished.causes == events[-1].causes
    assert not finished.uncounted


def test_without_time_no_causes_are_looked_for(events_of: EventsOf) -> None:
    events = events_of(fakes.WrongNormalization, texts=("aBc",), cause_seconds=0.0)
    assert events[-1].causes == ()
    assert events[-1].conclusion is Conclusion.DIFFERENCES


def test_a_bug_in_an_experiment_costs_the_causes_and_not_the_run(
    events_of: EventsOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(CauseCollector, "take", fail)
    events = events_of(fakes.WrongNormalization, texts=("aBc", "xyz", "BBB d"), cause_seconds=60.0)
    assert sum(isinstance(event, InternalError) for event in events) == 1
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    assert finished.complete
    assert finished.results[0].failing_inputs == 3
    assert sum(isinstance(event, DifferenceFound) for event in events) > 2
    assert isinstance(events[-1], RunFinished)
    assert events[-1].conclusion is Conclusion.INTERNAL_ERROR


def test_causes_stand_in_every_report(tokconf: CommandLine, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("e\u0301\nplain\nMele e\u0301 e\u0301\n", encoding="utf-8")
    record, page = tmp_path / "r.jsonl", tmp_path / "r.md"
    done = tokconf.run(
        "run", "gpt2-mini", "-i", "tokenizers", "planted_faults:KeepsAccent", "--no-known", "--no-builtin",
        "--inputs", str(texts), "--json", str(record), "--markdown", str(page),
    )  # fmt: skip
    assert "1 cause of 2 differences" in done.out
    assert "cause 1: keeps-accent at normalize" in " ".join(done.out.split())
    assert "cause" in page.read_text(encoding="utf-8").lower()
    footer = json.loads(record.read_text(encoding="utf-8").splitlines()[-1])
    assert [cause["stage"] for cause in footer["causes"]] == ["normalize"]
    assert footer["causes"][0]["inputs"] == 2
    answers = footer["causes"][0]["answers"]
    assert answers["baseline"] == {"outcome": "Text", "answer": {"text": "e\u0301"}}
    assert answers["implementation"] == {"outcome": "Text", "answer": {"text": "\u00e9"}}


def test_a_record_that_is_read_and_written_again_keeps_the_answers_of_its_causes(
    events_of: EventsOf, tmp_path: Path
) -> None:
    path = tmp_path / "r.jsonl"
    with JsonLinesReport(path) as report:
        for event in events_of(fakes.WrongNormalization, texts=("aBc", "xyz"), cause_seconds=60.0):
            report.handle(event)
    (line,) = (line for line in map(json.loads, path.read_text().splitlines()) if line["type"] == "tokenizer")
    assert line["causes"][0]["answers"]["baseline"]["answer"] == {"text": "b"}
    read = read_record(path, ())
    assert read is not None
    (finished,) = read.resumption.finished.values()
    assert list(map(cause_record, finished.causes)) == line["causes"]
