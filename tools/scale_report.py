"""The page reports/scale.md: how commands grow, what 1 TB costs, and what faults do to them. ``make scale`` runs this.

    python tools/scale_report.py RECORD        write the plots of the page, and the table in docs/how-to/cluster.md

RECORD is what ``benchmarks/growth_runs.py`` measured. The page is written by ``tools/publish_reports.py``, of that and
of what ``tools/scale_faults.py`` did. Its table of costs stands in the document, too, between two comments.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from published import machine
from published.measuring import read_measured
from published.records import RecordError
from published.table import REPORTS, ROOT
from tabulate import tabulate

from tokenizer_conformance.results.plots.drawing import drawn
from tokenizer_conformance.results.plots.plot import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from published.measuring import Measured

GROWN: Final = "growth_runs"
FAULTED: Final = "scale_faults"
"""The tools whose records these are."""

PLOTS: Final = REPORTS / "scale"
DOCUMENT: Final = ROOT / "docs" / "how-to" / "cluster.md"

MB: Final = 1_000_000
TB: Final = 1_000_000_000_000

SLACK: Final = 0.3
"""By how much an exponent may be greater than that of linear growth."""

NOISE: Final = {"processor": 0.2, "memory": 10.0 * MB}
"""What a run takes less than this beyond its start says nothing about growth."""

CORPUS: Final = "size of the corpus"

BEGIN: Final = "<!-- Written by tools/scale_report.py: -->\n"
END: Final = "<!-- end -->\n"

HEAD: Final = """# Whole corpora: growth, cost, faults

Written by `make scale` (`tools/scale_report.py`).
"""

GROWTH: Final = """## Growth

`benchmarks/growth_runs.py`: one process, `--jobs 1`; seconds are those of the processor, memory is the most that all
processes had. The start is a run with next to no work. The exponent is the slope of the logarithm of what comes on top
of the start over that of the size: 1 is linear, 2 quadratic. Where the whole amount of text stays the same, linear work
has exponent 0. A dash: too little comes on top of the start to say. There are at most {steps} sizes, and none after a
run that takes more than {patience:g} s of the processor.
"""

COSTS: Final = """## What 1 TB costs

Computed from the growth with the size of the corpus, with the tokenizer gpt2-mini: core hours, bytes read and bytes
written are the slope of a line through its points, times 1 TB. Memory is that of the largest run that was measured; the
exponent says how it grows with the corpus: 0 is not at all. Below stands what more tokenizers or implementations cost.
"""

FAULTS: Final = """## Faults

`tools/scale_faults.py`: what was done to a run, how it ended, how many texts its record counts, and whether the run
that was continued with `--resume` has the record of one that nobody disturbed. The corpus has {size:g} MB, the very
long line {line:g} million characters, and {findings:,} inputs differ.
"""


@dataclass(frozen=True, slots=True)
class Growth:
    """A command whose size grows: the points, the first of which is its start."""

    grows: str
    command: str
    unit: str
    exponent: float
    points: tuple[dict[str, Any], ...]

    def exponent_of(self, what: str) -> float | None:
        """Return the exponent of ``what`` over the size; ``None`` where too little comes on top of the start."""
        start, *points = self.points
        above = [(point["size"], point[what] - start[what]) for point in points]
        told = [(math.log(size), math.log(more)) for size, more in above if more > NOISE[what]]
        if len(told) < 3:
            return None
        return statistics.linear_regression(*zip(*told, strict=True)).slope

    def slope_of(self, what: str) -> float:
        """Return how much more of ``what`` one more of the size takes."""
        points = self.points[1:]
        sizes = [point["size"] for point in points]
        return statistics.linear_regression(sizes, [point[what] for point in points]).slope

    @property
    def verdict(self) -> str:
        """What grows more than linearly, if anything does."""
        goals = (("time", "processor", self.exponent), ("memory", "memory", 1))
        missed = [name for name, what, goal in goals if (self.exponent_of(what) or 0) > goal + SLACK]
        return f"{' and '.join(missed)} more than linear" if missed else ""


def growths_of(measured: Measured) -> list[Growth]:
    """Return what was measured, of the lines of a record. Raises :class:`RecordError` where no corpus grows."""
    points: dict[tuple[str, str, str, float], list[dict[str, Any]]] = defaultdict(list)
    for point in measured.lines:
        points[point["grows"], point["command"], point["unit"], point["exponent"]].append(point)
    growths = [Growth(*of, tuple(found)) for of, found in points.items() if len(found) > 2]
    if not any(growth.grows == CORPUS for growth in growths):
        raise RecordError(f"the record has no points of the {CORPUS}; run benchmarks/growth_runs.py")
    return growths


# Tables --------------------------------------------------------------------------------------------------------------


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, numbers to the right."""
    alignment = ["left", *("right" for _ in headers[1:])]
    return tabulate(rows, headers, tablefmt="pipe", disable_numparse=True, colalign=alignment) + "\n"


def number(value: float) -> str:
    """Return a number in three digits."""
    return "less than 0.001" if 0 < value < 0.001 else f"{float(f'{value:.3g}'):,g}"


def growth_row(growth: Growth) -> list[str]:
    """Return a line of the table of growth."""
    start, *_, last = growth.points
    return [
        f"`{growth.command}`",
        f"{growth.points[1]['size']:,} to {last['size']:,} {growth.unit}",
        *(number(point["processor"]) for point in (start, last)),
        _two_places(growth.exponent_of("processor")),
        *(number(point["memory"] / MB) for point in (start, last)),
        _two_places(growth.exponent_of("memory")),
        growth.verdict,
    ]


def _two_places(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


GROWTH_HEADERS: Final = (
    *("command", "sizes", "seconds: start", "last", "exponent"),
    *("MB: start", "last", "exponent", "worth a look"),
)

COST_HEADERS: Final = ("command", "core hours", "MB of memory", "exponent", "TB read", "TB written")


def cost_row(growth: Growth) -> list[str]:
    """Return what 1 TB costs a command, from its growth with the size of the corpus."""
    read, written = (max(growth.slope_of(what), 0.0) for what in ("read", "written"))
    return [
        f"`{growth.command}`",
        number(growth.slope_of("processor") * TB / 3600),
        number(growth.points[-1]["memory"] / MB),
        _two_places(growth.exponent_of("memory")),
        number(read),
        number(written),
    ]


def costs(growths: Sequence[Growth]) -> str:
    """Return the table of what 1 TB costs."""
    return table(COST_HEADERS, [cost_row(growth) for growth in growths if growth.grows == CORPUS])


def all_points(growths: Sequence[Growth]) -> str:
    """Return a table of all points."""
    rows = [
        [
            f"`{growth.command}`, {growth.grows}",
            f"{point['size']:,}",
            number(point["processor"]),
            number(point["elapsed"]),
            *(number(point[what] / MB) for what in ("memory", "read", "written")),
        ]
        for growth in growths
        for point in growth.points
    ]
    headers = ("command", "size", "seconds", "on the clock", "MB of memory", "MB read", "MB written")
    return table(headers, rows)


# Plots ---------------------------------------------------------------------------------------------------------------


def plots(growths: Sequence[Growth]) -> dict[str, Lines]:
    """Return two plots of what grows together, by the name of their file: of time and of memory."""
    found = {}
    for what, vertical, scale in (("processor", "processor seconds", 1), ("memory", "MB of memory", MB)):
        series = {
            each.command: tuple((float(point["size"]), point[what] / scale) for point in each.points[1:])
            for each in growths
        }
        of = growths[0]
        found[f"{_slug(of.grows)}-{what}.svg"] = Lines(of.grows, of.unit, vertical, series, logarithmic=True)
    return found


def _slug(name: str) -> str:
    return re.sub(r"\W+", "-", name.partition(",")[0])


# The page ------------------------------------------------------------------------------------------------------------


def growth_section(growths: Sequence[Growth]) -> list[str]:
    """Return the parts of the section on growth."""
    parts = []
    for grows in dict.fromkeys(each.grows for each in growths):
        together = [each for each in growths if each.grows == grows]
        parts += [f"### {grows[0].upper()}{grows[1:]}\n", table(GROWTH_HEADERS, list(map(growth_row, together)))]
        parts += [
            f"![{plot.vertical}, by {plot.title}]({PLOTS.name}/{name})\n" for name, plot in plots(together).items()
        ]
    return [*parts, "### All points\n", all_points(growths)]


def page(records: Sequence[Path]) -> str:
    """Return the page that the records of growth and of faults give."""
    growth, faults = (read_measured(*each, {"wanted": ""}) for each in zip(records, (GROWN, FAULTED), strict=True))
    growths = growths_of(growth)
    headers = list(faults.lines[0])
    cells = [[str(row[name]).replace("|", "\\|") for name in headers] for row in faults.lines]
    return "\n".join(
        [
            *(HEAD, f"{machine.told(growth)}\n", COSTS, costs(growths)),
            *(GROWTH.format(**growth.parameters), *growth_section(growths)),
            *(FAULTS.format(**faults.parameters), f"{machine.told(faults)}\n"),
            tabulate(cells, headers, tablefmt="pipe", disable_numparse=True) + "\n",
        ]
    )


def parts_of(document: str) -> tuple[str, str, str]:
    """Return what stands before the table of a document, the table, and what stands behind it."""
    before, _, rest = document.partition(BEGIN)
    table, _, after = rest.partition(END)
    return before, table, after


def with_table(document: str, costs: str) -> str:
    """Return the text of a document with another table of costs between its comments."""
    before, _, after = parts_of(document)
    return f"{before}{BEGIN}\n{costs}\n{END}{after}"


def main() -> int:
    """Write the plots, and the table in the document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path)
    try:
        growths = growths_of(read_measured(parser.parse_args().record, GROWN))
    except RecordError as error:
        print(f"scale_report: {error}", file=sys.stderr)
        return 2
    for grows in dict.fromkeys(each.grows for each in growths):
        for name, plot in plots([each for each in growths if each.grows == grows]).items():
            (PLOTS / name).write_bytes(drawn(plot, "svg"))
    DOCUMENT.write_text(with_table(DOCUMENT.read_text(encoding="utf-8"), costs(growths)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
