"""Processes that fuzz side by side: what is done again with care, and what is not."""

from __future__ import annotations

import sys
import tempfile
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from searching import fuzz_plan

from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.selection import ALL, Isolation
from tokenizer_conformance.command_io.worker_process import program
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.validation.search import random_search
from tokenizer_conformance.validation.search.random_results import FuzzDifference, FuzzResult
from tokenizer_conformance.validation.search.random_search import TooManyLossesError, fuzz
from tokenizer_conformance.validation.search.random_tokenizers import compare_tokenizer, load_here

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_adapters.protocol.launch import Program

IN_PROCESS = Isolation(in_process=frozenset({ALL}))


@pytest.fixture
def plan_of(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes a plan of a planted fault, which runs in the processes that fuzz."""
    monkeypatch.syspath_prepend(str(plugin))
    return lambda name, **options: fuzz_plan(name, 8, 6, isolation=IN_PROCESS, **options)


def never_with_care(*_: object) -> None:
    raise AssertionError("a process was given up")


def starting_with(statement: str) -> Program:
    """Return the program of a worker that does ``statement`` before it begins."""
    served = "from tokenizer_conformance.command_io.worker_process import serve; serve(lambda begin: begin())"
    begun = f"import time; {statement}; {served}"
    return replace(program("a process that fuzzes"), command=(sys.executable, "-P", "-c", begun))


@pytest.mark.long
def test_time_to_start_is_no_time_to_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_search, "guarded", never_with_care)
    monkeypatch.setattr(random_search, "program", lambda _: starting_with("time.sleep(4)"))
    (result,) = fuzz(fuzz_plan("reference", 8, 1, patience=3.5))
    assert result.tokenizers == 1


@pytest.mark.long
@pytest.mark.parametrize("statement", ["time.sleep(600)", "raise SystemExit('no')"])
def test_a_process_that_never_begins_is_given_up(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_search, "guarded", never_with_care)
    monkeypatch.setattr(random_search, "program", lambda _: starting_with(statement))
    plan = fuzz_plan("reference", 8, 1, isolation=Isolation(Limits(start_seconds=1, load_seconds=1)))
    with pytest.raises(AssertionError, match="a process was given up"):
        list(fuzz(plan))


def test_a_process_that_is_lost_is_done_again_with_care(plan_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_search, "guarded", never_with_care)
    with pytest.raises(AssertionError, match="a process was given up"):
        list(fuzz(plan_of("aborting")))


def test_a_tokenizer_over_which_sides_are_lost_again_and_again_is_given_up(
    plan_of: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compared(_plan: object, _number: int, load: object, result: FuzzResult) -> None:
        assert load == "both sides, in processes"
        result.cases += 3
        raise TooManyLossesError

    monkeypatch.setattr(random_search, "guarded", lambda *_: nullcontext("both sides, in processes"))
    monkeypatch.setattr(random_search, "compare_tokenizer", compared)
    assert random_search._with_care(plan_of("aborting"), 0, str(tmp_path)) == FuzzResult(cases=3, given_up=1)


def test_a_case_over_which_sides_are_lost_too_often_is_not_made_smaller(
    plan_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise TooManyLossesError

    def reducing(case: object, shows_the_same: Callable[[object], bool]) -> object:
        with pytest.raises(BudgetSpentError):
            shows_the_same(case)
        return case

    monkeypatch.setattr(random_search, "guarded", lambda *_: nullcontext("both sides, in processes"))
    monkeypatch.setattr(random_search, "find_difference", lost)
    monkeypatch.setattr(random_search, "reduced", reducing)
    difference: Any = SimpleNamespace(number=3, case="a case", found="a difference", signature=("s",))
    assert random_search.reduced_difference(plan_of("aborting"), difference) == FuzzDifference(
        3,
        "a case",  # type: ignore[arg-type]  # it is handed on
        "a difference",  # type: ignore[arg-type]  # as above
    )


def test_nothing_is_counted_before_anything_was_asked() -> None:
    result = FuzzResult()
    counts = (result.tokenizers, result.cases, result.values, result.ambiguous, result.given_up, result.unstable)
    assert counts == (0, 0, 0, 0, 0, 0)
    assert not any((result.answers, result.no_value, result.known, result.differences))


@pytest.mark.long
def test_results_come_in_order_and_none_is_missing_or_twice() -> None:
    plan = fuzz_plan("reference", 8, 12)
    together = list(fuzz(plan, jobs=2))
    alone = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(12):
            alone.append(FuzzResult())
            compare_tokenizer(plan, number, partial(load_here, folder), alone[-1])
    assert together == alone
    assert len({(result.values, result.cases) for result in together}) > 1


@pytest.mark.slow
def test_what_a_lost_process_had_at_work_counts_once(plan_of: Any) -> None:
    whole = FuzzResult()
    for result in fuzz(plan_of("aborting"), jobs=2):
        whole.add(result)
    assert whole.tokenizers == 6
    assert {difference.signature[:2] for difference in whole.differences} == {("Normalize", "crash")}
