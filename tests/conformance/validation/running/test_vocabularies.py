"""The vocabulary that an implementation shows is compared entry by entry, once for each tokenizer; one that is not
shown differs in nothing and passes nothing."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import fake_implementations as fakes
import pytest
from line_schema import validator_of
from rich.console import Console

from tokenizer_adapters.contract import Unsupported
from tokenizer_conformance import Conclusion, Input, RunPlan, read_corpus, run
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.vocabularies import MOST_ENTRIES, other_entries
from tokenizer_conformance.inputs.asked import AskedQuestions, question_in
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import Ledger, LedgerFile
from tokenizer_conformance.ledger.reader import read_ledgers
from tokenizer_conformance.results.ci_results.check import CheckedRun, CheckOutcome
from tokenizer_conformance.results.page_reports import PageHtml, PageMarkdown
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.results.records.schema import schema_of
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.running.checks import RunChecks
from tokenizer_conformance.validation.running.events import Checkpoint, RunFinished, TokenizerFinished
from tokenizer_conformance.validation.running.ledger_update import LedgerUpdate
from tokenizer_conformance.validation.running.merging import merged_run
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.plan import portions_of_shard
from tokenizer_conformance.validation.running.record import JsonLinesReport, lines_of
from tokenizer_conformance.validation.running.recorded_run import read_record, run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tokenizer_conformance import Event
    from tokenizer_conformance.inputs.corpus import Corpus
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.results.records.run import Vocabulary

    EventsOf = Callable[..., list[Event]]

EVIL = "\x1b[2J\u202e<img src=x>\ud800\x7f"


class _Shows(fakes.ToySubject):
    changed: ClassVar[Mapping[str, int | None]] = {}

    def vocabulary(self) -> dict[str, int] | Unsupported:
        shown = super().vocabulary()
        assert isinstance(shown, dict)
        return {token: number for token, number in (shown | self.changed).items() if number is not None}


class OneWrong(fakes.Toy):
    """Gives one token another id, in its vocabulary alone."""

    name = "one-wrong"

    class subject(_Shows):  # noqa: N801
        changed: ClassVar = {"a": 1000}


class TwoWrong(OneWrong):
    """The same, and one more."""

    class subject(_Shows):  # noqa: N801
        changed: ClassVar = {"a": 1000, "b": 1001}


class Lacking(fakes.Toy):
    """Misses three tokens."""

    name = "lacking"

    class subject(_Shows):  # noqa: N801
        changed: ClassVar = {"a": None, "b": None, "c": None}


class TooMany(fakes.Toy):
    """Has a token too many, written by somebody evil."""

    name = "too-many"

    class subject(_Shows):  # noqa: N801
        changed: ClassVar = {EVIL: 77}


class Everything(fakes.Toy):
    """Has very many others."""

    name = "everything"

    class subject(_Shows):  # noqa: N801
        changed: ClassVar = {f"token {number}": 1000 + number for number in range(2 * MOST_ENTRIES)}


class EverythingElse(Everything):
    """Has the same, but for one of them that no record names."""

    class subject(_Shows):  # noqa: N801
        changed: ClassVar = {**Everything.subject.changed, f"token {2 * MOST_ENTRIES - 1}": 7}


class Raising(fakes.Toy):
    name = "raising-vocabulary"

    class subject(fakes.ToySubject):  # noqa: N801
        def vocabulary(self) -> Any:
            raise RuntimeError("no \x1b[31m vocabulary")


class Silent(fakes.Toy):
    name = "silent"

    class subject(fakes.ToySubject):  # noqa: N801
        def vocabulary(self) -> Unsupported:
            return Unsupported("it has none to show")


class Garbled(fakes.Toy):
    name = "garbled-vocabulary"

    class subject(fakes.ToySubject):  # noqa: N801
        def vocabulary(self) -> Any:
            return {"a": "1"}


class Unsteady(fakes.Toy):
    """Gives a token another id each time."""

    name = "unsteady"

    class subject(_Shows):  # noqa: N801
        times = 0

        def vocabulary(self) -> Any:
            self.times += 1
            self.changed = {"a": 1000 + self.times}
            return super().vocabulary()


class Mended(fakes.Toy):
    name = "one-wrong"


class NoLongerShown(Silent):
    name = "one-wrong"


TEXTS = ("abc", "aBc d", "x", "a-b", "zebra crossing")

ALONE = AskedQuestions((question_in('{"ask": "vocabulary"}'),))


def finished(events: list[Event]) -> TokenizerFinished:
    return [event for event in events if isinstance(event, TokenizerFinished)][-1]


def end(events: list[Event]) -> RunFinished:
    event = events[-1]
    assert isinstance(event, RunFinished)
    return event


def of(events: list[Event]) -> Vocabulary:
    (row,) = finished(events).results
    assert row.vocabulary is not None
    return row.vocabulary


DIFFERING = [
    (OneWrong, 1, ["a"], '"a": '),
    (Lacking, 3, ["a", "b", "c"], " -> not there"),
    (TooMany, 1, [EVIL], "not there -> 77"),
]


@pytest.mark.parametrize(("fake", "count", "tokens", "told"), DIFFERING, ids=lambda each: getattr(each, "name", ""))
def test_entries_that_differ_are_counted_named_and_fail_the_run(
    events_of: EventsOf, fake: type[fakes.Toy], count: int, tokens: list[str], told: str
) -> None:
    events = events_of(fake, vocabulary=True)
    found = of(events)
    assert (found.differing, found.new, found.known) == (count, count, 0)
    assert sorted(each.token for each in found.entries) == tokens
    assert finished(events).findings == ()
    assert (end(events).conclusion, end(events).differences) == (Conclusion.DIFFERENCES, count)
    (line,) = (line for line in terminal(events) if f"{fake.name}, vocabulary" in line and " 1. " in line)
    assert told in line


def test_one_that_shows_the_same_conforms(events_of: EventsOf) -> None:
    events = events_of(fakes.Utf8, vocabulary=True)
    assert (of(events).differing, of(events).is_compared) == (0, True)
    assert end(events).conclusion is Conclusion.CONFORM


def test_it_is_not_asked_for_where_that_is_not_wanted(events_of: EventsOf) -> None:
    events = events_of(OneWrong)
    assert finished(events).results[0].vocabulary is None
    assert end(events).conclusion is Conclusion.CONFORM


@pytest.mark.parametrize(
    ("fake", "why"),
    [(Raising, "RuntimeError"), (Silent, "none to show"), (Garbled, "'a' has '1' for an id")],
    ids=lambda each: getattr(each, "name", ""),
)
def test_one_that_shows_none_neither_differs_nor_passes(events_of: EventsOf, fake: type[fakes.Toy], why: str) -> None:
    events = events_of(fake, vocabulary=True)
    found = of(events)
    assert (found.is_compared, found.differing, found.implementation) == (False, 0, None)
    assert why in found.not_shown
    assert end(events).conclusion is Conclusion.CONFORM, "its answers do"
    assert any("its vocabulary was not compared" in line for line in terminal(events))
    assert end(events_of(fake, vocabulary=True, corpus=ALONE)).conclusion is Conclusion.NOTHING_COMPARED


def test_nothing_is_compared_with_a_baseline_that_shows_none(toy_file: TokenizerFile) -> None:
    plan = RunPlan(
        tokenizers=(toy_file,), implementations=(Silent(), OneWrong()), baseline="silent", corpus=ALONE, vocabulary=True
    )
    events = list(run(plan))
    assert (of(events).not_shown, of(events).baseline) == ("the baseline shows none: it has none to show", None)
    assert end(events).conclusion is Conclusion.NOTHING_COMPARED


def test_what_differs_is_asked_for_again(events_of: EventsOf) -> None:
    events = events_of(Unsteady, vocabulary=True)
    assert (of(events).unstable, of(events).new, end(events).differences) == (True, 0, 0)
    assert end(events).conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.parametrize(("fake", "conclusion"), [(OneWrong, Conclusion.DIFFERENCES), (fakes.Utf8, Conclusion.CONFORM)])
def test_it_can_be_asked_for_alone(events_of: EventsOf, fake: type[fakes.Toy], conclusion: Conclusion) -> None:
    events = events_of(fake, vocabulary=True, corpus=ALONE)
    assert (end(events).conclusion, end(events).compared, end(events).inputs) == (conclusion, 0, 0)


def test_the_command_to_copy_asks_for_just_this(events_of: EventsOf) -> None:
    assert of(events_of(OneWrong, vocabulary=True)).repeat == (
        """tokconf run toy-tokenizer -i toy one-wrong --baseline toy --ask '{"ask": "vocabulary"}'"""
    )


# Pages ----------------------------------------------------------------------------------------------------------------


def terminal(events: list[Event]) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=500, no_color=True, highlight=False)
    page = PageTerminal(RUNS, lines_of, console, console)
    for event in events:
        page.handle(event)
    return stream.getvalue().splitlines()


def test_evil_tokens_are_escaped_everywhere(events_of: EventsOf) -> None:
    events = events_of(TooMany, vocabulary=True)
    files = io.BytesIO(), io.BytesIO()
    reports = PageMarkdown(RUNS, lines_of, files[0]), PageHtml(RUNS, lines_of, files[1], "run.jsonl")
    for event in events:
        for report in reports:
            report.handle(event)
    for told in ("\n".join(terminal(events)), *(file.getvalue().decode("utf-8") for file in files)):
        assert "too-many, vocabulary" in told
        assert not any(each in told for each in ("\x1b[2J", "\u202e", "\ud800", "\x7f"))


def test_a_vocabulary_is_a_check_of_ci_files(events_of: EventsOf) -> None:
    found: list[CheckedRun] = []
    checks = RunChecks(found.append)
    for event in events_of(OneWrong, Lacking, Raising, Unsteady, fakes.Utf8, vocabulary=True):
        checks.handle(event)
    outcomes = {each.group.split(" ")[0]: each.outcome for each in found[0].checks if each.name == "vocabulary"}
    assert outcomes == {
        "one-wrong": CheckOutcome.FAILED,
        "lacking": CheckOutcome.FAILED,
        "raising-vocabulary": CheckOutcome.SKIPPED,
        "unsteady": CheckOutcome.ERROR,
        "utf8": CheckOutcome.PASSED,
    }
    problems = [each for check in found[0].checks if check.name == "vocabulary" for each in check.problems]
    assert {each.rule.id for each in problems} == {"vocabulary-changed", "unstable"}


# Records --------------------------------------------------------------------------------------------------------------


def recorded(events: list[Event], path: Path) -> None:
    with JsonLinesReport(path) as report:
        for event in events:
            report.handle(event)


def test_the_lines_fit_their_schema_and_are_read_back(events_of: EventsOf, tmp_path: Path) -> None:
    events = events_of(TooMany, vocabulary=True)
    path = tmp_path / "run.jsonl"
    recorded(events, path)
    judge = validator_of(schema_of(FORMAT))
    for line in map(json.loads, path.read_text().splitlines()):
        judge.validate(line)
    read = run_of(read_lines(path))
    (row,) = read.finished["toy-tokenizer"].results
    assert row.vocabulary == of(events)


def test_a_run_that_was_killed_does_not_ask_again(events_of: EventsOf, toy_file: TokenizerFile, tmp_path: Path) -> None:
    events = events_of(OneWrong, vocabulary=True, checkpoint_seconds=0)
    cut = next(at for at, event in enumerate(events) if isinstance(event, Checkpoint)) + 1
    path = tmp_path / "run.jsonl"
    recorded(events[:cut], path)
    corpus = plan_of(toy_file, OneWrong).corpus
    left = read_record(path, corpus)
    assert left is not None
    resumed = list(run(plan_of(toy_file, NoLongerShown), left.resumption))
    assert of(resumed) == of(events), "it shows none any more, and is not asked"
    assert end(resumed).conclusion is Conclusion.DIFFERENCES


def test_merged_parts_come_to_what_the_whole_comes_to(toy_file: TokenizerFile, tmp_path: Path) -> None:
    plan = plan_of(toy_file, OneWrong)
    parts = []
    for number in (1, 2):
        path = tmp_path / f"{number}.jsonl"
        shard = Shard(number, 2)
        portions = portions_of_shard(shard, [toy_file.source.name], plan.corpus)
        recorded(list(run(replace(plan, shard=shard, portions=portions))), path)
        parts.append(run_of(read_lines(path)))
    whole, merged = list(run(plan)), list(merged_run(parts, partial=False))
    assert of(merged) == of(whole)
    assert (end(merged).conclusion, end(merged).differences) == (Conclusion.DIFFERENCES, 1)


# Ledgers --------------------------------------------------------------------------------------------------------------


def written(events: list[Event], path: Path) -> Ledger:
    update = LedgerUpdate(path)
    for event in events:
        update.handle(event)
    path.write_text(path.read_text("utf-8").replace('reason = ""', 'reason = "it is so"'), "utf-8")
    return read_ledgers([path])


@pytest.mark.parametrize(
    ("fake", "later"),
    [(OneWrong, TwoWrong), (Lacking, None), (TooMany, None), (Everything, EverythingElse)],
    ids=lambda each: getattr(each, "name", ""),
)
def test_what_a_ledger_was_told_is_known_and_nothing_else(
    events_of: EventsOf, tmp_path: Path, fake: type[fakes.Toy], later: type[fakes.Toy] | None
) -> None:
    first = events_of(fake, vocabulary=True)
    ledger = written(first, tmp_path / "ledger.toml")
    (entry,) = ledger.entries
    assert (entry.stages, entry.tokenizers) == (("vocabulary",), ("toy-tokenizer",))
    events = events_of(fake, vocabulary=True, ledger=ledger)
    assert (of(events).known, of(events).new) == (of(first).differing, 0)
    assert (end(events).conclusion, end(events).known) == (Conclusion.CONFORM, of(first).differing)
    if later is not None:
        worse = events_of(later, vocabulary=True, ledger=ledger)
        assert of(worse).new
        assert end(worse).conclusion is Conclusion.DIFFERENCES


def test_an_entry_that_nothing_differs_by_any_more_is_stale(events_of: EventsOf, tmp_path: Path) -> None:
    ledger = written(events_of(OneWrong, vocabulary=True), tmp_path / "ledger.toml")
    mended = events_of(Mended, vocabulary=True, ledger=ledger)
    assert end(mended).stale == ledger.entries
    unasked = events_of(Mended, ledger=ledger)
    assert end(unasked).stale == ()


def test_a_broad_entry_knows_every_entry(events_of: EventsOf) -> None:
    broad = Entry(
        implementation="everything",
        baselines=("toy",),
        stages=("vocabulary",),
        reason="it is another",
        place=Place("l", 1),
    )
    events = events_of(Everything, vocabulary=True, ledger=Ledger((broad,), (LedgerFile("l", "0" * 64),)))
    assert (of(events).new, end(events).conclusion) == (0, Conclusion.CONFORM)


def test_equal_vocabularies_have_no_other_entries() -> None:
    assert other_entries({"a": 0, "b": 1}, {"b": 1, "a": 0}) == []


def corpus_of(texts: tuple[str, ...]) -> Corpus:
    return read_corpus([("test", [Input(f"text {number}", "test", text) for number, text in enumerate(texts)])])[0]


def plan_of(toy_file: TokenizerFile, fake: type[fakes.Toy]) -> RunPlan:
    implementations = (fakes.Toy(), fake())
    return RunPlan(
        tokenizers=(toy_file,),
        implementations=implementations,
        baseline="toy",
        corpus=corpus_of(TEXTS),
        vocabulary=True,
        cause_seconds=0,
    )
