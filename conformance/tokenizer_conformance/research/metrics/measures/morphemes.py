r"""Words with their morphemes, and how far the tokens of a tokenizer are these.

A file of words has one a line: the word, a tab, and its morphemes separated by spaces, which make up the word when put
together (a surface segmentation). A line that is empty or begins with ``#`` says nothing.

    unhappiness\tun happi ness
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.metrics.measures.measure import ratio
from tokenizer_conformance.research.metrics.measures.sums import Sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_conformance.research.metrics.measures.sample import Cut


@dataclass(frozen=True, slots=True)
class SegmentedWord:
    """A ``word``, and the places inside (code points) at which a morpheme ends and another begins."""

    word: str
    boundaries: frozenset[int]


def words_with_morphemes(lines: Iterable[str], source: str) -> Iterator[SegmentedWord]:
    """Yield the words of ``lines``. Raises :class:`BadInputError`, which names ``source`` and the line."""
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        if not text.strip() or text.startswith("#"):
            continue
        word, tab, segmentation = text.partition("\t")
        morphemes = segmentation.split()
        if not tab or not word or not morphemes:
            raise BadInputError(
                f"{source}, line {number}: expected a word, a tab, and its morphemes separated by spaces"
            )
        if "".join(morphemes) != word:
            raise BadInputError(
                f"{source}, line {number}: the morphemes {' + '.join(morphemes)} make up {''.join(morphemes)!r}, "
                f"not the word {word!r}; expected the morphemes as they stand in the word"
            )
        ends = accumulate(len(morpheme) for morpheme in morphemes[:-1])
        yield SegmentedWord(word, frozenset(ends))


@dataclass(frozen=True, slots=True)
class MorphemeTotals:
    """Sums over words.

    ``gold`` boundaries of morphemes, ``cut`` ones of tokens, ``both`` at the same place. ``exact_words`` have the same
    ones. ``precision``, ``recall`` and ``f1`` are sums of those of the words with more than one morpheme
    (``complex_words``); one that is not cut has precision and F1 0. ``scored_words`` have more than one morpheme and
    are cut, ``score`` is the sum of their recalls.
    """

    words: float
    gold: float
    cut: float
    both: float
    exact_words: float
    complex_words: float
    precision: float
    recall: float
    f1: float
    scored_words: float
    score: float


class MorphemeTally:
    """The sums of one tokenizer over words with their morphemes."""

    def __init__(self) -> None:
        self.sums = Sums(MorphemeTotals)

    @property
    def totals(self) -> MorphemeTotals:
        """The sums over all words."""
        return self.sums.total

    def add(self, word: SegmentedWord, cut: Cut) -> None:
        """Count a word, the text of ``cut`` or the end of it: other text, such as a space, may stand before it.

        Nothing is counted where no spans are shown. Raises :class:`ValueError` for another text.
        """
        text = cut.sample.text
        if not text.endswith(word.word):
            raise ValueError(f"the text {text!r} does not end with the word {word.word!r}")
        if cut.segmented.spans is None:
            return
        before = len(text) - len(word.word)
        places = {place - before for place in cut.boundaries if before < place < len(text)}
        both = len(places & word.boundaries)
        is_complex = bool(word.boundaries)
        recall = ratio(both, len(word.boundaries)) or 0.0
        precision = (ratio(both, len(places)) or 0.0) if is_complex else 0.0
        f1 = (ratio(2 * both, len(places) + len(word.boundaries)) or 0.0) if is_complex else 0.0
        is_scored = is_complex and bool(places)
        counts = (1, len(word.boundaries), len(places), both, int(places == word.boundaries), int(is_complex))
        scores = (precision, recall, f1, int(is_scored), recall)  # a word that is not cut has no recall
        self.sums.add(cut.sample.number, (*counts, *scores))

    def merge(self, other: MorphemeTally) -> None:
        """Add all that ``other`` has counted."""
        self.sums.merge(other.sums)

    def to_json(self) -> dict[str, Any]:
        """Return what was counted as JSON."""
        return {"sums": self.sums.to_json()}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> MorphemeTally:
        """Return what :meth:`to_json` wrote. Raises :class:`ValueError` where that is no tally of this release."""
        tally = cls()
        tally.sums.add_json(written["sums"])
        return tally
