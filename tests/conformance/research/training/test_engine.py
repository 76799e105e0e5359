"""From a plan to events: every training in a process of its own, whatever becomes of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_trainers
import pytest

from tokenizer_adapters.contract import Crashed, Failed, TimedOut, Unsupported
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.protocol.trainer_client import ProcessTrainer
from tokenizer_adapters.selection import served_trainer
from tokenizer_adapters.training import Algorithm, PreTokenizer, TrainingOptions
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.training.comparison import Agreement
from tokenizer_conformance.research.training.corpus import corpus_files
from tokenizer_conformance.research.training.engine import train
from tokenizer_conformance.research.training.events import (
    AlgorithmFinished,
    ModelSummary,
    RunEnded,
    TrainerCompared,
    TrainerJudged,
    TrainingEvent,
    TrainingFinished,
    TrainingStarted,
    WordDifference,
    WordsCompared,
)
from tokenizer_conformance.research.training.plan import TrainingPlan
from tokenizer_conformance.research.training.preparation import CannotCountError, prepared

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


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
def test_events_come_in_their_order(plan: Callable[..., TrainingPlan]) -> None:
    events = list(train(plan(fake_trainers.OtherEquals, repeat=2)))
    assert [type(event) for event in events] == [
        TrainingStarted,
        WordsCompared,
        *[RunEnded] * 2,
        TrainerJudged,
        *[RunEnded] * 2,
        TrainerJudged,
        TrainerCompared,
        AlgorithmFinished,
        TrainingFinished,
    ]
    started, words = events[0], events[1]
    assert isinstance(started, TrainingStarted)
    assert (started.baseline, started.words.total, started.words.kinds) == ("honest", 11, 8)
    assert isinstance(words, WordsCompared)
    assert (words.trainer, words.differing) == ("other-equals", 0)
    assert [(run.done, run.total) for run in found(events, RunEnded)] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    finished = events[-1]
    assert isinstance(finished, TrainingFinished)
    assert finished.conclusion is Conclusion.CONFORM
    assert (finished.runs, finished.comparisons, finished.ties, finished.differences) == (4, 1, 1, 0)


@pytest.mark.long
def test_a_difference_is_concluded(plan: Callable[..., TrainingPlan]) -> None:
    events = list(train(plan(fake_trainers.LastDropped)))
    assert found(events, TrainerCompared)[0].comparison.agreement is Agreement.DIFFER
    assert found(events, TrainingFinished)[0].conclusion is Conclusion.DIFFERENCES
    (overlap,) = found(events, AlgorithmFinished)[0].overlaps
    assert (overlap.shared, overlap.only_first, overlap.only_second) == (13, 1, 0)


@pytest.mark.long
def test_each_run_is_a_process_of_its_own(plan: Callable[..., TrainingPlan]) -> None:
    events = list(train(plan(fake_trainers.Unrepeatable, repeat=3)))
    honest, unrepeatable = found(events, TrainerJudged)
    assert [answer.runs for answer in honest.answers] == [(1, 2, 3)]
    assert [answer.runs for answer in unrepeatable.answers] == [(1,), (2,), (3,)]
    assert unrepeatable.answers[0].against_first is None
    assert {answer.against_first.agreement for answer in unrepeatable.answers[1:]} == {Agreement.DIFFER}
    assert unrepeatable.seconds == 0.5


@pytest.mark.long
def test_what_gives_no_answer_costs_the_others_nothing(plan: Callable[..., TrainingPlan]) -> None:
    outcomes = {
        fake_trainers.Failing: Failed("ValueError", "not\ntoday \x1b[31m"),
        fake_trainers.Raising: Failed("RuntimeError", "a bug of the adapter"),
        fake_trainers.Dying: Crashed("killed by signal 6 (SIGABRT)"),
    }
    events = list(train(plan(*outcomes, fake_trainers.OtherEquals)))
    assert [run.outcome for run in found(events, RunEnded)[1:-1]] == list(outcomes.values())
    assert [judged.no_answers for judged in found(events, TrainerJudged)[1:-1]] == [
        {1: each} for each in outcomes.values()
    ]
    assert [compared.second for compared in found(events, TrainerCompared)] == ["other-equals"]
    assert found(events, TrainingFinished)[0].conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.long
def test_a_training_that_never_ends_is_ended(plan: Callable[..., TrainingPlan]) -> None:
    hanging = plan(trainers=(chosen(fake_trainers.Hanging, 0.5),))
    events = list(train(hanging))
    assert found(events, RunEnded)[0].outcome == TimedOut(0.5)


@pytest.mark.long
def test_an_algorithm_that_a_trainer_has_not_is_unsupported_and_no_failure(
    plan: Callable[..., TrainingPlan],
) -> None:
    options = {algorithm: TrainingOptions(vocab_size=14) for algorithm in (Algorithm.BPE, Algorithm.UNIGRAM)}
    events = list(train(plan(fake_trainers.OnlyBpe, options=options, repeat=2)))
    outcomes = [run.outcome for run in found(events, RunEnded) if run.trainer == "only-bpe"]
    assert [type(outcome) for outcome in outcomes] == [ModelSummary, ModelSummary, Unsupported]
    assert found(events, TrainingFinished)[0].conclusion is Conclusion.CONFORM
    assert not found(events, WordsCompared)


@pytest.mark.long
def test_nothing_compared_is_no_success(plan: Callable[..., TrainingPlan]) -> None:
    options = {Algorithm.UNIGRAM: TrainingOptions(vocab_size=14)}
    events = list(train(plan(fake_trainers.OnlyBpe, options=options)))
    assert found(events, TrainingFinished)[0].conclusion is Conclusion.NOTHING_COMPARED


@pytest.mark.long
def test_other_words_are_a_difference_before_all_others(plan: Callable[..., TrainingPlan]) -> None:
    words = {"Low": 3, "low": 4, "lower": 1}
    events = list(train(plan(fake_trainers.OtherWords, words=words)))
    (compared,) = found(events, WordsCompared)
    assert compared.differing == 8
    assert compared.example == WordDifference("low", 4, 3)
    assert found(events, TrainingFinished)[0].conclusion is Conclusion.DIFFERENCES


@pytest.mark.long
def test_a_trainer_that_cannot_count_is_a_failure(plan: Callable[..., TrainingPlan]) -> None:
    events = list(train(plan(fake_trainers.Uncounting)))
    assert found(events, WordsCompared)[0].no_answer == Failed("ValueError", "cannot count")
    assert found(events, TrainingFinished)[0].conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.long
def test_what_is_not_installed_is_said(plan: Callable[..., TrainingPlan]) -> None:
    refusal = Rejected("implementation", "missing", "pip install missing")
    events = list(train(plan(fake_trainers.OtherEquals, unavailable=(refusal,))))
    assert ImplementationMissing(refusal) in events
    assert found(events, TrainingFinished)[0].conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.long_but(1)
@pytest.mark.parametrize("after", [RunEnded, TrainerJudged, TrainingStarted])
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
    assert isinstance(last, TrainingFinished)
    assert (last.finished, last.conclusion, last.exit_status) == (False, Conclusion.INTERRUPTED, 130)
    assert [event.complete for event in found(events, AlgorithmFinished)] == [False] * (after is not TrainingStarted)


@pytest.mark.long
def test_a_plan_is_prepared_with_the_words_of_the_first_counter(corpus: Path) -> None:
    settings: dict[str, Any] = {
        "trainers": (chosen(fake_trainers.Honest), chosen(fake_trainers.OnlyBpe)),
        "unavailable": (),
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
