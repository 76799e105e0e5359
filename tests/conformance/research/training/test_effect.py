"""What vocabularies do to the words of a corpus is counted in words of the corpus, not in kinds of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.training import TrainedModel
from tokenizer_conformance.research.training.segmentation import SHOWN, coverage_of, effect_of
from tokenizer_conformance.results.records.training import Coverage, EffectExample

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.research.training.task import TrainingTask


def test_unknown_tokens_count_as_often_as_their_words(task: Callable[..., TrainingTask]) -> None:
    model = TrainedModel({"a": 0, "b": 1}, None, None, 0.0, None)
    segments = {"ab": ("a", "b"), "axx": ("a", "x", "x"), "y": ("y",)}
    assert coverage_of(segments, model, task(words={"ab": 5, "axx": 3, "y": 2})) == Coverage(
        tokens=5 * 2 + 3 * 3 + 2, unknown=3 * 2 + 2
    )


def test_the_most_frequent_words_that_are_split_differently_are_shown(task: Callable[..., TrainingTask]) -> None:
    words = {f"w{number}": number for number in range(1, SHOWN + 3)} | {"same": 100}
    first = {word: (word,) for word in words}
    second = {word: (word,) if word == "same" else (word[0], word[1:]) for word in words}
    effect = effect_of(first, second, task(words=words))
    differing = sum(range(1, SHOWN + 3))
    assert (effect.words, effect.kinds) == (100 + differing, len(words))
    assert (effect.first_tokens, effect.second_tokens) == (100 + differing, 100 + 2 * differing)
    assert (effect.differing_words, effect.differing_kinds) == (differing, SHOWN + 2)
    assert effect.examples == tuple(
        EffectExample(word=f"w{number}", count=number, first=(f"w{number}",), second=("w", str(number)))
        for number in range(SHOWN + 2, 2, -1)
    )
