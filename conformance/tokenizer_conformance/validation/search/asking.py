"""The outcome of one text of a search: its questions put to both sides, and the answers compared."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from random import Random
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import BrokeProtocol, Crashed, Encode, EncodeBatch, Failed, TimedOut, stage_of
from tokenizer_adapters.protocol.client import ProcessImplementation
from tokenizer_conformance.causes.bench import Bench
from tokenizer_conformance.causes.witness import Manner
from tokenizer_conformance.command_io.internal_error import in_short
from tokenizer_conformance.comparison.asking import together
from tokenizer_conformance.comparison.blame import BUILDS_ON
from tokenizer_conformance.comparison.differences import Comparison, OutcomeInUnit, compare, confirmed
from tokenizer_conformance.comparison.no_value import NoValue, without_value
from tokenizer_conformance.comparison.question_options import varied_questions
from tokenizer_conformance.comparison.questions import EVERY_STAGE, NOT_ASKED, about_pair, about_text, is_extra
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.validation.search.cases import Answered, CaseResult
from tokenizer_conformance.validation.search.sides import Sides

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Outcome, Stage, TokenizerSource
    from tokenizer_adapters.selection import Selected
    from tokenizer_conformance.causes.bench import Trial
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.known import KnownOnes
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.search.cases import Batch, Case


def questions_about(case: Case, baseline: Callable[[Observation], Outcome]) -> Iterator[Observation]:
    """Yield what is asked about ``case``; ``baseline`` gives the baseline's answers, on which some questions depend."""
    yield from case.questions
    # Drawn from the text, so that whoever asks about it again puts the same questions.
    random = Random(case.text)  # noqa: S311 - repeatable on purpose
    if case.variant is not None:
        yield from _encodings(case, random, baseline)
        return
    for question in about_text(case.text, EVERY_STAGE, baseline):
        if case.thorough or not is_extra(question):
            yield question
    if case.thorough:
        yield from about_pair(case.text, case.other, EVERY_STAGE, baseline)
        yield from varied_questions(case.text, case.other, random, baseline)


def _encodings(case: Case, random: Random, baseline: Callable[[Observation], Outcome]) -> Iterator[Observation]:
    """Yield the questions in whose answers truncation and padding are seen."""
    yield Encode(case.text, add_special_tokens=False)
    yield Encode(case.text)
    for question in varied_questions(case.text, case.other, random, baseline):
        if isinstance(question, Encode | EncodeBatch):
            yield question


def results_of(sides: Sides, known: KnownOnes, cases: Sequence[Case]) -> tuple[CaseResult, ...]:
    """Return the outcome of each of ``cases``, in their order: nothing is asked of a variant that a side refuses."""
    found: list[CaseResult] = []
    for variant, group in groupby(cases, key=lambda case: case.variant):
        trial, together_ = sides.trial_for(variant), tuple(group)
        found += [NOTHING] * len(together_) if trial is None else CaseAsker(trial, known).results(together_)
    return tuple(found)


NOTHING = CaseResult(0, 0)
"""What comes of a case that nobody is asked about."""

LOST = (Crashed, TimedOut, BrokeProtocol)
"""What stands for an answer of a side that has lost its process or its time."""

NEITHER = Comparison(both_failed=True)
"""Neither side gives a value, and the implementation does no worse than the baseline."""


class CaseAsker:
    """Asks both sides of ``trial``; ``known`` says which differences are.

    Of a tokenizer.json that is not the user's, what the baseline refuses is left out: some truncations are an error of
    ``tokenizers`` for some texts.
    """

    def __init__(self, trial: Trial, known: KnownOnes) -> None:
        self._baseline = trial.baseline
        self._implementation = trial.implementation
        self._known = known
        self._needs_answers = trial.document is not None
        self._expected: dict[Observation, Outcome] = {}
        self._is_lost = False

    def results(self, cases: Sequence[Case]) -> tuple[CaseResult, ...]:
        """Return the outcome of each of ``cases``, in their order."""
        self._ask_ahead(cases)
        return tuple(map(self.result, cases))

    def result(self, case: Case, *, until_lost: bool = False) -> CaseResult:
        """Return the outcome of ``case``; ``until_lost``: up to the first question over which a side is lost."""
        self._begin()
        compared: dict[Observation, Comparison] = {}
        for question in questions_about(case, self._answer):
            if question not in compared:
                compared[question] = self._now(question)
            if until_lost and self._is_lost:
                break
        self._confirm(compared)
        return self._told(compared)

    # Asking

    def _begin(self) -> None:
        self._expected = {}
        self._is_lost = False

    def _answer(self, question: Observation) -> Outcome:
        """Return the baseline's answer to ``question``, for which it is asked once for each text."""
        answer = self._expected.get(question)
        if answer is None:
            answer = self._expected[question] = self._baseline.ask(question)
        return answer

    def _ask_ahead(self, cases: Sequence[Case]) -> None:
        """Put all questions about ``cases`` to a side that answers many at once faster.

        Some questions depend on the baseline's answers: these are asked when it has given them.
        """
        for asked in (self._baseline, self._implementation):
            asked.forget()
        batching = [asked for asked in (self._baseline, self._implementation) if asked.takes_batches]
        if not batching:
            return
        plain = [question for case in cases for question in questions_about(case, lambda _: NOT_ASKED)]
        together(batching, plain)
        if self._baseline not in batching:
            self._baseline.ask_ahead(plain)
        together(batching, [question for case in cases for question in questions_about(case, self._baseline.ask)])

    def _now(self, question: Observation) -> Comparison:
        expected, actual = self._answer(question), self._implementation.ask(question)
        self._is_lost = self._is_lost or isinstance(actual, LOST) or isinstance(expected, LOST)
        if self._needs_answers and isinstance(expected, Failed | Crashed):
            return NEITHER
        if isinstance(without_value(stage_of(question), expected, actual), NoValue):
            return NEITHER
        return self._compared(question, expected, actual)

    def _compared(self, question: Observation, expected: Outcome, actual: Outcome) -> Comparison:
        return compare(
            question,
            OutcomeInUnit(expected, self._baseline.info.offset_unit),
            OutcomeInUnit(actual, self._implementation.info.offset_unit),
        )

    def _confirm(self, compared: dict[Observation, Comparison]) -> None:
        """Put questions whose answers differ again; a side that gave no answer at all is not asked twice."""
        doubtful = [
            question
            for question, comparison in compared.items()
            if comparison.differences and comparison.verdict not in NO_ANSWER
        ]
        if not doubtful:
            return
        answers = zip(
            doubtful, self._baseline.ask_again(doubtful), self._implementation.ask_again(doubtful), strict=True
        )
        for question, expected, actual in answers:
            compared[question] = confirmed(compared[question], self._compared(question, expected, actual))

    # Telling

    def _told(self, compared: dict[Observation, Comparison]) -> CaseResult:
        known: Counter[Entry] = Counter()
        new: dict[Observation, Difference] = {}
        differing: set[Stage] = set()
        for question, comparison in compared.items():
            for difference in comparison.differences:
                differing.add(stage_of(question))
                entry = self._known.entry_for(question, difference)
                if entry is None:
                    new.setdefault(question, difference)
                else:
                    known[entry] += 1
        own = {question: each for question, each in new.items() if not BUILDS_ON[stage_of(question)] & differing}
        first: dict[Manner, Observation] = {}
        for question, each in own.items():
            manner = Manner(stage_of(question), each.field, each.verdict, each.kind, each.party, each.detail)
            first.setdefault(manner, question)
        return CaseResult(
            len(compared),
            sum(len(comparison.agreed) for comparison in compared.values()),
            mismatches=tuple(first.values()),
            differing=len(own),
            unstable=sum(len(comparison.unstable) for comparison in compared.values()),
            known=known,
            is_lost=self._is_lost,
        )


def in_worker(
    baseline: Selected, implementation: Selected, source: TokenizerSource, known: KnownOnes
) -> Callable[[Batch], Answered]:
    """Return what carries batches out: who is compared on which tokenizer, and which differences are known."""
    sides = baseline.build(), implementation.build()
    is_apart = any(isinstance(side, ProcessImplementation) for side in sides)
    loaded = Sides(Bench(*sides), source)

    def answered(batch: Batch) -> Answered:
        try:
            results = results_of(loaded, known, batch.cases)
            if is_apart and any(result.is_lost for result in results):
                # A program that was lost very often is not asked any more until it loads the tokenizer again.
                loaded.load()
            return Answered(results)
        except Exception as error:  # noqa: BLE001 - a bug, here or in an adapter: it ends the search in good order
            return Answered(error=in_short(error))

    return answered
