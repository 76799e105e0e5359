"""Looking for the causes of what differs, once everything has been compared and told.

While inputs are compared, the questions that differ are gathered by finding (``gathered.py``). In the end the time is
shared out: first over the implementations on each tokenizer, by how many findings each has, then over its findings.
What one of them does not need, those after it have; the largest tokenizer comes last. Only what one implementation
needs is loaded at a time.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.cause_time import CauseTime, TimeSpentError
from tokenizer_conformance.causes.collecting import CauseCollector
from tokenizer_conformance.causes.wording import reason_in_words
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.asking_alone import Alone
from tokenizer_conformance.validation.running.events import CausesSought, Unexamined, WhyNot
from tokenizer_conformance.validation.running.plan import Repeated

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_adapters.contract import Implementation, Observation
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.causes.cause import Cause
    from tokenizer_conformance.comparison.findings import Signature
    from tokenizer_conformance.validation.running.gathered import Question, Subject
    from tokenizer_conformance.validation.running.plan import RunPlan

LEAST_SECONDS = 2.0
"""The least share of the time, as long as there is so much: with less hardly anything can be proven."""

MOST_COMING = 256
"""For so many questions ahead a known reason may provide."""


class CauseSearch:
    """The search for the causes of everything that ``plan`` has found."""

    def __init__(self, plan: RunPlan, time: CauseTime | None = None) -> None:
        self._plan = plan
        self._time = time or CauseTime(plan.cause_seconds)
        self._built = {each.info.name: each for each in plan.implementations}
        self._is_interrupted = False

    def found(self, subjects: Iterable[Subject]) -> Iterator[tuple[CausesSought, list[Exception]]]:
        """Look for causes on each of the ``subjects``, and yield what was found there, and the bugs that came up.

        The largest file comes last: experiments take longest on it, and it has what the others leave of the time.
        A bug ends the search for one implementation. A ``KeyboardInterrupt`` ends all of it, and what was found until
        then is kept.
        """
        waiting = sorted(subjects, key=_size)
        left = sum(len(each.gathered.questions) for each in waiting)
        for subject in waiting:
            causes = [*subject.causes]
            unexamined = _unexamined(subject.gathered.left_out, WhyNot.MANY)
            errors: list[Exception] = []
            for name in subject.gathered.names():
                questions = subject.gathered.of(name)
                share = max(LEAST_SECONDS, self._time.left * len(questions) / left)
                left -= len(questions)
                built = Alone(self._built[name]) if name in subject.alone else self._built[name]
                at_work = _AtWork(self._plan, built, questions, self._time)
                self._search(at_work, subject, self._time.spent + share)
                causes += (self._repeatable(each, subject) for each in at_work.causes)
                unexamined += at_work.unexamined()
                errors += at_work.errors
            subject.loaded.clear()
            yield CausesSought(subject.source.name, tuple(causes), tuple(unexamined), self._is_interrupted), errors

    def _repeatable(self, cause: Cause, subject: Subject) -> Cause:
        """Return ``cause`` with the command that shows it, on the tokenizer that was given."""
        first = cause.examples[0]
        of = (subject.source.name, self._plan.baseline, cause.implementation, first, subject.gathered.categories[first])
        return replace(cause, repeat=self._plan.call.repeat(Repeated(*of, (cause.shown.question,))))

    def _search(self, at_work: _AtWork, subject: Subject, until: float) -> None:
        if self._is_interrupted:
            at_work.why = WhyNot.INTERRUPTED
            return
        try:
            at_work.search(subject, self._built[self._plan.baseline], until)
        except KeyboardInterrupt:
            self._is_interrupted = True
            at_work.why = WhyNot.INTERRUPTED


class _AtWork:
    """The search for the causes of what one implementation does otherwise on one tokenizer."""

    def __init__(
        self, plan: RunPlan, built: Implementation, questions: dict[Signature, deque[Question]], time: CauseTime
    ) -> None:
        self._plan = plan
        self._built = built
        self._questions = questions
        self._time = time
        self._gone: Counter[Signature] = Counter()
        self._tried: dict[Signature, list[Callable[[Observation], bool]]] = {}
        self._shown_by: dict[object, dict[Observation, str]] = {}
        self._beside: dict[object, Counter[Signature]] = {}
        name = known_as(built.info.name)
        self._told = {each.cause for each in plan.ledger.entries if each.cause and each.implementation == name}
        self.why = WhyNot.TIME
        self.causes: tuple[Cause, ...] = ()
        self.errors: list[Exception] = []

    def search(self, subject: Subject, baseline: Implementation, until: float) -> None:
        """Look for causes until so many seconds of all are spent; a ``KeyboardInterrupt`` may end that."""
        if self._time.left <= 0:
            return
        STATUS.begin(subject.source.name, f"looking for causes of what {self._built.info.name} does otherwise")
        fields, stages = self._plan.fields, frozenset(self._plan.observed_stages())
        with Bench(baseline, self._built, fields, stages, self._time) as bench:
            collector = CauseCollector(bench)
            try:
                self._share_out(collector, _trial(bench, subject), until)
            except Exception as error:  # noqa: BLE001 - a bug in an experiment costs the causes, and not the run
                self.why = WhyNot.ERROR
                self.errors.append(error)
            finally:
                self.causes = tuple(each for each in map(self._counted, collector.causes()) if each.differences)

    def _share_out(self, collector: CauseCollector, trial: Trial, until: float) -> None:
        """Give each finding the share of the time that it has of all differences, the largest first.

        What is left of it, those have that need more: of most differences a reason takes no time once it is proven.
        """
        while self._time.spent < until:
            unfinished = sorted(
                filter(self._questions.get, self._questions), key=lambda each: -len(self._questions[each])
            )
            if not unfinished:
                return
            for place, finding in enumerate(unfinished):
                waiting = sum(len(self._questions[each]) for each in unfinished[place:])
                share = (until - self._time.spent) * len(self._questions[finding]) / waiting
                self._time.lend(min(until, self._time.spent + max(share, LEAST_SECONDS)))
                with suppress(TimeSpentError):
                    self._work_off(finding, collector, trial)

    def _work_off(self, finding: Signature, collector: CauseCollector, trial: Trial) -> None:
        questions = self._questions[finding]

        def coming() -> Iterator[Observation]:
            return (each for each, _ in islice(questions, MOST_COMING))

        self._put_known_first(finding, collector, trial)
        while questions:
            self._time.check()
            question, input_id = questions[0]
            cause = collector.take(trial, question, input_id, finding, coming)
            if cause is None:
                self._gone[finding] += 1
            elif self._is_beside(cause, question):
                self._beside.setdefault(_key(cause), Counter())[finding] += 1
            else:
                self._shown_by.setdefault(_key(cause), {})[question] = input_id
            questions.popleft()
            if collector.has_news():
                self._put_known_first(finding, collector, trial)

    def _put_known_first(self, finding: Signature, collector: CauseCollector, trial: Trial) -> None:
        """Put the questions of ``finding`` first that a known reason explains; each reason is tried once."""
        tried = self._tried.setdefault(finding, [])
        fresh = [explains for explains in collector.explaining(trial) if explains not in tried]
        tried += fresh
        _put_first(self._questions[finding], trial, fresh)

    def _is_beside(self, cause: Cause, question: Observation) -> bool:
        """Return whether a ledger tells ``cause``, and the answer to ``question`` is not what the cause predicts.

        A ledger tells answers: that this one is new, the cause does not explain.
        """
        explains = cause.reason.explains
        if explains is None or reason_in_words(cause) not in self._told:
            return False
        with suppress(TimeSpentError):
            return not explains(question)
        return True

    def _counted(self, cause: Cause) -> Cause:
        """Return ``cause`` with its questions, without those that it is beside of."""
        shown, beside = self._shown_by.get(_key(cause), {}), self._beside.get(_key(cause), Counter())
        told = replace(cause, every_question=frozenset(shown))
        if not beside:
            return told
        inputs = len({*shown.values()})
        findings = {finding: count - beside[finding] for finding, count in cause.findings.items()}
        return replace(
            told,
            differences=cause.differences - beside.total(),
            inputs=inputs,
            tokenizers=dict.fromkeys(cause.tokenizers, inputs),
            examples=tuple(dict.fromkeys(shown.values()))[: len(cause.examples)],
            findings={finding: count for finding, count in findings.items() if count},
        )

    def unexamined(self) -> list[Unexamined]:
        """Return which differences have no cause, and why."""
        left = {finding: len(questions) for finding, questions in self._questions.items() if questions}
        beside: Counter[Signature] = Counter()
        for of_cause in self._beside.values():
            beside.update(of_cause)
        counts = ((left, self.why), (self._gone, WhyNot.GONE), (beside, WhyNot.BESIDE))
        return [each for of, why in counts for each in _unexamined(of, why)]


def _put_first(questions: deque[Question], trial: Trial, explaining: Sequence[Callable[[Observation], bool]]) -> None:
    """Put those ``questions`` first that a known reason explains, of which each takes no time.

    What many inputs show is counted before the time is spent on what few show. :class:`TimeSpentError` leaves the rest
    as it stands.
    """
    if not explaining or len(questions) == 1:
        return
    waiting = list(questions)
    places: tuple[list[Question], list[Question]] = ([], [])
    at = 0
    try:
        for at, each in enumerate(waiting):
            if at % MOST_COMING == 0:
                ahead = [question for question, _ in waiting[at : at + MOST_COMING]]
                trial.coming = partial(list, ahead)
                trial.ask_ahead(ahead)
            places[not any(explains(each[0]) for explains in explaining)].append(each)
        at = len(waiting)
    finally:
        trial.coming = tuple
        questions.clear()
        questions.extend((*places[0], *places[1], *waiting[at:]))


def _size(subject: Subject) -> int:
    """Return how many bytes the tokenizer.json has; 0 where there is none."""
    with suppress(OSError):
        return Path(subject.source.file).stat().st_size
    return 0


def _key(cause: Cause) -> object:
    """Return what stays of a cause, however it is told: its reason, or what its differences have in common."""
    return (cause.reason.name, cause.reason.parameter) if cause.reason.is_proven else cause.signature


def _trial(bench: Bench, subject: Subject) -> Trial:
    """Return both sides of ``bench`` with the tokenizer: as they have it loaded, or loaded anew."""
    baseline = subject.loaded.get(bench.baseline.info.name) or loaded(bench.baseline, subject.source)
    subject.loaded[bench.baseline.info.name] = baseline
    name = bench.implementation.info.name
    implementation = subject.loaded.pop(name, None) or loaded(bench.implementation, subject.source)
    return bench.trial_with(subject.source, baseline, implementation)


def _unexamined(counts: Mapping[Signature, int], why: WhyNot) -> list[Unexamined]:
    return [Unexamined(finding, differences, why) for finding, differences in counts.items() if differences]
