"""Processes side by side: what kills one costs one task, and all end with the pool."""

from __future__ import annotations

import os
import sys
from concurrent.futures import Future
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.command_io import worker_pool
from tokenizer_conformance.command_io.worker_pool import (
    HeldProcess,
    LostProcessError,
    LostWorkerError,
    Pool,
    WorkerPool,
    answers_in_order,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WORKER = """
import os, pathlib, time
from tokenizer_conformance.command_io.worker_pool import told_when_broken
from tokenizer_conformance.command_io.worker_process import serve

def begin(setup):
    def done(task):
        if task == "die":
            os._exit(7)
        if task.startswith("die once "):
            path = pathlib.Path(task.removeprefix("die once "))
            if not path.exists():
                path.touch()
                os._exit(7)
        if task == "hang":
            time.sleep(600)
        if task == "raise":
            raise ValueError("a bug")
        return setup, task, os.getpid()
    return told_when_broken(done)

serve(begin)
"""


@pytest.fixture
def pool_of() -> Callable[..., WorkerPool[str, Any]]:
    program = Program((sys.executable, "-c", WORKER), "a worker", {"PYTHONPATH": os.pathsep.join(sys.path)})
    return lambda jobs, patience=60.0: WorkerPool(program, "the setup", jobs, Limits(), patience)


def test_a_pool_can_begin_end_take_tasks_and_prepare() -> None:
    assert Pool.__abstractmethods__ == {"begin", "end", "submit", "prepare"}


def test_tasks_are_done_after_the_setup(pool_of: Callable[..., WorkerPool[str, Any]]) -> None:
    with pool_of(2) as pool:
        answers = [future.result(60) for future in [pool.submit(str(number)) for number in range(8)]]
    assert [answer[:2] for answer in answers] == [("the setup", str(number)) for number in range(8)]
    assert len({answer[2] for answer in answers}) <= 2


@pytest.mark.long_but(1)
@pytest.mark.parametrize(("task", "words"), [("die", "exit status 7"), ("hang", "no answer within 0.5 s")])
def test_a_lost_process_costs_one_task(pool_of: Callable[..., WorkerPool[str, Any]], task: str, words: str) -> None:
    with pool_of(1, 0.5) as pool:
        first, lost, after = (pool.submit(each) for each in ("one", task, "two"))
        assert first.result(60)[1] == "one"
        with pytest.raises(LostProcessError, match=words):
            lost.result(60)
        assert after.result(60)[2] != first.result()[2]


def test_what_is_under_way_ends_with_the_pool(pool_of: Callable[..., WorkerPool[str, Any]]) -> None:
    with pool_of(1) as pool:
        hanging = pool.submit("hang")
        waiting = pool.submit("one")
    assert hanging.done()
    assert waiting.cancelled() or waiting.exception() is not None


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("die", "a process that waits is lost twice over the same texts: ended with exit status 7; with"),
        ("raise", "in a process that waits: ValueError: a"),
    ],
)
def test_answers_come_in_order_until_a_process_is_lost(
    pool_of: Callable[..., WorkerPool[str, Any]], task: str, told: str
) -> None:
    done = []

    def take() -> None:
        for asked, (_, answered, _) in answers_in_order(pool, iter(["a", "b", "c", task, "d"]), "waits"):
            assert asked == answered
            done.append(asked)

    with pool_of(2) as pool, pytest.raises(LostWorkerError) as caught:
        take()
    assert done == ["a", "b", "c"]
    assert str(caught.value).startswith(told)


def test_a_task_that_a_process_was_lost_over_is_done_once_more(
    pool_of: Callable[..., WorkerPool[str, Any]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    once = f"die once {tmp_path / 'died'}"
    with pool_of(2) as pool:
        done = [asked for asked, _ in answers_in_order(pool, iter(["a", once, "b"]), "waits")]
    assert done == ["a", once, "b"]
    assert (
        "a process that waits is lost: ended with exit status 7; what it was at is done again" in capfd.readouterr().err
    )


# Without processes ---------------------------------------------------------------------------------------------------


class PoolHere(Pool[str, str]):
    """Answers each task with itself, at once; ``submitted`` are these, in their order."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs, 60)
        self.submitted: list[str] = []

    def begin(self) -> None:
        """Be ready."""

    def end(self) -> None:
        """Have nothing to end."""

    def submit(self, task: str) -> Future[str]:
        self.submitted.append(task)
        done: Future[str] = Future()
        done.set_result(task)
        return done

    def prepare(self, task: str) -> None:
        raise NotImplementedError(task)


def tasks_until(error: Exception | None, count: int = 3) -> Iterator[str]:
    """Yield so many tasks, and then raise ``error``, if any."""
    yield from map(str, range(count))
    if error is not None:
        raise error


@pytest.mark.parametrize("count", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("ahead", [1, 2, 20])
def test_what_tasks_raise_comes_after_all_before_it(count: int, ahead: int) -> None:
    with PoolHere(1) as pool:
        done = pool.in_order(tasks_until(OSError("no such file"), count), ahead)
        taken = [(task, future.result()) for task, future in islice(done, count)]
        with pytest.raises(OSError, match="no such file"):
            next(done)
    assert taken == [(str(number), str(number)) for number in range(count)]


def test_no_more_tasks_are_under_way_than_asked_for() -> None:
    with PoolHere(2) as pool:
        ahead = [len(pool.submitted) - taken for taken, _ in enumerate(pool.in_order(tasks_until(None, 20), 3))]
    assert max(ahead) == ahead[0] == 6
    assert pool.submitted == [str(number) for number in range(20)]


def test_a_task_may_take_as_long_as_the_pool_says_when_it_is_begun(
    pool_of: Callable[..., WorkerPool[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def answer(_: HeldProcess, line: bytes, seconds: float) -> bytes:
        given.append(seconds)
        return line

    monkeypatch.setattr(HeldProcess, "answer", answer)
    with pool_of(1, 5.0) as pool:
        assert pool.submit("one").result(60) == "one"
        pool.patience = 7.0
        assert pool.submit("two").result(60) == "two"
    assert given == [5.0, 7.0]


def test_the_end_of_a_pool_interrupts_every_process_before_it_waits_and_then_ends_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    class Held:
        def __init__(self, *_given: object) -> None:
            pass

        def interrupt(self) -> None:
            done.append("interrupt")

        def kill(self) -> None:
            done.append("kill")

    monkeypatch.setattr(worker_pool, "HeldProcess", Held)
    with WorkerPool[str, str](Program(("none",), "none"), None, 2, Limits(), 1.0):
        assert not done
    assert done == ["interrupt", "interrupt", "kill", "kill"]
