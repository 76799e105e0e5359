"""Tables that fit a terminal: as they are where there is room, else turned, else a block of lines for each row.

A cell is never torn: its lines, such as "agree 1,232", stay whole in every layout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tokenizer_conformance.command_io.wrapping import fits, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

Cell = tuple[str, ...]
"""The lines of a cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table to be laid out; all its texts must be escaped already.

    The first column names the rows, and the first header that column. ``title`` is what a reader must know beside the
    names where there are no headers. ``right`` are the columns of numbers, aligned to the right. A ``packed`` table has
    the cells of a block behind one another, any other one below the other.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    right: frozenset[int] = frozenset()
    packed: bool = False


def table(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    right: frozenset[int] = frozenset(),
    packed: bool = True,
) -> Table:
    """Return a table of cells that have one line each."""
    cells = tuple(tuple((cell,) if cell else () for cell in row) for row in rows)
    return Table(tuple(headers), cells, title, right, packed)


def laid_out(table: Table, width: int | None) -> list[str]:
    r"""Return the lines of ``table`` in the first layout that fits ``width`` cells: drawn, drawn turned, or in blocks.

    >>> matrix = Table(("who", "model", "decode"), ((("a",), ("agree 12", "(12 values)"), ("DIFFER 1",)),), "against b")
    >>> print("\n".join(laid_out(matrix, None)))
    who    model        decode
    -----  -----------  --------
    a      agree 12     DIFFER 1
           (12 values)
    >>> print("\n".join(laid_out(matrix, 20)))
    who     a
    ------  -----------
    model   agree 12
            (12 values)
    decode  DIFFER 1
    """
    for layout in (table, _turned(table)):
        lines = _drawn(layout)
        if all(fits(line, width) for line in lines):
            return lines
    return _blocks(table, width or 0)


def _turned(table: Table) -> Table:
    """Return ``table`` with its rows for columns."""
    corner, *headers = table.headers
    names = tuple(" ".join(row[0]) for row in table.rows)
    rows = tuple(((header,), *(row[number] for row in table.rows)) for number, header in enumerate(headers, 1))
    return Table((corner, *names), rows)


def _drawn(table: Table) -> list[str]:
    """Return the lines of ``table``; with ``wcwidth``, ``tabulate`` counts cells as a terminal does."""
    from tabulate import tabulate  # noqa: PLC0415 - a run begins without it

    drawn = tabulate(
        [["\n".join(cell) for cell in row] for row in table.rows],
        table.headers,
        tablefmt="simple",
        disable_numparse=True,
        colalign=["right" if column in table.right else "left" for column in range(len(table.headers))]
        if table.rows
        else None,
    )
    return [line.rstrip() for line in drawn.splitlines()]


# Blocks --------------------------------------------------------------------------------------------------------------


def _blocks(table: Table, width: int) -> list[str]:
    """Return a block for each row: its name, and below that the other cells behind their headers."""
    lines = wrapped(f"{table.title}:", width, 2) if table.title else []
    for name, *cells in table.rows:
        lines += wrapped(" ".join(name), width, 4)
        named = [(header, cell) for header, cell in zip(table.headers[1:], cells, strict=True) if cell]
        lines += _packed(named, width) if table.packed else _listed(named, width)
    return lines if table.packed else [*lines, ""]


def _listed(cells: list[tuple[str, Cell]], width: int) -> list[str]:
    """Return a line for each cell, aligned; its lines follow one another. Where that does not fit, cells are packed."""
    place = max((cell_len(header) for header, _ in cells), default=0) + 4
    if any(place + cell_len(text) > width for _, cell in cells for text in _joined(cell)):
        return _packed(cells, width)
    lines: list[str] = []
    for header, cell in cells:
        padding = " " * (place - 2 - cell_len(header))
        lines += _filled_cells(f"  {header}{padding}", _joined(cell), width, place)
    return lines


def _packed(cells: list[tuple[str, Cell]], width: int) -> list[str]:
    """Return cells behind their headers, as many to a line as fit."""
    texts: list[str] = []
    for number, (header, cell) in enumerate(cells, 1):
        end = ";" if number < len(cells) else ""
        whole = f"{header} {' '.join(cell)}{end}"
        texts += [whole] if fits(whole, width - 4) else [header, *cell[:-1], f"{cell[-1]}{end}"]
    return _filled_cells("  ", texts, width, 4)


def _joined(cell: Cell) -> list[str]:
    """Return the lines of a cell with commas between them, but for those in brackets."""
    following = [*cell[1:], "("]
    return [line if after.startswith("(") else f"{line}," for line, after in zip(cell, following, strict=True)]


def _filled_cells(start: str, texts: list[str], width: int, hanging: int) -> list[str]:
    """Return ``texts`` behind ``start``, broken between them as far as that does."""
    lines: list[str] = []
    line = start
    for text in texts:
        longer = f"{line}{'' if line.endswith(' ') else ' '}{text}"
        if fits(longer, width):
            line = longer
        elif line.strip() and line != start:
            lines.append(line)
            line = f"{' ' * hanging}{text}"
        else:
            line = longer
    return [each for line in [*lines, line] for each in wrapped(line.rstrip(), width, hanging)]
