"""A diff that is interrupted, wherever it is: status 130, reports that say so, and no traceback."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from written_checks import FILES, written

from tokenizer_conformance.cli import diff as command_module
from tokenizer_conformance.cli import main, record_diff
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.releases.diff import engine, preparation
from tokenizer_conformance.releases.diff.events import Ending
from tokenizer_conformance.results.ci_results.check import CONCLUSION
from tokenizer_conformance.results.records.record_diff import FORMAT as RECORD_DIFF
from tokenizer_conformance.results.records.run import FORMAT as RUN
from tokenizer_conformance.results.records.run import Sides
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.validation.running.events import RunFinished, RunStarted

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import CommandLine

SIGNALS = (signal.SIGINT, signal.SIGTERM)
REPORTS = ("--json", "diff.jsonl", "--markdown", "diff.md", *FILES)


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def snapshots(plugin: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, toy_tokenizer: Path) -> None:
    """Two snapshots that differ, of implementations that can be asked again."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKCONF_IN_PROCESS", "all")
    monkeypatch.setattr(sys, "argv", ["tokconf", "diff"])
    Path("texts.txt").write_text("abc\naBc d\nzebra crossing\n", encoding="utf-8")
    for who, name in (("toy", "a.gz"), ("lossy-decode", "b.gz")):
        done = call("snapshot", toy_tokenizer, "-i", who, "-o", name, "--no-builtin", "--inputs", "texts.txt")
        assert done.exit_code == 0, done.output


def interrupted_at(monkeypatch: pytest.MonkeyPatch, place: tuple[Any, str], number: signal.Signals) -> None:
    """Have signals come where the function at ``place`` is called first: one, and while that is answered others."""
    owner, name = place
    real: Callable[..., Any] = getattr(owner, name)
    sent: list[int] = []

    def interrupted(*arguments: Any, **named: Any) -> Any:
        if not sent:
            sent.append(number)
            try:
                os.kill(os.getpid(), number)
            finally:
                for again in SIGNALS:
                    os.kill(os.getpid(), again)
        return real(*arguments, **named)

    monkeypatch.setattr(owner, name, interrupted)


def lines_of(path: str, schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the lines of a record, each valid."""
    lines = [json.loads(line) for line in Path(path).read_text("ascii").splitlines()]
    validator = jsonschema.Draft202012Validator(schema)
    for line in lines:
        validator.validate(line)
    return lines


def is_told(done: Result, lines: list[dict[str, Any]]) -> None:
    """Judge what is left of a diff that was interrupted: everywhere it is said so, once."""
    assert done.exit_code == 130, done.output
    assert "Traceback" not in done.output
    assert [line["type"] for line in lines].count("header") == 1
    assert lines[-1]["type"] == "footer"
    assert (lines[-1]["finished"], lines[-1]["conclusion"], lines[-1]["exit_status"]) == (False, "interrupted", 130)
    assert "interrupted" in Path("diff.md").read_text("utf-8")
    found = written(Path())
    assert found.exit_status == 130
    assert found.wrong() == {(CONCLUSION, "finished"): "error"}
    assert found.rules() == {"not-finished"}


PLACES: dict[str, tuple[Any, str]] = {
    "what is given is read": (command_module, "_prepared"),
    "a snapshot is read": (command_module, "read_snapshot"),
    "an implementation is built": (command_module, "chosen"),
    "the plan is made": (command_module, "diff_plan"),
    "the engine is made": (command_module, "diff"),
    "loading is compared": (engine, "loading_changes"),
    "the run begins": (engine, "run"),
    "the run of both sides anew begins": (engine, "later_first"),
    "inputs of the sides anew are found": (preparation, "_selected"),
    "causes are taken over": (engine, "_with_causes"),
    "the end is made": (engine, "concluded"),
}


@pytest.mark.long_but(4)
@pytest.mark.usefixtures("snapshots")
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_a_diff_that_is_interrupted_says_so_everywhere(monkeypatch: pytest.MonkeyPatch, place: tuple[Any, str]) -> None:
    assert call("diff", "a.gz", "lossy-decode", "--live", *REPORTS).exit_code == 1  # what it leaves is replaced
    interrupted_at(monkeypatch, place, signal.SIGINT)
    done = call("diff", "a.gz", "lossy-decode", "--live", *REPORTS, "--update-ledger", "known.toml")
    lines = lines_of("diff.jsonl", schema_of(RUN))
    assert done.exit_code == 130, done.output
    if place[0] is command_module:
        is_told(done, lines)
        assert "[[" not in Path("known.toml").read_text("utf-8")
        assert [line["type"] for line in lines] == ["header", "sides", "footer"]
        assert "a.gz: not read: the diff was interrupted before" in lines[1]["old"]
    else:
        assert [line["type"] for line in lines].count("header") == 1
        assert (lines[-1]["type"], lines[-1]["conclusion"]) == ("footer", "interrupted")
        assert "Traceback" not in done.output
        assert "interrupted" in Path("diff.md").read_text("utf-8")
        assert written(Path()).rules() >= {"not-finished"}


@pytest.mark.usefixtures("snapshots")
@pytest.mark.parametrize("place", ["the run of both sides anew begins", "causes are taken over", "the end is made"])
def test_what_was_found_before_the_interrupt_is_kept(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    interrupted_at(monkeypatch, PLACES[place], signal.SIGINT)
    assert call("diff", "a.gz", "lossy-decode", "--live", *REPORTS).exit_code == 130
    (finished,) = (line for line in lines_of("diff.jsonl", schema_of(RUN)) if line["type"] == "tokenizer")
    assert [finding["stage"] for finding in finished["findings"]] == ["decode"]
    assert "decode" in {name for _, name in written(Path()).wrong()}


@pytest.mark.parametrize(("new", "words"), [("b.gz", "b.gz"), (None, "what answers now")])
def test_what_is_told_of_sides_that_were_not_read(new: str | None, words: str) -> None:
    ending, sides, started, finished = engine.cut_short_diff("a.gz", new, ("tokconf", "diff"), 1.5)
    reason = "not read: the diff was interrupted before"
    assert isinstance(ending, Ending)
    assert sides == Sides(old=f"a.gz: {reason}", new=f"{words}: {reason}", only_old=0, only_new=0, other_files=())
    assert isinstance(started, RunStarted)
    assert started.environment.command == ("tokconf", "diff")
    assert (started.baseline, started.implementations, started.tokenizers, started.inputs) == ("", (), (), 0)
    assert finished == RunFinished(
        finished=False,
        reason="interrupted",
        conclusion=Conclusion.INTERRUPTED,
        tokenizers=0,
        inputs=0,
        compared=0,
        differences=0,
        seconds=1.5,
    )


RECORD_PLACES: dict[str, tuple[Any, str]] = {
    "the records are read": (record_diff, "record_diff_plan"),
    "the engine is made": (record_diff, "record_diff"),
}


@pytest.mark.usefixtures("snapshots")
@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("place", RECORD_PLACES.values(), ids=RECORD_PLACES.keys())
def test_a_comparison_of_records_that_is_interrupted_says_so_everywhere(
    monkeypatch: pytest.MonkeyPatch, place: tuple[Any, str], number: signal.Signals
) -> None:
    assert call("diff", "a.gz", "b.gz", "--no-live", "--json", "one.jsonl").exit_code == 1
    interrupted_at(monkeypatch, place, number)
    done = call("diff", "one.jsonl", "one.jsonl", *REPORTS)
    is_told(done, lines_of("diff.jsonl", schema_of(RECORD_DIFF)))


STARTING = """
import os, sys
import tokenizer_conformance.cli.diff as module
def read_snapshot(*_, **__):
    os.kill(os.getpid(), int(os.environ["NUMBER"]))
module.read_snapshot = read_snapshot
"""


@pytest.mark.usefixtures("snapshots")
@pytest.mark.parametrize("number", SIGNALS)
def test_a_process_that_is_interrupted_ends_with_its_status(tokconf: CommandLine, number: signal.Signals) -> None:
    done = tokconf.run("diff", "a.gz", "b.gz", *REPORTS, bug=STARTING, NUMBER=f"{number:d}")
    assert (done.status, done.err) == (130, "")
    assert "interrupted" in done.out
    assert lines_of("diff.jsonl", schema_of(RUN))[-1]["conclusion"] == "interrupted"
