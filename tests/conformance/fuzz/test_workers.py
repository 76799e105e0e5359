"""Processes that fuzz side by side: what is done again with care, and what is not."""

from __future__ import annotations

import tempfile
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.selection import ALL, Isolation
from tokenizer_conformance.fuzz import workers
from tokenizer_conformance.fuzz.plan import ImplementationPlan
from tokenizer_conformance.fuzz.results import FuzzResult
from tokenizer_conformance.fuzz.tokenizer_fuzz import compare_tokenizer, load_here
from tokenizer_conformance.fuzz.workers import START_SECONDS, _AtWork, fuzz, fuzz_one

if TYPE_CHECKING:
    from pathlib import Path

IN_PROCESS = Isolation(in_process=frozenset({ALL}))


@pytest.fixture
def plan_of(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes a plan of a planted fault, which runs in the processes that fuzz."""
    monkeypatch.syspath_prepend(str(plugin))
    return lambda name, **options: ImplementationPlan("tokenizers", name, 8, 6, isolation=IN_PROCESS, **options)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in seconds; tests move it."""
    now = [1000.0]
    monkeypatch.setattr(workers.time, "monotonic", lambda: now[0])
    return now


def test_time_to_start_is_no_time_to_work(clock: list[float], tmp_path: Path) -> None:
    at_work = _AtWork(3, str(tmp_path))
    clock[0] += 60
    assert not at_work.is_late(patience=10)
    fuzz_one(ImplementationPlan("tokenizers", "reference", 8, 1), 3, str(tmp_path))
    for seconds, is_late in ((0, False), (9, False), (2, True)):
        clock[0] += seconds
        assert at_work.is_late(patience=10) is is_late


def test_a_process_that_never_begins_is_late(clock: list[float], tmp_path: Path) -> None:
    at_work = _AtWork(3, str(tmp_path))
    clock[0] += START_SECONDS + 1
    assert at_work.is_late(patience=1000)


def test_what_has_ended_leaves_nothing(tmp_path: Path) -> None:
    at_work = _AtWork(3, str(tmp_path))
    fuzz_one(ImplementationPlan("tokenizers", "reference", 8, 1), 3, str(tmp_path))
    assert at_work.end() == 3
    assert list(tmp_path.glob("*.begun")) == []


def test_a_process_that_is_lost_is_done_again_with_care(plan_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def guarded(*_: object) -> None:
        raise AssertionError("a process was given up")

    monkeypatch.setattr(workers, "GuardedSides", guarded)
    with pytest.raises(AssertionError, match="a process was given up"):
        list(fuzz(plan_of("aborting")))


def test_results_come_in_order_and_none_is_missing_or_twice() -> None:
    plan = ImplementationPlan("tokenizers", "reference", 8, 12)
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
