"""What is counted for one implementation on one tokenizer: what was compared, and how much differences touch.

A *document* is an input, a *word* what stands between white space in it (:mod:`tokenizer_conformance.comparison.impact`
tells which are changed).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from itertools import chain, product
from typing import TYPE_CHECKING, Any, NamedTuple

from tokenizer_adapters.contract import Encode, Field, Stage, stage_of
from tokenizer_conformance.comparison.differences import Comparison, compared_fields
from tokenizer_conformance.comparison.questions import is_extra
from tokenizer_conformance.comparison.verdicts import Verdict, graver
from tokenizer_conformance.results.records.run import Impact, Result, ResultStage, Share

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.comparison.impact import InputImpact
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


@dataclass(slots=True)
class _StageTally:
    """The counters of :class:`~tokenizer_conformance.results.records.run.ResultStage`, at work."""

    inputs: Counter[Verdict] = field(default_factory=Counter)
    values: Counter[Verdict] = field(default_factory=Counter)
    unsupported_fields: Counter[Field] = field(default_factory=Counter)
    questions: int = 0
    answerable: int = 0
    unanswered_fields: Counter[Field] = field(default_factory=Counter)
    known_without_value: int = 0
    extra_answerable: int = 0
    extra_unanswered: int = 0
    finer: int = 0
    differing_fields: Counter[Field] = field(default_factory=Counter)
    differing_pairs: Counter[Field] = field(default_factory=Counter)

    def restore(self, count: ResultStage) -> None:
        """Take over what was counted before."""
        for each in fields(self):
            counted = getattr(self, each.name)
            setattr(self, each.name, counted + type(counted)(getattr(count, each.name)))

    def count(self) -> ResultStage:
        """Return the counts, those of verdicts and fields in order: records do not depend on chance."""
        counted = {each.name: getattr(self, each.name) for each in fields(self)}
        told: dict[str, Any] = {
            name: each if isinstance(each, int) else _in_order(each) for name, each in counted.items()
        }
        return ResultStage(**told)

    def count_question(self, comparison: Comparison, times: int) -> None:
        self.questions += times
        self.answerable += times * comparison.baseline_answers
        if comparison.unsupported:
            self.values[Verdict.UNSUPPORTED] += times * len(comparison.unsupported)
            _add(self.unsupported_fields, comparison.unsupported, times)
            _add(self.unanswered_fields, comparison.unanswered, times)

    def count_extra(self, comparison: Comparison, times: int) -> None:
        is_unanswered = comparison.baseline_answers and comparison.verdict is Verdict.UNSUPPORTED
        self.extra_answerable += times * comparison.baseline_answers
        self.extra_unanswered += times * is_unanswered

    def count_values(self, comparison: Comparison, times: int) -> None:
        values = self.values
        values[Verdict.AGREE] += times * len(comparison.agreed)
        self.finer += times * (comparison.finer > 0)
        if comparison.both_failed:
            values[Verdict.BOTH_ERROR] += times
        for difference in comparison.differences:
            values[difference.verdict] += times
        if comparison.known:
            values[Verdict.KNOWN] += times * len(comparison.known)
            self.known_without_value += times * sum(not each.has_values for each in comparison.known)
        if comparison.unstable:
            values[Verdict.UNSTABLE] += times * len(comparison.unstable)


class Tally:
    """What has been counted for one implementation."""

    def __init__(self, stages: Iterable[Stage]) -> None:
        self._stages = {stage: _StageTally() for stage in stages}
        self.blamed: Counter[Stage] = Counter()
        self.failing = 0
        self.seconds = 0.0
        """Spent waiting for answers, by the runs that this one resumes."""
        self._alike: dict[tuple[int, ...], _Alike] = {}

    def restore(self, result: Result) -> None:
        """Take over what an earlier run, or another part of this one, has counted."""
        for stage, count in result.stages.items():
            self._stages[stage].restore(count)
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
                self._stages[stage].count_extra(comparison, times)
                if verdict is Verdict.UNSUPPORTED:
                    continue
            else:
                self._stages[stage].count_question(comparison, times)
            verdicts[stage] = graver(verdicts.get(stage, verdict), verdict)
            self._stages[stage].count_values(comparison, times)
        for stage, verdict in verdicts.items():
            self._stages[stage].inputs[verdict] += times
        self._count_differing(shape, times)

    def count_unstable(self, stage: Stage) -> None:
        """Count an answer that agreed, and was another one when it was asked for again."""
        self._count_shapes()
        tally = self._stages[stage]
        tally.values[Verdict.UNSTABLE] += 1
        if not tally.inputs[Verdict.UNSTABLE] and tally.inputs[Verdict.AGREE]:
            tally.inputs[Verdict.AGREE] -= 1
            tally.inputs[Verdict.UNSTABLE] += 1

    def _count_differing(self, shape: Shape, times: int) -> None:
        """Count an input once for each field in which a plain question was answered in another way."""
        plain: dict[Stage, set[Field]] = {}
        pairs: dict[Stage, set[Field]] = {}
        for kind, comparison in shape:
            if not kind.is_extra:
                found = (pairs if kind.is_pair else plain).setdefault(kind.stage, set())
                for difference in (*comparison.differences, *(known.difference for known in comparison.known)):
                    found.update(compared_fields(kind.stage) if difference.field is None else (difference.field,))
        for stage, found in plain.items():
            _add(self._stages[stage].differing_fields, found, times)
        for stage, found in pairs.items():
            _add(self._stages[stage].differing_pairs, found, times)

    def stage_counts(self) -> dict[Stage, ResultStage]:
        """Return the counts by stage."""
        self._count_shapes()
        return {stage: tally.count() for stage, tally in self._stages.items()}


ORDER = (*Verdict, *Field)


def _add(counts: Counter[Field], fields: Iterable[Field], times: int) -> None:
    for each in fields:
        counts[each] += times


def _in_order(counts: Counter[Any]) -> dict[Any, int]:
    """Return those of the ``counts`` that are not zero."""
    return {each: counts[each] for each in ORDER if counts[each]}


class ImpactTally:
    """Counts the impact of differences on the inputs of one tokenizer."""

    def __init__(self) -> None:
        self._documents: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()
        self._words = self._changed_words = 0
        self._are_words_known = True
        self._tokens_before = self._tokens = self._longer = self._shorter = 0
        self._scripts: Counter[str] = Counter()

    def restore(self, impact: Impact | None, *, special_tokens: bool = False) -> None:
        """Take over what an earlier run has counted: its inputs and words, and its changes if they are of the same ids.

        These are the ids with ``special_tokens``, or those without.
        """
        if impact is None:
            return
        for source, share in impact.sources.items():
            self._documents[source] += share.total
        self._words += 0 if impact.words is None else impact.words.total
        if impact.special_tokens is not special_tokens:
            return
        for source, share in impact.sources.items():
            self._changed[source] += share.changed
        if impact.words is None:
            self._are_words_known = False
        else:
            self._changed_words += impact.words.changed
        self._tokens_before += impact.tokens_before
        self._tokens += impact.tokens
        self._longer += impact.longer
        self._shorter += impact.shorter
        self._scripts.update(impact.scripts)

    def count(self, source: str, words: int, impact: InputImpact | None) -> None:
        """Count an input of ``source`` with so many ``words``; ``impact`` is ``None`` where nothing is changed."""
        self._documents[source] += 1
        self._words += words
        if impact is None:
            return
        self._changed[source] += 1
        self._tokens_before += impact.tokens_before
        self._tokens += impact.tokens
        self._longer += impact.tokens > impact.tokens_before
        self._shorter += impact.tokens < impact.tokens_before
        if impact.words is None:
            self._are_words_known = False
        else:
            self._changed_words += sum(impact.words.values())
            self._scripts.update(impact.words)

    def impact(self, *, special_tokens: bool = False) -> Impact:
        """Return what was counted: of ids with ``special_tokens``, or without."""
        return Impact(
            special_tokens=special_tokens,
            documents=Share(changed=self._changed.total(), total=self._documents.total()),
            words=Share(changed=self._changed_words, total=self._words) if self._are_words_known else None,
            tokens_before=self._tokens_before,
            tokens=self._tokens,
            longer=self._longer,
            shorter=self._shorter,
            scripts=dict(sorted(self._scripts.items(), key=lambda entry: (-entry[1], entry[0]))),
            sources={
                source: Share(changed=self._changed[source], total=total) for source, total in self._documents.items()
            },
        )


def impact_of_parts(parts: Iterable[Impact | None]) -> Impact | None:
    """Return the impact on several parts of the inputs together; ``None`` where it is known of none."""
    known = [part for part in parts if part is not None]
    special_tokens = all(part.special_tokens for part in known)
    tally = ImpactTally()
    for part in known:
        tally.restore(part, special_tokens=special_tokens)
    return tally.impact(special_tokens=special_tokens) if known else None
