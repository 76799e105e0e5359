"""The pieces with which the learning of a Unigram model begins: all characters, and the substrings that repeat.

Of the substrings, those are taken that are followed by at least two different characters, the end of a word counting as
one: the inner nodes of the suffix tree of all words. A substring that is always followed by the same character occurs
as often as the longer one, which stands for both (Kudo 2018 takes the most frequent substrings, and SentencePiece finds
these with a suffix array).
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

END: Final = "\0"
"""The end of a word. As in the target, a character U+0000 of the corpus is taken for one, and is in no piece."""


def seed_pieces(words: Mapping[str, int], longest: int, most: int) -> list[tuple[str, float]]:
    """Return pieces with their scores, logarithms of probabilities.

    Characters come first, by falling count; they weigh as much as they occur. Then come substrings of up to ``longest``
    characters, until there are ``most`` pieces; their weight is how often they occur in the *different* words, times
    their length. Of equals the higher code points come first. Rules observed, tokenizers 0.23.3.

    >>> [piece for piece, _ in seed_pieces({"hug": 5, "hugs": 1, "pug": 2}, longest=16, most=100)]
    ['u', 'g', 'h', 'p', 's', 'ug', 'hug']
    """
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for char in word:
            counts[char] += count
    del counts[END]
    characters = sorted(((count, char) for char, count in counts.items()), reverse=True)
    substrings = sorted(
        ((count * len(text), text) for text, count in repeated_substrings(words, longest)), reverse=True
    )
    weighted = characters + substrings[: max(most - len(characters), 1)]
    total = math.log(sum(weight for weight, _ in weighted)) if weighted else 0.0
    return [(piece, math.log(weight) - total) for weight, piece in weighted]


def repeated_substrings(words: Mapping[str, int], longest: int) -> Iterator[tuple[str, int]]:
    """Yield the inner nodes of the suffix tree, 2 to ``longest`` characters long, each with its number of occurrences.

    The suffixes in sorted order are the leaves; neighbours share as much as the node that parts them is deep.

    >>> sorted(repeated_substrings({"hug": 5, "hugs": 1, "pug": 2}, 16))
    [('hug', 2), ('ug', 3)]
    """
    suffixes = _suffixes(words, longest + 1)
    suffixes.sort()
    suffixes.append("")
    open_nodes = [(0, 0)]  # depth, and number of the first leaf
    for number, (suffix, following) in enumerate(pairwise(suffixes)):
        shared = 0
        for left, right in zip(suffix, following, strict=False):
            if left != right:
                break
            shared += 1
        first = number
        while open_nodes[-1][0] > shared:
            depth, first = open_nodes.pop()
            if 2 <= depth <= longest and suffix[depth - 1] != END:
                yield suffix[:depth], number - first + 1
        if open_nodes[-1][0] < shared:
            open_nodes.append((shared, first))


def _suffixes(words: Mapping[str, int], length: int) -> list[str]:
    """Return what begins at each character, to the end of the word or its part before U+0000, cut to ``length``."""
    parts = [part + END for word in words for part in word.split(END)]
    return [part[at : at + length] for part in parts for at in range(len(part) - 1)]
