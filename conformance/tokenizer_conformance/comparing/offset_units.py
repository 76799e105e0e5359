"""Offsets in the unit that an implementation declares, brought to code points of the original text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import OffsetUnit, Span

if TYPE_CHECKING:
    from collections.abc import Iterable


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


# The table of a text is asked for once per answer about that text; a few are kept, so memory stays bounded.
@lru_cache(maxsize=4)
def _boundaries(text: str, unit: OffsetUnit) -> dict[int, int]:
    """Return the offset in ``unit`` of every character boundary of ``text``, with its code point index."""
    boundaries = {0: 0}
    offset = 0
    for index, character in enumerate(text, 1):
        offset += width(character, unit)
        boundaries[offset] = index
    return boundaries


def offset_to_code_points(offset: int, text: str, unit: OffsetUnit) -> int | Misplaced:
    """Return the code point index of ``offset``, which counts ``unit`` from the start of ``text``.

    >>> offset_to_code_points(3, "é🎉", OffsetUnit.UTF16_UNITS)
    2
    >>> offset_to_code_points(3, "é🎉", OffsetUnit.UTF8_BYTES)
    Misplaced(value=3, fault=<OffsetFault.INSIDE_CHARACTER: 'offset inside a character'>)
    """
    if unit is OffsetUnit.CODE_POINTS:
        return offset
    boundaries = _boundaries(text, unit)
    index = boundaries.get(offset)
    if index is not None:
        return index
    inside = 0 <= offset <= next(reversed(boundaries))
    return Misplaced(offset, OffsetFault.INSIDE_CHARACTER if inside else OffsetFault.OUTSIDE_TEXT)


def spans_to_code_points(
    spans: Iterable[tuple[Span, str]],
    unit: OffsetUnit,
) -> tuple[Span, ...] | MisplacedSpan:
    """Return ``spans``, each given with the text that it points into, in code points.

    Where an offset cannot be converted, the first such span is returned in their place. Offsets that count code points
    already pass unchanged.
    """
    converted: list[Span] = []
    for index, ((start, end), text) in enumerate(spans):
        first = offset_to_code_points(start, text, unit)
        if isinstance(first, Misplaced):
            return MisplacedSpan(index, first)
        last = offset_to_code_points(end, text, unit)
        if isinstance(last, Misplaced):
            return MisplacedSpan(index, last)
        converted.append((first, last))
    return tuple(converted)
