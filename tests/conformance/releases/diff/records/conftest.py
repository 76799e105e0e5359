"""Small records, made by really running commands on planted faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes  # its folder is put on the path for the tests beside this folder
import pytest
from record_pairs import TEXTS, called, corpus_of
from small_suites import plan_of, toy_suite

from tokenizer_conformance import RunPlan, run
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.record import JsonLinesReport
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.record import lines_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


@pytest.fixture
def recorded(toy_file: TokenizerFile, tmp_path: Path) -> Callable[..., Path]:
    """A function that writes the record of a run of the toy beside a fake that is called ``mine``."""
    numbers = iter(range(100))

    def write(*implementations: Any, texts: tuple[str, ...] = TEXTS, baseline: Any = None, **options: Any) -> Path:
        first = baseline or called(fakes.Toy, "toy")
        path = tmp_path / f"record-{next(numbers)}.jsonl"
        plan = {
            "tokenizers": (toy_file,),
            "implementations": (first, *implementations),
            "baseline": first.info.name,
            "corpus": corpus_of(texts),
        }
        with JsonLinesReport(path) as report:
            for event in run(RunPlan(**(plan | options))):
                report.handle(event)  # type: ignore[arg-type]  # no internal error
        return path

    return write


@pytest.fixture
def judged(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes the record of a run of a small suite."""
    numbers = iter(range(100))

    def write(*implementations: Any, **options: Any) -> Path:
        path = tmp_path / f"suite-{next(numbers)}.jsonl"
        with PageOf(SUITES, lines_of).record(path) as report:
            for event in run_suite(plan_of(options.pop("asked", toy_suite()), *implementations, **options)):
                report.handle(event)  # type: ignore[arg-type]
        return path

    return write
