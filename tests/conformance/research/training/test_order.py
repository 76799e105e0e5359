"""Words have to stand by how often they occur, pieces by their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.training import Algorithm, TrainedModel
from tokenizer_conformance.research.training.order import ranking_by_count, ranking_by_score
from tokenizer_conformance.results.records.training import FirstFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.research.training.task import TrainingTask

WORDS = {"a": 3, "b": 2, "c": 2, "d": 1}


def model(*tokens: str) -> TrainedModel:
    return TrainedModel({token: id_ for id_, token in enumerate(tokens)}, None, None, 0.0, None)


@pytest.mark.parametrize(
    ("tokens", "size", "first"),
    [
        (("a", "b", "c"), 3, None),
        (("a", "c", "b"), 3, None),
        (("a", "c"), 2, None),
        (("a", "b", "c", "d"), 9, None),
        (("b", "a", "c"), 3, FirstFault(token="b", number=2, greater="a", greater_number=3)),
        (("a", "b", "d"), 3, FirstFault(token="d", number=1, greater="c", greater_number=2)),
        (("a", "b", "c"), 4, FirstFault(token="", number=0, greater="d", greater_number=1)),
        ((), 3, FirstFault(token="", number=0, greater="a", greater_number=3)),
        (("a", "b", "x"), 3, FirstFault(token="x", number=0, greater="c", greater_number=2)),
    ],
)
def test_words(task: Callable[..., TrainingTask], tokens: tuple[str, ...], size: int, first: FirstFault | None) -> None:
    found = ranking_by_count(model(*tokens), task(Algorithm.WORDLEVEL, WORDS, size))
    assert found.first == first
    assert found.is_legal == (first is None)


def test_words_below_the_least_frequency_need_not_be_there(task: Callable[..., TrainingTask]) -> None:
    on = task(Algorithm.WORDLEVEL, WORDS, 9, min_frequency=2, special_tokens=("<s>",))
    assert ranking_by_count(model("<s>", "a", "b", "c"), on).is_legal
    assert ranking_by_count(model("<s>", "a", "b", "c"), on).tied == 1


@pytest.mark.parametrize(("last", "is_legal"), [(-1.5, True), (-1.0, True), (-0.9, False), (-1.0 + 1e-9, True)])
def test_pieces(task: Callable[..., TrainingTask], last: float, is_legal: bool) -> None:
    on = task(Algorithm.UNIGRAM, special_tokens=("<s>",))
    scores = {"<s>": 0.0, "u": -1.0, "g": last}
    made = TrainedModel({"u": 0, "g": 1, "<s>": 2}, None, scores, 0.0, None)
    assert ranking_by_score(made, on).is_legal == is_legal
