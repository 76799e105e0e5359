"""What becomes of the matches when a text is split: the five delimiter behaviours.

On ``"the-final--countdown"`` split at ``"-"``:

====================== ===================================================
removed                ``the`` ``final`` ``countdown``
isolated               ``the`` ``-`` ``final`` ``-`` ``-`` ``countdown``
merged_with_previous   ``the-`` ``final-`` ``-`` ``countdown``
merged_with_next       ``the`` ``-final`` ``-`` ``-countdown``
contiguous             ``the`` ``-`` ``final`` ``--`` ``countdown``
====================== ===================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.arguments import one_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Match = tuple[int, int, bool]
"""A range of the text, and whether it is a match (a delimiter) or lies between two."""

Span = tuple[int, int]


def _removed(matches: Iterable[Match]) -> list[Span]:
    return [(start, end) for start, end, is_match in matches if not is_match]


def _isolated(matches: Iterable[Match]) -> list[Span]:
    return [(start, end) for start, end, _ in matches]


def _contiguous(matches: Iterable[Match]) -> list[Span]:
    """Join neighbours of the same kind."""
    spans: list[Span] = []
    previous = False
    for start, end, is_match in matches:
        if spans and is_match == previous:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        previous = is_match
    return spans


def _merged_with_previous(matches: Iterable[Match]) -> list[Span]:
    """Glue a match to what stands before it, unless that is a match too."""
    spans: list[Span] = []
    previous = False
    for start, end, is_match in matches:
        if spans and is_match and not previous:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        previous = is_match
    return spans


def _merged_with_next(matches: Iterable[Match]) -> list[Span]:
    """Glue a match to what stands after it, unless that is a match too: the mirror image of merged_with_previous."""
    spans: list[Span] = []
    following = False
    for start, end, is_match in reversed(list(matches)):
        if spans and is_match and not following:
            spans[-1] = (start, spans[-1][1])
        else:
            spans.append((start, end))
        following = is_match
    spans.reverse()
    return spans


BEHAVIORS: dict[str, Callable[[Iterable[Match]], list[Span]]] = {
    "removed": _removed,
    "isolated": _isolated,
    "merged_with_previous": _merged_with_previous,
    "merged_with_next": _merged_with_next,
    "contiguous": _contiguous,
}

JSON_NAMES: dict[str, str] = {
    "Removed": "removed",
    "Isolated": "isolated",
    "MergedWithPrevious": "merged_with_previous",
    "MergedWithNext": "merged_with_next",
    "Contiguous": "contiguous",
}
"""How tokenizer.json writes the behaviours."""


def json_name(behavior: str) -> str:
    """Return how tokenizer.json writes ``behavior``.

    >>> json_name("merged_with_next")
    'MergedWithNext'
    """
    return "".join(word.capitalize() for word in behavior.split("_"))


def check_behavior(behavior: str) -> str:
    """Return ``behavior`` if it is one of the five names. Raises :class:`ValueError`, and :class:`TypeError`."""
    checked: str = one_of(BEHAVIORS)("behavior", behavior)
    return checked


def pieces(matches: Sequence[Match], behavior: str) -> list[Span]:
    """Return the ranges that remain of ``matches``, which tile a text, in order.

    >>> pieces([(0, 1, False), (1, 2, True), (2, 3, False)], "merged_with_previous")
    [(0, 2), (2, 3)]
    """
    return BEHAVIORS[check_behavior(behavior)](matches)
