"""Many texts in columns: what :mod:`.sample` and :mod:`.tally` say of one text after the other, for all at once.

The texts of a batch are laid end to end, with a space behind each. So a place in any of them is one number, and no word
or token reaches from one text into the next. What is counted in a stretch of places is the difference of two running
sums. Text by text is the definition; a test ties the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from tokenizer_conformance.research.metrics.measures import round_trip
from tokenizer_conformance.research.metrics.measures.words import unspaced_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from tokenizer_adapters.contract import Span

    Integers = NDArray[np.int64]
    Flags = NDArray[np.bool_]

SEPARATOR = " "

BEHIND_SPACE = 0x3001
"""The character behind the last one that is white space."""


def running(values: NDArray[Any]) -> Integers:
    """Return the sums of the ``values`` before each place, the end included.

    >>> running(np.array([1, 0, 2])).tolist()
    [0, 1, 1, 3]
    """
    sums = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


@dataclass(frozen=True, slots=True)
class Words:
    """Words from ``starts`` to ``ends``, places of a batch; text *i* has those from ``offsets[i]`` to the next."""

    starts: Integers
    ends: Integers
    offsets: Integers

    @property
    def counts(self) -> Integers:
        """How many each text has."""
        return np.diff(self.offsets)

    def per_text(self, values: NDArray[Any]) -> Integers:
        """Return the sums of ``values``, one of each word, over the words of each text."""
        return np.diff(running(values)[self.offsets])

    def within(self, flags: Flags) -> Flags:
        """Return which words have a character with a flag."""
        sums = running(flags)
        return sums[self.ends] > sums[self.starts]

    def inside(self, flags: Flags) -> Flags:
        """Return which words have a place with a flag inside; their two ends are not inside."""
        sums = running(flags)
        return sums[self.ends] > sums[self.starts + 1]


class Texts:
    """A batch of ``texts``, which have these ``numbers``."""

    def __init__(self, numbers: Sequence[int], texts: Sequence[str]) -> None:
        self.numbers = np.array(numbers, np.int64)
        self.texts = texts
        self.lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self.ends: Integers = np.cumsum(self.lengths + 1) - 1
        self.starts: Integers = self.ends - self.lengths
        joined = SEPARATOR.join([*texts, ""])
        self._is_ascii = joined.isascii()
        self._codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        self.white_space: Flags = _white_space()[np.minimum(self._codes, BEHIND_SPACE)]

    def __len__(self) -> int:
        return len(self.texts)

    def per_text(self, values: NDArray[Any]) -> Integers:
        """Return the sums of ``values``, one of each character, over the characters of each text."""
        sums = running(values)
        return sums[self.ends] - sums[self.starts]

    def per_places(self, flags: Flags) -> Integers:
        """Return how many places of each text, its two ends included, have a flag."""
        sums = running(flags)
        return sums[self.ends + 1] - sums[self.starts]

    @cached_property
    def bytes(self) -> Integers:
        """The length of each text in UTF-8; a lone surrogate counts three."""
        if self._is_ascii:
            return self.lengths
        more = sum((self._codes >= first).astype(np.int8) for first in (0x80, 0x800, 0x10000))
        return self.lengths + self.per_text(np.asarray(more))

    @cached_property
    def visible(self) -> Integers:
        """How many characters of each text are not white space."""
        return self.lengths - self.per_text(self.white_space)

    @cached_property
    def is_blank(self) -> Flags:
        """Which texts are white space alone, or empty."""
        found: Flags = self.visible == 0
        return found

    @cached_property
    def unspaced(self) -> Integers:
        """How many characters of each text are of scripts without spaces between words."""
        if self._is_ascii:
            return np.zeros(len(self), np.int64)
        return self.per_text(_unspaced()[self._codes])

    @cached_property
    def _before(self) -> Flags:
        """Which characters have white space before them; the first one of a text has the separator, or nothing."""
        return np.concatenate(([True], self.white_space[:-1]))

    @cached_property
    def beside_white_space(self) -> Flags:
        """Which places have white space before or behind them; the two ends of a text have, too."""
        return self.white_space | self._before

    def words_by_white_space(self) -> Words:
        """Return the longest runs of characters that are not white space."""
        changes = self.white_space != self._before
        starts = np.flatnonzero(changes & ~self.white_space)
        return Words(
            starts,
            np.flatnonzero(changes & self.white_space),
            np.searchsorted(starts, np.append(self.starts, len(self._codes))),
        )

    def words_at(self, spans: Iterable[Sequence[Span]]) -> Words:
        """Return the words of each text at these ``spans``."""
        given = list(spans)
        counts = np.fromiter(map(len, given), np.int64, len(given))
        places = np.fromiter(chain.from_iterable(chain.from_iterable(given)), np.int64)
        base = np.repeat(self.starts, counts)
        return Words(places[::2] + base, places[1::2] + base, running(counts))


class Tokens:
    """How one tokenizer cuts the batch ``of`` texts: ``counts`` tokens of each, with their ``ids``.

    ``spans`` are the starts and the ends of the tokens in their texts. ``is_cut`` says which texts are cut, and
    ``is_shown`` which of these have spans; those of others are empty. ``decoded`` are the texts that tokens make again.
    """

    def __init__(
        self,
        of: Texts,
        counts: Integers,
        ids: Integers,
        spans: tuple[Integers, Integers],
        is_cut: Flags,
        is_shown: Flags,
        decoded: Sequence[str | None],
    ) -> None:
        self.of = of
        self.counts = counts
        self.ids = ids
        base = np.repeat(of.starts, counts)
        self._starts, self._ends = spans[0] + base, spans[1] + base
        self.is_cut = is_cut
        self.is_shown = is_shown
        self.decoded = decoded

    @cached_property
    def spans(self) -> tuple[Integers, Integers]:
        """The starts and the ends of the tokens that stand for at least one character."""
        has_any = self._starts < self._ends
        return self._starts[has_any], self._ends[has_any]

    def _covered(self, starts: Integers, ends: Integers) -> Flags:
        """Return which characters one of these spans has."""
        size = len(self.of.white_space)
        depth = np.bincount(starts, minlength=size) - np.bincount(ends, minlength=size)
        return np.cumsum(depth) > 0

    @cached_property
    def dropped(self) -> Flags:
        """Which characters are not white space, and no token stands for them."""
        return ~(self._covered(*self.spans) | self.of.white_space)

    @cached_property
    def inner_boundaries(self) -> Flags:
        """Which places between two characters that are not white space are boundaries."""
        found = np.zeros(len(self.of.white_space), np.bool_)
        for places in self.spans:
            found[places] = True
        return found & ~self.of.beside_white_space

    def of_words(self, words: Words) -> Integers:
        """Return how many tokens stand for at least one character of each word; one across words counts for each."""
        size = len(self.of.white_space)
        begun, ended = (running(np.bincount(places, minlength=size)) for places in self.spans)
        # A token misses a word if it begins behind it or ends before it, and never both.
        return begun[words.ends] - ended[words.starts + 1]

    def rows(self, words: Words, unknown_ids: frozenset[int]) -> Integers:
        """Return the numbers of each text, in the order of the fields of ``Totals``."""
        of, nothing = self.of, np.zeros(len(self.of), np.int64)
        is_unknown = _is_any(self.ids, unknown_ids)
        unknown = np.diff(running(is_unknown)[running(self.counts)]) if is_unknown.any() else nothing
        written = ~of.is_blank
        row = [nothing + 1, written, written * self.counts, of.lengths, of.bytes, self.counts, unknown, words.counts]
        return np.stack([*row, *self._of_spans(words, is_unknown), *self._of_round_trip()], axis=1)

    def _of_spans(self, words: Words, is_unknown: Flags) -> list[NDArray[Any]]:
        counts = self.of_words(words)
        is_kept, is_lost = counts == 1, counts == 0
        continued = counts > 1
        unknown = np.zeros(len(self.of), np.int64)
        if is_unknown.any():
            places = self._covered(self._starts[is_unknown], self._ends[is_unknown]) & ~self.of.white_space
            unknown = self.of.per_text(places)
            # A word of one token that is unknown is lost to the model, but not dropped: it is neither kept nor lost.
            is_kept &= ~words.within(places)
        of_words = [words.per_text(each) for each in (counts, is_kept, continued, is_lost)]
        return [each * self.is_shown for each in (self.is_shown, self.of.visible, words.counts, *of_words, unknown)]

    def _of_round_trip(self) -> list[NDArray[Any]]:
        levels = [
            _NOT_DECODED if decoded is None or is_blank else _level(text, decoded)
            for text, decoded, is_blank in zip(self.of.texts, self.decoded, self.of.is_blank.tolist(), strict=True)
        ]
        found = np.array(levels, np.int64)
        return [found < _NOT_DECODED, *(found <= index for index in range(_NEVER))]


_NEVER = len(round_trip.NORMALIZATIONS)
_NOT_DECODED = _NEVER + 1


def _level(text: str, decoded: str) -> int:
    found = round_trip.level(text, decoded)
    return _NEVER if found is None else found


def pair_rows(words: Words, first: Tokens, second: Tokens) -> tuple[Flags, Integers]:
    """Return which texts count for a pair, and the numbers of each in the order of the fields of ``PairTotals``."""
    of = first.of
    ours, theirs = first.inner_boundaries, second.inner_boundaries
    differs = words.inside(ours ^ theirs)
    dropped = first.dropped | second.dropped
    left_out = of.beside_white_space
    is_compared = np.ones(len(differs), np.bool_)
    if dropped.any():
        beside = dropped.copy()
        beside[1:] |= dropped[:-1]
        ours, theirs, left_out = ours & ~beside, theirs & ~beside, left_out | beside
        is_compared = ~words.within(dropped)
    places = [of.per_places(each) for each in (~left_out, ours, theirs, ours & theirs)]
    of_words = [words.per_text(each) for each in (is_compared, is_compared & ~differs)]
    return (
        first.is_shown & second.is_shown & ~of.is_blank,
        np.stack([np.ones(len(of), np.int64), *places, *of_words], axis=1),
    )


def _is_any(ids: Integers, wanted: frozenset[int]) -> Flags:
    found = np.zeros(len(ids), np.bool_)
    for id in wanted:
        found |= ids == id
    return found


@cache
def _white_space() -> Flags:
    """Return which code points are white space, and one behind them, which is not."""
    return np.array([chr(code).isspace() for code in range(BEHIND_SPACE + 1)])


@cache
def _unspaced() -> Flags:
    """Return which code points are of scripts that put no spaces between words."""
    found = np.zeros(0x110000, np.bool_)
    for start, end in unspaced_spans("".join(map(chr, range(0x110000)))):
        found[start:end] = True
    return found
