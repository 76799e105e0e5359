"""A text of a corpus, and how one tokenizer cuts it, with what several measures need of that.

This is the definition, a text at a time. A corpus is counted many texts at a time, in :mod:`.columns`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Span
    from tokenizer_conformance.research.segmentation.segmented import Segmented

_RUN_OF_WHITE_SPACE = re.compile(r"\s+")
_start, _end = itemgetter(0), itemgetter(1)


class Sample:
    """A ``text`` of a corpus, the same for every tokenizer.

    Arguments:
        number: Which text of the corpus this is, from 0. It decides with which others the text is resampled, so the
            same text has the same number for every tokenizer, and a translation that of the text it translates.
        text: The text.
        words: The spans of its words (code points, end exclusive, ascending), by any definition.

    """

    def __init__(self, number: int, text: str, words: tuple[Span, ...]) -> None:
        self.number = number
        self.text = text
        self.words = words

    @cached_property
    def bytes(self) -> int:
        """The length of the text in UTF-8; a lone surrogate counts three."""
        return len(self.text.encode("utf-8", "surrogatepass"))

    @cached_property
    def is_blank(self) -> bool:
        """Whether the text is white space alone, or empty."""
        return not self.visible

    @cached_property
    def _white_space(self) -> list[Span]:
        return [match.span() for match in _RUN_OF_WHITE_SPACE.finditer(self.text)]

    @cached_property
    def visible(self) -> int:
        """How many characters are not white space."""
        return len(self.text) - sum(end - start for start, end in self._white_space)

    @cached_property
    def beside_white_space(self) -> frozenset[int]:
        """The places that have white space before or behind them, and the two ends of the text."""
        ends = {0, len(self.text)}
        return frozenset(ends.union(*(range(start, end + 1) for start, end in self._white_space)))

    @cached_property
    def word_starts(self) -> list[int]:
        """Where the words begin."""
        return [start for start, _ in self.words]

    def words_across(self, places: set[int] | frozenset[int]) -> set[int]:
        """Return the indices of the words that have one of ``places`` inside; their two ends are not inside."""
        words, starts = self.words, self.word_starts
        hit = set()
        for place in places:
            index = bisect_left(starts, place) - 1
            if index >= 0 and place < words[index][1]:
                hit.add(index)
        return hit

    def words_with(self, characters: frozenset[int]) -> set[int]:
        """Return the indices of the words that have one of ``characters``, given by their places."""
        found = (bisect_right(self.word_starts, place) - 1 for place in characters)
        return {
            index for index, place in zip(found, characters, strict=True) if index >= 0 and place < self.words[index][1]
        }


class Cut:
    """A ``sample`` as one tokenizer cuts it: ``segmented``, and its tokens ``decoded``, where that was asked for."""

    def __init__(self, sample: Sample, segmented: Segmented, decoded: str | None = None) -> None:
        self.sample = sample
        self.segmented = segmented
        self.decoded = decoded

    @cached_property
    def spans(self) -> list[Span]:
        """The spans of the tokens that stand for at least one character, ascending; empty where none are shown."""
        return sorted([span for span in self.segmented.spans or () if span[0] < span[1]])

    @cached_property
    def _ends(self) -> list[int]:
        return sorted(map(_end, self.spans))

    @cached_property
    def boundaries(self) -> frozenset[int]:
        """The places at which a token begins or ends, the ends of the text among them."""
        return frozenset(chain.from_iterable(self.spans))

    @cached_property
    def dropped(self) -> list[Span]:
        """The longest stretches of the text that no token stands for, of white space or anything else."""
        stretches, reached = [], 0
        for start, end in self.spans:
            if start > reached:
                stretches.append((reached, start))
            reached = max(reached, end)
        if reached < len(self.sample.text):
            stretches.append((reached, len(self.sample.text)))
        return stretches

    @cached_property
    def dropped_characters(self) -> frozenset[int]:
        """The places of the characters that are not white space and that no token stands for."""
        text = self.sample.text
        return frozenset(
            index
            for start, end in self.dropped
            if not text[start:end].isspace()
            for index in range(start, end)
            if not text[index].isspace()
        )

    @cached_property
    def inner_boundaries(self) -> frozenset[int]:
        """The boundaries between two characters that are not white space."""
        return self.boundaries - self.sample.beside_white_space

    @cached_property
    def tokens_of_words(self) -> list[int]:
        """How many tokens stand for at least one character of each word; a token across words counts for each."""
        starts, ends = list(map(_start, self.spans)), self._ends
        # A token misses a word if it begins behind it or ends before it, and never both.
        return [bisect_left(starts, end) - bisect_right(ends, start) for start, end in self.sample.words]
