"""What a command says while people wait: the words, when they come, and on which of the streams."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from tokenizer_conformance.command_io.bar import ProgressBar
from tokenizer_conformance.command_io.progress import Progress, ProgressLines, pause_after
from tokenizer_conformance.command_io.status import Place, Status, in_words

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

HURRY = "import tokenizer_conformance.command_io.progress as module; module.SCHEDULE = ((0, 0.05),)"
"""Has lines come all the time."""

FAKE_WORK = """
import time
from importlib import import_module
def slowed(module, name):
    module = import_module(module)
    former = getattr(module, name)
    def slow(*arguments, **named):
        time.sleep(0.2)
        return former(*arguments, **named)
    setattr(module, name, slow)
"""


class Clock:
    """Shows the time that it is set to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def _progress(_no_progress: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOKCONF_PROGRESS")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def status(clock: Clock) -> Status:
    return Status(clock)


# The words -----------------------------------------------------------------------------------------------------------


def test_nothing_is_said_of_nothing(status: Status) -> None:
    assert status.line() is None


def test_a_line_says_how_far_who_is_at_work_and_how_long_it_takes(status: Status, clock: Clock) -> None:
    status.begin("gpt2", "loading into transformers")
    assert status.line() == "gpt2: loading into transformers"
    clock.now += 12
    assert status.line() == "gpt2: loading into transformers, 12 s so far"
    status.reach(Place("gpt2", 1000, 10272))  # a run that is gone on with does not begin at 0
    status.at("model")
    assert status.line() == "gpt2: 1,000 of 10,272 inputs (9 %), model"
    clock.now += 11
    status.reach(Place("gpt2", 3000, 10272))
    status.at("model", "reference")
    assert status.line() == "gpt2: 3,000 of 10,272 inputs (29 %), model (reference), 182 a second, about 40 s left"
    status.reach(Place("gpt2", 3000, 10272, has_rate=False))
    assert status.line() == "gpt2: 3,000 of 10,272 inputs (29 %), model (reference), about 40 s left"
    status.reach(Place("gpt2", 10272, 10272))
    assert status.line() == "gpt2: 10,272 of 10,272 inputs (100 %), model (reference)"
    status.reach(Place("gpt2", 3000, 10272))
    assert status.share == pytest.approx(3000 / 10272)


def test_a_task_that_is_begun_is_not_that_of_before(status: Status) -> None:
    status.reach(Place("gpt2", 3, 4, "trainings"))
    assert status.line() == "gpt2: 3 of 4 trainings (75 %)"
    status.begin("t5", "", "tokenizer 2 of 7")
    assert status.line() == "t5; tokenizer 2 of 7"
    assert status.share is None


def test_names_are_made_safe(status: Status) -> None:
    status.begin("evil\x1b[2J", "\u202edoing\n", "")
    assert status.line() == "evil\\x1b[2J: \\u202edoing"
    status.reach(Place("evil\x1b[2J", 0, 0))
    assert status.line() == "evil\\x1b[2J: 0 of 0 inputs (0 %), \\u202edoing"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "1 s"), (99, "99 s"), (100, "2 min"), (3600, "60 min"), (36000, "10 h")]
)
def test_times_are_said_in_one_unit(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


def test_lines_come_soon_at_first_and_seldom_later() -> None:
    times = [0.0]
    while times[-1] < 150:
        times.append(times[-1] + pause_after(times[-1]))
    assert times == [0, 5, 15, 25, 35, 45, 55, 65, 95, 125, 155]


# The displays --------------------------------------------------------------------------------------------------------


def test_a_thread_writes_lines_until_it_is_ended(status: Status) -> None:
    written: list[str] = []
    enough = threading.Event()

    def write(line: str) -> None:
        written.append(line)
        if len(written) == 3:
            enough.set()

    status.begin("gpt2", "loading")
    lines = ProgressLines(status, write, pause=lambda _: 0.001)
    assert enough.wait(30)
    lines.end()
    count = len(written)
    assert set(written) == {"tokconf: gpt2: loading\n"}
    assert "progress" not in {thread.name for thread in threading.enumerate()}
    assert len(written) == count


@pytest.mark.parametrize("error", [BrokenPipeError(), ValueError("I/O operation on closed file")])
def test_lines_that_nobody_reads_are_given_up(status: Status, error: Exception) -> None:
    tried = threading.Event()

    def write(_: str) -> None:
        tried.set()
        raise error

    status.begin("gpt2")
    lines = ProgressLines(status, write, pause=lambda _: 0.001)
    assert tried.wait(30)
    lines.end()


@pytest.mark.parametrize("width", [200, 40, 10])
def test_the_bar_shows_the_same_words_as_far_as_they_fit_and_is_gone_before_results(status: Status, width: int) -> None:
    out = io.StringIO()
    bar = ProgressBar(status, Console(file=out, force_terminal=True, width=width))
    status.reach(Place("[b]toy", 5, 6))
    bar.show()
    bar.show()
    bar.hide()
    shown = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", out.getvalue())
    assert ("[b]toy: 5 of 6 inputs (83 %)" in shown) == (width == 200)
    assert out.getvalue().endswith("\x1b[2K")  # the line is cleared
    assert all(len(line) <= width for line in shown.replace("\r", "\n").split("\n"))


@pytest.mark.parametrize("value", ["off", "OFF", "0", "no"])
def test_progress_is_turned_off_by_the_environment(status: Status, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("TOKCONF_PROGRESS", value)
    with Progress(status).shown():
        assert "progress" not in {thread.name for thread in threading.enumerate()}


def test_nothing_is_left_of_a_display_after_an_error(status: Status) -> None:
    progress = Progress(status)

    def fail() -> None:
        with progress.shown():
            assert "progress" in {thread.name for thread in threading.enumerate()}
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert "progress" not in {thread.name for thread in threading.enumerate()}


# The command ---------------------------------------------------------------------------------------------------------

SLOW_RUN = ("run", "-i", "toy", "slow", "-k", "contractions/a")
"""Takes about a second: lines come twenty times as often, and the bar is drawn again ten times."""


def lines_of(err: str) -> list[str]:
    lines = err.splitlines()
    assert all(line.startswith("tokconf: ") for line in lines)
    return [line.removeprefix("tokconf: ") for line in lines]


def test_a_slow_run_says_where_it_is_on_standard_error_alone(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    done = tokconf.run(*SLOW_RUN, str(toy_tokenizer), bug=HURRY)
    said = lines_of(done.err)
    pattern = r"toy-tokenizer: \d+ of \d+ inputs \(\d+ %\), \w+ \((toy|slow)\)(,( \d+ a second,)? about \d+ s left)?"
    assert [line for line in said if re.fullmatch(pattern, line)]
    assert "of" in done.out
    assert "% )" not in done.out
    assert "left" not in done.out


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "function", "words"),
    [
        ("tokenizer_conformance.validation.running.preparation", "read_tokenizer", "reading tokenizers: toy-tokenizer"),
        ("tokenizer_conformance.validation.running.preparation", "builtin_inputs", "starting implementations: slow"),
        ("tokenizer_conformance.inputs.corpus", "_selected", "reading inputs: built-in inputs"),
        ("tokenizer_conformance.validation.running.tokenizer_run", "loaded", "toy-tokenizer: loading into slow"),
    ],
)
def test_what_takes_its_time_before_the_first_answer_says_so(
    tokconf: CommandLine, toy_tokenizer: Path, module: str, function: str, words: str
) -> None:
    bug = f"{HURRY}\n{FAKE_WORK}\nslowed({module!r}, {function!r})"
    assert words in lines_of(tokconf.run(*SLOW_RUN, str(toy_tokenizer), bug=bug).err)


@pytest.mark.long
def test_fuzzing_says_that_it_makes_a_case_smaller(tokconf: CommandLine) -> None:
    bug = f"{HURRY}\n{FAKE_WORK}\nslowed('tokenizer_conformance.validation.search.random_search', 'reduced_difference')"
    done = tokconf.run("fuzz", "-i", "wrong-type", "--seed", "3", "--tokenizers", "3", bug=bug)
    said = lines_of(done.err)
    assert [line for line in said if line.startswith("wrong-type: making the case of finding 1 of 1 smaller")]


@pytest.mark.long
def test_training_says_who_is_trained(tokconf: CommandLine, toy_tokenizer: Path) -> None:
    bug = f"{HURRY}\n{FAKE_WORK}\nslowed('tokenizer_adapters.protocol.trainer_client', 'Session')"
    done = tokconf.run("train", "--algorithm", "bpe", "--corpus", str(toy_tokenizer), "--vocab-size", "20", bug=bug)
    said = lines_of(done.err)
    assert [line for line in said if line.startswith("words of the corpus: counted by")]
    assert [line for line in said if line.startswith("bpe: training number 1 of 1 (tokenizers)")]
    assert [
        line for line in said if line.startswith("bpe: 1 of 2 trainings (50 %), training number 1 of 1 (reference)")
    ]


@pytest.mark.long
@pytest.mark.parametrize(("options", "environment"), [(("--quiet",), {}), ((), {"TOKCONF_PROGRESS": "off"})])
def test_progress_can_be_turned_off(
    tokconf: CommandLine, toy_tokenizer: Path, options: tuple[str, ...], environment: dict[str, str]
) -> None:
    done = tokconf.run(*SLOW_RUN, str(toy_tokenizer), *options, bug=HURRY, **environment)
    assert (done.status, done.err) == (0, "")


@pytest.mark.long
@pytest.mark.parametrize("quiet", [False, True])
def test_a_terminal_shows_a_bar_from_the_beginning(tokconf: CommandLine, toy_tokenizer: Path, quiet: bool) -> None:
    ours, theirs = pty.openpty()
    # Longer than the bar takes to be drawn again.
    planning = "tokenizer_conformance.validation.running.preparation"
    bug = f"{FAKE_WORK.replace('0.2', '1')}\nslowed('{planning}', 'read_corpus')\nimport sys"
    code = f"{bug}\nfrom tokenizer_conformance.__main__ import main; sys.exit(main())"
    environment = os.environ | tokconf.environment() | {"TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *SLOW_RUN, str(toy_tokenizer), *(["-q"] if quiet else [])],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
        encoding="utf-8",
    )
    os.close(theirs)
    out, _ = process.communicate(timeout=60)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    assert process.returncode == 0
    assert "toy-tokenizer" in out
    words = re.sub("\x1b\\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert ("reading tokenizers: toy-tokenizer" in words) is (not quiet)
    assert bool(re.search(r"toy-tokenizer: \d+ of \d+ inputs", words)) is (not quiet)
    assert (shown == b"") is quiet


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # Linux says so where nobody has the other end any more
        return b""
