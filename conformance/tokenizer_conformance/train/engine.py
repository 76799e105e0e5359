"""Training from beginning to end: every trainer in fresh processes, its answers judged, then compared with the baseline."""

from __future__ import annotations

import hashlib
import json
import time
from itertools import combinations
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Unsupported
from tokenizer_adapters.training import CountedWords, TrainedModel
from tokenizer_conformance.session.conclusion import Conclusion
from tokenizer_conformance.session.environment import current_environment
from tokenizer_conformance.session.events import ImplementationMissing
from tokenizer_conformance.train.comparison import Agreement, Judged, compare
from tokenizer_conformance.train.effect import coverage_of
from tokenizer_conformance.train.events import (
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
from tokenizer_conformance.train.processes import counted, trained
from tokenizer_conformance.train.task import character_counts

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping

    from tokenizer_adapters.training import Algorithm
    from tokenizer_conformance.train.plan import ChosenTrainer, TrainingPlan
    from tokenizer_conformance.train.processes import NoAnswer
    from tokenizer_conformance.train.task import TrainingTask


def train(plan: TrainingPlan) -> Generator[TrainingEvent]:
    """Carry out ``plan`` and yield what happens.

    A ``KeyboardInterrupt`` that is raised at work, or thrown into the generator, ends it early: what was done is reported.
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

    def events(self) -> Generator[TrainingEvent]:
        interrupted = False
        try:
            yield _started(self._plan)
            for refusal in self._plan.unavailable:
                yield ImplementationMissing(refusal)
            for each in self._compared_words():
                self._words_differ |= each.differing > 0
                self._failures += each.no_answer is not None
                yield each
            for algorithm in self._plan.options:
                self._at_work = _AlgorithmAtWork(self._plan, algorithm)
                for event in self._at_work.events():
                    self._note(event)
                    yield event
                self._at_work = None
        except KeyboardInterrupt:
            interrupted = True
            if self._at_work is not None:
                yield self._at_work.finished(complete=False)
        yield self._finished(interrupted=interrupted)

    def _compared_words(self) -> Iterator[WordsCompared]:
        for trainer in self._plan.trainers:
            if not trainer.info.takes_words and trainer.name != self._plan.counter:
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

    def _finished(self, *, interrupted: bool) -> TrainingFinished:
        return TrainingFinished(
            finished=not interrupted,
            conclusion=Conclusion.INTERRUPTED if interrupted else self._conclusion(),
            runs=self._runs,
            comparisons=self._comparisons,
            ties=self._found.count(Agreement.TIE),
            differences=self._found.count(Agreement.DIFFER),
            seconds=time.perf_counter() - self._began,
        )

    def _conclusion(self) -> Conclusion:
        if self._failures:
            return Conclusion.IMPLEMENTATION_FAILED
        if self._words_differ or Agreement.DIFFER in self._found:
            return Conclusion.DIFFERENCES
        return Conclusion.CONFORM if self._comparisons else Conclusion.NOTHING_COMPARED


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


def _words_compared(plan: TrainingPlan, trainer: ChosenTrainer) -> WordsCompared:
    answer = counted(trainer, plan.pre_tokenizer, plan.files, plan.patience)
    if not isinstance(answer, CountedWords):
        return WordsCompared(trainer.name, 0, 0, None, answer)
    first, second = plan.words, answer.counts
    differing = [word for word in {**first, **second} if first.get(word, 0) != second.get(word, 0)]
    most = max(differing, key=lambda word: first.get(word, 0) + second.get(word, 0), default=None)
    example = None if most is None else WordDifference(most, first.get(most, 0), second.get(most, 0))
    return WordsCompared(trainer.name, len(second), len(differing), example)


class _AlgorithmAtWork:
    """One algorithm at work."""

    def __init__(self, plan: TrainingPlan, algorithm: Algorithm) -> None:
        self._plan = plan
        self._algorithm = algorithm
        self._task: TrainingTask = plan.task(algorithm)
        self._began = time.perf_counter()
        self._first_answers: dict[str, Judged] = {}
        self._done = 0

    def events(self) -> Iterator[TrainingEvent]:
        for trainer in self._plan.trainers:
            runs: dict[int, TrainedModel | NoAnswer] = {}
            for run in range(1, self._plan.repeat + 1):
                runs[run] = trained(trainer, self._plan.request(self._algorithm), self._plan.patience)
                self._done += 1
                yield self._run_ended(trainer, run, runs[run])
                if isinstance(runs[run], Unsupported):
                    self._done += self._plan.repeat - run
                    break
            yield self._judged(trainer, runs)
            yield from self._compared(trainer)
        yield self.finished(complete=True)

    def finished(self, *, complete: bool) -> AlgorithmFinished:
        overlaps = tuple(
            _overlap(first, second, self._first_answers) for first, second in combinations(self._first_answers, 2)
        )
        return AlgorithmFinished(self._algorithm, overlaps, time.perf_counter() - self._began, complete)

    def _run_ended(self, trainer: ChosenTrainer, run: int, outcome: TrainedModel | NoAnswer) -> RunEnded:
        shown = summary_of(outcome) if isinstance(outcome, TrainedModel) else outcome
        total = self._plan.repeat * len(self._plan.trainers)
        return RunEnded(self._algorithm, trainer.name, run, shown, self._done, total)

    def _judged(self, trainer: ChosenTrainer, runs: Mapping[int, TrainedModel | NoAnswer]) -> TrainerJudged:
        models = {run: outcome for run, outcome in runs.items() if isinstance(outcome, TrainedModel)}
        memory = [model.peak_memory for model in models.values() if model.peak_memory is not None]
        return TrainerJudged(
            algorithm=self._algorithm,
            trainer=trainer.name,
            answers=tuple(self._answers(trainer, models)),
            no_answers={run: outcome for run, outcome in runs.items() if not isinstance(outcome, TrainedModel)},
            seconds=min((model.seconds for model in models.values()), default=None),
            peak_memory=min(memory, default=None),
        )

    def _answers(self, trainer: ChosenTrainer, models: Mapping[int, TrainedModel]) -> Iterator[DistinctModel]:
        same: dict[str, list[int]] = {}
        for run, model in models.items():
            same.setdefault(summary_of(model).sha256, []).append(run)
        for runs in same.values():
            model = models[runs[0]]
            judged = Judged(model, self._task)
            first = self._first_answers.setdefault(trainer.name, judged)
            yield DistinctModel(
                runs=tuple(runs),
                summary=summary_of(model),
                judgement=judged.judgement,
                coverage=coverage_of(judged.segments, model, self._task),
                against_first=None if first is judged else compare(first, judged, self._task),
            )

    def _compared(self, trainer: ChosenTrainer) -> Iterator[TrainerCompared]:
        baseline = self._plan.baseline.name
        first, second = self._first_answers.get(baseline), self._first_answers.get(trainer.name)
        if trainer.name != baseline and first is not None and second is not None:
            yield TrainerCompared(self._algorithm, baseline, trainer.name, compare(first, second, self._task))


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


def _overlap(first: str, second: str, answers: Mapping[str, Judged]) -> Overlap:
    one, other = (set(answers[name].model.tokens) for name in (first, second))
    return Overlap(first, second, len(one & other), len(one - other), len(other - one))
