"""The suite in several processes comes to what it comes to in one, also where one of them is lost."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from small_suites import plan_of, toy_suite

from tokenizer_adapters.selection import ALL, Isolation, select
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.validation.suite import workers
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.events import CaseJudged, ImplementationJudged, SuiteFinished, SuiteStarted
from tokenizer_conformance.validation.suite.judging import CaseResult
from tokenizer_conformance.validation.suite.running import results_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def small_tasks(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fakes can be built in other processes, and a task has the cases of one tokenizer."""
    monkeypatch.syspath_prepend(str(plugin))
    monkeypatch.setattr(workers, "ENOUGH_CASES", 1)


def events_of(*words: str, **changes: Any) -> list[Any]:
    selected = tuple(select(word, Isolation(in_process=frozenset({ALL}))) for word in words)
    implementations = [each.build() for each in selected]
    return list(run_suite(plan_of(toy_suite(), *implementations, selected=selected, **changes)))


def without_times(events: list[Any]) -> list[Any]:
    timed = (ImplementationJudged, SuiteFinished)
    return [replace(each, seconds=0) if isinstance(each, timed) else each for each in events[1:]]


@pytest.mark.parametrize("max_fail", [0, 1])
def test_two_processes_come_to_what_one_does(max_fail: int) -> None:
    words = ("toy", "wrong-normalization", "swapped-merge", "raising", "cannot-load", "mute")
    one, two = (events_of(*words, max_fail=max_fail, jobs=jobs) for jobs in (1, 2))
    assert isinstance(two[0], SuiteStarted)
    assert without_times(two) == without_times(one)


def test_a_process_that_is_killed_is_told_and_nothing_before_it_is_lost() -> None:
    events = events_of("toy", "small_suites:Deadly", jobs=2)
    (error,) = (each.error for each in events if isinstance(each, InternalError))
    assert "a process that asks is lost twice over the same texts: killed by signal 9 (SIGKILL)" in str(error)
    toy, deadly = (each for each in events if isinstance(each, ImplementationJudged))
    assert (toy.complete, deadly.complete) == (True, False)
    judged = [each.result.judged.id for each in events if isinstance(each, CaseJudged)]
    assert judged[5:] == ["TOY-LOWERCASE/1", "TOY-LOWERCASE/2", "TOY-OTHER-LETTERS/1"]  # of the toy there are five
    assert (events[-1].conclusion, events[-1].exit_status) == (Conclusion.INTERNAL_ERROR, 3)


def test_a_bug_in_a_process_is_one_of_the_command() -> None:
    events = events_of("small_suites:Buggy", jobs=2)
    (error,) = (each.error for each in events if isinstance(each, InternalError))
    assert str(error).startswith("in a process that asks: TypeError: a bug (")
    assert events[-1].conclusion is Conclusion.INTERNAL_ERROR


def test_a_process_asks_the_implementation_of_the_number_that_it_is_told() -> None:
    selected = tuple(select(word, Isolation(in_process=frozenset({ALL}))) for word in ("toy", "wrong-normalization"))
    cases = tuple(toy_suite().cases())
    asked = workers._in_worker(selected, None)
    for number, each in enumerate(selected):
        results = [
            CaseResult(case, *told) for case, told in zip(cases, asked(workers.Task(number, cases)), strict=True)
        ]
        assert results == list(results_of(cases, each.build(), None))
    assert asked(workers.Task(0, cases)) != asked(workers.Task(1, cases))
