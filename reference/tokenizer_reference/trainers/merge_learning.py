"""How the merges of BPE are learned: merge the most frequent pair of neighbours, again and again (Sennrich et al.

2016).

Everything below is about words as lists of *symbols*: ids of tokens, each with a length in characters. What the
published algorithm leaves open decides which merges are learned. The rules (observed, tokenizers 0.23.3):

- Ids are given to special tokens, then to the alphabet by code point, then to characters with a prefix or a suffix as
  the words are cut into characters, then to what is merged. A token that there is already keeps its id.
- Of pairs with equal counts, the one with the lowest ids wins, the left id first.
- A pair becomes a *candidate*, with the words where it was seen, when the words are counted and whenever a merge makes
  it. A candidate is looked at with the count that it had; if the count has changed since, it is put back with the new
  one.
- A candidate is merged in its own words only. Where a pair has become a candidate twice (two merges make one token), it
  can therefore be merged twice.
- A pair that has been merged keeps what is left of its count: in ``aaa`` there are two pairs and only one is merged.
- ``max_token_length`` is compared with the lengths of both parts when a merge makes a pair, and the pair is not counted
  unless their sum is smaller. Pairs of the words as they begin are always counted. All pairs that go are counted off.
- A count that has fallen below 0 is taken for a very large one. (Counts have 32 bits in the target; that they can be
  too large for these is not reproduced.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections import defaultdict
from heapq import heapify, heappop, heappush
from itertools import accumulate, chain, compress, pairwise, repeat
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tokenizer_reference.trainers.merge_beginning import Beginning, MergeOptions

_U64: Final = 2**64

Pair = tuple[int, int]
"""Two ids."""


class Merge(NamedTuple):
    """A pair, the id of what it was merged to, and how often it was counted."""

    pair: Pair
    token: int
    counted: int


C = TypeVar("C", int, tuple[Pair, list[int]])
"""A candidate: a pair (the left id counting more than the right one), and perhaps the words where it was seen."""


class _Waiting(defaultdict[int, list[C]]):
    """Candidates in no order, by count; a count that is new is told to ``counts``, a heap of their negatives."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: list[int] = []

    def __missing__(self, count: int) -> list[C]:
        heappush(self.counts, -count)
        new = self[count] = []
        return new


class Candidates(Generic[C]):
    """Candidates by falling count, and of equal counts the smallest first.

    Those of one count lie in a heap only when it is their turn: most are never looked at.
    """

    def __init__(self) -> None:
        self.waiting: _Waiting[C] = _Waiting()
        """Where candidates are added, to the list of their count."""
        self._count = 0
        """The count whose turn it is."""
        self._heap: list[C] = []
        """The candidates with this count, but for those that were added since."""

    def add(self, count: int, candidate: C) -> None:
        """Add a candidate with its count."""
        self.waiting[count].append(candidate)

    def pop(self) -> tuple[int, C] | None:
        """Remove the first candidate and return it with its count, or ``None`` where there is none."""
        counts, heap = self.waiting.counts, self._heap
        while counts and (not heap or counts[0] <= -self._count):
            count = -heappop(counts)
            added = self.waiting.pop(count)
            if heap and count == self._count:
                for candidate in added:
                    heappush(heap, candidate)
            else:
                if heap:
                    self.waiting[self._count] += heap
                heapify(added)
                self._count, self._heap = count, added
                heap = added
        return (self._count, heappop(heap)) if heap else None


class Learner(ABC, Generic[C]):
    """Learns merges, one by one. ``tokens`` and :meth:`count` are as after the last merge."""

    def __init__(self, beginning: Beginning, options: MergeOptions) -> None:
        self._options = options
        self._ids = dict(beginning.ids)
        self.tokens = list(self._ids)
        self._candidates: Candidates[C] = Candidates()
        self._least = max(1, options.min_frequency)
        """How often a pair has to be counted to be merged."""

    @abstractmethod
    def pair_of(self, candidate: C) -> Pair:
        """Return the ids of a candidate."""

    @abstractmethod
    def _count_of(self, candidate: C) -> int:
        """Return how often a candidate is counted at present."""

    @abstractmethod
    def _merge(self, candidate: C, token: int, count: int) -> None:
        """Merge a candidate, which was taken with ``count``, to ``token``; keep count, and add new candidates."""

    def _put_back(self, candidate: C, old_count: int, count: int) -> None:  # noqa: ARG002 - for those who keep track
        """Add a candidate that was taken with ``old_count`` again, with ``count``."""
        self._candidates.add(count, candidate)

    @abstractmethod
    def count(self, pair: Pair) -> int:
        """Return how often a pair of ids is counted at present."""

    def vocabulary(self) -> dict[str, int]:
        """Return every token with its id."""
        return dict(self._ids)

    @property
    def prefix(self) -> str:
        """What is cut from the right part of a merge; empty where there is nothing to cut."""
        return self._options.prefix

    def steps(self) -> Iterator[Merge]:
        """Yield each merge after it was done, until the vocabulary is full or no pair is frequent enough."""
        while due := self.take_due():
            yield self.merge(*due)

    def take_due(self) -> tuple[int, C] | None:
        """Take away the candidate whose turn it is, and return it with its count; ``None`` when learning is over."""
        while len(self.tokens) < self._options.vocab_size and (taken := self._candidates.pop()):
            old_count, candidate = taken
            count = self._count_of(candidate) % _U64
            if count == old_count:
                return taken if count >= self._least else None
            self._put_back(candidate, old_count, count)
        return None

    def token_of(self, pair: Pair) -> str:
        """Return the text that a pair is merged to."""
        return self.tokens[pair[0]] + self.tokens[pair[1]].removeprefix(self._options.prefix)

    def merge(self, count: int, candidate: C) -> Merge:
        """Merge a candidate that was taken with ``count``."""
        pair = self.pair_of(candidate)
        merged = self.token_of(pair)
        token = self._ids.setdefault(merged, len(self.tokens))
        if token == len(self.tokens):
            self.tokens.append(merged)
        self._merge(candidate, token, count)
        return Merge(pair, token, count)


class PlainLearner(Learner[tuple[Pair, list[int]]]):
    """The definition: words are lists of symbols (id and length), passed through from left to right for every merge."""

    def __init__(self, beginning: Beginning, options: MergeOptions) -> None:
        super().__init__(beginning, options)
        self._word_counts = beginning.counts
        self._words = [[(id_, 1) for id_ in word] for word in beginning.words]
        self._counts: defaultdict[Pair, int] = defaultdict(int)
        changes = (
            (at, (left, right), 1) for at, word in enumerate(self._words) for (left, _), (right, _) in pairwise(word)
        )
        self._count_changes(changes)

    def _count_changes(self, changes: Iterable[tuple[int, Pair, int]]) -> None:
        """Count pairs that words, by number, have more or less; those that there are more of are candidates."""
        seen: defaultdict[Pair, list[int]] = defaultdict(list)
        for at, pair, change in changes:
            self._counts[pair] += change * self._word_counts[at]
            if change > 0:
                seen[pair].append(at)
        for pair, words in seen.items():
            if self._counts[pair] > 0:
                self._candidates.add(self._counts[pair], (pair, words))

    def pair_of(self, candidate: tuple[Pair, list[int]]) -> Pair:
        """Return the ids of a candidate."""
        return candidate[0]

    def _count_of(self, candidate: tuple[Pair, list[int]]) -> int:
        return self._counts[candidate[0]]

    def count(self, pair: Pair) -> int:
        """Return how often a pair of ids is counted at present."""
        return self._counts.get(pair, 0)

    def _merge(self, candidate: tuple[Pair, list[int]], token: int, _count: int) -> None:
        pair, words = candidate
        self._count_changes((at, *change) for at in dict.fromkeys(words) for change in self._merge_in(at, pair, token))

    def _merge_in(self, at: int, pair: Pair, token: int) -> Iterator[tuple[Pair, int]]:
        """Merge ``pair`` in the word ``at`` and yield which pairs there are less or more."""
        word = self._words[at]
        position = 0
        while position + 1 < len(word):
            (left, left_length), (right, right_length) = word[position : position + 2]
            if (left, right) == pair:
                length = left_length + right_length
                word[position : position + 2] = [(token, length)]
                if position > 0:
                    before, before_length = word[position - 1]
                    yield (before, left), -1
                    if self._is_counted(before_length + length):
                        yield (before, token), 1
                if position + 1 < len(word):
                    after, after_length = word[position + 1]
                    yield (right, after), -1
                    if self._is_counted(length + after_length):
                        yield (token, after), 1
            position += 1

    def _is_counted(self, length: int) -> bool:
        return self._options.max_token_length is None or length < self._options.max_token_length


_EDGE: Final = -1
"""Stands in the cell between two words, and in the inner cells of a symbol."""

_UNKNOWN: Final = -1
"""Stands for the count with which a candidate waits, where that is not known."""


class _Places(NamedTuple):
    """One of several candidates of one pair: the count with which it waits, and its places."""

    counted: int
    places: list[int]


class RowLearner(Learner[int]):
    """The same, fast: all words are one row of cells, and a merge goes to the *places* of its pair.

    A symbol has as many cells as it was merged of; its id stands in the first and in the last of them. A place is the
    first cell of the right symbol of a pair. A pair is one number, the right id in its lowest bits. A token has one
    length here, that of its text: see :func:`learner_of`.
    """

    def __init__(self, beginning: Beginning, options: MergeOptions) -> None:
        super().__init__(beginning, options)
        # Words that occur once come last: there, a weight need not be looked up.
        several = [count != 1 for count in beginning.counts]
        once = [count == 1 for count in beginning.counts]
        words = [*compress(beginning.words, several), *compress(beginning.words, once)]
        counts = [*compress(beginning.counts, several), *repeat(1, sum(once))]
        sizes = [len(word) + 1 for word in words]
        self._row = [_EDGE, *chain.from_iterable(chain(word, (_EDGE,)) for word in words)]
        self._weights = [0, *chain.from_iterable(map(repeat, counts, sizes))]
        self._ends = list(accumulate(sizes, initial=0))
        self._once = self._ends[sum(several)] + 1
        """The first place of the words that occur once."""
        self._lengths = [1] * len(self.tokens)
        """In how many cells the symbols of each token are."""
        self._bits = (len(self.tokens) + len(self._row)).bit_length()
        self._has_limit = options.max_token_length is not None
        self._right_id = (1 << self._bits) - 1
        self._pairs: defaultdict[int, list[int]] = defaultdict(list)
        """The places of each pair that waits to be merged, and at the end of these its count."""
        self._known = len(self.tokens)
        """How many tokens there were after the last merge."""
        self._several: dict[int, list[_Places]] = {}
        """All places of the pairs of which several candidates wait."""
        self._find_pairs()

    def _find_pairs(self) -> None:
        bits, row, pairs = self._bits, self._row, self._pairs
        for at, (left, right) in enumerate(pairwise(row), 1):
            pairs[left << bits | right].append(at)
        for pair in [pair for pair in pairs if pair < 0]:  # at an edge
            del pairs[pair]
        for pair, places in pairs.items():
            places.append(self._weight(places))
            if places[-1] > 0:
                self._candidates.add(places[-1], pair)
        pairs.default_factory = lambda: [0]

    def _weight(self, places: list[int]) -> int:
        """Return how often what is at ``places``, which rise, occurs in the corpus."""
        if places[0] >= self._once:
            return len(places)
        several = bisect_left(places, self._once) if places[-1] >= self._once else len(places)
        return sum(map(self._weights.__getitem__, places[:several])) + len(places) - several

    def pair_of(self, candidate: int) -> Pair:
        """Return the ids of a candidate."""
        return candidate >> self._bits, candidate & self._right_id

    def _count_of(self, candidate: int) -> int:
        return self._pairs[candidate][-1]

    def count(self, pair: Pair) -> int:
        """Return how often a pair of ids is counted at present."""
        known = self._pairs.get(pair[0] << self._bits | pair[1])
        return known[-1] if known else 0

    def take_due(self) -> tuple[int, int] | None:
        """Do as the definition does; most candidates are put back, and their count is at the end of their places."""
        candidates, pairs, several = self._candidates, self._pairs, self._several
        tokens, vocab_size = self.tokens, self._options.vocab_size
        while len(tokens) < vocab_size and (taken := candidates.pop()):
            old_count, candidate = taken
            count = pairs[candidate][-1]
            below_zero = count < 0
            if below_zero:
                count %= _U64
            if count == old_count:
                return taken if count >= self._least else None
            if below_zero or candidate in several:
                self._put_back(candidate, old_count, count)
            elif count:
                candidates.waiting[count].append(candidate)
        return None

    def _merge(self, candidate: int, token: int, count: int) -> None:
        left, right = self.pair_of(candidate)
        is_new = len(self.tokens) > self._known
        self._known = len(self.tokens)
        length = self._lengths[left] + self._lengths[right]
        if is_new:
            self._lengths.append(length)
        else:
            self._lengths[token] = length
        places = self._take_places(candidate, count)
        if is_new and len(places) == 1 and not self._has_limit:
            self._merge_once(left, right, token, places)
            return
        before, after = self._join(left, right, token, places)
        if token in before or token in after:
            self._count_beside_itself(left, right, token, before, after)
        elif is_new and not self._has_limit:
            self._count_new(left, right, token, before, after)
        else:
            self._count(left, right, token, before, after)

    def _merge_once(self, left: int, right: int, token: int, places: list[int]) -> None:
        """Merge at one place, to a token that is new: as :meth:`_join` and :meth:`_count_new`."""
        row, pairs, bits, waiting = self._row, self._pairs, self._bits, self._candidates.waiting
        (at,) = places
        if row[at] != right or row[at - 1] != left:
            return
        weight = self._weights[at]
        row[at - 1] = row[at] = _EDGE
        start = at - self._lengths[left]
        end = at + self._lengths[right]
        row[start] = row[end - 1] = token
        neighbour = row[start - 1]
        if neighbour != _EDGE:
            neighbour <<= bits
            pairs[neighbour | left][-1] -= weight
            neighbour |= token
            pairs[neighbour] = [start, weight]
            if weight:
                waiting[weight].append(neighbour)
        neighbour = row[end]
        if neighbour != _EDGE:
            pairs[right << bits | neighbour][-1] -= weight
            neighbour |= token << bits
            pairs[neighbour] = [end, weight]
            if weight:
                waiting[weight].append(neighbour)

    def _count_new(
        self, left: int, right: int, token: int, before: dict[int, list[int]], after: dict[int, list[int]]
    ) -> None:
        """Do as :meth:`_count`, fast, where ``token`` is new: then all pairs with it are."""
        bits, pairs, once, waiting = self._bits, self._pairs, self._once, self._candidates.waiting
        for neighbour, at in before.items():
            weight = len(at) if at[0] >= once else self._weight(at)
            neighbour <<= bits  # noqa: PLW2901 - the left half of a pair
            pairs[neighbour | left][-1] -= weight
            at.append(weight)
            neighbour |= token  # noqa: PLW2901
            pairs[neighbour] = at
            if weight:
                waiting[weight].append(neighbour)
        gone, made = right << bits, token << bits
        for neighbour, at in after.items():
            weight = len(at) if at[0] >= once else self._weight(at)
            pairs[gone | neighbour][-1] -= weight
            at.append(weight)
            neighbour |= made  # noqa: PLW2901
            pairs[neighbour] = at
            if weight:
                waiting[weight].append(neighbour)

    def _count(
        self, left: int, right: int, token: int, before: dict[int, list[int]], after: dict[int, list[int]]
    ) -> None:
        bits, pairs = self._bits, self._pairs
        for neighbour, at in before.items():
            weight = self._weight(at)
            neighbour <<= bits  # noqa: PLW2901 - the left half of a pair
            pairs[neighbour | left][-1] -= weight
            self._add(neighbour | token, at, weight)
        gone, made = right << bits, token << bits
        for neighbour, at in after.items():
            weight = self._weight(at)
            pairs[gone | neighbour][-1] -= weight
            self._add(made | neighbour, at, weight)

    def _count_beside_itself(
        self, left: int, right: int, token: int, before: dict[int, list[int]], after: dict[int, list[int]]
    ) -> None:
        """Count where ``token`` stands beside itself.

        Pairs that are made may be gone again, so those that are gone come first.
        """
        bits, pairs = self._bits, self._pairs
        for neighbour, at in before.items():
            pairs[neighbour << bits | left][-1] -= self._weight(at)
        for neighbour, at in after.items():
            pairs[right << bits | neighbour][-1] -= self._weight(at)
        if token in before and token in after:
            after[token] = sorted(before.pop(token) + after[token])
        for neighbour, at in before.items():
            self._add(neighbour << bits | token, at, self._weight(at))
        for neighbour, at in after.items():
            self._add(token << bits | neighbour, at, self._weight(at))

    def _add(self, pair: int, places: list[int], count: int) -> None:
        """Count a pair that a merge has made at ``places``, ``count`` times, and make it a candidate."""
        if self._has_limit and not self._is_counted(pair):
            return
        if pair in self._pairs:
            count += self._pairs[pair][-1]
            places = self._beside_others(pair, places, count)
        places.append(count)
        self._pairs[pair] = places
        if count > 0:
            self._candidates.add(count, pair)

    def _join(
        self, left: int, right: int, token: int, places: list[int]
    ) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Replace ``left`` and ``right`` by ``token`` at ``places``, from left to right.

        Return the symbols before it, and those after it, each with the places where it stands beside ``token``.
        """
        row, left_length, right_length = self._row, self._lengths[left], self._lengths[right]
        before: defaultdict[int, list[int]] = defaultdict(list)
        after: defaultdict[int, list[int]] = defaultdict(list)
        for at in places:
            if row[at] == right and row[at - 1] == left:
                row[at - 1] = row[at] = _EDGE
                start = at - left_length
                end = at + right_length
                row[start] = row[end - 1] = token
                before[row[start - 1]].append(start)
                after[row[end]].append(end)
        before.pop(_EDGE, None)
        after.pop(_EDGE, None)
        return before, after

    def _is_counted(self, pair: int) -> bool:
        left, right = self.pair_of(pair)
        return len(self.tokens[left]) + len(self.tokens[right]) < (self._options.max_token_length or 0)

    # Several candidates of one pair ----------------------------------------------------------------------------------

    def _beside_others(self, pair: int, places: list[int], count: int) -> list[int]:
        """Return ``places`` if no other places of ``pair`` are known, or else an empty list, after keeping them all."""
        known = self._pairs[pair][:-1]
        if not known and not self._several.get(pair):
            return places
        several = self._several.setdefault(pair, [])
        if known:
            several.append(_Places(_UNKNOWN, known))
        several.append(_Places(count, places))
        return []

    def _take_places(self, pair: int, count: int) -> list[int]:
        """Return where to merge a candidate that waited with ``count``: where ``pair`` may be in its words."""
        own = self._pairs[pair]
        self._pairs[pair] = [own.pop()]
        several = self._several.get(pair)
        if not several:
            return own
        own = several.pop(self._number_of(several, count)).places
        words = {bisect_right(self._ends, at) for at in own}
        others = (at for other in several for at in other.places if bisect_right(self._ends, at) in words)
        return sorted({*own, *others})

    def _put_back(self, candidate: int, old_count: int, count: int) -> None:
        if several := self._several.get(candidate):
            number = self._number_of(several, old_count)
            several[number] = _Places(count, several[number].places)
        self._candidates.add(count, candidate)

    @staticmethod
    def _number_of(several: list[_Places], count: int) -> int:
        """Return which one waits with ``count``: it says so, or it is the one that does not know."""
        counts = [each.counted for each in several]
        return counts.index(count) if count in counts else counts.index(_UNKNOWN)


def learner_of(beginning: Beginning, options: MergeOptions) -> Learner[Any]:
    """Return the fastest learner that will do.

    A prefix or suffix can make one token of symbols of different lengths: with the suffix ``<``, ``a<`` is one
    character long where it ends a word, and two where it is merged.
    """
    has_lengths = options.max_token_length is not None and (options.prefix or options.suffix)
    # Where a token can be made again of other parts, the places of pairs go astray.
    return PlainLearner(beginning, options) if has_lengths or beginning.is_ambiguous else RowLearner(beginning, options)
