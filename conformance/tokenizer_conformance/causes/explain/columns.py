"""Rows aligned under a text: a column for each of its characters, a cell for each range of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tokenizer_conformance.command_io.visible import visible
from tokenizer_conformance.command_io.wrapping import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_LABEL = 24
"""How many cells a label takes at most."""

GAP = 2
"""How many cells stand between the names of the rows and the text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A range of the text, in code points, and what stands under it (escaped)."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row under the text."""

    name: str
    cells: tuple[Cell, ...]


def aligned_under(text: str, start: int, end: int, rows: Sequence[Row], width: int) -> list[str]:
    r"""Return the lines of ``rows`` under the characters ``start`` to ``end`` of ``text``, of about ``width`` cells.

    Where the lines are full, all of them go on below. Cells of one row that overlap are drawn as one. A bar begins each
    cell, and what a cell has gone on with from an earlier line begins with a dash.

    >>> rows = [Row("tokens", (Cell(0, 2, "ab"), Cell(2, 3, "c")))]
    >>> print("\n".join(aligned_under("abc", 0, 3, rows, 40)))
    text     a b c
    offsets  0 1 2
    tokens  |ab |c
    """
    joined = [Row(row.name, tuple(_within(_disjoint(row.cells), start, end))) for row in rows]
    margin = max(map(cell_len, ("offsets", *(row.name for row in rows)))) + GAP
    offsets = [str(at) for at in range(start, end)]
    columns = _widths([visible(char) for char in text[start:end]], offsets, joined, start)
    lines: list[str] = []
    for first, last in _blocks(columns, width - margin):
        if lines:
            lines.append("")
        block = range(first, last)
        shown = [visible(text[start + at]) for at in block]
        lines.append(_line("text", margin, [f" {each}" for each in shown], [columns[at] for at in block]))
        lines.append(_line("offsets", margin, [f" {offsets[at]}" for at in block], [columns[at] for at in block]))
        drawn = [(row.name, *_cells_in(row, columns, first, last, start)) for row in joined]
        lines += [_line(name, margin, texts, widths) for name, texts, widths in drawn if texts]
    return lines


def _disjoint(cells: Iterable[Cell]) -> list[Cell]:
    """Return ``cells`` in the order of their places, those that overlap joined to one."""
    made: list[Cell] = []
    for cell in sorted((each for each in cells if each.start < each.end), key=lambda each: (each.start, each.end)):
        if made and cell.start < made[-1].end:
            last = made.pop()
            made.append(Cell(last.start, max(last.end, cell.end), f"{last.label} {cell.label}"))
        else:
            made.append(cell)
    return made


def _within(cells: Iterable[Cell], start: int, end: int) -> Iterable[Cell]:
    """Yield what of ``cells`` is between ``start`` and ``end``, labels cut where they are long."""
    for cell in cells:
        if cell.start < end and start < cell.end:
            yield Cell(max(cell.start, start), min(cell.end, end), cut(cell.label, LONGEST_LABEL))


def _widths(shown: Sequence[str], offsets: Sequence[str], rows: Iterable[Row], start: int) -> list[int]:
    """Return how many cells each column takes, the bar before it included."""
    columns = [max(cell_len(char), len(offset)) + 1 for char, offset in zip(shown, offsets, strict=True)]
    for row in rows:
        for cell in row.cells:
            first, last = cell.start - start, cell.end - start
            lacking = cell_len(cell.label) + 1 - sum(columns[first:last])
            if lacking > 0:
                columns[last - 1] += lacking
    return columns


def _blocks(columns: Sequence[int], width: int) -> list[tuple[int, int]]:
    """Return ranges of columns that fit ``width`` each; one column at least is in each."""
    blocks: list[tuple[int, int]] = []
    first = used = 0
    for at, column in enumerate(columns):
        if used + column > width and at > first:
            blocks.append((first, at))
            first, used = at, 0
        used += column
    if first < len(columns):
        blocks.append((first, len(columns)))
    return blocks


def _cells_in(row: Row, columns: Sequence[int], first: int, last: int, start: int) -> tuple[list[str], list[int]]:
    """Return texts and widths of what of ``row`` is in the columns ``first`` to ``last``, gaps included."""
    texts: list[str] = []
    widths: list[int] = []
    at = first
    for cell in row.cells:
        begin, end = max(cell.start - start, first), min(cell.end - start, last)
        if begin >= end:
            continue
        if at < begin:
            texts.append("")
            widths.append(sum(columns[at:begin]))
        room = sum(columns[begin:end])
        goes_on = cell.start - start < first
        texts.append(cut(f"{'-' if goes_on else '|'}{'' if goes_on and room < 2 else cell.label}", room))
        widths.append(room)
        at = end
    return texts, widths


def _line(name: str, margin: int, texts: Sequence[str], widths: Sequence[int]) -> str:
    line = name + " " * (margin - cell_len(name) - 1)
    for text, width in zip(texts, widths, strict=True):
        line += text + " " * (width - cell_len(text))
    return line.rstrip()
