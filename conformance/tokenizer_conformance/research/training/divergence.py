"""The first merge at which two trainers differ, and how often the pairs of both occur there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from tokenizer_conformance.research.training.merge_replay import best_pair, counts_before, distinct_steps, steps_of

if TYPE_CHECKING:
    from tokenizer_adapters.training import TrainedModel
    from tokenizer_conformance.research.training.merge_replay import MergeReplay, Step
    from tokenizer_conformance.research.training.pair_counts import Pair, PairCounts, Top
    from tokenizer_conformance.research.training.task import TrainingTask


class DivergenceKind(StrEnum):
    """How two trainers differ at a merge."""

    TIE = "a tie: no pair is more frequent than either"
    FIRST_NOT_MOST_FREQUENT = "only the second takes a most frequent pair"
    SECOND_NOT_MOST_FREQUENT = "only the first takes a most frequent pair"
    NEITHER_MOST_FREQUENT = "neither takes a most frequent pair"
    EACH_ITS_OWN = "each takes a most frequent pair of its own words, which begin as other tokens"
    ENDS = "one side ends here"


@dataclass(frozen=True, slots=True)
class Taken:
    """What a side merges at the step, and how often it and its parts occur there, in the words of that side."""

    token: str
    pair: Pair | None
    count: int
    left_count: int
    right_count: int

    @property
    def score(self) -> Fraction | None:
        """The count of the pair over the product of the counts of its parts, by which WordPiece is taught to choose."""
        parts = self.left_count * self.right_count
        return Fraction(self.count, parts) if parts else None


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first step, ``number`` from 0 on, at which two sides differ in what they learn; one that ends takes ``None``.

    ``elsewhere`` is how often the pair of each side occurs in the words of the other one at that step; ``tops`` are the
    most frequent pairs of both sides. ``is_shown`` says that both show their merges: else tokens were compared, by ids.
    """

    number: int
    first: Taken | None
    second: Taken | None
    elsewhere: tuple[int, int]
    tops: tuple[Top | None, Top | None]
    kind: DivergenceKind
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """A model, and what doing its merges again has shown."""

    model: TrainedModel
    merges: MergeReplay


def first_divergence(first: Replayed, second: Replayed, task: TrainingTask) -> Divergence | None:
    """Return where two models differ first, ``None`` where they learn the same in the same order."""
    is_shown = first.model.merges is not None and second.model.merges is not None
    sides = [_learned(side.model, task, is_shown=is_shown) for side in (first, second)]
    number = _first_differing_step(sides[0], sides[1], is_shown=is_shown)
    if number is None:
        return None
    counts = [
        counts_before(_number_of_step(steps, number, side), side.merges, side.model, task)
        for side, steps in zip((first, second), sides, strict=True)
    ]
    taken = [
        None if number >= len(steps) else _taken(steps[number][1], own, task)
        for steps, own in zip(sides, counts, strict=True)
    ]
    tops = counts[0].top(), counts[1].top()
    return Divergence(
        number=number,
        first=taken[0],
        second=taken[1],
        elsewhere=(_count_of(taken[0], counts[1]), _count_of(taken[1], counts[0])),
        tops=tops,
        kind=_kind_of(taken[0], taken[1], tops, counts),
        is_shown=is_shown,
    )


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


def _taken(step: Step, counts: PairCounts, task: TrainingTask) -> Taken:
    pair, count = (step.pair, counts.count(step.pair)) if step.pair else best_pair(step.token, counts, task)
    tokens = counts.token_counts()
    left, right = (0, 0) if pair is None else (tokens.get(pair[0], 0), tokens.get(pair[1], 0))
    return Taken(step.token, pair, count, left, right)


def _count_of(taken: Taken | None, counts: PairCounts) -> int:
    return 0 if taken is None or taken.pair is None else counts.count(taken.pair)


def _kind_of(
    first: Taken | None, second: Taken | None, tops: tuple[Top | None, Top | None], counts: list[PairCounts]
) -> DivergenceKind:
    if first is None or second is None:
        return DivergenceKind.ENDS
    is_most = [top is not None and taken.count == top.count for taken, top in zip((first, second), tops, strict=True)]
    if all(is_most):
        is_common = _count_of(first, counts[1]) == first.count and _count_of(second, counts[0]) == second.count
        return DivergenceKind.TIE if is_common and first.count == second.count else DivergenceKind.EACH_ITS_OWN
    if is_most[0]:
        return DivergenceKind.SECOND_NOT_MOST_FREQUENT
    return DivergenceKind.FIRST_NOT_MOST_FREQUENT if is_most[1] else DivergenceKind.NEITHER_MOST_FREQUENT
