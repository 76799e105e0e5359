"""How far requests are written ahead, how long each answer may take, what is kept of words, and how programs start."""

from __future__ import annotations

import errno
import os
import sys
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import BrokeProtocol, Crashed, TimedOut
from tokenizer_adapters.protocol import launch
from tokenizer_adapters.protocol.launch import CannotStartError, Program
from tokenizer_adapters.protocol.process import FaultError, Limits, Process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_adapters.contract import Fault

CAT = Program(("cat",), "cat")
MEGABYTE = 1 << 20
posix = pytest.mark.skipif(not launch.GUARDS, reason="programs have a guardian where processes can be forked")

IN_TURN = """
import os, sys, time
for number, line in enumerate(sys.stdin):
    while not os.path.exists(f"{sys.argv[1]}/{number}"):
        time.sleep(0.005)
    sys.stderr.write("!" * int(sys.argv[2]))
    sys.stderr.flush()
    sys.stdout.write(line)
    sys.stdout.flush()
"""
"""Answers request by request, as a file of the request's number comes to be, and says so much on standard error."""


def shell(script: str, **environment: str) -> Program:
    return Program(("sh", "-c", script), "it", environment)


def python(script: str, *arguments: object) -> Program:
    return Program((sys.executable, "-I", "-S", "-c", script, *map(str, arguments)), "it")


def fault_of(process: Process, seconds: float = 20.0, count: int = 1) -> Fault:
    with pytest.raises(FaultError) as caught:
        list(process.exchange([b"\n"] * count, seconds))
    return caught.value.outcome


# The window -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "ahead"),
    [
        (b"x\n", 256),
        (b"x" * 99_999 + b"\n", 3),  # the third goes beyond 262,144 bytes
        (b"x" * 299_999 + b"\n", 1),
    ],
    ids=["short", "long", "longest"],
)
def test_so_many_requests_are_written_ahead(line: bytes, ahead: int) -> None:
    taken = 0

    def lines() -> Iterator[bytes]:
        nonlocal taken
        for _ in range(600 if ahead == 256 else 12):
            taken += 1
            yield line

    process = Process(CAT, Limits())
    unanswered = []
    for number, answer in enumerate(process.exchange(lines(), 60), 1):
        assert answer == line[:-1]
        unanswered.append(taken - number)
    assert len(unanswered) == taken
    assert unanswered[0] == max(unanswered) == ahead - 1
    assert unanswered[-1] == 0
    process.kill()


# Time -----------------------------------------------------------------------------------------------------------------


def test_each_answer_has_the_whole_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("tokenizer_adapters.protocol.process.time", SimpleNamespace(monotonic=lambda: now))
    (tmp_path / "0").touch()
    process = Process(python(IN_TURN, tmp_path, 0), Limits())
    for number, line in enumerate(process.exchange((b"%d\n" % number for number in range(5)), 10.0)):
        assert line == b"%d" % number
        now += 7.0
        (tmp_path / str(number + 1)).touch()
    process.kill()


def test_a_hang_tells_the_time_that_it_was_given() -> None:
    assert fault_of(Process(shell("sleep 60"), Limits()), 0.25) == TimedOut(0.25)


# Standard error -------------------------------------------------------------------------------------------------------


def test_what_is_written_on_standard_error_is_counted_anew_for_each_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tokenizer_adapters.protocol.process.STDERR_FLOOD", MEGABYTE)
    (tmp_path / "0").touch()
    process = Process(python(IN_TURN, tmp_path, 700_000), Limits())
    for number, _ in enumerate(process.exchange([b"\n"] * 4, 60)):
        (tmp_path / str(number + 1)).touch()
    process.kill()
    process = Process(python(IN_TURN, tmp_path, MEGABYTE + 2**17), Limits())
    fault = fault_of(process, 60)
    assert fault == BrokeProtocol(
        f"more than 1 MB on standard error before one answer; its standard error: …{'!' * 300}"
    )


def test_of_last_words_the_last_are_shown() -> None:
    script = "import sys; sys.exit('first' + 'x' * 9_000 + 'y' * 290 + 'the last')"
    shown = ("x" + "y" * 290 + "the last\n").strip()[-300:].rjust(300, "x")
    assert fault_of(Process(python(script), Limits())) == Crashed(
        f"ended with exit status 1; its standard error: …{shown}"
    )


def test_words_that_a_program_says_at_its_very_end_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "mark"
    process = Process(
        shell(f"exec >&-; while [ ! -e {mark} ]; do sleep 0.01; done; echo the last >&2; exit 3"), Limits()
    )
    has_ended = process._launched.has_ended

    def has_ended_then() -> bool:
        mark.touch()
        while not has_ended():
            time.sleep(0.005)
        return True

    monkeypatch.setattr(process._launched, "has_ended", has_ended_then)
    assert fault_of(process) == Crashed("ended with exit status 3; its standard error: the last")


@pytest.mark.parametrize(
    ("words", "memory", "shown"),
    [
        ("MemoryError", 256 * MEGABYTE, " (memory limit 256 MB)"),
        ("std::bad_alloc", 256 * MEGABYTE, " (memory limit 256 MB)"),
        ("MemoryError", None, ""),
        ("no such file", 256 * MEGABYTE, ""),
    ],
)
def test_the_memory_limit_is_named_where_words_speak_of_memory(words: str, memory: int | None, shown: str) -> None:
    process = Process(shell(f"echo '{words}' >&2; exit 1"), Limits(memory=memory))
    assert fault_of(process) == Crashed(f"ended with exit status 1{shown}; its standard error: {words}")


@posix
def test_a_program_is_started_under_its_memory_limit() -> None:
    process = Process(shell("ulimit -d"), Limits(memory=256 * MEGABYTE))
    assert list(process.exchange([b"\n"], 20)) == [b"262144"]
    process.kill()


# Starting and ending --------------------------------------------------------------------------------------------------


def test_a_program_that_the_system_does_not_start_is_told_by_its_first_word(monkeypatch: pytest.MonkeyPatch) -> None:
    held: set[int] = set()

    def popen(*_given: object, **_more: object) -> None:
        raise OSError(errno.EAGAIN, "too many processes")

    monkeypatch.setattr(launch, "_lifelines", held)
    monkeypatch.setattr(launch.subprocess, "Popen", popen)
    for words in ((sys.executable,), (sys.executable, "-V")):
        with pytest.raises(CannotStartError) as caught:
            launch.Launched(Program(words, "a label"), None)
        assert str(caught.value) == f"cannot start {sys.executable!r}: too many processes"
    assert not held


def test_variables_of_a_program_come_before_those_of_the_harness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEPT", "kept")
    monkeypatch.setenv("CHANGED", "ours")
    process = Process(shell('echo "$KEPT $CHANGED $NEW"', CHANGED="theirs", NEW="new"), Limits())
    assert list(process.exchange([b"\n"], 20)) == [b"kept theirs new"]
    process.kill()


@posix
def test_a_program_is_looked_up_in_its_own_path(tmp_path: Path) -> None:
    file = tmp_path / "only-there"
    file.write_text('#!/bin/sh\necho "$0 $1"\n')
    file.chmod(0o755)
    process = Process(Program(("only-there", "a b"), "it", {"PATH": str(tmp_path)}), Limits())
    assert list(process.exchange([b"\n"], 20)) == [f"{file} a b".encode()]
    process.kill()


@posix
def test_the_lifeline_is_held_as_long_as_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    held: set[int] = set()
    monkeypatch.setattr(launch, "_lifelines", held)
    process = Process(CAT, Limits())
    (lifeline,) = held
    os.fstat(lifeline)
    process.kill()
    assert not held
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(lifeline)


@posix
def test_a_guardian_is_out_of_reach_of_the_terminal() -> None:
    process = Process(CAT, Limits())
    guardian = process._launched.popen.pid
    assert os.getsid(guardian) == os.getpgid(guardian) == guardian
    process.kill()


def test_looking_whether_a_program_has_ended_leaves_its_exit_status() -> None:
    process = Process(shell("exit 3"), Limits())
    assert process.ends_within(20)
    assert process.ends_within(0)
    assert process.kill() == 3
    assert process.kill() == 3
