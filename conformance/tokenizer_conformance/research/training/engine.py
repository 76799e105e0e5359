"""Training from beginning to end: trainers in fresh processes, answers judged, then compared with the baseline."""

from __future__ import annotations

import hashlib
import json
import time
from itertools import combinations
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Unsupported
from tokenizer_adapters.training import CountedWords, TrainedModel
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.research.training.comparison import Agreement, JudgedModel, compare
from tokenizer_conformance.research.training.effect import coverage_of
from tokenizer_conformance.research.training.events import (
    AlgorithmFinished,
    CorpusWords,
    DistinctModel,
    ModelSummary,
    Overlap,
    RunEnded,
    TrainerCompared,
    TrainerJudged,
    TrainingEvent,
    TrainingFinished,
    TrainingStarted,
    WordDifference,
    WordsCompared,
)
from tokenizer_conformance.research.training.task import character_counts

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from tokenizer_adapters.training import Algorithm, Trainer, TrainingOutcome
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.research.training.plan import TrainingPlan
    from tokenizer_conformance.research.training.task import TrainingTask


def train(plan: TrainingPlan) -> Generator[TrainingEvent | InternalError]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` that is raised at work, or thrown into the generator, ends it early: what was done is
    reported. After an error that nobody expected, which is yielded as an :class:`InternalError`, it ends in the same
    way.
    """
    return _Training(plan).events()


class _Training:
    """A plan at work."""

    def __init__(self, plan: TrainingPlan) -> None:
        self._plan = plan
        self._began = time.perf_counter()
        self._runs = 0
        self._comparisons = 0
        self._found: list[Agreement] = []
        self._failures = len(plan.unavailable)
        self._words_differ = False
        self._at_work: _AlgorithmAtWork | None = None

    def events(self) -> Generator[TrainingEvent | InternalError]:
        stop = Stop()
        yield from stop.guard(self._work())
        if self._at_work is not None:
            yield self._at_work.finished(complete=False)
        yield self._finished(stop.conclusion)

    def _work(self) -> Iterator[TrainingEvent]:
        yield _started(self._plan)
        for refusal in self._plan.unavailable:
            yield ImplementationMissing(refusal)
        for each in self._compared_words():
            self._words_differ |= each.differing > 0
            self._failures += each.no_answer is not None
            yield each
        for algorithm in self._plan.options:
            STATUS.begin(algorithm)
            self._at_work = _AlgorithmAtWork(self._plan, algorithm)
            for event in self._at_work.events():
                self._note(event)
                yield event
            self._at_work = None

    def _compared_words(self) -> Iterator[WordsCompared]:
        for trainer in self._plan.trainers:
            if not trainer.info.takes_words and trainer.info.name != self._plan.counter:
                STATUS.begin("words of the corpus", f"counted by {trainer.info.name}")
                yield _words_compared(self._plan, trainer)

    def _note(self, event: TrainingEvent) -> None:
        match event:
            case RunEnded(outcome=outcome):
                self._runs += 1
                self._failures += not isinstance(outcome, (ModelSummary, Unsupported))
            case TrainerCompared(comparison=comparison):
                self._comparisons += 1
                self._found.append(comparison.agreement)
            case _:
                pass

    def _finished(self, stopped: Conclusion | None) -> TrainingFinished:
        return TrainingFinished(
            finished=stopped is None,
            conclusion=stopped or self._conclusion(),
            runs=self._runs,
            comparisons=self._comparisons,
            ties=self._found.count(Agreement.TIE),
            differences=self._found.count(Agreement.DIFFER),
            seconds=time.perf_counter() - self._began,
        )

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.IMPLEMENTATION_FAILED: self._failures,
                Conclusion.NOTHING_COMPARED: not self._comparisons and not self._words_differ,
                Conclusion.DIFFERENCES: self._words_differ or Agreement.DIFFER in self._found,
            }
        )


def _started(plan: TrainingPlan) -> TrainingStarted:
    return TrainingStarted(
        environment=current_environment(plan.command),
        trainers=tuple(trainer.info for trainer in plan.trainers),
        corpus=plan.corpus,
        pre_tokenizer=plan.pre_tokenizer,
        words=CorpusWords(
            counter=plan.counter,
            total=sum(plan.words.values()),
            kinds=len(plan.words),
            characters=len(character_counts(plan.words)),
        ),
        options=plan.options,
        repeat=plan.repeat,
        tolerance=plan.tolerance,
    )


def _words_compared(plan: TrainingPlan, trainer: Trainer) -> WordsCompared:
    answer = trainer.count_words(plan.pre_tokenizer, plan.files)
    if not isinstance(answer, CountedWords):
        return WordsCompared(trainer.info.name, 0, 0, None, answer)
    first, second = plan.words, answer.counts
    differing = [word for word in {**first, **second} if first.get(word, 0) != second.get(word, 0)]
    most = max(differing, key=lambda word: first.get(word, 0) + second.get(word, 0), default=None)
    example = None if most is None else WordDifference(most, first.get(most, 0), second.get(most, 0))
    return WordsCompared(trainer.info.name, len(second), len(differing), example)


class _AlgorithmAtWork:
    """One algorithm at work."""

    def __init__(self, plan: TrainingPlan, algorithm: Algorithm) -> None:
        self._plan = plan
        self._algorithm = algorithm
        self._task: TrainingTask = plan.task(algorithm)
        self._began = time.perf_counter()
        self._first_answers: dict[str, JudgedModel] = {}
        self._done = 0

    def events(self) -> Iterator[TrainingEvent]:
        for trainer in self._plan.trainers:
            runs: dict[int, TrainingOutcome] = {}
            for run in range(1, self._plan.repeat + 1):
                STATUS.at(f"training number {run} of {self._plan.repeat}", trainer.info.name)
                runs[run] = trainer.train(self._plan.request(self._algorithm, trainer))
                self._done += 1
                yield self._run_ended(trainer, run, runs[run])
                if isinstance(runs[run], Unsupported):
                    self._done += self._plan.repeat - run
                    break
            STATUS.at("comparing what was learned", trainer.info.name)
            yield self._judged(trainer, runs)
            yield from self._compared(trainer)
        yield self.finished(complete=True)

    def finished(self, *, complete: bool) -> AlgorithmFinished:
        overlaps = tuple(
            _overlap(first, second, self._first_answers) for first, second in combinations(self._first_answers, 2)
        )
        return AlgorithmFinished(self._algorithm, overlaps, time.perf_counter() - self._began, complete)

    def _run_ended(self, trainer: Trainer, run: int, outcome: TrainingOutcome) -> RunEnded:
        shown = summary_of(outcome) if isinstance(outcome, TrainedModel) else outcome
        total = self._plan.repeat * len(self._plan.trainers)
        return RunEnded(self._algorithm, trainer.info.name, run, shown, self._done, total)

    def _judged(self, trainer: Trainer, runs: Mapping[int, TrainingOutcome]) -> TrainerJudged:
        models = {run: outcome for run, outcome in runs.items() if isinstance(outcome, TrainedModel)}
        seconds = [model.seconds for model in models.values() if model.seconds is not None]
        memory = [model.peak_memory for model in models.values() if model.peak_memory is not None]
        return TrainerJudged(
            algorithm=self._algorithm,
            trainer=trainer.info.name,
            answers=tuple(self._answers(trainer, models)),
            no_answers={run: outcome for run, outcome in runs.items() if not isinstance(outcome, TrainedModel)},
            seconds=min(seconds, default=None),
            peak_memory=min(memory, default=None),
        )

    def _answers(self, trainer: Trainer, models: Mapping[int, TrainedModel]) -> Iterator[DistinctModel]:
        same: dict[str, list[int]] = {}
        for run, model in models.items():
            same.setdefault(summary_of(model).sha256, []).append(run)
        for runs in same.values():
            model = models[runs[0]]
            judged = JudgedModel(model, self._task)
            first = self._first_answers.setdefault(trainer.info.name, judged)
            yield DistinctModel(
                runs=tuple(runs),
                summary=summary_of(model),
                judgement=judged.judgement,
                coverage=coverage_of(judged.segments, model, self._task),
                against_first=None if first is judged else compare(first, judged, self._task),
            )

    def _compared(self, trainer: Trainer) -> Iterator[TrainerCompared]:
        baseline = self._plan.baseline.info.name
        first, second = self._first_answers.get(baseline), self._first_answers.get(trainer.info.name)
        if trainer.info.name != baseline and first is not None and second is not None:
            yield TrainerCompared(self._algorithm, baseline, trainer.info.name, compare(first, second, self._task))


def summary_of(model: TrainedModel) -> ModelSummary:
    """Return ``model`` in short."""
    learned = [model.tokens, model.merges, model.scores]
    return ModelSummary(
        tokens=len(model.tokens),
        merges=None if model.merges is None else len(model.merges),
        scores=None if model.scores is None else len(model.scores),
        seconds=model.seconds,
        peak_memory=model.peak_memory,
        sha256=hashlib.sha256(json.dumps(learned, sort_keys=True).encode("ascii")).hexdigest(),
    )


def _overlap(first: str, second: str, answers: Mapping[str, JudgedModel]) -> Overlap:
    one, other = (set(answers[name].model.tokens) for name in (first, second))
    return Overlap(first, second, len(one & other), len(one - other), len(other - one))
