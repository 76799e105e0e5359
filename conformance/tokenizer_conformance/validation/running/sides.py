"""Both sides of every comparison: questions put to the baseline and to the others, differences asked about again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Field, Observation, Stage, stage_of
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.answered import answered
from tokenizer_conformance.comparison.blame import BUILDS_ON
from tokenizer_conformance.comparison.differences import Comparison, OutcomeInUnit, compare, confirmed
from tokenizer_conformance.comparison.impact import input_impact
from tokenizer_conformance.comparison.questions import about_text, texts_of
from tokenizer_conformance.comparison.verdicts import NO_ANSWER
from tokenizer_conformance.comparison.whole_answers import whole_answers
from tokenizer_conformance.validation.running.plan import everything

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.differences import Difference
    from tokenizer_conformance.comparison.impact import InputImpact
    from tokenizer_conformance.comparison.whole_answers import WholeAnswers

MORE_TIMES = 4
"""How often a difference is asked about again where an implementation was seen to be unstable; else once."""

Comparisons = list[tuple[Observation, Comparison]]
"""Questions, each with the result of its answers."""


def differing(comparisons: Comparisons) -> frozenset[Stage]:
    """Return the stages at which there is a difference."""
    return frozenset(stage_of(question) for question, comparison in comparisons if comparison.differences)


class Sides:
    """The ``baseline`` and the ``others``, all with one tokenizer; compared at ``stages``, in the ``fields``.

    Only questions that ``asks`` are compared.
    """

    def __init__(
        self,
        baseline: Asked,
        others: Mapping[str, Asked],
        stages: frozenset[Stage],
        fields: frozenset[Field],
        asks: Callable[[Observation], bool] = everything,
    ) -> None:
        self.baseline = baseline
        self.others = others
        self.stages = stages
        self._fields = fields
        self._asks = asks
        self._unstable: set[str] = set()
        self._expected: dict[Observation, Outcome] = {}

    def expected(self, question: Observation) -> Outcome:
        """Return the baseline's answer to ``question``, for which it is asked once until :meth:`begin`.

        Some questions follow from the answers to others, which are compared as well.
        """
        answer = self._expected.get(question)
        if answer is None:
            answer = self._expected[question] = _asked(self.baseline, question)
        return answer

    def begin(self, text: str) -> None:
        """Begin with another ``text``: of the baseline's answers only one that is about this text alone is kept.

        It was given where the text was the second one of a pair.
        """
        kept = Encode(text)
        self._expected = {kept: self._expected[kept]} if kept in self._expected else {}

    @property
    def batching(self) -> list[Asked]:
        """Those for whom asking ahead is faster."""
        return [asked for asked in (self.baseline, *self.others.values()) if asked.takes_batches]

    def forgetful(self) -> list[Asked]:
        """Have everybody forget what was asked ahead, and return those for whom asking ahead is faster."""
        for asked in (self.baseline, *self.others.values()):
            asked.forget()
        return self.batching

    def compared(self, questions: Iterable[Observation]) -> dict[str, Comparisons]:
        """Ask everybody ``questions``, and return the comparisons with the baseline by name, differences confirmed.

        A question about a stage that is not to be compared is one for the baseline alone, and was put to it already.
        """
        questions = [question for question in questions if stage_of(question) in self.stages and self._asks(question)]
        unit = self.baseline.info.offset_unit
        answers = [(question, OutcomeInUnit(self.expected(question), unit)) for question in questions]
        compared: dict[str, Comparisons] = {}
        for name, asked in self.others.items():
            outcomes = [OutcomeInUnit(_asked(asked, question), asked.info.offset_unit) for question, _ in answers]
            comparisons = [
                (question, compare(question, answer, outcome, self._fields))
                for (question, answer), outcome in zip(answers, outcomes, strict=True)
            ]
            compared[name] = [
                (question, _with_answers(comparison, answer, outcome))
                for (question, comparison), (_, answer), outcome in zip(
                    self._confirmed(asked, comparisons), answers, outcomes, strict=True
                )
            ]
        return compared

    def compared_alone(self, name: str, text: str) -> Comparisons:
        """Return the comparisons of the implementation called ``name`` on ``text`` alone."""
        questions = list(about_text(text, self.stages, self.expected))
        self.others[name].ask_ahead(questions)
        return self._only(name).compared(questions)[name]

    def confirmed(self, name: str, question: Observation) -> Comparison:
        """Return the outcome of the answers of the implementation ``name`` to ``question``, differences confirmed."""
        return self._only(name).compared([question])[name][0][1]

    def _only(self, name: str) -> Sides:
        """Return these sides with one of the others, of which it is known whether it is unstable."""
        only = Sides(self.baseline, {name: self.others[name]}, self.stages, self._fields, self._asks)
        only._unstable = self._unstable
        return only

    def instead(self, asked: Asked) -> Sides:
        """Return these sides with ``asked`` alone, in the place of the implementation of its name."""
        return Sides(self.baseline, {asked.info.name: asked}, self.stages, self._fields, self._asks)

    def answers(self, name: str, question: Observation) -> tuple[OutcomeInUnit, OutcomeInUnit, Comparison]:
        """Return the answers of the baseline and of the implementation called ``name``, asked once, and the outcome."""
        asked = self.others[name]
        baseline, answer = self._answer(question), OutcomeInUnit(_asked(asked, question), asked.info.offset_unit)
        return baseline, answer, compare(question, baseline, answer, self._fields)

    def compared_once(self, name: str, question: Observation) -> Comparison:
        """Return the outcome of the answers of the implementation called ``name``, without asking twice."""
        asked = self.others[name]
        return self._comparison(question, self._answer(question), asked.ask(question), asked)

    def whole_answers(self, name: str, question: Observation, shown: Difference) -> WholeAnswers | None:
        """Return the whole answers of the baseline and of the implementation called ``name`` to ``question``.

        ``None`` where these do not differ as ``shown``: one of the sides is unstable, or has its answers no more.
        """
        asked = self.others[name]
        baseline, answer = self._answer(question), OutcomeInUnit(asked.ask(question), asked.info.offset_unit)
        differences = compare(question, baseline, answer, self._fields).differences
        if _manner_and_place(shown) not in map(_manner_and_place, differences):
            return None
        return whole_answers(question, baseline, answer)

    def impact(self, name: str, text: str, *, special_tokens: bool) -> InputImpact | None:
        """Return what becomes of ``text`` with the implementation called ``name``, where its ids are others."""
        asked, question = self.others[name], Encode(text, add_special_tokens=special_tokens)
        baseline = OutcomeInUnit(self.expected(question), self.baseline.info.offset_unit)
        answer = OutcomeInUnit(_asked(asked, question), asked.info.offset_unit)
        return input_impact(text, baseline, answer, special_tokens=special_tokens)

    def is_consequence(self, name: str, question: Observation) -> bool:
        """Whether an earlier stage than that of ``question`` differs on one of its texts."""
        earlier = BUILDS_ON[stage_of(question)] & self.stages
        return any(
            self.compared_once(name, each).differences
            for text in texts_of(question)
            for each in about_text(text, earlier, self.baseline.ask)
            if stage_of(each) in earlier
        )

    def _answer(self, question: Observation) -> OutcomeInUnit:
        return OutcomeInUnit(_asked(self.baseline, question), self.baseline.info.offset_unit)

    def _comparison(self, question: Observation, baseline: OutcomeInUnit, outcome: Outcome, asked: Asked) -> Comparison:
        return compare(question, baseline, OutcomeInUnit(outcome, asked.info.offset_unit), self._fields)

    def _confirmed(self, asked: Asked, comparisons: Comparisons) -> Comparisons:
        """Put questions whose answers differ again; what then differs in another way is unstable, and no difference.

        A side that gave no answer at all is not asked again: it has lost its process or its time over the question.
        """
        doubtful = [question for question, comparison in comparisons if _is_doubtful(comparison)]
        if not doubtful:
            return comparisons
        for _ in range(MORE_TIMES):
            comparisons = self._asked_again(asked, comparisons, doubtful)
            if any(comparison.unstable for _, comparison in comparisons):
                self._unstable.add(asked.info.name)
            if asked.info.name not in self._unstable:
                break
        return comparisons

    def _asked_again(self, asked: Asked, comparisons: Comparisons, doubtful: list[Observation]) -> Comparisons:
        unit = self.baseline.info.offset_unit
        again = {
            question: self._comparison(question, OutcomeInUnit(first, unit), second, asked)
            for question, first, second in zip(
                doubtful, self.baseline.ask_again(doubtful), asked.ask_again(doubtful), strict=True
            )
        }
        return [
            (question, confirmed(comparison, again[question]) if question in again else comparison)
            for question, comparison in comparisons
        ]


def _asked(asked: Asked, question: Observation) -> Outcome:
    """Return the answer to ``question``, and say meanwhile whose it is."""
    STATUS.at(stage_of(question), asked.info.name)
    return asked.ask(question)


def _with_answers(comparison: Comparison, expected: OutcomeInUnit, actual: OutcomeInUnit) -> Comparison:
    return replace(comparison, answered=answered(expected, actual)) if comparison.differences else comparison


def _manner_and_place(difference: Difference) -> tuple[object, ...]:
    """Return how two answers differ, and where."""
    return difference.field, difference.kind, difference.party, difference.detail, difference.position


def _is_doubtful(comparison: Comparison) -> bool:
    return bool(comparison.differences) and comparison.verdict not in NO_ANSWER
