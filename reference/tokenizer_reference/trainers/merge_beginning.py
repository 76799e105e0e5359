"""What merges are learned from: options, the alphabet, and words as lists of ids."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeOptions:
    """The options of :class:`~tokenizer_reference.trainers.BpeTrainer` that decide what is learned."""

    vocab_size: int = 30000
    min_frequency: int = 0
    special_tokens: tuple[str, ...] = ()
    limit_alphabet: int | None = None
    initial_alphabet: tuple[str, ...] = ()
    continuing_subword_prefix: str | None = None
    end_of_word_suffix: str | None = None
    max_token_length: int | None = None

    @property
    def prefix(self) -> str:
        """The prefix, empty where there is none."""
        return self.continuing_subword_prefix or ""

    @property
    def suffix(self) -> str:
        """The suffix, empty where there is none."""
        return self.end_of_word_suffix or ""


# The words before the first merge ------------------------------------------------------------------------------------


def character_counts(words: Mapping[str, int], options: MergeOptions) -> dict[str, float]:
    """Return how often each character occurs; for one of the initial alphabet, infinity.

    >>> character_counts({"abc": 1, "ab": 1}, MergeOptions(initial_alphabet=("z",)))
    {'a': 2, 'b': 2, 'c': 1, 'z': inf}
    """
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for char in word:
            counts[char] += count
    return {**counts, **dict.fromkeys(options.initial_alphabet, float("inf"))}


def alphabet(words: Mapping[str, int], options: MergeOptions) -> list[str]:
    """Return the alphabet by code point: the characters of the words and those of the initial alphabet.

    ``limit_alphabet`` drops those that occur least, those of the initial alphabet last; of equals the lowest code
    points (in the target, random ones).

    >>> alphabet({"abc": 1, "ab": 1}, MergeOptions(limit_alphabet=2, initial_alphabet=("z",)))
    ['b', 'z']
    """
    kept = sorted({*"".join(words), *options.initial_alphabet})
    if options.limit_alphabet is not None and len(kept) > options.limit_alphabet:
        kept.sort(key=character_counts(words, options).__getitem__)
        kept = sorted(kept[len(kept) - options.limit_alphabet :])
    return kept


def symbols_of_word(word: str, known: Mapping[str, int], options: MergeOptions) -> list[str]:
    """Return the tokens that ``word`` begins as; characters that are not ``known`` are dropped.

    >>> options = MergeOptions(continuing_subword_prefix="##", end_of_word_suffix="$")
    >>> symbols_of_word("abxc", {"a": 0, "b": 1, "c": 2}, options)
    ['a', '##b', '##c$']
    """
    last = len(word) - 1
    return [
        (options.prefix if at else "") + char + (options.suffix if at == last else "")
        for at, char in enumerate(word)
        if char in known
    ]


class Beginning:
    """The tokens that there are before the first merge, and the words as lists of their ids.

    Characters with a prefix or suffix get their ids in ``order``, where that is given, and otherwise in the order in
    which they are met in the words (in the target, the order of words is random).
    """

    def __init__(
        self,
        words: Mapping[str, int],
        options: MergeOptions,
        kept_alphabet: Iterable[str] | None = None,
        order: Iterable[str] = (),
    ) -> None:
        kept = alphabet(words, options) if kept_alphabet is None else list(kept_alphabet)
        self.ids: dict[str, int] = {}
        for token in (*options.special_tokens, *kept, *order):
            self.ids.setdefault(token, len(self.ids))
        self.counts = list(words.values())
        is_marked = not {*options.prefix, *options.suffix}.isdisjoint(self.ids)
        self.is_ambiguous = is_marked and any(map(self._is_ambiguous, words, repeat(options)))
        """Whether one token can be made of different numbers of characters.

        With the prefix ``#``, ``##`` is two characters that a word begins with, or a later one.
        """
        self.words = self._cut(words, options)

    def _is_ambiguous(self, word: str, options: MergeOptions) -> bool:
        """Whether ``word`` begins with the prefix as text, or goes on with the suffix as text.

        Where there are both, it may.
        """
        prefix, suffix = options.prefix, options.suffix
        if prefix and suffix:
            return True
        if not (word.startswith(prefix[0]) if prefix else suffix[0] in word):
            return False
        kept = "".join(filter(self.ids.__contains__, word))
        if prefix:
            return kept.startswith(prefix) and len(kept) > len(prefix)
        return suffix in kept[1:]

    def _cut(self, words: Mapping[str, int], options: MergeOptions) -> list[list[int]]:
        if not {*"".join(words)} <= self.ids.keys():
            return [self._cut_by_definition(word, options) for word in words]
        if options.suffix:
            return [self._cut_by_definition(word, options) for word in words]
        if options.prefix:
            first, later = self.ids.__getitem__, _LaterIds(self.ids, options.prefix).__getitem__
            return [[*map(first, word[:1]), *map(later, word[1:])] for word in words]
        return [list(map(self.ids.__getitem__, word)) for word in words]

    def _cut_by_definition(self, word: str, options: MergeOptions) -> list[int]:
        ids = self.ids
        return [ids.setdefault(symbol, len(ids)) for symbol in symbols_of_word(word, ids, options)]


class _LaterIds(dict[str, int]):
    """The ids of characters that do not begin a word, which have a prefix; given when they are first asked for."""

    def __init__(self, ids: dict[str, int], prefix: str) -> None:
        super().__init__()
        self._ids = ids
        self._prefix = prefix

    def __missing__(self, char: str) -> int:
        id_ = self[char] = self._ids.setdefault(self._prefix + char, len(self._ids))
        return id_
