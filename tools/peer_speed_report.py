"""Write how fast implementations are beside each other, from the records of two runs: reports/peer-speed.md.

    tokconf run CHECKPOINT… -i all --baseline tokenizers --inputs TEXT… --speed --json RECORD     (twice)
    python tools/peer_speed_report.py RECORD RECORD [--output FILE]

``make speed-peers`` does all of that. Every number on the page is of the records. Exit status 2 where they are not two
of the same work.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabulate import tabulate

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import visible
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.figures import NONE, figure
from tokenizer_conformance.results.page import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.results.page import Page, Section, Table, TableCell

BEGINNING: Final = """# Speed of implementations beside each other

<!-- Written by tools/peer_speed_report.py; do not edit. -->

Two runs of `tokconf run --speed`, by {made_by}: {versions}. [Measure speed](../docs/how-to/speed.md) says how it is
measured: in turns, each round in a process that is started for it, around the library's own call, until the ids are at
hand. *First* is the first pass after loading, *again* are later passes over the same texts, *new* is a pass over texts
not seen by then; MB are millions of bytes of UTF-8. A cell with two numbers has the median of the first run, and that
of the second. Ratios are those of new texts.

Between the two runs, *new* differs by {typical} % in the middle, and by {most} % at most ({where}). Differences
between implementations that are smaller than that say nothing.
"""

TWICE: Final = ("MB/s first", "MB/s again", "MB/s new")
COMPARED: Final = "MB/s new"


@dataclass(frozen=True, slots=True)
class Pair:
    """The table of the same work in both runs."""

    tables: tuple[Table, Table]

    @property
    def title(self) -> str:
        """What was measured."""
        return self.tables[0].title

    def cells(self) -> dict[str, tuple[dict[str, TableCell], ...]]:
        """Return the cells of both runs by column, by implementation; those that only one run measured are left out."""
        first, second = (
            {str(row[0]): dict(zip(table.columns, row, strict=True)) for row in table.rows} for table in self.tables
        )
        return {name: (cells, second[name]) for name, cells in first.items() if name in second}

    def apart(self) -> dict[str, float]:
        """Return by how many per cent the greater number of both runs lies above the other, by implementation."""
        both = {name: [_value(each[COMPARED]) for each in cells] for name, cells in self.cells().items()}
        return {name: 100 * (max(values) / min(values) - 1) for name, values in both.items()}

    def text(self) -> str:
        """Return the table in Markdown."""
        apart = self.apart()
        times = [name for name in self.tables[0].columns if name.startswith("times ")]
        once = [name for name in self.tables[0].columns[1:] if name not in (*TWICE, *times, "texts/s")]
        call, *others = once
        rows = [
            [
                visible(name),
                _told(cells[0][call]),
                *(" · ".join(_told(each[column]) for each in cells) for column in (*TWICE, *times)),
                figure(round(apart[name], 1)),
                *(_told(cells[0][column]) for column in others),
            ]
            for name, cells in self.cells().items()
        ]
        columns = ["implementation", call, *TWICE, *times, "% between runs", *others]
        return tabulate(rows, columns, "github", disable_numparse=True)


def _value(cell: TableCell) -> float:
    if not isinstance(cell, Estimate):
        raise TypeError(f"{COMPARED} is {cell!r}, which is no median")
    return cell.value


def _told(cell: TableCell) -> str:
    match cell:
        case None:
            return NONE
        case Estimate(value):
            return figure(value)
        case str():
            return visible(cell) or NONE
    return figure(cell)


def page(records: Sequence[Path]) -> str:
    """Return the page of two ``records``.

    Raises ``ValueError`` where they are not of the same work, or nothing was measured in one, and
    :class:`BadInputError` where one cannot be read.
    """
    pages = [read_page(record) for record in records]
    sections = [_section(each) for each in pages]
    first, second = (section.tables for section in sections)
    if [table.title for table in first] != [table.title for table in second]:
        raise ValueError("the two records have not measured on the same tokenizers, and as many processors")
    pairs = [Pair(tables) for tables in zip(first, second, strict=True)]
    apart = [(each, f"{name}, {pair.title}") for pair in pairs for name, each in pair.apart().items()]
    most, where = max(apart)
    beginning = BEGINNING.format(
        made_by=next(fact.value for fact in pages[0].facts if fact.label == "made by"),
        versions=visible(", ".join(f"{each.name} {each.version}" for each in pages[0].compared)),
        typical=figure(round(statistics.median(each for each, _ in apart), 1)),
        most=figure(round(most, 1)),
        where=visible(where),
    )
    tables = [f"## {visible(pair.title)}\n\n{pair.text()}\n" for pair in pairs]
    notes = dict.fromkeys(note for section in sections for note in section.sentences[1:])
    return "\n".join([beginning, *tables, "## Notes\n", *(f"- {visible(note)}" for note in notes), ""])


def _section(of: Page) -> Section:
    found = next((section for section in of.sections if section.title == "Speed"), None)
    if found is None or not found.tables:
        raise ValueError(f"{of.name} has no measurement: it is of a run without --speed, or one that was cut short")
    return found


def main() -> int:
    """Write the page; exit status 2 where it cannot be made of the records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs=2, metavar="RECORD")
    parser.add_argument("--output", type=Path, default=Path("reports/peer-speed.md"))
    arguments = parser.parse_args()
    try:
        text = page(arguments.records)
    except (BadInputError, ValueError) as error:
        print(f"peer_speed_report: {error}", file=sys.stderr)
        return 2
    arguments.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
