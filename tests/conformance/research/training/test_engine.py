"""From a plan to events: every training in a process of its own, whatever becomes of that."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import fake_trainers
import pytest

from tokenizer_adapters.contract import Failed, TimedOut, Unsupported
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.protocol.trainer_client import ProcessTrainer
from tokenizer_adapters.selection import served_trainer
from tokenizer_adapters.training import Algorithm, CountedWords, PreTokenizer, TrainingOptions
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.training.comparison import Agreement
from tokenizer_conformance.research.training.engine import TrainingEvent, _words_compared, train
from tokenizer_conformance.research.training.preparation import CannotCountError, TrainingPlan, corpus_files, prepared
from tokenizer_conformance.results.records import training as lines
from tokenizer_conformance.results.records.making import LastLine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tokenizer_conformance.command_io.status import Place


def chosen(trainer: type[fake_trainers.Honest], seconds: float = 100.0) -> ProcessTrainer:
    """Return a fake as it is compared: every training in a process of its own, for no more than ``seconds``."""
    return ProcessTrainer(served_trainer(f"{trainer.__module__}:{trainer.__name__}"), Limits(train_seconds=seconds))


@pytest.fixture
def plan(corpus: Path) -> Callable[..., TrainingPlan]:
    """A function that makes a plan with the honest trainer as baseline."""

    def make(*trainers: type[fake_trainers.Honest], **settings: Any) -> TrainingPlan:
        words = fake_trainers.Honest().count_words(PreTokenizer.WHITESPACE, (str(corpus),)).counts
        defaults: dict[str, Any] = {
            "trainers": tuple(map(chosen, (fake_trainers.Honest, *trainers))),
            "corpus": corpus_files([str(corpus)]),
            "pre_tokenizer": PreTokenizer.WHITESPACE,
            "words": words,
            "counter": "honest",
            "options": {Algorithm.BPE: TrainingOptions(vocab_size=14)},
        }
        return TrainingPlan(**(defaults | settings))

    return make


def found(events: list[TrainingEvent], kind: type[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.long
def test_events_come_in_their_order(plan: Callable[..., TrainingPlan], monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[Place] = []
    monkeypatch.setattr(STATUS, "reach", places.append)
    events = list(train(plan(fake_trainers.OtherEquals, repeat=2)))
    assert [type(event) for event in events] == [
        lines.Header,
        lines.Words,
        *[lines.Run] * 2,
        lines.Trainer,
        *[lines.Run] * 2,
        lines.Trainer,
        lines.Comparison,
        lines.AlgorithmLine,
        LastLine,
    ]
    started, words = events[0], events[1]
    assert isinstance(started, lines.Header)
    assert (started.baseline, started.words.total, started.words.kinds) == ("honest", 11, 8)
    assert isinstance(words, lines.Words)
    assert (words.trainer, words.differing) == ("other-equals", 0)
    assert [(place.name, place.done, place.total) for place in places] == [("bpe", done, 4) for done in (1, 2, 3, 4)]
    finished = events[-1]
    assert isinstance(finished, LastLine)
    assert finished.conclusion is Conclusion.CONFORM
    assert (finished.line.runs, finished.line.comparisons, finished.line.ties, finished.line.differences) == (
        4,
        1,
        1,
        0,
    )


@pytest.mark.long
def test_a_difference_is_concluded(plan: Callable[..., TrainingPlan]) -> None:
    events = list(train(plan(fake_trainers.LastDropped)))
    assert found(events, lines.Comparison)[0].agreement == Agreement.DIFFER
    assert found(events, LastLine)[0].conclusion is Conclusion.DIFFERENCES
    (overlap,) = found(events, lines.AlgorithmLine)[0].overlaps
    assert (overlap.shared, overlap.only_first, overlap.only_second) == (13, 1, 0)


@pytest.mark.long
def test_each_run_is_a_process_of_its_own(plan: Callable[..., TrainingPlan]) -> None:
    events = list(train(plan(fake_trainers.Unrepeatable, repeat=3)))
    honest, unrepeatable = found(events, lines.Trainer)
    assert [answer.runs for answer in honest.answers] == [(1, 2, 3)]
    assert [answer.runs for answer in unrepeatable.answers] == [(1,), (2,), (3,)]
    assert unrepeatable.answers[0].against_first is None
    assert {answer.against_first.agreement for answer in unrepeatable.answers[1:]} == {Agreement.DIFFER}
    assert unrepeatable.seconds == 0.5


@pytest.mark.long
def test_what_gives_no_answer_costs_the_others_nothing(plan: Callable[..., TrainingPlan]) -> None:
    outcomes = {
        fake_trainers.Failing: ("error", "ValueError: not\ntoday \x1b[31m"),
        fake_trainers.Raising: ("error", "RuntimeError: a bug of the adapter"),
        fake_trainers.Dying: ("crash", "killed by signal 6 (SIGABRT)"),
    }
    events = list(train(plan(*outcomes, fake_trainers.OtherEquals)))
    without = [run.no_answer for run in found(events, lines.Run)[1:-1]]
    assert [(each.verdict, each.detail) for each in without] == list(outcomes.values())
    failed = [each for judged in found(events, lines.Trainer)[1:-1] for each in judged.no_answers]
    assert [(each.run, each.verdict, each.detail) for each in failed] == [(1, *each) for each in outcomes.values()]
    assert [compared.second for compared in found(events, lines.Comparison)] == ["other-equals"]
    assert found(events, LastLine)[0].conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.long
def test_a_training_that_never_ends_is_ended(plan: Callable[..., TrainingPlan]) -> None:
    hanging = plan(trainers=(chosen(fake_trainers.Hanging, 0.5),))
    events = list(train(hanging))
    assert found(events, lines.Run)[0].no_answer == lines.NoAnswer(verdict="timeout", detail="no answer within 0.5 s")


@pytest.mark.long
def test_an_algorithm_that_a_trainer_has_not_is_unsupported_and_no_failure(
    plan: Callable[..., TrainingPlan],
) -> None:
    options = {algorithm: TrainingOptions(vocab_size=14) for algorithm in (Algorithm.BPE, Algorithm.UNIGRAM)}
    events = list(train(plan(fake_trainers.OnlyBpe, options=options, repeat=2)))
    first, second, unsupported = [run for run in found(events, lines.Run) if run.trainer == "only-bpe"]
    assert first.learned is not None
    assert second.learned is not None
    assert unsupported.no_answer.verdict == "unsupported"
    assert found(events, LastLine)[0].conclusion is Conclusion.CONFORM
    assert not found(events, lines.Words)


@pytest.mark.long
def test_nothing_compared_is_no_success(plan: Callable[..., TrainingPlan]) -> None:
    options = {Algorithm.UNIGRAM: TrainingOptions(vocab_size=14)}
    events = list(train(plan(fake_trainers.OnlyBpe, options=options)))
    assert found(events, LastLine)[0].conclusion is Conclusion.NOTHING_COMPARED


@pytest.mark.long
def test_other_words_are_a_difference_before_all_others(plan: Callable[..., TrainingPlan]) -> None:
    words = {"Low": 3, "low": 4, "lower": 1}
    events = list(train(plan(fake_trainers.OtherWords, words=words)))
    (compared,) = found(events, lines.Words)
    assert compared.differing == 8
    assert compared.example == lines.WordsExample(word="low", first=4, second=3)
    assert found(events, LastLine)[0].conclusion is Conclusion.DIFFERENCES


@pytest.mark.long
def test_a_trainer_that_cannot_count_is_a_failure(plan: Callable[..., TrainingPlan]) -> None:
    events = list(train(plan(fake_trainers.Uncounting)))
    assert found(events, lines.Words)[0].no_answer == lines.NoAnswer(verdict="error", detail="ValueError: cannot count")
    assert found(events, LastLine)[0].conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (CountedWords({"low": 4}), {"kinds": 1}),
        (
            CountedWords({"low": 2, "Low": 1, "lower": 9}),
            {"kinds": 3, "differing": 3, "example": lines.WordsExample(word="lower", first=0, second=9)},
        ),
        (CountedWords({}), {"differing": 1, "example": lines.WordsExample(word="low", first=4, second=0)}),
        (
            Unsupported("it does not count"),
            {"no_answer": lines.NoAnswer(verdict="unsupported", detail="it does not count")},
        ),
        (Failed("ValueError", "no"), {"no_answer": lines.NoAnswer(verdict="error", detail="ValueError: no")}),
        (TimedOut(2.0), {"no_answer": lines.NoAnswer(verdict="timeout", detail="no answer within 2 s")}),
    ],
)
def test_words_are_compared_with_those_of_the_counter(
    plan: Callable[..., TrainingPlan], answer: Any, line: dict[str, Any]
) -> None:
    info = replace(fake_trainers.Honest().info, name="counting")
    trainer: Any = SimpleNamespace(info=info, count_words=lambda _pre_tokenizer, _files: answer)
    told = {"trainer": "counting", "kinds": 0, "differing": 0, "example": None, "no_answer": None, **line}
    assert _words_compared(plan(words={"low": 4}), trainer) == lines.Words(**told)


@pytest.mark.long
def test_what_is_not_installed_is_said(plan: Callable[..., TrainingPlan]) -> None:
    refusal = Rejected("implementation", "missing", "pip install missing")
    events = list(train(plan(fake_trainers.OtherEquals, unavailable=(refusal,))))
    assert lines.ImplementationMissing(name="missing", reason="pip install missing") in events
    assert found(events, LastLine)[0].conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.long_but(1)
@pytest.mark.parametrize("after", [lines.Run, lines.Trainer, lines.Header])
def test_an_interrupted_training_reports_what_was_done(
    plan: Callable[..., TrainingPlan], after: type[TrainingEvent]
) -> None:
    engine = train(plan(fake_trainers.OtherEquals))
    events: list[TrainingEvent] = []
    for event in engine:
        events.append(event)
        if isinstance(event, after):
            break
    events.append(engine.throw(KeyboardInterrupt()))
    events += engine
    last = events[-1]
    assert isinstance(last, LastLine)
    assert (last.finished, last.conclusion, last.exit_status) == (False, Conclusion.INTERRUPTED, 130)
    assert [event.complete for event in found(events, lines.AlgorithmLine)] == [False] * (after is not lines.Header)


@pytest.mark.long
def test_a_plan_is_prepared_with_the_words_of_the_first_counter(corpus: Path) -> None:
    settings: dict[str, Any] = {
        "trainers": (chosen(fake_trainers.Honest), chosen(fake_trainers.OnlyBpe)),
        "unavailable": (),
        "optional": frozenset(),
        "files": [str(corpus)],
        "pre_tokenizer": PreTokenizer.WHITESPACE,
        "options": {Algorithm.BPE: TrainingOptions(vocab_size=14)},
        "repeat": 1,
        "tolerance": 1e-6,
        "command": (),
    }
    made = prepared(counters=[chosen(fake_trainers.Honest)], **settings)
    assert (made.counter, made.words["low"]) == ("honest", 3)
    with pytest.raises(CannotCountError, match="uncounting cannot count the words of the corpus: ValueError"):
        prepared(counters=[chosen(fake_trainers.Uncounting)], **settings)
    with pytest.raises(CannotCountError, match="no trainer is installed"):
        prepared(counters=[], **settings)
