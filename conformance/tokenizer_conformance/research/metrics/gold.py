"""How far tokens are morphemes: words of a gold segmentation are cut, each as it stands in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.opening import decoded_lines
from tokenizer_conformance.research.metrics.counts import Failures
from tokenizer_conformance.research.metrics.measures.morphemes import MorphemeTally, words_with_morphemes
from tokenizer_conformance.research.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.research.metrics.measuring import failure_of
from tokenizer_conformance.research.segmentation.columns import checked
from tokenizer_conformance.research.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_conformance.research.metrics.measures.morphemes import SegmentedWord
    from tokenizer_conformance.research.segmentation.segmenter import Segmenter

WORDS_AT_ONCE = 256

BEFORE = " "
"""What stands before a word when it is cut: tokenizers have other tokens for words inside a sentence."""


def words_of(path: Path) -> tuple[SegmentedWord, ...]:
    """Return the words of the file at ``path``. Raises :class:`BadInputError`."""
    return tuple(words_with_morphemes(decoded_lines(path), f"--gold {str(path)!r}"))


@dataclass(slots=True)
class GoldCut:
    """The outcome of words with their morphemes for a row: those that it cut, and ``failures``, the others."""

    tally: MorphemeTally = field(default_factory=MorphemeTally)
    failures: Failures = field(default_factory=Failures)


def gold_cuts(segmenters: Mapping[int, Segmenter], words: tuple[SegmentedWord, ...]) -> dict[int, GoldCut]:
    """Return the outcome of the ``words`` for each row."""
    found = {}
    for row, segmenter in segmenters.items():
        cut = found[row] = GoldCut()
        for start in range(0, len(words), WORDS_AT_ONCE):
            batch = words[start : start + WORDS_AT_ONCE]
            answers = map(checked, segmenter.segment([BEFORE + each.word for each in batch]))
            for number, (word, answer) in enumerate(zip(batch, answers, strict=True), start):
                if isinstance(answer, Segmented):
                    text = BEFORE + word.word
                    cut.tally.add(word, Cut(Sample(number, text, ((len(BEFORE), len(text)),)), answer))
                else:
                    cut.failures.add(failure_of(word.word, answer))
    return found
