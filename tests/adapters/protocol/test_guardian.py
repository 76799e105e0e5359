"""No program outlives the harness, whatever ends that, and whatever the program does."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import Crashed
from tokenizer_adapters.protocol import guardian
from tokenizer_adapters.protocol.launch import LIMITS_MEMORY, Program
from tokenizer_adapters.protocol.process import FaultError, Limits, Process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROGRAMS = Path(__file__).parent / "programs"
HUNG = str(PROGRAMS / "hung.py")
ENDINGS = [
    (0, [("exit", 0)]),
    (3 << 8, [("exit", 3)]),
    (signal.SIGINT, [("core", 0), ("default", signal.SIGINT), ("kill", signal.SIGINT), ("exit", 254)]),
    (signal.SIGKILL, [("core", 0), ("kill", signal.SIGKILL), ("exit", 247)]),
    (signal.SIGTERM, [("core", 0), ("default", signal.SIGTERM), ("kill", signal.SIGTERM), ("exit", 241)]),
]
"""What a program ended with, and what its guardian does then; it lives on only where the signal is held back."""


@pytest.mark.parametrize(("status", "done"), ENDINGS)
def test_a_guardian_ends_as_its_program_did(
    monkeypatch: pytest.MonkeyPatch, status: int, done: list[tuple[str, int]]
) -> None:
    seen: list[tuple[str, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda _which, limits: seen.append(("core", max(limits))))
    monkeypatch.setattr(signal, "signal", lambda number, _handler: seen.append(("default", number)))
    monkeypatch.setattr(os, "kill", lambda _process, number: seen.append(("kill", number)))
    monkeypatch.setattr(os, "_exit", lambda code: seen.append(("exit", code)))
    guardian._end_like(status)
    assert seen == done


SECONDS = 2.0
"""How long a program may be there after the harness."""


def running(folder: Path) -> list[str]:
    """Return the commands that run and name ``folder``: the harness, guardians, programs and their children."""
    shown = subprocess.run(["ps", "-ww", "-eo", "stat=,args="], capture_output=True, text=True, check=True).stdout
    return [line for line in shown.splitlines() if str(folder) in line and not line.startswith("Z")]


def within(seconds: float, reached: Callable[[], object]) -> bool:
    """Tell whether ``reached`` comes true within ``seconds``."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def harness(folder: Path, count: int, *further: str) -> Iterator[subprocess.Popen[str]]:
    """Start a harness that starts ``count`` programs, and give it when it begins with that; it is killed at exit."""
    command = [sys.executable, str(PROGRAMS / "harness.py"), HUNG, str(folder), str(count), *further]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


@pytest.mark.long_but(1)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGABRT])
def test_hung_programs_and_their_children_end_with_the_harness(tmp_path: Path, number: signal.Signals) -> None:
    with harness(tmp_path, 3) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        assert within(20, lambda: len(list(tmp_path.iterdir())) == 3)
        assert within(20, lambda: len(running(tmp_path)) == 1 + 3 * 3), running(tmp_path)
        process.send_signal(number)
    assert within(SECONDS, lambda: not running(tmp_path)), running(tmp_path)


@pytest.mark.long_but(2)
@pytest.mark.parametrize("seed", range(8))
def test_at_whatever_moment_the_harness_is_killed_nothing_is_left(tmp_path: Path, seed: int) -> None:
    with harness(tmp_path, 20) as process:
        time.sleep(Random(seed).uniform(0, 0.25))
        process.kill()
    assert within(SECONDS, lambda: not running(tmp_path)), running(tmp_path)
    time.sleep(0.1)
    assert not running(tmp_path)


def test_a_forked_child_of_the_harness_keeps_no_program_alive(tmp_path: Path) -> None:
    with harness(tmp_path, 2, "forking") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        assert within(20, lambda: len(list(tmp_path.iterdir())) == 2)
        process.kill()
        process.wait()
        assert within(SECONDS, lambda: all("harness.py" in line for line in running(tmp_path))), running(tmp_path)
        assert running(tmp_path)  # the child


def test_what_a_program_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    script = f'{sys.executable} -I -S {HUNG} {tmp_path} & while [ -z "$(ls {tmp_path})" ]; do sleep 0.02; done'
    process = Process(Program(("sh", "-c", script), "it"), Limits())
    assert process.ends_within(20)
    assert within(SECONDS, lambda: not running(tmp_path)), running(tmp_path)
    assert process.kill() == 0


def test_the_terminal_does_not_reach_a_program() -> None:
    program = Program((sys.executable, "-I", "-S", "-c", "import os; print(os.getpgid(0), os.getsid(0))"), "it")
    (line,) = Process(program, Limits()).exchange([b"\n"], 10)
    group, session = map(int, line.split())
    assert group not in {os.getpgid(0), 0}
    assert session != os.getsid(0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_program_that_signals_its_group_takes_no_guardian_with_it(number: signal.Signals) -> None:
    script = f"import os, signal; signal.signal({number}, lambda *_: None); os.kill(0, {number}); print('lives')"
    (line,) = Process(Program((sys.executable, "-I", "-S", "-c", script), "it"), Limits()).exchange([b"\n"], 10)
    assert line == b"lives"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("exit 0", "ended with exit status 0"),
        ("exit 3", "ended with exit status 3"),
        ("exit 255", "ended with exit status 255"),
        ("kill -9 $$", r"killed by signal 9 \(SIGKILL\)"),
        ("kill -15 $$", r"killed by signal 15 \(SIGTERM\)"),
        ("kill -11 $$", r"killed by signal 11 \(SIGSEGV\)"),
        ("kill -13 $$", r"killed by signal 13 \(SIGPIPE\)"),
        ("kill -25 $$", r"killed by signal 25 \(SIGXFSZ\)"),
    ],
)
def test_the_end_of_a_program_is_told_as_it_was(script: str, words: str, tmp_path: Path) -> None:
    process = Process(Program(("sh", "-c", f"cd {tmp_path}; {script}"), "it"), Limits())
    with pytest.raises(FaultError) as caught:
        list(process.exchange([b"\n"], 10))
    assert isinstance(caught.value.outcome, Crashed)
    assert re.fullmatch(words, caught.value.outcome.detail)
    assert not list(tmp_path.iterdir())  # no core dump


def test_a_program_sees_no_descriptor_but_its_three() -> None:
    script = "import os; print(sorted(int(name) for name in os.listdir('/proc/self/fd')))"
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("lists descriptors in /proc")
    (line,) = Process(Program((sys.executable, "-I", "-S", "-c", script), "it"), Limits()).exchange([b"\n"], 10)
    assert line == b"[0, 1, 2, 3]"  # 3 is the folder that it lists


def test_a_program_ends_when_it_is_interrupted_though_nobody_lets_go_of_it(tmp_path: Path) -> None:
    process = Process(Program((sys.executable, "-I", "-S", HUNG, str(tmp_path)), "it"), Limits())
    assert within(20, lambda: list(tmp_path.iterdir()))
    process.interrupt()
    assert process.ends_within(SECONDS)
    assert within(SECONDS, lambda: not running(tmp_path)), running(tmp_path)
    assert process.kill() == -signal.SIGKILL


SHOWS_LIMIT = "import resource; print(*resource.getrlimit(resource.RLIMIT_DATA))"
LIMITED = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (3 << 30, 3 << 30))
from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import Limits, Process
program = Program((sys.executable, "-I", "-S", "-c", {SHOWS_LIMIT!r}), "it")
for memory in (2 << 30, 4 << 30, None):
    process = Process(program, Limits(memory=memory))
    print(*(line.decode() for line in process.exchange([b"\\n"], 20)))
    process.kill()
"""
limits_memory = pytest.mark.skipif(not LIMITS_MEMORY, reason="the system does not limit memory")


@limits_memory
def test_a_program_has_the_limit_that_was_asked_for_and_cannot_raise_it() -> None:
    program = Program((sys.executable, "-I", "-S", "-c", SHOWS_LIMIT), "it")
    process = Process(program, Limits(memory=300 << 20))
    assert list(process.exchange([b"\n"], 20)) == [f"{300 << 20} {300 << 20}".encode()]
    process.kill()


@limits_memory
def test_the_limit_of_the_harness_holds_for_programs_too() -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=False, timeout=60)
    limits = [f"{size << 30} {size << 30}" for size in (2, 3, 3)]
    assert (done.stdout.splitlines(), done.stderr) == (limits, "")
