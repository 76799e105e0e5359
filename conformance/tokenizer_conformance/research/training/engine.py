"""Training from beginning to end: trainers in fresh processes, answers judged, then compared with the baseline."""

from __future__ import annotations

import hashlib
import json
import time
from itertools import combinations
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Failed, TimedOut, Unsupported
from tokenizer_adapters.training import CountedWords, TrainedModel
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.command_io.stopping import Stop
from tokenizer_conformance.research.training.comparison import Agreement, JudgedModel, compare, listed
from tokenizer_conformance.research.training.merge_replay import MergeReplay
from tokenizer_conformance.research.training.segmentation import coverage_of
from tokenizer_conformance.research.training.task import character_counts
from tokenizer_conformance.results.records import training as lines
from tokenizer_conformance.results.records.making import LastLine, header_of, last_line, made

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import WithoutValue
    from tokenizer_adapters.training import Algorithm, Trainer, TrainingOutcome
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.research.training.comparison import Judgement
    from tokenizer_conformance.research.training.preparation import TrainingPlan
    from tokenizer_conformance.research.training.task import TrainingTask


UNSUPPORTED = "unsupported"

_OfAlgorithm = lines.Run | lines.Trainer | lines.Comparison | lines.AlgorithmLine
TrainingEvent = lines.Header | lines.ImplementationMissing | lines.Words | _OfAlgorithm | LastLine


def is_ending(event: object) -> bool:
    """Return whether ``event`` shows that training is being ended."""
    return isinstance(event, LastLine) or (isinstance(event, lines.AlgorithmLine) and not event.complete)


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
        self._compared: set[str] = set()
        self._found: list[str] = []
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
            yield made(lines.ImplementationMissing, refusal)
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

    def _compared_words(self) -> Iterator[lines.Words]:
        for trainer in self._plan.trainers:
            if not trainer.info.takes_words and trainer.info.name != self._plan.counter:
                STATUS.begin("words of the corpus", f"counted by {trainer.info.name}")
                yield _words_compared(self._plan, trainer)

    def _note(self, event: TrainingEvent) -> None:
        match event:
            case lines.Run(no_answer=no_answer):
                self._runs += 1
                self._failures += no_answer is not None and no_answer.verdict != UNSUPPORTED
            case lines.Comparison(second=name, agreement=agreement):
                self._compared.add(name)
                self._found.append(agreement)
            case _:
                pass

    def _finished(self, stopped: Conclusion | None) -> LastLine:
        return last_line(
            lines.Footer,
            stopped or self._conclusion(),
            time.perf_counter() - self._began,
            finished=stopped is None,
            runs=self._runs,
            comparisons=len(self._found),
            ties=self._found.count(Agreement.TIE),
            differences=self._found.count(Agreement.DIFFER),
        )

    def _conclusion(self) -> Conclusion:
        return conclusion_from(
            {
                Conclusion.IMPLEMENTATION_FAILED: self._failures,
                Conclusion.NOTHING_COMPARED: not self._found and not self._words_differ,
                Conclusion.TOO_LITTLE: self._plan.required - self._compared,
                Conclusion.DIFFERENCES: self._words_differ or Agreement.DIFFER in self._found,
            }
        )


def _started(plan: TrainingPlan) -> lines.Header:
    infos = [trainer.info for trainer in plan.trainers]
    return made(
        lines.Header,
        plan,
        **header_of(lines.FORMAT, current_environment(plan.command)),
        baseline=infos[0].name,
        trainers=[made(lines.TrainerInfo, each, algorithms=sorted(each.algorithms)) for each in infos],
        words=lines.CountedWords(
            counter=plan.counter,
            total=sum(plan.words.values()),
            kinds=len(plan.words),
            characters=len(character_counts(plan.words)),
        ),
    )


def _words_compared(plan: TrainingPlan, trainer: Trainer) -> lines.Words:
    answer, name = trainer.count_words(plan.pre_tokenizer, plan.files), trainer.info.name
    if not isinstance(answer, CountedWords):
        return lines.Words(trainer=name, kinds=0, differing=0, example=None, no_answer=no_answer(answer))
    first, second = plan.words, answer.counts
    differing = [word for word in {**first, **second} if first.get(word, 0) != second.get(word, 0)]
    most = max(differing, key=lambda word: first.get(word, 0) + second.get(word, 0), default=None)
    example = None
    if most is not None:
        example = lines.WordsExample(word=most, first=first.get(most, 0), second=second.get(most, 0))
    return lines.Words(trainer=name, kinds=len(second), differing=len(differing), example=example, no_answer=None)


def no_answer(outcome: WithoutValue) -> lines.NoAnswer:
    """Return the line about ``outcome``."""
    match outcome:
        case Unsupported(reason):
            return lines.NoAnswer(verdict="unsupported", detail=reason)
        case Failed(kind, message):
            return lines.NoAnswer(verdict="error", detail=f"{kind}: {message}")
        case Crashed(detail):
            return lines.NoAnswer(verdict="crash", detail=detail)
        case TimedOut(seconds):
            return lines.NoAnswer(verdict="timeout", detail=f"no answer within {seconds:g} s")
        case BrokeProtocol(detail):
            return lines.NoAnswer(verdict="protocol", detail=detail)


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

    def finished(self, *, complete: bool) -> lines.AlgorithmLine:
        pairs = combinations(self._first_answers.items(), 2)
        return lines.AlgorithmLine(
            algorithm=self._algorithm.value,
            complete=complete,
            overlaps=tuple(_overlap(*first, *second) for first, second in pairs),
            seconds=rounded(time.perf_counter() - self._began),
        )

    def _run_ended(self, trainer: Trainer, run: int, outcome: TrainingOutcome) -> lines.Run:
        STATUS.reach(Place(str(self._algorithm), self._done, self._plan.repeat * len(self._plan.trainers), "trainings"))
        model = outcome if isinstance(outcome, TrainedModel) else None
        return lines.Run(
            algorithm=self._algorithm.value,
            trainer=trainer.info.name,
            run=run,
            learned=None if model is None else summary_of(model),
            no_answer=None if isinstance(outcome, TrainedModel) else no_answer(outcome),
        )

    def _judged(self, trainer: Trainer, runs: Mapping[int, TrainingOutcome]) -> lines.Trainer:
        models = {run: outcome for run, outcome in runs.items() if isinstance(outcome, TrainedModel)}
        seconds = [model.seconds for model in models.values() if model.seconds is not None]
        memory = [model.peak_memory for model in models.values() if model.peak_memory is not None]
        return lines.Trainer(
            algorithm=self._algorithm.value,
            trainer=trainer.info.name,
            answers=tuple(self._answers(trainer, models)),
            no_answers=tuple(
                made(lines.FailedRun, no_answer(outcome), run=run)
                for run, outcome in runs.items()
                if not isinstance(outcome, TrainedModel)
            ),
            seconds=_seconds(min(seconds, default=None)),
            peak_memory=min(memory, default=None),
        )

    def _answers(self, trainer: Trainer, models: Mapping[int, TrainedModel]) -> Iterator[lines.Answer]:
        same: dict[str, list[int]] = {}
        for run, model in models.items():
            same.setdefault(summary_of(model).sha256, []).append(run)
        for runs in same.values():
            judged = JudgedModel(models[runs[0]], self._task)
            first = self._first_answers.setdefault(trainer.info.name, judged)
            yield answer_of(judged, runs, None if first is judged else first, self._task)

    def _compared(self, trainer: Trainer) -> Iterator[lines.Comparison]:
        baseline, name = self._plan.baseline.info.name, trainer.info.name
        first, second = self._first_answers.get(baseline), self._first_answers.get(name)
        if name != baseline and first is not None and second is not None:
            found = compare(first, second, self._task)
            yield made(lines.Comparison, found, algorithm=self._algorithm, first=baseline, second=name)


def answer_of(judged: JudgedModel, runs: Sequence[int], first: JudgedModel | None, task: TrainingTask) -> lines.Answer:
    """Return the line about a model that one or more ``runs`` have learned, compared with the ``first`` answer."""
    return lines.Answer(
        runs=tuple(runs),
        learned=summary_of(judged.model),
        judgement=_judgement(judged.judgement),
        coverage=coverage_of(judged.segments, judged.model, task),
        against_first=None if first is None else compare(first, judged, task),
    )


def summary_of(model: TrainedModel) -> lines.Learned:
    """Return ``model`` in short."""
    learned = [model.tokens, model.merges, model.scores]
    return lines.Learned(
        tokens=len(model.tokens),
        merges=None if model.merges is None else len(model.merges),
        scores=None if model.scores is None else len(model.scores),
        seconds=_seconds(model.seconds),
        peak_memory=model.peak_memory,
        sha256=hashlib.sha256(json.dumps(learned, sort_keys=True).encode("ascii")).hexdigest(),
    )


def _seconds(seconds: float | None) -> float | None:
    return None if seconds is None else rounded(seconds)


def _judgement(judgement: Judgement) -> lines.Judgement:
    if isinstance(judgement, MergeReplay):
        return made(lines.Judgement, judgement, stray=listed(judgement.stray))
    return made(lines.Judgement, judgement)


def _overlap(first: str, one: JudgedModel, second: str, other: JudgedModel) -> lines.Overlap:
    ours, theirs = set(one.model.tokens), set(other.model.tokens)
    shared = len(ours & theirs)
    return lines.Overlap(
        first=first, second=second, shared=shared, only_first=len(ours) - shared, only_second=len(theirs) - shared
    )
