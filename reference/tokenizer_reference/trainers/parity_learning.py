"""How parity-aware BPE learns merges: for the language that is worst off, again and again (Foroutan et al. 2025).

Each step chooses a language, merges the pair that is most frequent in its corpus, and does that merge in all languages.
The rules, learned from outside (tokenizers 0.23.3):

- With development texts, the language is chosen whose texts have the most tokens at present. With ratios, the one whose
  compression (characters over tokens, on its training texts) over its ratio is lowest. With neither, the one whose
  training texts have the most tokens. Of equals the first.
- Of pairs that are equally frequent, the one with the greatest texts is merged, the left one first: ids do not matter,
  unlike in :mod:`.merge_learning`.
- A language without a pair that is frequent enough is not chosen any more.
- The alphabet is that of training and development texts together.
- ``global_merges`` are done first, each of the pair that is most frequent in all languages together.
- ``total_symbols`` takes the number of tokens before the first merge off the number of merges.
- ``max_token_length`` is compared as in :mod:`.merge_learning`: pairs of two first symbols are always counted, others
  where the sum of their lengths is smaller.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from tokenizer_reference.errors import UpstreamPanicError
from tokenizer_reference.trainers.merge_beginning import Beginning, MergeOptions, alphabet, symbols_of_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Pair = tuple[int, int]

ALL: Final = -1
"""Stands for all languages together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityOptions:
    """The options of :class:`~tokenizer_reference.trainers.ParityBpeTrainer` that decide what is learned."""

    merging: MergeOptions
    num_merges: int = 32000
    global_merges: int = 0
    total_symbols: bool = False
    ratio: tuple[float, ...] | None = None


class Word(NamedTuple):
    """A word of any corpus: how often each language has it, in its training texts and in those that are measured."""

    symbols: list[tuple[int, int]]
    """The ids of its tokens, each with its length in characters."""

    counts: list[int]
    measured: list[int]


class _Waiting:
    """A pair by its texts, the greatest first."""

    __slots__ = ("pair", "texts")

    def __init__(self, pair: Pair, texts: tuple[str, str]) -> None:
        self.pair = pair
        self.texts = texts

    def __lt__(self, other: _Waiting) -> bool:
        return self.texts > other.texts


class ParityLearner:
    """Learns merges from the words of several languages, and from development texts of each, if there are any."""

    def __init__(
        self,
        languages: Sequence[Mapping[str, int]],
        development: Sequence[Mapping[str, int]] | None,
        options: ParityOptions,
    ) -> None:
        self._options = options
        measured = languages if development is None else development
        together = _sum(languages)
        kept = alphabet(together if development is None else together + _sum(development), options.merging)
        beginning = Beginning(together, options.merging, kept)
        self.ids = dict(beginning.ids)
        self._tokens = list(self.ids)
        self._languages = range(len(languages))
        self._has_development = development is not None
        self._words = [
            Word(
                [(id_, 1) for id_ in symbols],
                [words.get(word, 0) for words in languages],
                [words.get(word, 0) for words in measured],
            )
            for word, symbols in _all_words(beginning, together, measured, options.merging)
        ]
        self._totals = [sum(len(word.symbols) * word.measured[at] for word in self._words) for at in self._languages]
        # Characters that are no tokens are never merged, and count.
        self._missing = [_characters(words) - total for words, total in zip(measured, self._totals, strict=True)]
        self._totals = [total + missing for total, missing in zip(self._totals, self._missing, strict=True)]
        self._characters = self._totals.copy()
        self._counts: list[Counter[Pair]] = [Counter() for _ in range(len(languages) + 1)]
        self._heaps: list[list[tuple[int, _Waiting]]] = [[] for _ in self._counts]
        self._places: defaultdict[Pair, set[int]] = defaultdict(set)
        touched: set[Pair] = set()
        for at in range(len(self._words)):
            touched |= self._count(at, 1)
        self._wait(touched)

    def merges(self) -> Iterator[Pair]:
        """Yield each pair of ids after it was merged. Raises :class:`UpstreamPanicError`."""
        done = 0
        most = self._options.num_merges - (len(self.ids) if self._options.total_symbols else 0)
        exhausted: set[int] = set()
        while done < most and len(exhausted) < len(self._languages):
            is_global = done < self._options.global_merges
            language = ALL if is_global else self._worst_off(exhausted)
            pair = self._most_frequent(language)
            if pair is None:
                if is_global:
                    return
                exhausted.add(language)
                continue
            self._merge(pair)
            done += 1
            yield pair

    # Choosing --------------------------------------------------------------------------------------------------------

    def _worst_off(self, exhausted: set[int]) -> int:
        ratio = None if self._has_development else self._options.ratio
        if ratio is None:
            return max(set(self._languages) - exhausted, key=lambda at: (self._totals[at], -at))
        if not all(self._totals):
            raise UpstreamPanicError(
                "with ratios, every language needs texts: one has none, and `tokenizers` never ends here; leave it out"
            )
        compression = [self._characters[at] / self._totals[at] / ratio[at] for at in self._languages]
        return min(set(self._languages) - exhausted, key=lambda at: (compression[at], at))

    def _most_frequent(self, language: int) -> Pair | None:
        """Return the pair that is most frequent in a language, or ``None`` where none is frequent enough."""
        heap, counts = self._heaps[language], self._counts[language]
        while heap:
            negative, waiting = heap[0]
            if counts[waiting.pair] == -negative:
                return waiting.pair if -negative >= max(1, self._options.merging.min_frequency) else None
            heappop(heap)
        return None

    # Counting --------------------------------------------------------------------------------------------------------

    def _merge(self, pair: Pair) -> None:
        left, right = pair
        text = self._tokens[left] + self._tokens[right].removeprefix(self._options.merging.prefix)
        token = self.ids.setdefault(text, len(self._tokens))
        if token == len(self._tokens):
            self._tokens.append(text)
        touched: set[Pair] = set()
        for at in sorted(self._places[pair]):
            touched |= self._count(at, -1)
            word = self._words[at]
            before = len(word.symbols)
            word.symbols[:] = _merged(word.symbols, pair, token)
            for language in self._languages:
                self._totals[language] -= (before - len(word.symbols)) * word.measured[language]
            touched |= self._count(at, 1)
        self._wait(touched)

    def _count(self, at: int, change: int) -> set[Pair]:
        """Count the pairs of a word (``change`` is 1) or count them off (-1); return them."""
        word = self._words[at]
        seen: set[Pair] = set()
        for (left, left_length), (right, right_length) in pairwise(word.symbols):
            pair = left, right
            if not self._is_counted(left_length, right_length):
                continue
            seen.add(pair)
            for language, count in enumerate(word.counts):
                self._counts[language][pair] += change * count
                self._counts[ALL][pair] += change * count
        for pair in seen:
            if change > 0:
                self._places[pair].add(at)
            else:
                self._places[pair].discard(at)
        return seen

    def _is_counted(self, left: int, right: int) -> bool:
        longest = self._options.merging.max_token_length
        return longest is None or left == right == 1 or left + right < longest

    def _wait(self, pairs: set[Pair]) -> None:
        for pair in pairs:
            waiting = _Waiting(pair, (self._tokens[pair[0]], self._tokens[pair[1]]))
            for counts, heap in zip(self._counts, self._heaps, strict=True):
                if counts[pair] > 0:
                    heappush(heap, (-counts[pair], waiting))


def _all_words(
    beginning: Beginning, together: Mapping[str, int], measured: Sequence[Mapping[str, int]], options: MergeOptions
) -> Iterator[tuple[str, list[int]]]:
    """Yield every word with the ids of its tokens; characters that are none are dropped."""
    yield from zip(together, beginning.words, strict=True)
    others = dict.fromkeys(word for words in measured for word in words if word not in together)
    for word in others:
        symbols = symbols_of_word(word, beginning.ids, options)
        yield word, [beginning.ids[symbol] for symbol in symbols if symbol in beginning.ids]


def _sum(corpora: Sequence[Mapping[str, int]]) -> Counter[str]:
    """Return how often each word occurs in all corpora together."""
    total: Counter[str] = Counter()
    for words in corpora:
        total.update(words)
    return total


def _characters(words: Mapping[str, int]) -> int:
    return sum(len(word) * count for word, count in words.items())


def _merged(symbols: list[tuple[int, int]], pair: Pair, token: int) -> Iterator[tuple[int, int]]:
    """Yield the symbols of a word after a merge, from left to right."""
    at = 0
    while at < len(symbols):
        id_, length = symbols[at]
        if at + 1 < len(symbols) and (id_, symbols[at + 1][0]) == pair:
            yield token, length + symbols[at + 1][1]
            at += 2
        else:
            yield id_, length
            at += 1
