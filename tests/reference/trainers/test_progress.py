"""Progress is shown on standard error: to people on terminals, and as JSON lines to programs that ask for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import tokenizers

import tokenizer_reference
from tokenizer_reference.trainers.progress import TerminalLine, report_of, reported, silent

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = ["hug pug hugs bun", "hug"]


def train(library: Any, model: str = "BPE", **options: Any) -> None:
    tokenizer = library.Tokenizer(getattr(library.models, model)())
    tokenizer.pre_tokenizer = library.pre_tokenizers.Whitespace()
    kind = {"BPE": "BpeTrainer", "Unigram": "UnigramTrainer", "WordLevel": "WordLevelTrainer"}[model]
    tokenizer.train_from_iterator(TEXTS, getattr(library.trainers, kind)(**options))


def lines_of(errors: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in errors.splitlines()]


def last_of_each_stage(lines: list[dict[str, Any]]) -> dict[str, Any]:
    return {line["stage"]: line["current"] for line in lines}


def test_json_lines_end_as_those_of_the_target(capfd: pytest.CaptureFixture[str]) -> None:
    ends = []
    for library in (tokenizer_reference, tokenizers):
        train(library, progress_format="json", show_progress=False)
        ends.append(last_of_each_stage(lines_of(capfd.readouterr().err)))
    ours, theirs = ends
    assert ours == theirs
    assert ours["Compute merges"] > 0


@pytest.mark.parametrize("options", [{}, {"progress_format": "silent"}, {"show_progress": False}])
@pytest.mark.parametrize("model", ["BPE", "Unigram", "WordLevel"])
def test_nothing_is_shown_in_a_pipe(capfd: pytest.CaptureFixture[str], model: str, options: dict[str, Any]) -> None:
    if model != "BPE" and "progress_format" in options:
        pytest.skip("only BpeTrainer has formats")
    train(tokenizer_reference, model, **options)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("model", ["BPE", "Unigram", "WordLevel"])
def test_a_terminal_shows_each_stage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], model: str
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    train(tokenizer_reference, model)
    shown = capsys.readouterr().err
    assert "Pre-processing sequences: 2" in shown
    assert {"BPE": "Compute merges: ", "Unigram": "Learn pieces: ", "WordLevel": ""}[model] in shown
    train(tokenizer_reference, model, show_progress=False)
    assert capsys.readouterr().err == ""


def test_files_are_shown_in_bytes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    file = tmp_path / "corpus.txt"
    file.write_text("é\n" * 10, encoding="utf-8")
    tokenizer_reference.Tokenizer(tokenizer_reference.models.WordLevel()).train([str(file)])
    assert "Pre-processing files (0 Mo): 30 of 30" in capsys.readouterr().err


def test_a_line_is_written_when_a_stage_begins_and_ends(capsys: pytest.CaptureFixture[str]) -> None:
    line = TerminalLine()
    for current in range(1000):
        line("Count", current, 1000)
    line("Count", 1000, 1000)
    line("Merge", 0, None)
    shown = capsys.readouterr().err
    assert shown.startswith("\rCount: 0 of 1000\x1b[K\r")
    assert shown.endswith("\rCount: 1000 of 1000\x1b[K\n\rMerge: 0\x1b[K")
    assert shown.count("\r") < 100


def test_formats() -> None:
    assert report_of("silent", is_shown=True) is silent
    assert report_of("indicatif", is_shown=True) is silent  # no terminal
    assert report_of("json", is_shown=False) is not silent


def test_a_report_of_items_ends_with_how_many_there_were() -> None:
    told: list[tuple[str, int, int | None]] = []
    items = reported(lambda *report: told.append(report), "Count", "ab", 9)
    assert list(items) == ["a", "b"]
    assert told == [("Count", 0, 9), ("Count", 1, 9), ("Count", 2, 9), ("Count", 2, 2)]
