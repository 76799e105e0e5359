"""Signals that end a run: what they interrupt, and what they never do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.command_io.interrupts import PATIENCE, InterruptGate, Interrupts, ending_signals

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from conftest import CommandLine

HANG_UP = signal.SIGHUP
SIGNALS = [signal.SIGINT, signal.SIGTERM, HANG_UP]

PROCESSES = pytest.mark.parametrize(
    "number", [signal.SIGTERM, *(pytest.param(each, marks=pytest.mark.long) for each in (signal.SIGINT, HANG_UP))]
)
"""The signals for tests that start processes."""


def send(number: signal.Signals = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.fixture(autouse=True)
def _terminals_hang_up() -> Iterator[None]:
    """Have SIGHUP heard, here and in processes of tests, where these tests are run with it ignored (``nohup``).

    What is started has the system's way with a signal for which this process has a handler.
    """
    former = signal.signal(HANG_UP, lambda *_: None)
    yield
    signal.signal(HANG_UP, former)


class Clock:
    """Shows the time that it is set to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def interrupts(clock: Clock) -> Iterator[Interrupts]:
    heard = Interrupts(clock)
    with heard.heard():
        yield heard


def gate(interrupts: Interrupts) -> InterruptGate[str]:
    return InterruptGate(interrupts, ends=lambda event: event in {"broken off", "the end"})


def engine(work: Any = None) -> Generator[str]:
    """An engine of two events that are followed by the last one; ``work`` is done between them."""
    try:
        yield "first"
        if work is not None:
            work()
        yield "second"
    except KeyboardInterrupt:
        yield "broken off"
    yield "the end"


# Starting ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", SIGNALS)
def test_what_starts_is_interrupted_once(interrupts: Interrupts, number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt):
        send(number)
    assert interrupts.requested
    for again in SIGNALS:
        send(again)  # what winds down is left to do so


def test_an_interrupt_that_came_before_the_engine_is_answered_by_it(interrupts: Interrupts) -> None:
    interrupts.hold_back()
    send()
    with pytest.raises(KeyboardInterrupt):
        list(gate(interrupts).events(engine()))


def test_what_is_cut_short_is_told_in_place_of_an_engine_that_has_not_begun(interrupts: Interrupts) -> None:
    interrupts.hold_back()
    send()

    def cut_short() -> Generator[str]:
        send()
        yield "cut short"
        send()
        yield "the end"

    begun = engine()
    seen = []
    for event in gate(interrupts).events(begun, cut_short()):
        send()
        seen.append(event)
    assert seen == ["cut short", "the end"]
    assert next(begun) == "first"


def test_an_interrupt_between_the_look_for_one_and_the_first_event_reaches_the_engine_after_it() -> None:
    class Late(Interrupts):
        def answer(self) -> None:
            super().answer()
            self.requested = True

    assert list(gate(Late()).events(engine())) == ["first", "broken off", "the end"]


def test_former_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    interrupts = Interrupts()
    with interrupts.heard(), interrupts.heard():
        assert all(signal.getsignal(number) not in before for number in SIGNALS)
    assert [signal.getsignal(number) for number in SIGNALS] == before


def test_signals_are_left_alone_in_another_thread() -> None:
    failures: list[BaseException] = []

    def run() -> None:
        try:
            with Interrupts().heard():
                pass
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert failures == []


def test_a_run_that_is_to_outlive_its_terminal_does() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts().heard():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_system_without_a_signal_has_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "SIGHUP")
    assert ending_signals() == (signal.SIGINT, signal.SIGTERM)


# At work -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", SIGNALS)
def test_the_engine_is_interrupted_where_it_works(interrupts: Interrupts, number: signal.Signals) -> None:
    assert list(gate(interrupts).events(engine(lambda: send(number)))) == ["first", "broken off", "the end"]


def test_reports_are_not_interrupted_and_the_engine_is_next(interrupts: Interrupts) -> None:
    seen = []
    for event in gate(interrupts).events(engine()):
        if event == "first":
            for number in SIGNALS:
                send(number)
        seen.append(event)
    assert seen == ["first", "broken off", "the end"]


def test_a_signal_over_the_last_report_changes_nothing(interrupts: Interrupts) -> None:
    seen = []
    for event in gate(interrupts).events(engine()):
        if event == "the end":
            send()
        seen.append(event)
    assert seen == ["first", "second", "the end"]


def test_further_signals_do_not_interrupt_what_winds_down(interrupts: Interrupts) -> None:
    def winding_down() -> Generator[str]:
        try:
            yield "first"
            send()
        except KeyboardInterrupt:
            for number in SIGNALS * 2:
                send(number)
            yield "broken off"
        send()
        yield "the end"

    assert list(gate(interrupts).events(winding_down())) == ["first", "broken off", "the end"]


def test_an_interrupt_that_is_swallowed_comes_again_at_the_next_event(interrupts: Interrupts) -> None:
    def swallow() -> None:
        with suppress(KeyboardInterrupt):
            send()

    assert list(gate(interrupts).events(engine(swallow))) == ["first", "second", "broken off", "the end"]


def test_a_signal_long_after_one_that_was_swallowed_interrupts_again(interrupts: Interrupts, clock: Clock) -> None:
    def swallow_and_hang() -> None:
        try:
            send()
        except KeyboardInterrupt:
            clock.now += PATIENCE - 1
            send()
            clock.now += 1
            send()
            raise AssertionError("it hangs") from None

    assert list(gate(interrupts).events(engine(swallow_and_hang))) == ["first", "broken off", "the end"]


def test_an_engine_that_ends_of_itself_is_not_interrupted(interrupts: Interrupts) -> None:
    def failing() -> Generator[str | InternalError]:
        yield "first"
        yield InternalError(ValueError())
        send()
        yield "the end"

    events = []
    for event in gate(interrupts).events(failing()):
        if isinstance(event, InternalError):
            send()
        else:
            events.append(event)
    assert events == ["first", "the end"]


# The command ---------------------------------------------------------------------------------------------------------

REPORTS = ("--json", "record.jsonl", "--markdown", "report.md")


def footer(folder: Path) -> dict[str, object]:
    last: dict[str, object] = json.loads((folder / "record.jsonl").read_text().splitlines()[-1])
    return last


@PROCESSES
def test_each_signal_leaves_whole_reports(tokconf: CommandLine, toy_tokenizer: Path, number: signal.Signals) -> None:
    process = tokconf.start("run", str(toy_tokenizer), "-i", "toy", "slow", *REPORTS)
    while not (tokconf.folder / "slow-asked").exists():
        assert process.poll() is None
        time.sleep(0.01)
    for _ in range(3):
        process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert (footer(tokconf.folder)["type"], footer(tokconf.folder)["exit_status"]) == ("footer", 130)
    report = (tokconf.folder / "report.md").read_text()
    assert "**interrupted; until then " in report
    assert "\ninterrupted; 1 tokenizer, " in report
    assert "INCOMPLETE" in out


EARLY = {
    "the command line is imported": "import importlib; importlib.import_module = AT",
    "a command is imported": "import tokenizer_conformance.cli as module; module.Listed.imported = AT",
    "inputs are read": "import tokenizer_conformance.inputs.corpus as module; module.read_corpus = AT",
    "an implementation is built": "import fake_implementations as module; module.Utf8.__init__ = AT",
    "a record is opened": (
        "from tokenizer_conformance.validation.running import record as module; module.JsonLinesReport.__init__ = AT"
    ),
}


@pytest.mark.long_but(2)
@pytest.mark.parametrize(
    ("place", "number"),
    [
        pytest.param(EARLY[name], number, id=f"{name}-{number.name}", marks=[pytest.mark.long] if is_long else [])
        for at, name in enumerate(EARLY)
        for number, is_long in ((each, each is not SIGNALS[at % len(SIGNALS)]) for each in SIGNALS)
    ],
)
def test_a_signal_while_a_command_starts_is_one_line(
    tokconf: CommandLine, toy_tokenizer: Path, place: str, number: signal.Signals
) -> None:
    bug = f"""
import os
def AT(*_, **__):
    try:
        os.kill(os.getpid(), {number:d})
    finally:
        for number in (1, 2, 15):
            os.kill(os.getpid(), number)
{place}
"""
    done = tokconf.run_anew("run", str(toy_tokenizer), "-i", "toy", "utf8", *REPORTS, bug=bug)
    assert (done.status, done.out, done.err) == (130, "", "tokconf: interrupted before anything was compared\n")
    assert not (tokconf.folder / "report.md").exists()


def test_the_status_is_ours_where_a_signal_came_into_code_that_was_compiled(tmp_path: Path) -> None:
    """A Python that runs a module ends itself with SIGINT then, whoever has caught the interrupt."""
    (tmp_path / "planted.py").write_text(
        "import os, sys\n"
        "import tokenizer_conformance.cli as module\n"
        "from tokenizer_conformance.__main__ import main\n"
        "module.Listed.imported = lambda _: exec('os.kill(os.getpid(), 15)')\n"
        "sys.exit(main())\n"
    )
    words = [sys.executable, "-m", "planted", "run"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (130, "tokconf: interrupted before anything was compared\n")


AT_AN_IMPORT = """
import os, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Interrupting())
sys.modules.pop({module!r}, None)
from tokenizer_conformance.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("module", ["typing", "tokenizer_conformance.command_io.interrupts", "click"])
def test_a_signal_while_modules_are_imported_ends_it_in_one_line(module: str, number: signal.Signals) -> None:
    words = [sys.executable, "-c", AT_AN_IMPORT.format(module=module, number=int(number)), "--help"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "tokconf: interrupted before anything was compared\n"


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there are no terminals that hang up")
@pytest.mark.parametrize("module", ["typing", "click"])
def test_a_terminal_that_is_closed_is_not_heard_of_behind_nohup(module: str) -> None:
    ignoring = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    code = ignoring + AT_AN_IMPORT.format(module=module, number=int(signal.SIGHUP))
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: ")


def test_a_run_behind_nohup_goes_on_when_its_terminal_is_closed(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    bug = """
import os, signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
import fake_implementations as module
load = module.Toy.load
module.Toy.load = lambda *words: (os.kill(os.getpid(), signal.SIGHUP), load(*words))[1]
"""
    done = tokconf.run("run", str(toy_tokenizer), "-i", "toy", "utf8", "-k", "contractions", *REPORTS, bug=bug)
    assert (done.status, done.err) == (0, "")
    assert footer(tokconf.folder)["exit_status"] == 0


@pytest.mark.long_but(1)
@pytest.mark.parametrize("lost_in", ["a finalizer", "an adapter"])
def test_an_interrupt_that_is_lost_while_a_command_starts_is_found_again(
    tokconf: CommandLine, toy_tokenizer: Path, lost_in: str
) -> None:
    bug = {
        "a finalizer": """
import os, fake_implementations as module
class Finalized:
    def __del__(self): os.kill(os.getpid(), 2)
module.Utf8.__init__ = lambda self: Finalized() and None
""",
        "an adapter": """
import os, fake_implementations as module
def __init__(self):
    try: os.kill(os.getpid(), 2)
    except BaseException: pass
module.Utf8.__init__ = __init__
""",
    }[lost_in]
    done = tokconf.run_anew("run", str(toy_tokenizer), "-i", "toy", "utf8", *REPORTS, bug=bug)
    assert (done.status, done.out, done.err) == (130, "", "tokconf: interrupted before anything was compared\n")


def test_nothing_that_works_in_a_thread_keeps_the_process_alive(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    """A subject that answers in batches is asked in a thread; this one hangs there and cannot be interrupted."""
    bug = """
import threading, time
import fake_implementations as module
from tokenizer_conformance.comparison import asking
asking.INTERRUPT_SECONDS = 0.01
def observe_all(self, questions):
    print("asked", flush=True)
    time.sleep(1000)
module.Slow.subject.observe_all = observe_all
"""
    process = tokconf.start("run", str(toy_tokenizer), "-i", "toy", "slow", *REPORTS, bug=bug)
    assert process.stdout is not None
    while "asked" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "")
    assert footer(tokconf.folder)["reason"] == "interrupted"


@pytest.mark.long
@PROCESSES
def test_fuzzing_and_its_processes_end(tokconf: CommandLine, number: signal.Signals) -> None:
    process = tokconf.start(
        *("fuzz", "-i", "wrong-type", "--seed", "3", "--tokenizers", "100000", "--json", "record.jsonl"),
        RUST_BACKTRACE="0",
    )
    record = tokconf.folder / "record.jsonl"
    while not record.exists() or record.read_text().count("\n") < 2:
        assert process.poll() is None
        time.sleep(0.01)
    children = _children(process.pid)
    assert children
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    deadline = time.monotonic() + 30
    while any(map(_is_alive, children)):  # one is a process of Python's own, which ends when it sees that this one has
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _children(parent: int) -> list[int]:
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, check=True)
    return [int(word) for word in listed.stdout.split()]


def _is_alive(process: int) -> bool:
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, check=False)
    return listed.stdout.strip()[:1] not in {b"", b"Z"}


# Systems without POSIX -----------------------------------------------------------------------------------------------

WITHOUT_POSIX = """
import sys, os, signal, importlib, pkgutil
import click, rich.live, rich.console, rich.progress_bar, rich.table, tabulate, jinja2, jsonschema, subprocess
import multiprocessing.process, multiprocessing.connection, concurrent.futures.process, tempfile, platform
import filelock, platformdirs
for name in ("SIGHUP", "SIGKILL", "SIGALRM", "SIGUSR1", "pthread_sigmask", "pthread_kill", "sigwait", "setitimer"):
    delattr(signal, name)
for name in ("getuid", "geteuid", "fork", "forkpty", "killpg", "waitid", "setsid", "getpgid", "register_at_fork"):
    delattr(os, name)
for name in ("resource", "fcntl", "pwd", "grp", "termios", "pty"):
    sys.modules[name] = None
import tokenizer_conformance, tokenizer_adapters
import tokenizer_adapters.protocol.client, tokenizer_adapters.selection
for module in pkgutil.walk_packages(tokenizer_conformance.__path__, "tokenizer_conformance."):
    if not module.name.endswith(("ray_driver", "ray_node")):  # programs that Ray runs
        importlib.import_module(module.name)
from tokenizer_conformance.__main__ import main
sys.exit(main())
"""


@pytest.mark.long
def test_nothing_of_posix_is_needed_to_be_imported_and_to_run(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX, "run", str(toy_tokenizer), "-i", "toy", "utf8", "-k", "contractions"],
        env=os.environ | tokconf.environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
