"""How far tokens are morphemes: words of a gold segmentation are cut, each as it stands in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.opening import decoded_lines
from tokenizer_conformance.metrics.measures.morphemes import MorphemeTally, words_with_morphemes
from tokenizer_conformance.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenizer_conformance.metrics.measures.morphemes import SegmentedWord
    from tokenizer_conformance.segmentation.segmenter import Segmenter

WORDS_AT_ONCE = 256

BEFORE = " "
"""What stands before a word when it is cut: tokenizers have other tokens for words inside a sentence."""


def words_of(path: Path) -> tuple[SegmentedWord, ...]:
    """Return the words of the file at ``path``. Raises :class:`BadInputError`, :class:`BadInputError`."""
    return tuple(words_with_morphemes(decoded_lines(path), f"--gold {str(path)!r}"))


def morpheme_tallies(segmenters: Mapping[int, Segmenter], words: tuple[SegmentedWord, ...]) -> dict[int, MorphemeTally]:
    """Return what the ``words`` come to for each row; a word that is not cut is left out of its tally."""
    tallies = {}
    for row, segmenter in segmenters.items():
        tally = tallies[row] = MorphemeTally()
        for start in range(0, len(words), WORDS_AT_ONCE):
            batch = words[start : start + WORDS_AT_ONCE]
            cut = segmenter.segment([BEFORE + each.word for each in batch])
            for number, (word, answer) in enumerate(zip(batch, cut, strict=True), start):
                if isinstance(answer, Segmented) and (answer.spans is None or len(answer.spans) == len(answer.ids)):
                    text = BEFORE + word.word
                    tally.add(word, Cut(Sample(number, text, ((len(BEFORE), len(text)),)), answer))
    return tallies
