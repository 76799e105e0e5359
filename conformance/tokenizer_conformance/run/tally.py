"""What is counted for one implementation on one tokenizer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, stage_of
from tokenizer_conformance.comparing.comparison import compared_fields
from tokenizer_conformance.comparing.questions import is_extra
from tokenizer_conformance.comparing.verdicts import Verdict, graver
from tokenizer_conformance.run.results import ImplementationResult, StageCount

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Field, Observation, Stage
    from tokenizer_conformance.comparing.comparison import Comparison


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

    def count(self, comparisons: list[tuple[Observation, Comparison]]) -> None:
        """Count the comparisons of one input.

        An extra question that has no answer counts as one that was not asked, and is told apart.
        """
        verdicts: dict[Stage, Verdict] = {}
        for question, comparison in comparisons:
            stage = stage_of(question)
            verdict = comparison.verdict
            if is_extra(question):
                self._count_extra(stage, comparison)
                if verdict is Verdict.UNSUPPORTED:
                    continue
            else:
                self._count_question(stage, comparison)
            verdicts[stage] = graver(verdicts.get(stage, verdict), verdict)
            self._count_values(stage, comparison)
        for stage, verdict in verdicts.items():
            self.inputs[stage][verdict] += 1
        self._count_differing(comparisons)

    def _count_differing(self, comparisons: list[tuple[Observation, Comparison]]) -> None:
        """Count this input once for each field in which a plain question was answered in another way."""
        plain: dict[Stage, set[Field]] = {}
        pairs: dict[Stage, set[Field]] = {}
        for question, comparison in comparisons:
            if not is_extra(question):
                stage = stage_of(question)
                is_pair = isinstance(question, Encode) and question.pair is not None
                fields = (pairs if is_pair else plain).setdefault(stage, set())
                for difference in (*comparison.differences, *(known.difference for known in comparison.known)):
                    fields.update(compared_fields(stage) if difference.field is None else (difference.field,))
        for stage, fields in plain.items():
            self.differing[stage].update(fields)
        for stage, fields in pairs.items():
            self.differing_pairs[stage].update(fields)

    def _count_question(self, stage: Stage, comparison: Comparison) -> None:
        self.questions[stage] += 1
        self.answerable[stage] += comparison.baseline_answers
        if comparison.unsupported:
            self.values[stage][Verdict.UNSUPPORTED] += len(comparison.unsupported)
            self.unsupported[stage].update(comparison.unsupported)
            self.unanswered[stage].update(comparison.unanswered)

    def _count_extra(self, stage: Stage, comparison: Comparison) -> None:
        self.extra_answerable[stage] += comparison.baseline_answers
        self.extra_unanswered[stage] += comparison.baseline_answers and comparison.verdict is Verdict.UNSUPPORTED

    def _count_values(self, stage: Stage, comparison: Comparison) -> None:
        values = self.values[stage]
        values[Verdict.AGREE] += len(comparison.agreed)
        self.finer[stage] += comparison.finer > 0
        if comparison.both_failed:
            values[Verdict.BOTH_ERROR] += 1
        for difference in comparison.differences:
            values[difference.verdict] += 1
        if comparison.known:
            values[Verdict.KNOWN] += len(comparison.known)
            self.known_without_value[stage] += sum(not each.has_values for each in comparison.known)
        if comparison.unstable:
            values[Verdict.UNSTABLE] += len(comparison.unstable)

    def stage_counts(self) -> dict[Stage, StageCount]:
        """Return the counts by stage."""
        return {
            stage: StageCount(
                inputs=dict(self.inputs[stage]),
                values=dict(+self.values[stage]),
                unsupported_fields=dict(self.unsupported[stage]),
                questions=self.questions[stage],
                answerable=self.answerable[stage],
                unanswered_fields=dict(self.unanswered[stage]),
                known_without_value=self.known_without_value[stage],
                extra_answerable=self.extra_answerable[stage],
                extra_unanswered=self.extra_unanswered[stage],
                finer=self.finer[stage],
                differing_fields=dict(self.differing[stage]),
                differing_pairs=dict(self.differing_pairs[stage]),
            )
            for stage in self.inputs
        }
