"""What the harness's side counts, sends again and says, to the number: its program is one of this process."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Called,
    CannotLoadError,
    Chunks,
    Crashed,
    Decode,
    Failed,
    Field,
    ImplementationInfo,
    LoaderDefaults,
    Normalize,
    OffsetUnit,
    Stage,
    Text,
    TimedOut,
    TokenizerSource,
    UnavailableError,
    Unsupported,
)
from tokenizer_adapters.protocol.answer_lines import write_answer
from tokenizer_adapters.protocol.client import FAULTS_BEFORE_GIVING_UP, ProcessImplementation
from tokenizer_adapters.protocol.launch import CannotStartError, Program
from tokenizer_adapters.protocol.messages import (
    Call,
    Load,
    Loaded,
    Observe,
    Save,
    Saved,
    ShowDefaults,
    Start,
    Started,
    Stop,
    Stopped,
)
from tokenizer_adapters.protocol.process import FaultError, Limits
from tokenizer_adapters.protocol.request_lines import read_request
from tokenizer_adapters.registry import BrokenImplementationError
from tokenizer_adapters.training import Algorithm, TrainerInfo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_adapters.contract import Fault, Observation
    from tokenizer_adapters.protocol.messages import Answer, Request

    Reply = Callable[[Request], Answer | Fault]

LIMITS = Limits(seconds=1.0, start_seconds=2.0, load_seconds=3.0, train_seconds=4.0, stop_seconds=5.0)
SOURCE = TokenizerSource("toy", "tokenizer.json")
OTHER = TokenizerSource("other", "other.json")
INFO = ImplementationInfo(
    name="fake",
    version="1",
    language="Python",
    home_page="",
    stages=frozenset({Stage.NORMALIZE, Stage.DECODE}),
    fields=frozenset({Field.TEXT}),
    offset_unit=OffsetUnit.CODE_POINTS,
    install="",
)
BOOM = Crashed("boom")
FAULTS: dict[str, Fault] = {"boom": BOOM, "hang": TimedOut(1.0), "break": BrokeProtocol("broken")}
ANSWERS: dict[type[Request], Answer] = {
    Start: Started(INFO),
    Load: Loaded(),
    Save: Saved("{}"),
    ShowDefaults: LoaderDefaults("Fake"),
    Call: Called({"ids": (1,)}),
    Stop: Stopped(),
}


class FakeProcess:
    """A life of the program: answers each request by ``reply``, and notes the requests with their time."""

    def __init__(self, reply: Reply) -> None:
        self.numbers: list[int] = []
        self.asked: list[Request] = []
        self.seconds: list[float] = []
        self.has_ended = False
        self._reply = reply

    def exchange(self, lines: Iterable[bytes], seconds: float) -> Iterator[bytes]:
        assert not self.has_ended, "asked after its end"
        numbered = [read_request(line) for line in lines]  # written ahead, as to a program
        for number, request in numbered:
            self.numbers.append(number)
            self.asked.append(request)
            self.seconds.append(seconds)
            answer = self._reply(request)
            if isinstance(answer, TimedOut | BrokeProtocol) or answer is BOOM:
                raise FaultError(answer)
            yield write_answer(number, answer).rstrip(b"\n")  # type: ignore[arg-type]

    def close_input(self) -> None:
        pass

    def ends_within(self, _seconds: float) -> bool:
        return True

    def interrupt(self) -> None:
        self.has_ended = True

    def kill(self) -> None:
        self.has_ended = True


def plainly(request: Request) -> Answer | Fault:
    """Answer in capitals; "boom", or the id 0, is a crash, "hang" and "break" what they say."""
    match request:
        case Observe(Normalize(text)):
            return FAULTS.get(text, Text(text.upper()))
        case Observe(Decode(ids)):
            return BOOM if ids == (0,) else Text(str(ids))
    return ANSWERS.get(type(request), Unsupported("shows none"))


@pytest.fixture
def lives() -> list[FakeProcess]:
    """Every life of the program so far."""
    return []


Begin = Callable[..., ProcessImplementation]


@pytest.fixture
def begin(lives: list[FakeProcess], monkeypatch: pytest.MonkeyPatch) -> Begin:
    """A function that starts a program which answers by ``reply``."""

    def begin_with(reply: Reply = plainly, name: str | None = None) -> ProcessImplementation:
        def process(_program: Program, _limits: Limits) -> FakeProcess:
            lives.append(FakeProcess(reply))
            return lives[-1]

        monkeypatch.setattr("tokenizer_adapters.protocol.client.Process", process)
        return ProcessImplementation(Program(("it",), "it"), LIMITS, name)

    return begin_with


def normalized(*texts: str) -> list[Observation]:
    return [Normalize(text) for text in texts]


# Faults in a row ------------------------------------------------------------------------------------------------------


def test_an_answer_ends_a_row_of_faults(begin: Begin, lives: list[FakeProcess]) -> None:
    implementation = begin()
    subject = implementation.load(SOURCE)
    row = ["boom"] * (FAULTS_BEFORE_GIVING_UP - 1)
    outcomes = subject.observe_all(normalized(*row, "a", *row, "b", *row))
    assert outcomes == [*[BOOM] * len(row), Text("A"), *[BOOM] * len(row), Text("B"), *[BOOM] * len(row)]
    assert implementation.losses == 3 * len(row)
    assert len(lives) == 3 * len(row)


def test_a_kind_is_given_up_after_so_many_faults_and_no_other_one(begin: Begin, lives: list[FakeProcess]) -> None:
    subject = begin().load(SOURCE)
    assert FAULTS_BEFORE_GIVING_UP == 20
    assert subject.observe_all(normalized(*["boom"] * 20)) == [BOOM] * 20
    detail = (
        "not asked: 20 requests of this kind (observe normalize) in a row gave no answer "
        f"and had the program started again; the last of them: {BOOM.detail}"
    )
    mixed: list[Observation] = [Decode((1,)), Normalize("a"), Decode((2,)), Normalize("b")]
    assert subject.observe_all(mixed) == [Text("(1,)"), Crashed(detail), Text("(2,)"), Crashed(detail)]
    assert len(lives) == 21
    assert lives[-1].asked == [Start(), Load(SOURCE), Observe(Decode((1,))), Observe(Decode((2,)))]


def test_each_kind_has_a_row_of_its_own(begin: Begin) -> None:
    subject = begin().load(SOURCE)
    mixed: list[Observation] = [Normalize("boom"), Decode((0,))] * 19
    assert subject.observe_all([*mixed, Normalize("a"), Decode((1,))]) == [BOOM] * 38 + [Text("A"), Text("(1,)")]


def test_the_last_fault_is_that_of_the_kind(begin: Begin) -> None:
    subject = begin().load(SOURCE)
    mixed: list[Observation] = [Normalize("break"), Decode((1,))] * 20
    *_, given_up = subject.observe_all([*mixed, Normalize("a")])
    assert isinstance(given_up, BrokeProtocol)
    assert given_up.detail.startswith("not asked: 20 requests of this kind (observe normalize) in a row")


def test_a_load_forgets_the_row(begin: Begin) -> None:
    implementation = begin()
    implementation.load(SOURCE).observe_all(normalized(*["boom"] * 20))
    assert implementation.load(OTHER).observe_all(normalized("a", "boom", "b")) == [Text("A"), BOOM, Text("B")]


@pytest.mark.parametrize(("text", "kind"), [("boom", Crashed), ("break", BrokeProtocol), ("hang", TimedOut)], ids=str)
def test_what_is_not_asked_has_the_kind_of_the_last_fault(begin: Begin, text: str, kind: type[Fault]) -> None:
    subject = begin().load(SOURCE)
    *_, last, given_up = subject.observe_all(normalized(*["boom", text] * 10, "a"))
    assert type(given_up) is kind
    assert (given_up == last) is (kind is TimedOut)
    assert getattr(given_up, "detail", "not asked").startswith("not asked")


# Restarts -------------------------------------------------------------------------------------------------------------


def test_after_a_crash_the_tokenizer_is_loaded_and_only_the_rest_is_asked(
    begin: Begin, lives: list[FakeProcess]
) -> None:
    implementation = begin()
    assert implementation.load(SOURCE).observe_all(normalized("a", "boom", "b", "c"))[0] == Text("A")
    assert [life.asked for life in lives] == [
        [Start(), Load(SOURCE), *(Observe(Normalize(text)) for text in ("a", "boom"))],
        [Start(), Load(SOURCE), *(Observe(Normalize(text)) for text in ("b", "c"))],
    ]
    assert [life.numbers for life in lives] == [[1, 2, 3, 4], [1, 2, 3, 4]]
    assert [life.has_ended for life in lives] == [True, False]
    assert implementation.losses == 1


def test_every_fault_is_counted_once_over_a_load_too(begin: Begin, lives: list[FakeProcess]) -> None:
    def reply(request: Request) -> Answer | Fault:
        return BOOM if request == Load(OTHER) else plainly(request)

    implementation = begin(reply)
    subject = implementation.load(SOURCE)
    for losses in (1, 2):
        with pytest.raises(CannotLoadError, match=r"^it cannot load other \(other.json\): boom$") as caught:
            implementation.load(OTHER)
        assert caught.value.fault == BOOM
        assert not caught.value.unsupported
        assert implementation.losses == losses
    assert lives[-1].has_ended
    assert subject.observe_all(normalized("a", "boom", "b")) == [Text("A"), BOOM, Text("B")]
    assert implementation.losses == 3


def test_a_load_that_crashes_on_the_way_back_is_the_outcome_of_what_is_asked(begin: Begin) -> None:
    loads: list[Request] = []

    def reply(request: Request) -> Answer | Fault:
        loads.extend([request] if isinstance(request, Load) else [])
        return BOOM if isinstance(request, Load) and len(loads) == 2 else plainly(request)

    subject = begin(reply).load(SOURCE)
    assert subject.observe_all(normalized("boom", "a", "b")) == [
        BOOM,
        Crashed("it could not be started again: it cannot load toy (tokenizer.json): boom"),
        Text("B"),
    ]


def test_the_tokenizer_that_is_asked_is_the_one_that_is_loaded(begin: Begin, lives: list[FakeProcess]) -> None:
    implementation = begin()
    first, second = implementation.load(SOURCE), implementation.load(OTHER)
    for subject in (second, first, first, second):
        assert subject.observe(Normalize("a")) == Text("A")
    (life,) = lives
    ask = Observe(Normalize("a"))
    assert life.asked == [Start(), Load(SOURCE), Load(OTHER), ask, Load(SOURCE), ask, ask, Load(OTHER), ask]


def test_an_interrupt_is_no_loss_and_holds_until_the_next_load(begin: Begin, lives: list[FakeProcess]) -> None:
    def reply(request: Request) -> Answer | Fault:
        if request == Observe(Normalize("interrupt")):
            subject.interrupt()
            assert lives[-1].has_ended
            return BOOM
        return plainly(request)

    implementation = begin(reply)
    subject = implementation.load(SOURCE)
    for text in ("interrupt", "a"):
        with pytest.raises(KeyboardInterrupt):
            subject.observe_all(normalized("a", text, "b"))
    assert implementation.losses == 0
    again = implementation.load(SOURCE)
    try:
        assert again.observe(Normalize("a")) == Text("A")
    except KeyboardInterrupt:
        pytest.fail("the interrupt holds after the next load")


# What is told ---------------------------------------------------------------------------------------------------------


def test_a_program_is_told_to_stop_when_nobody_knows_it_any_more(begin: Begin, lives: list[FakeProcess]) -> None:
    implementation = begin()
    assert lives[-1].asked == [Start()]
    del implementation
    gc.collect()
    assert lives[-1].asked == [Start(), Stop()]
    assert lives[-1].has_ended


def test_each_kind_of_request_has_its_own_time(begin: Begin, lives: list[FakeProcess]) -> None:
    implementation = begin()
    subject = implementation.load(SOURCE)
    subject.observe(Normalize("a"))
    assert subject.vocabulary() == Unsupported("shows none")
    assert subject.saved() == "{}"
    implementation.close()
    (life,) = lives
    assert life.seconds == [2.0, 3.0, 1.0, 3.0, 3.0, 5.0]
    assert life.asked[-1] == Stop()


def test_what_a_loader_shows_is_asked_for(begin: Begin, lives: list[FakeProcess]) -> None:
    subject = begin().load(SOURCE)
    assert subject.defaults() == LoaderDefaults("Fake")
    assert subject.called("a", "b") == Called({"ids": (1,)})
    assert lives[-1].asked[-2:] == [ShowDefaults(), Call("a", "b")]


def test_why_there_is_no_vocabulary_is_told(begin: Begin) -> None:
    def reply(request: Request) -> Answer | Fault:
        return plainly(request) if isinstance(request, Start | Load) else TimedOut(1.0)

    subject = begin(reply).load(SOURCE)
    assert subject.vocabulary() == Unsupported("it gave no answer within 1 s")
    assert subject.saved() == TimedOut(1.0)
    assert subject.defaults() == TimedOut(1.0)
    assert subject.called("a") == TimedOut(1.0)


@pytest.mark.parametrize(
    ("files", "told"),
    [(None, ("tokenizer.json",)), ((), ()), (("vocab.txt", "merges.txt"), ("vocab.txt", "merges.txt"))],
)
def test_the_files_are_those_that_the_program_tells(
    begin: Begin, files: tuple[str, ...] | None, told: tuple[str, ...]
) -> None:
    implementation = begin(lambda request: Loaded(files) if isinstance(request, Load) else plainly(request))
    assert implementation.load(SOURCE).files == told


@pytest.mark.parametrize(("name", "told"), [(None, "fake"), ("mine", "mine")])
def test_a_name_that_is_given_takes_the_place_of_its_own(begin: Begin, name: str | None, told: str) -> None:
    assert begin(name=name).info.name == told


@pytest.mark.parametrize(
    ("answer", "words", "unsupported"),
    [
        (Unsupported("no\nsuch model"), "it cannot load toy (tokenizer.json): no such model", True),
        (Failed("CannotLoadError", "the adapter's words"), "the adapter's words", False),
        (Failed("OSError", "no\nfile"), "it cannot load toy (tokenizer.json): OSError: no file", False),
        (Crashed("panic"), "it cannot load toy (tokenizer.json): panic", False),
    ],
    ids=repr,
)
def test_why_a_tokenizer_is_not_loaded_is_told(begin: Begin, answer: Answer, words: str, unsupported: bool) -> None:
    implementation = begin(lambda request: answer if isinstance(request, Load) else plainly(request))
    with pytest.raises(CannotLoadError) as caught:
        implementation.load(SOURCE)
    assert (str(caught.value), caught.value.unsupported, caught.value.fault) == (words, unsupported, None)
    assert implementation.losses == 0


TRAINER = TrainerInfo("fake", "1", "Python", "", frozenset({Algorithm.BPE}), takes_words=False, install="")


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (Unsupported("install it"), UnavailableError, "install it"),
        (Failed("BrokenImplementationError", "it is broken"), BrokenImplementationError, "it is broken"),
        (Failed("ValueError", "no"), CannotStartError, "it does not start: ValueError: no"),
        (BOOM, CannotStartError, "it does not start: boom"),
        (
            TimedOut(2.0),
            CannotStartError,
            "it does not start: it gave no answer within 2 s; if it needs longer to start, raise --timeout",
        ),
        (
            Started(trainer=TRAINER),
            CannotStartError,
            "it is no implementation: its answer to start announces no stages",
        ),
    ],
    ids=repr,
)
def test_why_a_program_does_not_start_is_told(
    begin: Begin, lives: list[FakeProcess], answer: Answer, error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        begin(lambda request: answer if isinstance(request, Start) else plainly(request))
    assert type(caught.value) is error
    assert str(caught.value) == words
    assert lives[-1].has_ended


def test_a_line_that_cannot_be_read_is_an_outcome(begin: Begin) -> None:
    def reply(request: Request) -> Answer | Fault:
        return Chunks(("a",)) if request == Observe(Normalize("chunks")) else plainly(request)

    broken, whole = begin(reply).load(SOURCE).observe_all(normalized("chunks", "a"))
    assert broken == BrokeProtocol('answer to observe normalize: value: the field "text" is missing')
    assert whole == Text("A")
