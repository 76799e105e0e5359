"""Implementations that answer many questions at once."""

from __future__ import annotations

import threading
import time
from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import fake_implementations as fakes
import pytest
from msgspec import structs

from tokenizer_adapters.contract import (
    CannotLoadError,
    Chunks,
    Crashed,
    Decode,
    DecodeStream,
    Encode,
    Encoded,
    EncodedColumns,
    Normalize,
    Pieces,
    PreTokenize,
    Stage,
    Text,
    stage_of,
)
from tokenizer_conformance.comparison import asking, batching
from tokenizer_conformance.comparison.asking import AgainCounts, Asked, loaded, together
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.validation.running import shrinking
from tokenizer_conformance.validation.running.events import TokenizerFinished

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, TokenizerSource
    from tokenizer_conformance import Event
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


class BatchingSubject(fakes.ToySubject):
    batches: ClassVar[list[int]] = []
    single = 0

    def observe(self, observation: Observation) -> Outcome:
        BatchingSubject.single += 1
        return super().observe(observation)

    def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
        self.batches.append(len(observations))
        return [super(BatchingSubject, self).observe(observation) for observation in observations]


class Batching(fakes.ShiftedOffset):
    name = "batching"

    class subject(BatchingSubject, fakes.ShiftedOffset.subject):  # noqa: N801
        files = ("folder/toy.model",)


class Miscounting(fakes.Toy):
    name = "miscounting"

    class subject(fakes.ToySubject):  # noqa: N801
        def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
            return [Text("one answer for all") for _ in observations[:1]]


class RaisingAtOnce(fakes.Toy):
    name = "raising-at-once"

    class subject(fakes.ToySubject):  # noqa: N801
        def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
            raise ValueError(len(observations))


def comparable(events: list[Event], name: str) -> Any:
    (finished,) = (event for event in events if isinstance(event, TokenizerFinished))
    (result,) = finished.results
    findings = [
        replace(finding, signature=replace(finding.signature, implementation=""), repeat="")
        for finding in finished.findings
    ]
    assert result.implementation == name
    return structs.replace(result, seconds=0, implementation="", files=()), findings


@pytest.mark.parametrize("at_once", [1, 2, 3, 64])
def test_answers_at_once_come_to_the_same(
    events_of: Callable[..., list[Event]], monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(batching, "INPUTS_AT_ONCE", at_once)
    monkeypatch.setattr(shrinking, "MOST_SHRUNK", 0)
    BatchingSubject.batches.clear()
    BatchingSubject.single = 0
    one_by_one = events_of(fakes.ShiftedOffset, every_id=True, cause_seconds=0.0)
    together = events_of(Batching, every_id=True, cause_seconds=0.0)
    assert comparable(together, "batching") == comparable(one_by_one, "shifted-offset")
    assert sum(BatchingSubject.batches) > 50
    assert BatchingSubject.single == 0


def test_the_files_that_were_given_are_named(events_of: Callable[..., list[Event]]) -> None:
    (finished,) = (event for event in events_of(Batching) if isinstance(event, TokenizerFinished))
    assert finished.results[0].files == ("toy.model",)
    (finished,) = (event for event in events_of(fakes.Utf8) if isinstance(event, TokenizerFinished))
    assert finished.results[0].files == ()


@pytest.mark.parametrize("broken", [Miscounting, RaisingAtOnce])
def test_a_batch_that_fails_is_asked_one_by_one(events_of: Callable[..., list[Event]], broken: type[fakes.Toy]) -> None:
    result, findings = comparable(events_of(broken), broken.name)
    assert not findings
    assert result.compared > 100
    assert not result.has(*(set(Verdict) - {Verdict.AGREE}))


def test_answers_are_kept_until_they_are_forgotten(toy_file: TokenizerFile) -> None:
    asked = loaded(Batching(), toy_file.source)
    BatchingSubject.single = 0
    question = Normalize("ABC")
    asked.ask_ahead([question, question])
    assert asked.ask(question) == Text("abc")
    assert BatchingSubject.single == 0
    asked.forget()
    assert asked.ask(question) == Text("abc")
    assert BatchingSubject.single == 1
    assert stage_of(question) in asked.info.stages


class Ended(fakes.ToySubject):
    def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
        raise SystemExit(len(observations))


def test_what_ends_a_thread_ends_whoever_waits_for_it() -> None:
    everybody = [Asked(fakes.Toy(), subject, ()) for subject in (BatchingSubject(), Ended())]
    with pytest.raises(SystemExit):
        together(everybody, [Normalize("a")])


class Interruptible(fakes.ToySubject):
    """Answers in batches, and only once it is interrupted, after a moment."""

    def __init__(self) -> None:
        self.interrupted = threading.Event()
        self.is_at_work = False

    def observe_all(self, observations: Sequence[Observation]) -> list[Outcome]:
        self.is_at_work = True
        self.interrupted.wait(30)
        time.sleep(0.1)
        self.is_at_work = False
        return [self.observe(each) for each in observations]

    def interrupt(self) -> None:
        self.interrupted.set()


@pytest.mark.parametrize("after", [1, 2])
def test_nobody_is_at_work_any_more_when_asking_together_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Also where it comes while the threads are started: a process must not be ended while a thread uses it."""
    subjects = [Interruptible(), Interruptible()]
    everybody = [Asked(fakes.Toy(), subject, ()) for subject in subjects]
    former = asking._InThread.start
    started = []

    def start(work: asking._InThread) -> None:
        former(work)
        started.append(work)
        if len(started) == after:
            while not all(subject.is_at_work for subject in subjects[:after]):
                time.sleep(0.001)
            raise KeyboardInterrupt

    monkeypatch.setattr(asking._InThread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        together(everybody, [Normalize("a")])
    assert len(started) == after
    assert [subject.is_at_work for subject in subjects] == [False, False]
    assert all(subject.interrupted.is_set() for subject in subjects)


@pytest.mark.parametrize(
    ("question", "given", "told"),
    [
        (Decode((1,)), Text(["a", "b"]), "Decode with Text of list"),
        (Normalize("a"), Text(b"a"), "Normalize with Text of bytes"),
        (PreTokenize("a"), Pieces(((7, None),)), "PreTokenize with Pieces of int"),
        (Encode("a"), Encoded((1, 2.0)), "Encode with Encoded of float"),
        (Encode("a"), Encoded(5), "Encode with Encoded of int"),
        (Encode("a"), Encoded((1,), (None,)), "Encode with Encoded of NoneType"),
        (DecodeStream((1,)), Chunks((3,)), "DecodeStream with Chunks of int"),
    ],
)
def test_an_answer_of_values_of_another_type_is_a_crash(
    question: Observation, given: Any, told: str, toy_file: TokenizerFile
) -> None:
    class Subject(fakes.ToySubject):
        def observe(self, observation: Observation) -> Outcome:  # noqa: ARG002 - the same to all
            return given

    class Odd(fakes.Generous):
        subject = Subject  # type: ignore[assignment]

    outcome = loaded(Odd(), toy_file.source).ask(question)
    assert outcome == Crashed(f"the adapter answered {told}")


class Stopped(fakes.ToySubject):
    def __init__(self, stops: type[BaseException]) -> None:
        self.stops = stops

    def observe(self, observation: Observation) -> Outcome:  # noqa: ARG002 - the same to all
        raise self.stops("now")


class NeverLoaded(fakes.Toy):
    stops: ClassVar[type[BaseException]] = BaseException

    def load(self, source: TokenizerSource) -> fakes.ToySubject:  # noqa: ARG002 - the same to all
        raise self.stops("now")


@pytest.mark.parametrize("stops", [KeyboardInterrupt, GeneratorExit])
def test_what_stops_the_run_is_no_crash(
    stops: type[BaseException], toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NeverLoaded, "stops", stops)
    with pytest.raises(stops):
        Asked(fakes.Toy(), Stopped(stops), ()).ask(Normalize("a"))
    with pytest.raises(stops):
        loaded(NeverLoaded(), toy_file.source)


@pytest.mark.parametrize("stops", [BaseException, ValueError, SystemExit])
def test_whatever_else_is_raised_is_a_crash(
    stops: type[BaseException], toy_file: TokenizerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NeverLoaded, "stops", stops)
    told = f"the adapter raised {stops.__name__}: now"
    assert Asked(fakes.Toy(), Stopped(stops), ()).ask(Normalize("a")) == Crashed(told)
    with pytest.raises(CannotLoadError, match=told):
        loaded(NeverLoaded(), toy_file.source)


class InColumns(fakes.ToySubject):
    columns = EncodedColumns(array("q", [1]), array("q", [7]), array("q", [0, 1]))

    def encode_columns(self, texts: Sequence[str], *, offsets: bool, decoded: bool) -> EncodedColumns:
        if texts != ["a"] or not offsets or decoded:
            raise ValueError(texts)
        return self.columns


def test_texts_are_asked_about_in_columns_where_that_can_be() -> None:
    def asked(subject: fakes.ToySubject, *left_out: Stage) -> Asked:
        class Some(fakes.Toy):
            stages = fakes.Toy.stages - {*left_out}

        return Asked(Some(), subject, ())

    given = asked(InColumns()).columns(["a"], offsets=True, decoded=False)
    assert given is InColumns.columns
    assert asked(InColumns()).columns(["b"], offsets=True, decoded=False) is None
    assert asked(InColumns(), Stage.DECODE).columns(["a"], offsets=True, decoded=False) is None
    assert asked(InColumns(), Stage.MODEL).columns(["a"], offsets=True, decoded=False) is None
    assert asked(fakes.ToySubject()).columns(["a"], offsets=True, decoded=False) is None


class Everything(BatchingSubject, InColumns):
    """Answers in every way there is."""


def test_the_seconds_of_all_ways_to_ask_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(asking.time, "perf_counter", lambda: next(ticks))
    asked = Asked(fakes.Toy(), Everything(), ())
    assert asked.seconds == 0
    asked.ask(Normalize("a"))
    assert asked.seconds == 1
    asked.ask_ahead([Normalize("b")])
    assert asked.seconds == 2
    asked.ask(Normalize("b"))
    assert asked.seconds == 2
    asked.columns(["a"], offsets=True, decoded=False)
    asked.columns([], offsets=True, decoded=False)
    assert asked.seconds == 4


def test_counts_of_asking_again_are_added_up() -> None:
    counts = AgainCounts(1, 2, 3, "slow") + AgainCounts(10, 20, 30, "gone")
    assert counts == AgainCounts(11, 22, 33, "slow")
    assert AgainCounts() + AgainCounts(reason="gone") == AgainCounts(0, 0, 0, "gone")
