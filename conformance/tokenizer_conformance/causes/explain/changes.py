"""What a component has changed in a text, told by the alignment of both states with the original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.tracing import Piece

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """What stood at ``span`` of the original text (code points), and what stands there now."""

    span: Span
    before: str
    after: str


def changes_between(before: Sequence[Piece], after: Sequence[Piece]) -> list[Change]:
    """Return what differs between two states of a text, each as short as the alignments tell it.

    >>> from tokenizer_adapters.tracing import Piece
    >>> one, two = Piece("aB", (0, 2), ((0, 1), (1, 2))), Piece("ab", (0, 2), ((0, 1), (1, 2)))
    >>> changes_between([one], [two])
    [Change(span=(1, 2), before='B', after='b')]
    """
    old, new = _characters(before), _characters(after)
    found: list[Change] = []
    at = to = 0
    while at < len(old) or to < len(new):
        first, second, at, to = _next(old, new, at, to)
        one, two = "".join(char for char, _ in first), "".join(char for char, _ in second)
        if one != two:
            spans = [span for _, span in (*first, *second)]
            _add(found, Change((min(span[0] for span in spans), max(span[1] for span in spans)), one, two))
    return found


Aligned = list[tuple[str, Span]]


def _characters(pieces: Sequence[Piece]) -> Aligned:
    """Return the characters of a text with their origins, which never go back."""
    made: Aligned = []
    reached = 0
    for piece in pieces:
        for char, (start, end) in zip(piece.text, piece.origins, strict=True):
            reached = max(reached, start)
            made.append((char, (reached, max(end, reached))))
    return made


def _next(old: Aligned, new: Aligned, at: int, to: int) -> tuple[Aligned, Aligned, int, int]:
    """Return the next characters of both that stand for one range of the original, and where they end.

    The range grows as long as a character of either side begins in it.
    """
    begins = [side[place][1][0] for side, place in ((old, at), (new, to)) if place < len(side)]
    end = min(begins) + 1
    first, second = at, to
    grew = True
    while grew:
        grew = False
        while first < len(old) and old[first][1][0] < end:
            end, first, grew = max(end, old[first][1][1]), first + 1, True
        while second < len(new) and new[second][1][0] < end:
            end, second, grew = max(end, new[second][1][1]), second + 1, True
    return old[at:first], new[to:second], first, second


def _add(found: list[Change], change: Change) -> None:
    """Add ``change``, joined to the last one where that ends where it begins."""
    if found and found[-1].span[1] == change.span[0]:
        last = found.pop()
        change = Change((last.span[0], change.span[1]), last.before + change.before, last.after + change.after)
    found.append(change)
