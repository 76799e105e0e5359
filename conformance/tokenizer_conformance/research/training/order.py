"""Tokens that stand in the order of a number: words by how often they occur, pieces by their scores."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_conformance.results.records.training import FirstFault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.training import TrainedModel
    from tokenizer_conformance.research.training.task import TrainingTask


@dataclass(frozen=True, slots=True)
class Ranking:
    """Whether ``tokens`` tokens stand in the order of their numbers; ``tied`` ones have the number of a neighbour.

    ``first`` is the first token that comes before, or is kept instead of, one with a greater number.
    """

    tokens: int
    tied: int
    first: FirstFault | None

    @property
    def is_legal(self) -> bool:
        """Whether all stand in order, and what was left out comes last."""
        return self.first is None


def ranking_by_count(model: TrainedModel, task: TrainingTask) -> Ranking:
    """Look whether words come in the order of their counts in the corpus, and whether the most frequent are kept."""
    counts = task.words
    kept = task.unmarked(_by_id(model))
    ranking = _ranking(kept, {token: counts.get(token, 0) for token in kept}, 0)
    if ranking.first is not None:
        return ranking
    left_out = [word for word, count in counts.items() if word not in model.tokens and count >= task.least_count]
    if not left_out:
        return ranking
    most = max(left_out, key=counts.__getitem__)
    has_room = len(model.tokens) < task.options.vocab_size
    least = None if has_room or not kept else kept[-1]
    if least is not None and counts.get(least, 0) >= counts[most]:
        return ranking
    first = _fault(least or "", counts.get(least or "", 0), most, counts[most])
    return Ranking(ranking.tokens, ranking.tied, first)


def ranking_by_score(model: TrainedModel, task: TrainingTask) -> Ranking:
    """Look whether pieces come in the order of their scores."""
    scores = model.scores or {}
    pieces = [token for token in task.unmarked(_by_id(model)) if token in scores]
    return _ranking(pieces, scores, task.tolerance)


def _by_id(model: TrainedModel) -> list[str]:
    return sorted(model.tokens, key=model.tokens.__getitem__)


def _fault(token: str, number: float, greater: str, greater_number: float) -> FirstFault:
    return FirstFault(token=token, number=float(number), greater=greater, greater_number=float(greater_number))


def _ranking(tokens: list[str], numbers: Mapping[str, float], tolerance: float) -> Ranking:
    tied = 0
    first = None
    for token, following in pairwise(tokens):
        difference = numbers[following] - numbers[token]
        if difference > tolerance and first is None:
            first = _fault(token, numbers[token], following, numbers[following])
        tied += abs(difference) <= tolerance
    return Ranking(len(tokens), tied, first)
