"""The speed of releases as a table: a column a measure, a row a release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.tables import Table
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.versions.speed import MEASURES, MEMORY

if TYPE_CHECKING:
    from tokenizer_conformance.command_io.tables import Cell
    from tokenizer_conformance.releases.versions.speed import SpeedRow, Speeds

NOT_MEASURED = "not measured"


def speed_table(speeds: Speeds) -> Table:
    """Return the table of ``speeds``; ratios are those to the first release, with the least and the greatest of them.

    A release that has no rows is told as not measured.
    """
    found = {(row.release, row.measure): row for row in speeds.rows}
    measures = [name for name in MEASURES if any(row.measure == name for row in speeds.rows)]
    releases = dict.fromkeys([*(row.release for row in speeds.rows), *speeds.missing])
    rows = tuple(
        ((one_line(release),), *(_cell(found.get((release, name))) for name in measures)) for release in releases
    )
    right = frozenset(range(1, len(measures) + 1))
    return Table(("release", *measures), rows, "ratios to the first release (least to greatest)", right)


def _cell(row: SpeedRow | None) -> Cell:
    if row is None:
        return (NOT_MEASURED,)
    least, greatest = row.spread
    return amount(row), f"x {row.ratio:.2f} ({least:.2f} to {greatest:.2f})"


def amount(row: SpeedRow) -> str:
    """Return the median of ``row`` with its unit: ``12.3 ms``, ``46.4 MB``."""
    if row.measure == MEMORY:
        return f"{row.median / 1e6:,.1f} MB"
    return f"{row.median:,.2f} s" if row.median >= 1 else f"{row.median * 1e3:,.2f} ms"
