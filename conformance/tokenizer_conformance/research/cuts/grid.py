r"""A text with rows of tokens under it, aligned by its characters.

The text is shown in segments, which end wherever any tokenizer cuts it: so it stays readable, and every bar has a place
of its own. What stands in a segment is as wide as the widest label needs.

>>> from tokenizer_conformance.research.cuts.regions import placed
>>> from tokenizer_conformance.research.segmentation.segmented import Segmented
>>> first = placed(Segmented("new art", (1, 2), ("new", "Ġart"), ((0, 3), (3, 7))))
>>> second = placed(Segmented("new art", (1, 2, 3), ("ne", "w", "art"), ((0, 2), (2, 3), (4, 7))))
>>> rows = [GridRow("one", first), GridRow("other", second, ((0, 3),))]
>>> print("\n".join(line.rstrip() for line in grid("new art", rows, 40)[0]))
text    ne w ␣ art
one    |new |Ġart
other  |ne‖w|·|art
differ  ^^ ^
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tokenizer_conformance.command_io.visible import SPACE, visible_run
from tokenizer_conformance.command_io.wrapping import cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.research.cuts.regions import PlacedText, PlacedToken

BAR = "|"
"""Begins a token, or what no token stands for."""

OTHER_BAR = "‖"
"""Begins it where the first tokenizer has no boundary."""

GOES_ON = "-"
"""Begins what has begun on an earlier line."""

DROPPED_SPACE = "·"
DROPPED = "×"
"""Stand under what no token stands for: white space, and anything else."""

UNKNOWN = "?"
"""Stands before an unknown token."""

JOINT = "+"
"""Stands between tokens that share characters."""

DIFFER = "^"
"""Stands under what is cut otherwise than by the first tokenizer."""

_AFTER_BAR = rf"[{re.escape(BAR + OTHER_BAR)}]"

LEGEND = (
    (BAR, re.escape(BAR), "begins a token"),
    (OTHER_BAR, OTHER_BAR, "begins one where the first tokenizer goes on"),
    (JOINT, rf"{_AFTER_BAR}[^|]+{re.escape(JOINT)}", "joins tokens that share characters"),
    (UNKNOWN, rf"{_AFTER_BAR}(?:[^|]+\+)?{re.escape(UNKNOWN)}", "stands before the unknown token"),
    (DROPPED_SPACE, rf"{_AFTER_BAR}{DROPPED_SPACE}", "is white space without a token"),
    (DROPPED, rf"{_AFTER_BAR}{DROPPED}", "another character without one"),
    (GOES_ON, rf"(?m)^(?!text )\S+ +{GOES_ON}", "goes on from the line above"),
    (DIFFER, r"(?m)^differ ", "under what is not cut alike"),
    (SPACE, SPACE, "is a space; marks without a base and letters written from right to left stand as escapes"),
)
"""The signs of a grid, how it looks where they stand, and what they mean."""

LONGEST_LABEL = 24
LONGEST_NAME = 20
"""How many cells a label, and the name of a row, takes at most."""

GAP = 1
"""How many cells stand between the names of the rows and the first bar."""


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row: the text as the tokenizer called ``name`` cuts it, and the stretches that it cuts otherwise."""

    name: str
    placed: PlacedText
    differing: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Cell:
    """What stands under the characters ``start`` to ``end``. Where ``is_filled``, the label is repeated."""

    start: int
    end: int
    label: str
    bar: str = BAR
    is_filled: bool = False


def grid(text: str, rows: Sequence[GridRow], width: int) -> list[list[str]]:
    """Return blocks of lines: the text, a line for each of ``rows``, and what differs, from the first row on.

    All lines of a block are equally wide; no block is wider than ``width``, unless one character with its label is.
    """
    names = [cut(visible_run(row.name), LONGEST_NAME) for row in rows]
    margin = max(map(cell_len, ("differ", *names))) + GAP
    room = max(width - margin, 1)
    cells = [list(_cells(row, rows[0])) for row in rows]
    marked = sorted({stretch for row in rows for stretch in row.differing})
    underlined = bytearray(len(text))
    for start, end in marked:
        underlined[start:end] = b"\x01" * (end - start)
    segments = _segments(text, cells, marked, room)
    widths = _widths(text, segments, cells)
    blocks = []
    for first, last in _blocks(text, segments, widths, room, _free_places(text, cells)):
        block = segments[first:last]
        sizes = widths[first:last]
        sized = list(zip(block, sizes, strict=True))
        lines = [("text", "".join(_padded(f" {visible_run(text[start:end])}", size) for (start, end), size in sized))]
        lines += [(name, _drawn(each, block, sizes)) for name, each in zip(names, cells, strict=True)]
        if any(underlined[block[0][0] : block[-1][1]]):
            signs = (DIFFER if underlined[start] else " " for start, _ in block)
            lines.append(("differ", "".join(f" {sign * (size - 1)}" for sign, size in zip(signs, sizes, strict=True))))
        blocks.append([_padded(name, margin) + line for name, line in lines])
    return blocks


# Cells ---------------------------------------------------------------------------------------------------------------


def _cells(row: GridRow, first: GridRow) -> Iterator[_Cell]:
    """Yield what stands under the text, without gaps: tokens, those that share characters as one, and what has none."""
    text = row.placed.text
    at = 0
    for start, end, label in _groups(row):
        if at < start:
            yield from _dropped(text, at, start, row, first)
        yield _Cell(start, end, label, _bar(text, start, row, first))
        at = end
    if at < len(text):
        yield from _dropped(text, at, len(text), row, first)


def _groups(row: GridRow) -> list[tuple[int, int, str]]:
    """Return the ranges of the tokens, with their labels; those that overlap are joined."""
    text = row.placed.text
    made: list[tuple[int, int, str]] = []
    for token in sorted(row.placed.tokens, key=lambda each: each.span[0]) if text else ():
        start, end = token.span
        if start == end:  # of no characters: it is drawn with the one behind it
            start, end = (start, start + 1) if start < len(text) else (start - 1, start)
        label = _label(token)
        if made and start < made[-1][1]:
            begin, stop, before = made.pop()
            made.append((begin, max(stop, end), f"{before}{JOINT}{label}"))
        else:
            made.append((start, end, label))
    return made


def _label(token: PlacedToken) -> str:
    shown = str(token.id) if token.token is None else visible_run(token.token)
    return f"{UNKNOWN if token.is_unknown else ''}{shown}"


def _dropped(text: str, start: int, end: int, row: GridRow, first: GridRow) -> Iterator[_Cell]:
    """Yield cells for characters that no token stands for: those of white space, and others."""
    for is_space, run in groupby(range(start, end), key=lambda place: text[place].isspace()):
        places = list(run)
        sign = DROPPED_SPACE if is_space else DROPPED
        yield _Cell(places[0], places[-1] + 1, sign, _bar(text, places[0], row, first), is_filled=True)


def _bar(text: str, start: int, row: GridRow, first: GridRow) -> str:
    """Return the bar before ``start``: another one where the first tokenizer has no boundary.

    White space before a token does not count: a boundary before it and one behind it are the same.
    """
    while start < len(text) and text[start].isspace() and not first.placed.is_cut_at(start):
        start += 1
    return BAR if row is first or first.placed.is_cut_at(start) else OTHER_BAR


# Layout --------------------------------------------------------------------------------------------------------------


def _segments(
    text: str, cells: Sequence[Sequence[_Cell]], marked: Sequence[tuple[int, int]], room: int
) -> list[tuple[int, int]]:
    """Return the ranges of the text that stand whole; one that would be wider than a line is cut."""
    places = {0, len(text)}
    places.update(place for row in cells for cell in row for place in (cell.start, cell.end))
    places.update(place for stretch in marked for place in stretch)
    places.update(number + 1 for number, character in enumerate(text) if character == "\n")
    ordered = sorted(places)
    segments: list[tuple[int, int]] = []
    for start, end in pairwise(ordered):
        at, used = start, 1
        for place in range(start, end):
            size = cell_len(visible_run(text[place]))
            if used + size > room and place > at:
                segments.append((at, place))
                at, used = place, 1
            used += size
        segments.append((at, end))
    return segments


def _widths(text: str, segments: Sequence[tuple[int, int]], cells: Sequence[Sequence[_Cell]]) -> list[int]:
    """Return how many cells each segment takes, the bar before it included."""
    widths = [1 + max(cell_len(visible_run(text[start:end])), 1) for start, end in segments]
    for row in cells:
        at = 0
        for cell in row:
            first = at
            while at < len(segments) and segments[at][1] <= cell.end:
                at += 1
            lacking = min(cell_len(cell.label), LONGEST_LABEL) + 1 - sum(widths[first:at])
            if lacking > 0 and at > first:
                widths[at - 1] += lacking
    return widths


def _free_places(text: str, cells: Sequence[Sequence[_Cell]]) -> bytes:
    """Return for each place 1 where a cell of some row goes on, and 0 where a block can end without cutting any."""
    taken = bytearray(len(text) + 1)
    for row in cells:
        for cell in row:
            taken[cell.start + 1 : cell.end] = b"\x01" * (cell.end - cell.start - 1)
    return bytes(taken)


def _blocks(
    text: str, segments: Sequence[tuple[int, int]], widths: Sequence[int], room: int, taken: bytes
) -> Iterator[tuple[int, int]]:
    """Yield ranges of segments that fit ``room``.

    A line of the text ends a block; any other ends where no cell is cut, if that leaves at least half of it.
    """
    first = number = used = 0
    while number < len(segments):
        place = segments[number][0]
        starts_line = place > 0 and text[place - 1] == "\n"
        if number > first and (used + widths[number] > room or starts_line):
            last = number if starts_line else _last_free(segments, widths, first, number, taken)
            yield first, last
            first, used = last, sum(widths[last:number])
            continue
        used += widths[number]
        number += 1
    if first < len(segments):
        yield first, len(segments)


def _last_free(segments: Sequence[tuple[int, int]], widths: Sequence[int], first: int, end: int, taken: bytes) -> int:
    """Return the last segment up to ``end`` before which no cell goes on; ``end`` where that is far back."""
    for number in range(end, first, -1):
        if 2 * sum(widths[first:number]) < sum(widths[first:end]):
            break
        if not taken[segments[number][0]]:
            return number
    return end


def _drawn(cells: Sequence[_Cell], block: Sequence[tuple[int, int]], sizes: Sequence[int]) -> str:
    """Return the line of a row under the segments of a block."""
    begin, end = block[0][0], block[-1][1]
    line = ""
    first = bisect_right(cells, begin, key=lambda cell: cell.end)
    last = bisect_left(cells, end, key=lambda cell: cell.start)
    for cell in cells[first:last]:
        room = sum(
            size for (start, stop), size in zip(block, sizes, strict=True) if cell.start <= start and stop <= cell.end
        )
        bar = cell.bar if begin <= cell.start else GOES_ON
        label = cell.label * (room - 1) if cell.is_filled else _fitting(cell.label, room - 1)
        line += _padded(f"{bar}{label}", room)
    return line


def _fitting(label: str, room: int) -> str:
    """Return ``label``, cut where it is wider than ``room``."""
    return label if cell_len(label) <= room else _padded(cut(label, room), room) if room > 1 else "…"[:room]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))
