"""What merges make of a word: the plain way, for words that have to be chosen."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.text_generators.document_parts import Merge


class Ranks(Protocol):
    """Ranks by merges."""

    def get(self, merge: Merge, default: float, /) -> float:
        """Return the rank of ``merge``, or ``default`` where there is none."""


def merged(word: str, ranks: Ranks, prefix: str = "") -> list[str]:
    """Return what merges make of the characters of ``word``: the one of the lowest rank first, and from the left.

    All characters but the first have the ``prefix`` of what goes on inside a word.
    """
    first = prefix + word[len(prefix)] if prefix and word.startswith(prefix) and word != prefix else word[:1]
    symbols = [first, *(prefix + character for character in word[len(first) :])]
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
