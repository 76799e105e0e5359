"""What differs between two snapshots is asked about again where both sides can be; what they do not repeat is noise."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import jsonschema
import pytest
from record_pairs import called
from rich.console import Console
from snapshots import Making, diff_of, last, named, of_type

from tokenizer_adapters.contract import Encode
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.releases.diff import asking_again, preparation
from tokenizer_conformance.releases.diff.checks import DiffChecks
from tokenizer_conformance.releases.diff.record import DiffLines, RecordReport
from tokenizer_conformance.releases.snapshot_file.replay import Position, ReplayedCorpus, ReplayedImplementation
from tokenizer_conformance.results.ci_results.check import CheckOutcome
from tokenizer_conformance.results.ci_results.rules import UNSTABLE
from tokenizer_conformance.results.page_reports import PageMarkdown
from tokenizer_conformance.results.records.run import FORMAT, AskedAgain
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.running.events import TokenizerFinished
from tokenizer_conformance.validation.running.page import RUNS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.results.ci_results.check import CheckedRun

TEXTS = named(("abc", "a crossing of the zebra, and of others", "aBc d x"))
NEW = "mine==1.0 (new)"


@pytest.fixture
def making(tmp_path: Path, toy_file: TokenizerFile) -> Making:
    return Making(tmp_path, (toy_file,))


def compared(
    making: Making, then: tuple[type[fakes.Toy], type[fakes.Toy]], now: tuple[type[fakes.Toy], type[fakes.Toy]]
) -> list[Any]:
    """Return the events of a diff of two snapshots, of sides that answered one thing ``then`` and another ``now``."""
    old, new = (making.snapshot(f"{number}.gz", called(fake, "mine", "1.0"), TEXTS) for number, fake in enumerate(then))
    live = tuple(called(fake, "mine", "1.0") for fake in now)
    return diff_of(old, new, live, cause_seconds=0.0)


def reported(events: Sequence[Any]) -> tuple[str, str, list[dict[str, Any]], CheckedRun]:
    """Return what a diff tells at the terminal, in Markdown, in its record and to CI systems."""
    terminal, markdown, record = io.StringIO(), io.BytesIO(), io.BytesIO()
    checked: list[CheckedRun] = []
    reports = (
        PageTerminal(RUNS, DiffLines(), Console(file=terminal, width=500), Console(file=io.StringIO())),
        PageMarkdown(RUNS, DiffLines(), markdown),
        RecordReport(record),
        DiffChecks(checked.append),
    )
    for event in events:
        for report in reports:
            report.handle(event)
    lines = [json.loads(line) for line in record.getvalue().splitlines()]
    for line in lines:
        jsonschema.Draft202012Validator(schema_of(FORMAT)).validate(line)
    return terminal.getvalue(), markdown.getvalue().decode("utf-8"), lines, checked[0]


@pytest.mark.parametrize("noisy", [0, 1])
def test_what_a_side_does_not_repeat_is_unstable(making: Making, noisy: int) -> None:
    toys = (fakes.Toy, fakes.Toy)
    then = (fakes.ShiftedOffset, fakes.Toy) if noisy == 0 else (fakes.Toy, fakes.ShiftedOffset)
    events = compared(making, then, toys)
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.findings == ()
    assert finished.unstable
    (asked,) = of_type(events, AskedAgain)
    assert asked.implementation == ("mine==1.0 (old)", NEW)[noisy]
    assert asked.others == asked.asked > 0
    assert last(events).conclusion is Conclusion.IMPLEMENTATION_FAILED
    assert (last(events).differences, last(events).exit_status) == (0, 3)
    terminal, markdown, lines, run = reported(events)
    for told in (terminal, markdown):
        assert "differently when asked again" in told
        assert "answered in another way when asked again" in told
    (line,) = (line for line in lines if line["type"] == "asked_again")
    assert (line["implementation"], line["others"]) == (asked.implementation, asked.others)
    assert any("differently when asked again" in note for note in run.notes)
    assert {problem.rule for check in run.checks for problem in check.problems} == {UNSTABLE}
    assert {check.outcome for check in run.checks if check.problems} == {CheckOutcome.ERROR}


def test_what_both_repeat_is_told_as_without_asking(making: Making) -> None:
    sides = (fakes.Toy, fakes.ShiftedOffset)
    events = compared(making, sides, sides)
    old, new = (
        making.snapshot(f"{number}.gz", called(fake, "mine", "1.0"), TEXTS) for number, fake in enumerate(sides)
    )
    unasked = diff_of(old, new, cause_seconds=0.0)
    assert of_type(events, AskedAgain) == []
    (found,), (expected,) = (of_type(each, TokenizerFinished) for each in (events, unasked))
    assert found.findings
    assert found.unstable == ()
    assert [each.signature for each in found.findings] == [each.signature for each in expected.findings]
    assert [each.stages for each in found.results] == [each.stages for each in expected.results]
    assert last(events).exit_status == last(unasked).exit_status == 1


def test_two_files_alone_are_compared_as_they_are(making: Making) -> None:
    old = making.snapshot("old.gz", called(fakes.Toy, "mine", "1.0"), TEXTS)
    events = diff_of(old, making.snapshot("new.gz", called(fakes.Tossing, "mine", "1.0"), TEXTS))
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.findings
    assert last(events).exit_status == 1


def test_where_the_time_is_spent_the_others_are_said_to_be_unconfirmed(
    making: Making, monkeypatch: pytest.MonkeyPatch
) -> None:
    class InNoTime(asking_again.ReplayedAndAsked):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, seconds=0.0)

    monkeypatch.setattr(preparation, "ReplayedAndAsked", InNoTime)
    events = compared(making, (fakes.Toy, fakes.ShiftedOffset), (fakes.Toy, fakes.Toy))
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.findings
    told = of_type(events, AskedAgain)
    assert [(each.asked, each.left > 0, each.reason) for each in told] == [
        (0, True, "it had taken 0 s to answer again")
    ] * 2
    terminal, markdown, _, run = reported(events)
    words = "whether the others are unstable is unknown"
    assert words in terminal
    assert words in markdown
    assert any(words in note for note in run.notes)


def test_another_file_is_not_asked_about(making: Making, toy_file: TokenizerFile) -> None:
    """An answer about a file that has changed since says nothing about the answer of then."""
    other = Making(making.folder, (replace(toy_file, sha256="0" * 64),))
    old = other.snapshot("old.gz", called(fakes.Toy, "mine", "1.0"), TEXTS)
    new = making.snapshot("new.gz", called(fakes.ShiftedOffset, "mine", "1.0"), TEXTS)
    sides = called(fakes.Toy, "mine", "1.0"), called(fakes.ShiftedOffset, "mine", "1.0")
    (asked,) = of_type(diff_of(old, new, sides, cause_seconds=0.0), AskedAgain)
    assert (asked.implementation, asked.asked) == ("mine==1.0 (old)", 0)
    assert asked.reason == "its tokenizer.json is not the one of the snapshot"


@pytest.mark.parametrize(("old", "new"), [("1.0", "2.0"), ("2.0", "1.0")])
def test_noise_that_shows_only_where_causes_are_looked_for_is_told(making: Making, old: str, new: str) -> None:
    """Both sides have answered alike twice; ``TossedLater`` is another one from the third time on."""
    before = making.snapshot("old.gz", called(fakes.Toy, "mine", old), TEXTS)
    after = making.snapshot("new.gz", called(fakes.ShiftedOffset, "mine", new), TEXTS)
    turning = Turning([fakes.ShiftedOffset(), fakes.Tossing()], new)
    events = diff_of(before, after, (called(fakes.Toy, "mine", old), turning), cause_seconds=60.0)
    (finished,) = of_type(events, TokenizerFinished)
    assert finished.findings
    assert finished.unstable
    assert {each.signature.implementation for each in finished.unstable} == {f"mine=={new}"}
    assert last(events).exit_status == 3


class Turning:
    """An implementation that is another one of ``fakes`` each time it loads a tokenizer, and in the end the last."""

    def __init__(self, implementations: list[fakes.Toy], version: str) -> None:
        self._waiting = implementations
        self.info = replace(implementations[0].info, name="mine", version=version)

    def load(self, source: Any) -> Any:
        return (self._waiting.pop(0) if len(self._waiting) > 1 else self._waiting[0]).load(source)


def test_an_unstable_side_that_is_asked_several_times_is_counted_once(making: Making, toy_file: TokenizerFile) -> None:
    snapshot = making.snapshot("old.gz", called(fakes.Toy, "mine", "1.0"), TEXTS)
    position = Position()
    replayed = ReplayedImplementation(snapshot, snapshot.header.info, position)
    side = asking_again.ReplayedAndAsked(replayed, fakes.ShiftedOffset(), {toy_file.source.name: toy_file})
    asked = loaded(side, toy_file.source)
    assert side.asked_again(toy_file.source.name) is None, "nothing is started unasked"
    (first_input, *_) = ReplayedCorpus(snapshot, snapshot.count, snapshot.header.inputs.sha256)
    position.reach(first_input)
    questions = [Encode("abc", add_special_tokens=False)]
    first = asked.ask_again(questions)
    assert asked.ask_again(questions) == first
    told = side.asked_again(toy_file.source.name)
    assert told is not None
    assert told.asked == len(questions)
    late = asking_again.ReplayedAndAsked(replayed, fakes.ShiftedOffset(), {toy_file.source.name: toy_file}, 0.0)
    asked = loaded(late, toy_file.source)
    position.reach(first_input)
    assert asked.ask_again(questions) == asked.ask_again(questions)
    told = late.asked_again(toy_file.source.name)
    assert told is not None
    assert (told.asked, told.left) == (0, len(questions))
