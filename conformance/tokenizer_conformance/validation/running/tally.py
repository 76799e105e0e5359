"""What is counted for one implementation on one tokenizer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tokenizer_adapters.contract import Encode, Field, Stage, stage_of
from tokenizer_conformance.comparison.differences import Comparison, compared_fields
from tokenizer_conformance.comparison.questions import is_extra
from tokenizer_conformance.comparison.verdicts import Verdict, graver
from tokenizer_conformance.validation.running.results import ImplementationResult, StageCount

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.validation.running.sides import Comparisons

MOST_SHAPES = 256
"""How many shapes are told apart before they are counted."""


class Kind(NamedTuple):
    """What matters of a question where its answers are counted."""

    stage: Stage
    is_extra: bool
    is_pair: bool


_KINDS = {key: Kind(*key) for key in product(Stage, (False, True), (False, True))}


def kind_of(question: Observation) -> Kind:
    """Return the kind of ``question``.

    >>> kind_of(Encode("a", "b"))
    Kind(stage=<Stage.POST_PROCESS: 'post_process'>, is_extra=False, is_pair=True)
    """
    is_pair = isinstance(question, Encode) and question.pair is not None
    return _KINDS[stage_of(question), is_extra(question), is_pair]


Shape = tuple[tuple[Kind, Comparison], ...]
"""All that is counted of an input: the kinds of its questions, each with the result of the answers."""


def shape_of(comparisons: Comparisons) -> Shape:
    """Return what is counted of ``comparisons``, those of one input."""
    return tuple((kind_of(question), comparison) for question, comparison in comparisons)


@dataclass(slots=True)
class _Alike:
    """How many ``inputs`` have a shape."""

    shape: Shape
    inputs: int = 0


class Tally:
    """What has been counted for one implementation."""

    def __init__(self, stages: tuple[Stage, ...]) -> None:
        self.inputs: dict[Stage, Counter[Verdict]] = {stage: Counter() for stage in stages}
        self.values: dict[Stage, Counter[Verdict]] = {stage: Counter() for stage in stages}
        self.unsupported: dict[Stage, Counter[Field]] = {stage: Counter() for stage in stages}
        self.questions: Counter[Stage] = Counter()
        self.answerable: Counter[Stage] = Counter()
        self.unanswered: dict[Stage, Counter[Field]] = {stage: Counter() for stage in stages}
        self.known_without_value: Counter[Stage] = Counter()
        self.extra_answerable: Counter[Stage] = Counter()
        self.extra_unanswered: Counter[Stage] = Counter()
        self.finer: Counter[Stage] = Counter()
        self.differing: dict[Stage, Counter[Field]] = {stage: Counter() for stage in stages}
        self.differing_pairs: dict[Stage, Counter[Field]] = {stage: Counter() for stage in stages}
        self.blamed: Counter[Stage] = Counter()
        self.failing = 0
        self.seconds = 0.0
        """Spent waiting for answers, by the runs that this one resumes."""
        self._alike: dict[tuple[int, ...], _Alike] = {}

    def restore(self, result: ImplementationResult) -> None:
        """Take over what an earlier run has counted."""
        for stage, count in result.stages.items():
            self.inputs[stage].update(count.inputs)
            self.values[stage].update(count.values)
            self.unsupported[stage].update(count.unsupported_fields)
            self.questions[stage] += count.questions
            self.answerable[stage] += count.answerable
            self.unanswered[stage].update(count.unanswered_fields)
            self.known_without_value[stage] += count.known_without_value
            self.extra_answerable[stage] += count.extra_answerable
            self.extra_unanswered[stage] += count.extra_unanswered
            self.finer[stage] += count.finer
            self.differing[stage].update(count.differing_fields)
            self.differing_pairs[stage].update(count.differing_pairs)
        self.blamed.update(result.blamed)
        self.failing += result.failing_inputs
        self.seconds += result.seconds

    def count_alike(self, shape: Shape) -> None:
        """Count one input as :meth:`count` does, fast where its shape is made of the same objects as earlier ones."""
        key = tuple(map(id, chain.from_iterable(shape)))  # they live as long as the shape, which is kept
        if key not in self._alike and len(self._alike) == MOST_SHAPES:
            self._count_shapes()
        alike = self._alike.setdefault(key, _Alike(shape))
        alike.inputs += 1

    def _count_shapes(self) -> None:
        for alike in self._alike.values():
            self.count(alike.shape, alike.inputs)
        self._alike.clear()

    def count(self, shape: Shape, times: int = 1) -> None:
        """Count the comparisons of so many inputs, alike.

        An extra question that has no answer counts as one that was not asked, and is told apart.
        """
        verdicts: dict[Stage, Verdict] = {}
        for kind, comparison in shape:
            stage = kind.stage
            verdict = comparison.verdict
            if kind.is_extra:
                self._count_extra(stage, comparison, times)
                if verdict is Verdict.UNSUPPORTED:
                    continue
            else:
                self._count_question(stage, comparison, times)
            verdicts[stage] = graver(verdicts.get(stage, verdict), verdict)
            self._count_values(stage, comparison, times)
        for stage, verdict in verdicts.items():
            self.inputs[stage][verdict] += times
        self._count_differing(shape, times)

    def _count_differing(self, shape: Shape, times: int) -> None:
        """Count an input once for each field in which a plain question was answered in another way."""
        plain: dict[Stage, set[Field]] = {}
        pairs: dict[Stage, set[Field]] = {}
        for kind, comparison in shape:
            if not kind.is_extra:
                fields = (pairs if kind.is_pair else plain).setdefault(kind.stage, set())
                for difference in (*comparison.differences, *(known.difference for known in comparison.known)):
                    fields.update(compared_fields(kind.stage) if difference.field is None else (difference.field,))
        for stage, fields in plain.items():
            _add(self.differing[stage], fields, times)
        for stage, fields in pairs.items():
            _add(self.differing_pairs[stage], fields, times)

    def _count_question(self, stage: Stage, comparison: Comparison, times: int) -> None:
        self.questions[stage] += times
        self.answerable[stage] += times * comparison.baseline_answers
        if comparison.unsupported:
            self.values[stage][Verdict.UNSUPPORTED] += times * len(comparison.unsupported)
            _add(self.unsupported[stage], comparison.unsupported, times)
            _add(self.unanswered[stage], comparison.unanswered, times)

    def _count_extra(self, stage: Stage, comparison: Comparison, times: int) -> None:
        is_unanswered = comparison.baseline_answers and comparison.verdict is Verdict.UNSUPPORTED
        self.extra_answerable[stage] += times * comparison.baseline_answers
        self.extra_unanswered[stage] += times * is_unanswered

    def _count_values(self, stage: Stage, comparison: Comparison, times: int) -> None:
        values = self.values[stage]
        values[Verdict.AGREE] += times * len(comparison.agreed)
        self.finer[stage] += times * (comparison.finer > 0)
        if comparison.both_failed:
            values[Verdict.BOTH_ERROR] += times
        for difference in comparison.differences:
            values[difference.verdict] += times
        if comparison.known:
            values[Verdict.KNOWN] += times * len(comparison.known)
            self.known_without_value[stage] += times * sum(not each.has_values for each in comparison.known)
        if comparison.unstable:
            values[Verdict.UNSTABLE] += times * len(comparison.unstable)

    def stage_counts(self) -> dict[Stage, StageCount]:
        """Return the counts by stage."""
        self._count_shapes()
        return {
            stage: StageCount(
                inputs=_in_order(self.inputs[stage], Verdict),
                values=_in_order(self.values[stage], Verdict),
                unsupported_fields=_in_order(self.unsupported[stage], Field),
                questions=self.questions[stage],
                answerable=self.answerable[stage],
                unanswered_fields=_in_order(self.unanswered[stage], Field),
                known_without_value=self.known_without_value[stage],
                extra_answerable=self.extra_answerable[stage],
                extra_unanswered=self.extra_unanswered[stage],
                finer=self.finer[stage],
                differing_fields=_in_order(self.differing[stage], Field),
                differing_pairs=_in_order(self.differing_pairs[stage], Field),
            )
            for stage in self.inputs
        }


T = TypeVar("T", bound=StrEnum)


def _add(counts: Counter[Field], fields: Iterable[Field], times: int) -> None:
    for field in fields:
        counts[field] += times


def _in_order(counts: Mapping[T, int], every: type[T]) -> dict[T, int]:
    """Return those of the ``counts`` that are not zero, in the order of ``every``: records do not depend on chance."""
    return {each: counts[each] for each in every if counts.get(each)}
