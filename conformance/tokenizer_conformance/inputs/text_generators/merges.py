"""Texts from the merges of a BPE model: each merge's own word, and words in which two merges want the same token."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from functools import lru_cache
from itertools import accumulate, pairwise
from math import inf
from typing import TYPE_CHECKING, Protocol

from tokenizer_conformance.inputs.text_generators.document_parts import parts_of
from tokenizer_conformance.inputs.text_generators.entries import Entry, entries_of
from tokenizer_conformance.inputs.text_generators.enumerations import crossed, in_turns, packed, permutation, produced
from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tokenizer_conformance.inputs.text_generators.document_parts import DocumentParts, Merge
    from tokenizer_conformance.inputs.text_generators.entries import Entries


class Ranks(Protocol):
    """Ranks by merges."""

    def get(self, merge: Merge, default: float, /) -> float:
        """Return the rank of ``merge``, or ``default`` where there is none."""


def merged(word: str, ranks: Ranks, prefix: str = "", suffix: str = "") -> list[str]:
    """Return what merges make of the characters of ``word``: the one of the lowest rank first, and from the left.

    All characters but the first have the ``prefix`` of what goes on inside a word. Where the word has the ``suffix`` of
    what ends one, its last character has it.
    """
    end = suffix if word != suffix and word.endswith(suffix) else ""
    word = word.removesuffix(end)
    first = prefix + word[len(prefix)] if prefix and word.startswith(prefix) and word != prefix else word[:1]
    symbols = [first, *(prefix + character for character in word[len(first) :])]
    symbols[-1] += end
    found = [ranks.get(pair, inf) for pair in pairwise(symbols)]
    while found and (rank := min(found)) < inf:
        place = found.index(rank)
        symbols[place : place + 2] = [symbols[place] + symbols[place + 1].removeprefix(prefix)]
        del found[place]
        if place > 0:
            found[place - 1] = ranks.get((symbols[place - 1], symbols[place]), inf)
        if place < len(found):
            found[place] = ranks.get((symbols[place], symbols[place + 1]), inf)
    return symbols


WORDS_A_TEXT = 32
RIVALS_A_TEXT = 16

MOST_RIVALS = 3
"""How many overlapping merges are tried on each side of a merge."""

_RUNS = (2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33)
"""How often a part is repeated: pairs of equal parts merge from the left, and an odd one is left over."""


class MergeWords:
    """Words by the merges of ``parts`` that they need, and the neighbours of a merge: what competes with it."""

    def __init__(self, parts: DocumentParts) -> None:
        self.entries = entries_of(parts)
        self.merges = tuple(parts.ranks)
        self.ranks = {merge: place for place, merge in enumerate(self.merges)}
        self._right_of: defaultdict[str, list[int]] = defaultdict(list)
        self._left_of: defaultdict[str, list[int]] = defaultdict(list)
        prefix = self.entries.prefix
        for rank, (left, right) in enumerate(self.merges):
            self._right_of[left].append(rank)
            self._left_of[right].append(rank)
            # A part that begins a word has no prefix; after another one, it has.
            if prefix and not left.startswith(prefix):
                self._right_of[prefix + left].append(rank)

    def text(self, symbols: Sequence[str]) -> str:
        """Return a text that has ``symbols`` side by side, where they can stand."""
        return self.entries.placed(self._entry(symbols))

    def joined(self, words: Sequence[Sequence[str]]) -> str:
        """Return one text of the words of several lists of symbols."""
        return self.entries.joined([self._entry(symbols) for symbols in words])

    def token(self, symbols: Sequence[str]) -> str:
        """Return ``symbols`` as one."""
        prefix = self.entries.prefix
        return symbols[0] + "".join(symbol.removeprefix(prefix) for symbol in symbols[1:])

    def _entry(self, symbols: Sequence[str]) -> Entry:
        return self.entries.entry(self.token(symbols))

    def is_one_word(self, symbols: Sequence[str]) -> bool:
        """Return whether ``symbols`` can stand in one word: whole characters, and white space at most before it."""
        text = self._entry(symbols).text
        if any(character.isspace() for character in text[1:]):
            return False
        return not self.entries.is_byte_level or text.encode() == self.entries.bytes_of(self.token(symbols))

    def is_decided_by(self, place: int, other: int, symbols: Sequence[str]) -> bool:
        """Return whether ``symbols`` merge to something else where ``place`` is on the other side of ``other``."""
        word = self.token(symbols)
        moved = _Moved(self.ranks, self.merges[place], other + (0.5 if other > place else -0.5))
        affixes = self.entries.prefix, self.entries.suffix
        return merged(word, self.ranks, *affixes) != merged(word, moved, *affixes)

    def after(self, place: int) -> list[int]:
        """Return the places of merges that want the right part of that at ``place``, and what follows it."""
        return self._right_of.get(self.merges[place][1], [])

    def before(self, place: int) -> list[int]:
        """Return the places of merges that want the left part of that at ``place``, and what is before it."""
        return self._left_of.get(self.merges[place][0], [])


class _Moved:
    """The ranks of all merges, and another ``rank`` for ``merge``."""

    def __init__(self, ranks: dict[Merge, int], merge: Merge, rank: float) -> None:
        self._ranks = ranks
        self._merge = merge
        self._rank = rank

    def get(self, merge: Merge, default: float, /) -> float:
        return self._rank if merge == self._merge else self._ranks.get(merge, default)


@lru_cache(maxsize=4)
def _words_of(parts: DocumentParts) -> MergeWords:
    return MergeWords(parts)


def _own(material: Material) -> Produced:
    words = _words_of(parts_of(material.document))

    def joined(places: Sequence[int]) -> str:
        return words.joined([words.merges[place] for place in places])

    return packed(len(words.merges), WORDS_A_TEXT, joined, material.seed)


def _rivals(material: Material) -> Produced:
    words = _words_of(parts_of(material.document))

    def joined(slots: Sequence[int]) -> str:
        return words.joined([_decided(words, slot // 2, is_first=bool(slot % 2)) for slot in slots])

    return packed(2 * len(words.merges), RIVALS_A_TEXT, joined, material.seed)


def _decided(words: MergeWords, place: int, *, is_first: bool) -> Sequence[str]:
    """Return symbols in which the merge at ``place`` and one that overlaps it come in the order of their ranks.

    The other one is the nearest in rank, before or after (``is_first``) this one, whose order decides what comes out.
    It is one whose order does not where there is no better one; and the merge alone where none overlaps it.
    """
    pairs = [
        (other, _symbols(words, (place, other) if is_after else (other, place)))
        for others, is_after in ((words.after(place), True), (words.before(place), False))
        for other in _nearest(others, place, is_first=is_first)
    ]
    rows = sorted(pairs, key=lambda pair: (not words.is_one_word(pair[1]), abs(pair[0] - place)))
    deciding = (symbols for other, symbols in rows if words.is_decided_by(place, other, symbols))
    return next(deciding, rows[0][1] if rows else words.merges[place])


def _nearest(places: list[int], place: int, *, is_first: bool) -> list[int]:
    at = bisect_left(places, place)
    return [
        other
        for other in (places[at : at + MOST_RIVALS + 1] if is_first else places[max(0, at - MOST_RIVALS) : at])
        if other != place
    ]


def _symbols(words: MergeWords, places: tuple[int, int]) -> tuple[str, str, str]:
    """Return the three symbols that the merge at the first of ``places`` and the one at the second want."""
    (left, middle), (_, right) = words.merges[places[0]], words.merges[places[1]]
    return left, middle, right


def _greedy(material: Material) -> Produced:
    """Return words of three parts, in which the merge of the right two comes before that of the left two."""
    return _overlapping(material, lambda others, place: (0, bisect_left(others, place)))


def _from_the_left(material: Material) -> Produced:
    """Return words of three parts, in which the merge of the left two comes before that of the right two."""
    return _overlapping(material, lambda others, place: (bisect_right(others, place), len(others)))


def _overlapping(material: Material, part: Callable[[list[int], int], tuple[int, int]]) -> Produced:
    words = _words_of(parts_of(material.document))
    parts = [part(words.after(place), place) for place in range(len(words.merges))]
    ends = list(accumulate(end - start for start, end in parts))
    count = ends[-1] if ends else 0
    at = permutation(count, material.seed)

    def text(number: int) -> str:
        wanted = at(number)
        place = bisect_right(ends, wanted)
        _, end = parts[place]
        other = words.after(place)[end - (ends[place] - wanted)]
        return words.text(_symbols(words, (place, other)))

    return produced(count, text)


def _repeated(material: Material) -> Produced:
    words = _words_of(parts_of(material.document))
    first = [merge for merge in words.merges if merge[0] == merge[1]]
    both = [merge for merge in words.merges if merge[0] != merge[1]]
    entries = words.entries
    return in_turns(
        crossed(first, [_run(entries, 0, times) for times in _RUNS], material.seed),
        crossed(both, [_run(entries, 1, times) for times in _RUNS[:4]], material.seed),
        crossed(both, [_run(entries, 2, times) for times in _RUNS[:4]], material.seed),
    )


def _run(entries: Entries, kind: int, times: int) -> Callable[[Merge], str]:
    """Return what repeats of a merge its left part (0), both parts (1), or its right part after its left one (2)."""

    def run(merge: Merge) -> str:
        left, right = merge[0], merge[1].removeprefix(entries.prefix)
        symbols = (left * times, (left + right) * times, left + right * times)[kind]
        return entries.placed(entries.entry(symbols))

    return run


MERGE_GENERATORS = (
    Generator(
        "merge-words",
        f"the word that each merge makes, {WORDS_A_TEXT} to a text: a merge that is missing",
        _own,
    ),
    Generator(
        "merge-rivals",
        "each merge beside the overlapping ones of the nearest ranks: two ranks that are exchanged",
        _rivals,
    ),
    Generator(
        "merge-greedy",
        "three parts, of which the right two merge first: taking the longest from the left gives others",
        _greedy,
    ),
    Generator(
        "merge-overlaps",
        "three parts, of which the left two merge first: going from the right gives others",
        _from_the_left,
    ),
    Generator(
        "merge-runs",
        "parts of a merge repeated: pairs of equal parts merge from the left",
        _repeated,
    ),
)
