"""Whatever a program does over one input, that input has an outcome of its own, and no other is lost."""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Decode,
    Normalize,
    Text,
    TimedOut,
    TokenizerSource,
    UnavailableError,
)
from tokenizer_adapters.protocol.client import FAULTS_BEFORE_GIVING_UP, ProcessImplementation, ProcessSubject
from tokenizer_adapters.protocol.launch import CannotStartError, Program
from tokenizer_adapters.protocol.pipes import PolledPipes, ThreadedPipes
from tokenizer_adapters.protocol.process import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Outcome
    from tokenizer_adapters.protocol.pipes import Pipes

FAULTY = Path(__file__).parent / "programs" / "faulty.py"
SECONDS = 0.4
LIMITS = Limits(seconds=SECONDS, stop_seconds=0.2)
SOURCE = TokenizerSource("toy", "tokenizer.json")


class Faulty:
    """The faulty program, with a tokenizer loaded."""

    def __init__(self, fault: str, notes: Path, limits: Limits) -> None:
        program = Program((sys.executable, "-I", "-S", str(FAULTY), fault, str(notes)), "faulty")
        self._notes = notes
        self.implementation = ProcessImplementation(program, limits)
        self.subject: ProcessSubject = self.implementation.load(SOURCE)

    @property
    def processes(self) -> list[int]:
        return [int(line) for line in self._notes.read_text().splitlines()]

    def normalize(self, *texts: str) -> list[Outcome]:
        return self.subject.observe_all([Normalize(text) for text in texts])


@pytest.fixture(params=[PolledPipes, ThreadedPipes])
def pipes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Pipes]:
    """The pipes of POSIX, and those of systems that cannot tell which pipe is ready."""
    monkeypatch.setattr("tokenizer_adapters.protocol.process.pipes_of", request.param)
    kind: type[Pipes] = request.param
    return kind


polled = pytest.mark.parametrize("pipes", [PolledPipes], indirect=True)
"""For tests of what is done about faults, which are the same whichever pipes tell them."""


@pytest.fixture
def start(tmp_path: Path, pipes: type[Pipes]) -> Iterator[Callable[..., Faulty]]:  # noqa: ARG001 - chosen there
    """A function that starts the faulty program with a fault."""
    started: list[Faulty] = []

    def start_faulty(fault: str, limits: Limits = LIMITS) -> Faulty:
        started.append(Faulty(fault, tmp_path / f"{fault}-{len(started)}", limits))
        return started[-1]

    yield start_faulty
    for faulty in started:
        faulty.implementation.close()


def is_running(number: int) -> bool:
    """Whether a process has this number that has not ended."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False).stdout
    return shown.strip()[:1] not in {"", "Z"}


def is_gone(number: int) -> bool:
    """Whether the process of this number ends within a moment."""
    return any(not is_running(number) or time.sleep(0.01) for _ in range(100))


FAULTS: list[tuple[str, type[Outcome], str]] = [
    ("crash", Crashed, r"killed by signal 11 \(SIGSEGV\)"),
    ("abort", Crashed, r"killed by signal 6 \(SIGABRT\); its standard error: terminate called after throwing"),
    (
        "panic",
        Crashed,
        r"ended with exit status 1; its standard error: thread 'main' panicked at src/lib.rs:7:5:\nbyte",
    ),
    ("leave", Crashed, r"ended with exit status 0"),
    ("hang", TimedOut, ""),
    (
        "garbage",
        BrokeProtocol,
        r'answer to observe normalize: a line that is not JSON: "Loading model \\u001b\[31m\\u2026"',
    ),
    ("half-then-end", BrokeProtocol, r'it ended in the middle of a line: "{\\"id\\": '),
    ("half-then-abort", Crashed, r'killed by signal 6 \(SIGABRT\) in the middle of a line: "{\\"id\\": '),
    ("half-then-hang", BrokeProtocol, r'only half a line within 0.4 s: "{\\"id\\": '),
    ("wrong-number", BrokeProtocol, r"answer to observe normalize: id: expected (\d+), found \d+; answers come in"),
    ("wrong-type", BrokeProtocol, r'answer to observe normalize: value: the field "text" is missing'),
    ("not-utf-8", BrokeProtocol, r"answer to observe normalize: a line that is not UTF-8"),
    ("flood", BrokeProtocol, r"more than 16 MB on standard error before one answer; its standard error: …"),
    ("close-output", BrokeProtocol, r"it closed its standard output and did not end"),
    ("close-input", BrokeProtocol, r"it closed its standard input, and no answer came within 0.4 s"),
    ("leave-a-child", Crashed, r"killed by signal 6 \(SIGABRT\)"),
]


@pytest.mark.long_but(2)
@pytest.mark.parametrize(("fault", "kind", "words"), FAULTS, ids=[fault for fault, *_ in FAULTS])
def test_a_fault_is_the_outcome_of_its_input_alone(
    start: Callable[..., Faulty], pipes: type[Pipes], fault: str, kind: type[Outcome], words: str
) -> None:
    if (pipes, fault) == (ThreadedPipes, "close-input"):
        kind = TimedOut  # a thread hears of it when it writes, and nothing is left to be written
    # A flood has to be read to its end within the limit, on a machine that does other things, too.
    faulty = start(fault, replace(LIMITS, seconds=20) if fault == "flood" else LIMITS)
    texts = [f"text {number}" for number in range(20)]
    outcomes = faulty.normalize(*texts, "boom", *texts)
    upper = [Text(text.upper()) for text in texts]
    assert outcomes[:20] == upper
    assert outcomes[21:] == upper
    assert type(outcomes[20]) is kind
    assert outcomes[20] == TimedOut(SECONDS) or re.match(words, outcomes[20].detail), outcomes[20].detail
    assert len(getattr(outcomes[20], "detail", "")) < 600
    *ended, last = faulty.processes
    assert len(ended) == (2 if fault == "leave-a-child" else 1)
    assert all(map(is_gone, ended))
    assert is_running(last)


@pytest.mark.long_but(2)
@pytest.mark.parametrize("fault", ["crash", "hang", "garbage"])
def test_asked_one_by_one_a_fault_costs_one_input_too(start: Callable[..., Faulty], fault: str) -> None:
    faulty = start(fault)
    assert [type(faulty.normalize(text)[0]) for text in ("a", "boom", "b")] == [
        Text,
        {"crash": Crashed, "hang": TimedOut, "garbage": BrokeProtocol}[fault],
        Text,
    ]


@pytest.mark.long_but(1)
def test_memory_is_limited(start: Callable[..., Faulty]) -> None:
    faulty = start("memory", Limits(seconds=30, memory=200 << 20))
    first, outcome, last = faulty.normalize("a", "boom", "b")
    assert (first, last) == (Text("A"), Text("B"))
    assert isinstance(outcome, Crashed)
    assert re.fullmatch(
        r"ended with exit status 1 \(memory limit 200 MB\); its .*MemoryError", outcome.detail, re.DOTALL
    )


def test_a_line_without_end_is_broken_off(start: Callable[..., Faulty], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokenizer_adapters.protocol.process.LONGEST_LINE", 3 << 20)
    outcomes = start("endless-line", Limits(seconds=30)).normalize("a", "boom", "b")
    assert outcomes == [Text("A"), BrokeProtocol("a line of more than 3 MB"), Text("B")]


def test_noise_on_standard_error_is_no_fault(start: Callable[..., Faulty]) -> None:
    faulty = start("noise")
    assert faulty.normalize("a", "boom", "b") == [Text("A"), Text("BOOM"), Text("B")]
    assert len(faulty.processes) == 1


def test_a_panic_that_was_survived_is_a_crash_and_no_restart(start: Callable[..., Faulty]) -> None:
    faulty = start("survive-a-panic")
    assert faulty.normalize("boom", "b") == [Crashed("index out of range"), Text("B")]
    assert len(faulty.processes) == 1


def test_an_answer_too_many_is_a_fault_of_the_request_after_it(start: Callable[..., Faulty]) -> None:
    faulty = start("answer-twice")
    first, second, third = faulty.normalize("boom", "b", "c")
    assert (first, third) == (Text("BOOM"), Text("C"))
    assert isinstance(second, BrokeProtocol)
    assert re.search(r"id: expected \d+, found \d+", second.detail)
    assert faulty.normalize("boom") == [Text("BOOM")]
    time.sleep(0.05)
    (outcome,) = faulty.normalize("d")
    assert isinstance(outcome, BrokeProtocol)
    assert outcome.detail.startswith("it wrote a line that no request asked for: ")


@pytest.mark.long
@polled
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["a", "b", "boom"]), max_size=12))
def test_wherever_the_faults_lie_every_other_input_has_its_answer(
    start: Callable[..., Faulty], texts: list[str]
) -> None:
    outcomes = start("leave").normalize(*texts)
    assert outcomes == [Crashed("ended with exit status 0") if text == "boom" else Text(text.upper()) for text in texts]


# Restarts -------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@polled
def test_a_kind_of_request_that_only_ever_faults_is_given_up(start: Callable[..., Faulty]) -> None:
    faulty = start("leave")
    outcomes = faulty.normalize(*["boom"] * (FAULTS_BEFORE_GIVING_UP + 2), "a")
    assert outcomes[:FAULTS_BEFORE_GIVING_UP] == [Crashed("ended with exit status 0")] * FAULTS_BEFORE_GIVING_UP
    assert len(faulty.processes) == FAULTS_BEFORE_GIVING_UP
    given_up = outcomes[FAULTS_BEFORE_GIVING_UP:]
    assert len(given_up) == 3
    assert len(set(given_up)) == 1
    assert re.match(r"not asked: 20 requests of this kind \(observe normalize\) in a row", given_up[0].detail)
    assert faulty.subject.observe_all([Normalize("a"), Decode((1, 2)), Normalize("b")])[1] == Text("1 2")
    again = faulty.implementation.load(SOURCE)
    assert again.observe(Normalize("a")) == Text("A")


def test_a_program_that_cannot_be_started_again_costs_every_input_and_raises_nothing(
    start: Callable[..., Faulty], monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = start("leave")
    monkeypatch.setattr("tokenizer_adapters.protocol.client.Session", _no_session)
    outcomes = faulty.normalize("a", "boom", "b")
    assert outcomes == [
        Text("A"),
        Crashed("ended with exit status 0"),
        Crashed("it could not be started again: cannot start 'it'"),
    ]


def _no_session(*_: object) -> None:
    raise CannotStartError("cannot start 'it'")


@pytest.mark.long_but(1)
def test_two_tokenizers_of_one_program_answer_in_turn(start: Callable[..., Faulty]) -> None:
    faulty = start("hang")
    other = faulty.implementation.load(TokenizerSource("other", "other.json"))
    assert [subject.observe(Normalize("a")) for subject in (faulty.subject, other, faulty.subject)] == [Text("A")] * 3
    assert len(faulty.processes) == 1


# Ending ---------------------------------------------------------------------------------------------------------------


@pytest.mark.long_but(1)
@pytest.mark.parametrize("fault", ["none", "ignore-stop"])
def test_a_program_is_gone_when_it_is_closed(start: Callable[..., Faulty], fault: str) -> None:
    faulty = start(fault)
    assert faulty.normalize("a") == [Text("A")]
    (process,) = faulty.processes
    faulty.implementation.close()
    assert is_gone(process)
    assert faulty.normalize("b") == [Text("B")]  # it is started again where it is asked again


def test_a_program_is_gone_when_nobody_knows_it_any_more(tmp_path: Path) -> None:
    faulty = Faulty("none", tmp_path / "notes", LIMITS)
    (process,) = faulty.processes
    del faulty
    gc.collect()
    assert is_gone(process)


@pytest.mark.long_but(1)
def test_an_interrupt_leaves_no_answer_behind(start: Callable[..., Faulty], monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = start("hang")
    monkeypatch.setattr("tokenizer_adapters.protocol.client.read_answer", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        faulty.normalize("a", "b")
    monkeypatch.undo()
    assert faulty.normalize("c") == [Text("C")]


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


# Starting -------------------------------------------------------------------------------------------------------------


def test_a_program_that_is_not_there_or_may_not_run_is_refused_with_the_reason(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("hello")
    for command, words in [
        ((), "the command is empty"),
        (("no-such-program",), r"no such program in PATH \(a file here is ./NAME\)"),
        (("./no/such/program",), "no such file"),
        ((str(plain),), "it may not be executed; chmod"),
    ]:
        with pytest.raises(CannotStartError, match=rf"cannot start .*{words}"):
            ProcessImplementation(Program(command, "it"))


@pytest.mark.parametrize("memory", [None, 1 << 28])
def test_a_file_of_no_known_format_is_refused(tmp_path: Path, memory: int | None) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"\x7fELF nonsense")
    plain.chmod(0o755)
    with pytest.raises(CannotStartError, match=r"Exec format error"):
        ProcessImplementation(Program((str(plain),), "it"), Limits(memory=memory))


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo hello", r"it does not start: answer to start: a line that is not JSON: \"hello\""),
        ("exit 4", "it does not start: ended with exit status 4"),
        ("cat", "it does not start: answer to start: the message: expected one of"),
        ("sleep 9", r"it does not start: it gave no answer within 0.3 s; if it needs longer to start, raise --timeout"),
        ("""echo '{"id":1,"error":{"kind":"E","message":"no"}}'; cat""", "it does not start: E: no"),
    ],
)
def test_a_program_that_does_not_say_hello_is_refused_with_the_reason(script: str, words: str) -> None:
    with pytest.raises(CannotStartError, match=words):
        ProcessImplementation(Program(("sh", "-c", script), "it"), Limits(start_seconds=0.3))


def test_a_program_whose_library_is_missing_is_unavailable() -> None:
    script = """read line; echo '{"id":1,"unsupported":"install it with: apt install it"}'; cat"""
    with pytest.raises(UnavailableError, match="install it with: apt install it"):
        ProcessImplementation(Program(("sh", "-c", script), "it"))
