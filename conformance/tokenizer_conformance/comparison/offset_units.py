"""Offsets in the unit that an implementation declares, brought to code points of the original text.

A unit that is smaller than a character can say more than code points can: where two tokens share a character, that one
ends and the other begins inside it. ``tokenizers`` gives both the whole character, so such offsets are rounded outward,
to the whole characters that they touch, and are *finer*, not different. Inside a character that no other token touches
there is nothing to be finer about: such an offset is misplaced.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import OffsetUnit, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class OffsetFault(StrEnum):
    """Why an offset has no counterpart in code points."""

    INSIDE_CHARACTER = "offset inside a character"
    OUTSIDE_TEXT = "offset outside the text"


@dataclass(frozen=True, slots=True)
class Misplaced:
    """An offset that cannot be converted: its ``value`` in the declared unit, and why."""

    value: int
    fault: OffsetFault


@dataclass(frozen=True, slots=True)
class MisplacedSpan:
    """The span number ``index`` of a sequence, one ``offset`` of which cannot be converted."""

    index: int
    offset: Misplaced


def width(character: str, unit: OffsetUnit) -> int:
    """Return how many units ``character`` takes.

    >>> [width("🎉", unit) for unit in OffsetUnit]
    [1, 4, 2]
    """
    code_point = ord(character)
    match unit:
        case OffsetUnit.CODE_POINTS:
            return 1
        case OffsetUnit.UTF8_BYTES:
            return 1 + (code_point >= 0x80) + (code_point >= 0x800) + (code_point >= 0x10000)
        case OffsetUnit.UTF16_UNITS:
            return 1 + (code_point >= 0x10000)


@dataclass(frozen=True, slots=True)
class ConvertedSpans:
    """Spans in code points; ``finer`` of them began or ended inside a character, and were rounded outward."""

    spans: tuple[Span, ...]
    finer: int = 0


# The table of a text is asked for once per answer about that text; a few are kept, so memory stays bounded.
@lru_cache(maxsize=4)
def _boundaries(text: str, unit: OffsetUnit) -> tuple[int, ...]:
    """Return the offset in ``unit`` of every character boundary of ``text``, from 0 to its length."""
    return tuple(accumulate((width(character, unit) for character in text), initial=0))


def spans_to_code_points(spans: Iterable[tuple[Span, str]], unit: OffsetUnit) -> ConvertedSpans | MisplacedSpan:
    """Return ``spans``, each given with the text that it points into, in code points.

    Offsets inside a character that several spans share are rounded outward. Where an offset is misplaced, the first
    such span is returned in their place. Offsets that count code points already pass unchanged.

    >>> spans_to_code_points([((0, 2), "é🎉"), ((2, 4), "é🎉")], OffsetUnit.UTF16_UNITS)
    MisplacedSpan(index=1, offset=Misplaced(value=4, fault=<OffsetFault.OUTSIDE_TEXT: 'offset outside the text'>))
    >>> spans_to_code_points([((0, 1), "é"), ((1, 2), "é")], OffsetUnit.UTF8_BYTES)
    ConvertedSpans(spans=((0, 1), (0, 1)), finer=2)
    """
    given = tuple(spans)
    if unit is OffsetUnit.CODE_POINTS:
        return ConvertedSpans(tuple(span for span, _ in given))
    for index, (span, text) in enumerate(given):
        for offset in span:
            if not 0 <= offset <= _boundaries(text, unit)[-1]:
                return MisplacedSpan(index, Misplaced(offset, OffsetFault.OUTSIDE_TEXT))
    rounded = tuple(_outward(span, _boundaries(text, unit)) for span, text in given)
    at_edges = _at_edges(given, rounded)
    finer = 0
    for index, ((span, text), characters) in enumerate(zip(given, rounded, strict=True)):
        inside = _inside(span, characters, _boundaries(text, unit))
        for offset, character in inside:
            if at_edges[text, character] < SHARED:
                return MisplacedSpan(index, Misplaced(offset, OffsetFault.INSIDE_CHARACTER))
        finer += bool(inside)
    return ConvertedSpans(rounded, finer)


def placed_spans(spans: Iterable[tuple[Span, str]], unit: OffsetUnit) -> tuple[Span | None, ...]:
    """Return what :func:`spans_to_code_points` does, and ``None`` in the place of each misplaced span.

    >>> placed_spans([((0, 1), "aé"), ((1, 2), "aé"), ((3, 9), "aé")], OffsetUnit.UTF8_BYTES)
    ((0, 1), None, None)
    """
    given = tuple(spans)
    converted = spans_to_code_points(given, unit)
    if isinstance(converted, ConvertedSpans):
        return converted.spans
    placed: list[Span | None] = [None] * len(given)
    within = {
        index: _outward(span, _boundaries(text, unit))
        for index, (span, text) in enumerate(given)
        if all(0 <= offset <= _boundaries(text, unit)[-1] for offset in span)
    }
    at_edges = _at_edges([given[index] for index in within], list(within.values()))
    for index, characters in within.items():
        span, text = given[index]
        inside = _inside(span, characters, _boundaries(text, unit))
        if all(at_edges[text, character] >= SHARED for _, character in inside):
            placed[index] = characters
    return tuple(placed)


SHARED = 2
"""How many tokens a character belongs to that is shared."""


def _outward(span: Span, boundaries: tuple[int, ...]) -> Span:
    """Return the whole characters that ``span`` touches, as code points."""
    start, end = span
    return bisect_right(boundaries, start) - 1, bisect_left(boundaries, end)


def _at_edges(given: Sequence[tuple[Span, str]], rounded: Sequence[Span]) -> Counter[tuple[str, int]]:
    """Return how many of the ``given`` spans begin or end with each character of their texts."""
    return Counter(
        (text, edge) for (start, end), (_, text) in zip(rounded, given, strict=True) for edge in _edges(start, end)
    )


def _inside(span: Span, characters: Span, boundaries: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the offsets of ``span`` that lie inside a character, each with that of the ``characters`` it touches."""
    start, end = characters
    return [
        (offset, character)
        for offset, edge, character in ((span[0], start, start), (span[1], end, end - 1))
        if boundaries[edge] != offset
    ]


def _edges(start: int, end: int) -> set[int]:
    """Return the first and the last character of a span, none where it is empty."""
    return {start, end - 1} if start < end else set()
