"""The first merge at which two trainers differ, and how often the pairs of both occur there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.research.training.merge_replay import best_pair, counts_before, distinct_steps, steps_of
from tokenizer_conformance.results.records import training as lines
from tokenizer_conformance.results.records.making import made

if TYPE_CHECKING:
    from tokenizer_adapters.training import TrainedModel
    from tokenizer_conformance.research.training.merge_replay import MergeReplay, Step
    from tokenizer_conformance.research.training.pair_counts import PairCounts
    from tokenizer_conformance.research.training.task import TrainingTask


class DivergenceKind(StrEnum):
    """How two trainers differ at a merge."""

    TIE = "tie"
    FIRST_NOT_MOST_FREQUENT = "first_not_most_frequent"
    SECOND_NOT_MOST_FREQUENT = "second_not_most_frequent"
    NEITHER_MOST_FREQUENT = "neither_most_frequent"
    EACH_ITS_OWN = "each_its_own"
    ENDS = "ends"


@dataclass(frozen=True, slots=True)
class Replayed:
    """A model, and what doing its merges again has shown."""

    model: TrainedModel
    merges: MergeReplay


def first_divergence(first: Replayed, second: Replayed, task: TrainingTask) -> lines.Divergence | None:
    """Return where two models differ first, ``None`` where they learn the same in the same order.

    A side that ends there takes nothing. Where not both show their merges, tokens are compared, by ids.
    """
    is_shown = first.model.merges is not None and second.model.merges is not None
    sides = [_learned(side.model, task, is_shown=is_shown) for side in (first, second)]
    number = _first_differing_step(sides[0], sides[1], is_shown=is_shown)
    if number is None:
        return None
    counts = [
        counts_before(_number_of_step(steps, number, side), side.merges, side.model, task)
        for side, steps in zip((first, second), sides, strict=True)
    ]
    one, other = (
        None if number >= len(steps) else _taken(steps[number][1], own, others, task)
        for steps, own, others in zip(sides, counts, reversed(counts), strict=True)
    )
    tops = counts[0].top(), counts[1].top()
    kind = _kind_of(one, other, tops)
    return made(lines.Divergence, None, number=number, kind=kind, is_shown=is_shown, first=one, second=other, tops=tops)


def _learned(model: TrainedModel, task: TrainingTask, *, is_shown: bool) -> list[tuple[int, Step]]:
    """Return the steps that are compared, with their numbers: where only tokens are, each of these once."""
    steps = steps_of(model, task)
    return list(enumerate(steps)) if is_shown else list(distinct_steps(steps))


def _first_differing_step(
    first: list[tuple[int, Step]], second: list[tuple[int, Step]], *, is_shown: bool
) -> int | None:
    for number, ((_, one), (_, other)) in enumerate(zip(first, second, strict=False)):
        if (one.pair != other.pair) if is_shown else (one.token != other.token):
            return number
    return None if len(first) == len(second) else min(len(first), len(second))


def _number_of_step(steps: list[tuple[int, Step]], number: int, side: Replayed) -> int:
    return steps[number][0] if number < len(steps) else side.merges.steps


def _taken(step: Step, counts: PairCounts, others: PairCounts, task: TrainingTask) -> lines.Taken:
    """Return what a side merges at ``step``, with its counts in the words of that side, and in those of the other."""
    pair, count = (step.pair, counts.count(step.pair)) if step.pair else best_pair(step.token, counts, task)
    tokens = counts.token_counts()
    left, right = (0, 0) if pair is None else (tokens.get(pair[0], 0), tokens.get(pair[1], 0))
    return lines.Taken(
        token=step.token,
        pair=pair,
        count=count,
        left_count=left,
        right_count=right,
        count_on_other_side=0 if pair is None else others.count(pair),
    )


def _kind_of(
    first: lines.Taken | None, second: lines.Taken | None, tops: tuple[lines.Top | None, lines.Top | None]
) -> DivergenceKind:
    if first is None or second is None:
        return DivergenceKind.ENDS
    is_most = [top is not None and taken.count == top.count for taken, top in zip((first, second), tops, strict=True)]
    if all(is_most):
        is_common = all(each.count_on_other_side == each.count for each in (first, second))
        return DivergenceKind.TIE if is_common and first.count == second.count else DivergenceKind.EACH_ITS_OWN
    if is_most[0]:
        return DivergenceKind.SECOND_NOT_MOST_FREQUENT
    return DivergenceKind.FIRST_NOT_MOST_FREQUENT if is_most[1] else DivergenceKind.NEITHER_MOST_FREQUENT
