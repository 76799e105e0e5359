"""Parts of a run of the suite: which cases each has, and what they come to together."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from small_suites import area, case, files_of, requirement, toy_step

from tokenizer_adapters.contract import Field, Normalize
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.recorded_lines import RecordedLines, read_lines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.ledger.matching import LedgerFile
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.validation.suite import merging
from tokenizer_conformance.validation.suite.events import ImplementationJudged, SuiteFinished, SuiteStarted
from tokenizer_conformance.validation.suite.merging import merged_suite, replayed_suite, sharded
from tokenizer_conformance.validation.suite.reader import read_suite, suite_of
from tokenizer_conformance.validation.suite.recorded_suite import RecordedSuiteRun, suite_run_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.ledger.matching import Ledger


@pytest.mark.parametrize("of", [1, 2, 3, 9])
def test_each_requirement_is_in_one_part_with_all_its_cases(of: int) -> None:
    step = toy_step(Normalize("aB"))
    counts = {"A": 1, "B": 6, "C": 1, "D": 1}
    found = area(*(requirement(id, *(case(step, name=str(n)) for n in range(count))) for id, count in counts.items()))
    cases = list(suite_of(files_of(found)).cases())
    parts = [sharded(cases, Shard(number, of)) for number in range(1, of + 1)]
    assert [each for part in parts for each in part] == cases
    there = [{each.requirement.id for each in part} for part in parts]
    assert sum(map(len, there)) == len(counts)
    if of == 2:
        assert there == [{"A", "B"}, {"C", "D"}], "where its first case is"


@pytest.mark.parametrize("member", ["environment", "implementations", "features", "importances", "fields"])
def test_a_header_of_another_form_is_told_with_its_line(recorded: Callable[[str], Path], member: str) -> None:
    read = read_lines(recorded("suite"))
    header = {**read.header, member: 7}
    with pytest.raises(BadInputError) as refused:
        suite_run_of(RecordedLines(read.path, (header, *read.lines[1:]), None, ""))
    told = "is not that of a record: a value in it has another form than it should"
    assert str(refused.value) == f"{str(read.path)!r} line 1 {told}"


Parts = list[RecordedSuiteRun]


@pytest.fixture
def parts(recorded: Callable[[str], Path]) -> Parts:
    """The record of a small run of the suite, twice: as if two parts had judged the same."""
    read = read_lines(recorded("suite"))
    return [
        suite_run_of(
            RecordedLines(read.path, ({**read.header, "shard": {"part": part, "of": 2}}, *read.lines[1:]), None, "")
        )
        for part in (1, 2)
    ]


def told(parts: Parts, *, partial: bool = False) -> tuple[SuiteStarted, list[ImplementationJudged], SuiteFinished]:
    started, *events, end = merged_suite(parts, partial=partial)
    assert isinstance(started, SuiteStarted)
    assert isinstance(end, SuiteFinished)
    return started, [event for event in events if isinstance(event, ImplementationJudged)], end


def test_results_and_times_of_all_parts_are_there(parts: Parts) -> None:
    started, judged, end = told(parts)
    for each in judged:
        alone = parts[0].found[each.info.name]
        assert sum(len(result.results) for result in each.results) == 2 * len(alone.results)
        assert each.seconds == pytest.approx(2 * alone.seconds)
        assert each.complete
    footer = parts[0].read.footer
    assert footer
    assert end.seconds == pytest.approx(2 * footer["seconds"])
    assert all(each.complete for each in told(parts * 150)[1])
    assert started.plan.shard is None
    assert [each.shard.part for each in started.merged] == [1, 2]


@pytest.mark.parametrize("number", [0, 1])
def test_who_was_not_asked_to_the_end_in_one_part_is_not_complete(parts: Parts, number: int) -> None:
    name = parts[0].implementations[-1].name
    whole = parts[number]
    cut = replace(whole.found[name], complete=False)
    for found in (whole.found | {name: cut}, {key: each for key, each in whole.found.items() if key != name}):
        parts[number] = replace(whole, found=found)
        _, judged, _ = told(parts)
        assert [each.complete for each in judged] == [each.info.name != name for each in judged]


def test_the_plan_is_as_the_header_of_the_first_part_tells_it(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tokconf", "merge", "1.jsonl"])
    header = {
        **parts[0].read.header,
        "words": {"sound": "the_sound:Sound"},
        "repeated": ["--timeout", "3"],
        "options": {"timeout": 3},
        "ledgers": [{"name": "ledger.toml", "sha256": "0"}],
    }
    read = parts[0].read
    parts[0] = replace(parts[0], read=replace(read, lines=(header, *read.lines[1:])), fields=frozenset({Field.IDS}))
    parts[1] = replace(parts[1], implementations=(), wanted=merging.Wanted())
    started, judged, _ = told(parts)
    plan = started.plan
    assert (plan.words, plan.repeated, plan.options) == (header["words"], ("--timeout", "3"), {"timeout": 3})
    assert (plan.ledger.files, plan.fields) == ((LedgerFile("ledger.toml", "0"),), {Field.IDS})
    assert (plan.wanted, plan.command) == (parts[0].wanted, ("tokconf", "merge", "1.jsonl"))
    assert started.environment.command == plan.command
    assert [each.info for each in judged] == list(started.implementations) == list(parts[0].implementations)
    assert told(parts[:1], partial=True)[0].plan.shard == Shard(1, 2)


ABSENT = Rejected("implementation", "absent", "it is not there")


@pytest.mark.parametrize("number", [0, 1])
def test_one_that_is_missing_in_a_part_fails(parts: Parts, number: int) -> None:
    absent = ABSENT
    parts[number] = replace(parts[number], missing=(absent,))
    started, _, end = told(parts)
    assert started.plan.unavailable == (absent,)
    assert end.conclusion is Conclusion.IMPLEMENTATION_FAILED
    both = [replace(part, missing=(absent,)) for part in parts]
    events = list(merged_suite(both, partial=False))
    assert [event for event in events if isinstance(event, ImplementationMissing)] == [ImplementationMissing(absent)]
    started, _, _ = told(both)
    assert started.plan.unavailable == (absent,)


STALE = Entry(implementation="sound", reason="it is so", place=Place("ledger.toml", 1), requirements=("PIPELINE-GPT2",))


def entry_of(parts: Parts) -> Entry:
    """Return an entry about a requirement that nobody fails."""
    sound = next(each for each in parts[0].implementations if each.name == "sound")
    asked = parts[0].found[sound.name].results[0].judged.requirement.id
    return replace(STALE, implementation=sound.name, requirements=(asked,), baselines=("tokenizers",))


def test_an_entry_is_stale_where_all_parts_are_there_and_whole(parts: Parts) -> None:
    entry = entry_of(parts)
    given = [replace(part, entries=(entry,)) for part in parts]
    _, _, end = told(given)
    assert end.stale == (entry,)
    _, _, end = told(given[:1], partial=True)
    assert end.stale == ()
    sound = given[1].found[entry.implementation]
    cut = replace(given[1], found=given[1].found | {entry.implementation: replace(sound, complete=False)})
    assert told([given[0], cut])[2].stale == ()


def test_a_plan_is_of_every_requirement_where_nothing_was_left_out(parts: Parts, monkeypatch: Any) -> None:
    seen = []

    def stale(_: Ledger, scope: Any) -> tuple[Entry, ...]:
        seen.append(scope.every_requirement)
        return ()

    monkeypatch.setattr(merging.Ledger, "stale", stale)
    every = [replace(part, wanted=merging.Wanted()) for part in parts]
    told(parts)
    told(every)
    told([replace(part, fields=frozenset({Field.IDS})) for part in every])
    assert seen == [False, True, False]


def test_requirements_without_cases_are_counted_as_far_as_they_are_wanted(parts: Parts) -> None:
    header = parts[0].read.header
    assert told(parts)[0].plan.not_asked == header.get("not_asked", 0)
    without = [each for _, each in read_suite().requirements() if not each.cases]
    every = told([replace(part, wanted=merging.Wanted()) for part in parts])[0].plan
    assert every.not_asked == len(without) > 0


BROKEN = {"conclusion": "internal error", "finished": False}
STOPPED = {"finished": False, "conclusion": "too little was answered"}


def ended(part: RecordedSuiteRun, **end: Any) -> RecordedSuiteRun:
    """Return a part that has ended otherwise."""
    read = part.read
    return replace(part, read=replace(read, lines=(*read.lines[:-1], {**read.lines[-1], **end})))


@pytest.mark.parametrize("number", [0, 1])
def test_how_one_part_ended_is_not_lost(parts: Parts, number: int) -> None:
    whole = parts[number]
    end = told(parts)[2]
    assert (end.conclusion, end.finished) == (Conclusion.DIFFERENCES, True)
    parts[number] = ended(whole, **BROKEN)
    end = told(parts)[2]
    assert (end.conclusion, end.finished) == (Conclusion.INTERNAL_ERROR, False)
    assert told([parts[number]], partial=True)[2].conclusion is Conclusion.INTERNAL_ERROR
    parts[number] = ended(whole, **STOPPED)
    end = told(parts)[2]
    assert (end.conclusion, end.finished) == (Conclusion.DIFFERENCES, False)
    end = told([whole])[2]
    assert (end.conclusion, end.finished) == (Conclusion.INCOMPLETE, False)
    end = told([whole], partial=True)[2]
    assert (end.conclusion, end.finished) == (Conclusion.DIFFERENCES, False)


# Told again ----------------------------------------------------------------------------------------------------------


def test_a_record_that_was_killed_is_told_as_interrupted(recorded: Callable[[str], Path]) -> None:
    read = read_lines(recorded("suite"))
    *_, end = replayed_suite(suite_run_of(read))
    assert isinstance(end, SuiteFinished)
    assert read.footer
    assert (end.conclusion, end.finished, end.seconds) == (Conclusion.DIFFERENCES, True, read.footer["seconds"])
    killed = suite_run_of(RecordedLines(read.path, read.lines[:-1], "line 9", ""))
    started, *_, end = replayed_suite(killed)
    assert isinstance(end, SuiteFinished)
    assert isinstance(started, SuiteStarted)
    assert (end.conclusion, end.finished, end.seconds) == (Conclusion.INTERRUPTED, False, 0)


def test_who_was_asked_and_what_is_stale_is_told_as_recorded(parts: Parts) -> None:
    stale, met = (replace(STALE, place=Place("ledger.toml", number)) for number in (1, 2))
    run = ended(parts[0], finished=False, conclusion="interrupted", stale=[str(stale.place)])
    others = run.implementations[1:]
    found = {info.name: replace(run.found[info.name], complete=False) for info in others}
    run = replace(run, entries=(stale, met), missing=(ABSENT,), found=found)
    started, missing, *judged, end = replayed_suite(run)
    assert isinstance(started, SuiteStarted)
    assert (started.environment, started.plan.shard, started.merged) == (run.environment, None, ())
    assert missing == ImplementationMissing(ABSENT)
    assert [each.info for each in judged if isinstance(each, ImplementationJudged) and not each.complete] == list(
        others
    )
    assert isinstance(end, SuiteFinished)
    assert (end.finished, end.conclusion, end.stale) == (False, Conclusion.INTERRUPTED, (stale,))
    name = others[0].name
    whole = replace(run, found={name: replace(found[name], complete=True)})
    assert [each.complete for each in replayed_suite(whole) if isinstance(each, ImplementationJudged)] == [True]
