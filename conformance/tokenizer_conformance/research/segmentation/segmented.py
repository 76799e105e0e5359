"""A text as one tokenizer cuts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Span


@dataclass(frozen=True, slots=True)
class Segmented:
    """``text`` with the ``ids`` of its tokens, no special ones added.

    ``tokens`` are the entries of the vocabulary, and ``spans`` the characters of the text that each token stands for
    (code points, end exclusive); both have one member for each id, or are ``None`` where they are not shown.
    """

    text: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...] | None = None
    spans: tuple[Span, ...] | None = None


def boundaries(segmented: Segmented) -> frozenset[int] | None:
    """Return the places inside the text at which a token begins or ends; ``None`` where no spans are shown.

    A place is the number of code points before it; the two ends of the text are none. Where several tokens stand for
    one character (its bytes), that is no place: a text can be cut between characters only. What a tokenizer drops,
    such as the spaces between words, has a place on each side of it.

    >>> sorted(boundaries(Segmented("new art", (1, 2, 3), None, ((0, 3), (4, 5), (5, 7)))))
    [3, 4, 5]
    >>> sorted(boundaries(Segmented("né", (1, 2, 3), None, ((0, 1), (1, 2), (1, 2)))))
    [1]
    """
    if segmented.spans is None:
        return None
    inside = range(1, len(segmented.text))
    return frozenset(
        place for start, end in segmented.spans if start < end for place in (start, end) if place in inside
    )
