"""Write reports/scale.md from what was measured: how commands grow, what 1 TB costs, and what faults do to them.

python tools/scale_report.py POINTS [--faults FILE] [--output FILE] [--document FILE] [--note TEXT]

POINTS is what ``benchmarks/growth_runs.py`` wrote, and FILE of the faults what ``tools/scale_faults.py`` wrote. Plots
go into a folder beside the page that has its name. The table of costs is also put into the document, between its two
comments.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import re
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabulate import tabulate

from tokenizer_conformance.results.plots.drawing import drawn
from tokenizer_conformance.results.plots.plot import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

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

Written by `make scale` (`tools/scale_report.py`), with tokenizers {tokenizers} and Python {python} on {cores} cores.
{note}"""

GROWTH: Final = """## Growth

`benchmarks/growth_runs.py`: one process, `--jobs 1`; seconds are those of the processor, memory is the most that all
processes had. The start is a run with next to no work. The exponent is the slope of the logarithm of what comes on top
of the start over that of the size: 1 is linear, 2 quadratic. Where the whole amount of text stays the same, linear work
has exponent 0. A dash: too little comes on top of the start to say.
"""

COSTS: Final = """## What 1 TB costs

Computed from the growth with the size of the corpus, with the tokenizer gpt2-mini: core hours, bytes read and bytes
written are the slope of a line through its points, times 1 TB. Memory is that of the largest run that was measured; the
exponent says how it grows with the corpus: 0 is not at all. Below stands what more tokenizers or implementations cost.
"""

FAULTS: Final = """## Faults

`tools/scale_faults.py`: what was done to a run, how it ended, how many texts its record counts, and whether the run
that was continued with `--resume` has the record of one that nobody disturbed.
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


def read_growth(file: Path) -> list[Growth]:
    """Read what was measured, a line a point."""
    points: dict[tuple[str, str, str, float], list[dict[str, Any]]] = defaultdict(list)
    for line in file.read_text(encoding="utf-8").splitlines():
        point = json.loads(line)
        points[point["grows"], point["command"], point["unit"], point["exponent"]].append(point)
    return [Growth(*of, tuple(found)) for of, found in points.items() if len(found) > 2]


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
            number(point["clock"]),
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


def growth_section(growths: Sequence[Growth], folder: Path) -> str:
    """Return the section on growth, and write its plots into ``folder``."""
    folder.mkdir(exist_ok=True)
    parts = [GROWTH]
    for grows in dict.fromkeys(each.grows for each in growths):
        together = [each for each in growths if each.grows == grows]
        parts += [f"### {grows[0].upper()}{grows[1:]}\n", table(GROWTH_HEADERS, list(map(growth_row, together)))]
        for name, plot in plots(together).items():
            (folder / name).write_bytes(drawn(plot, "svg"))
            parts.append(f"![{plot.vertical}, by {plot.title}]({folder.name}/{name})\n")
    return "\n".join([*parts, "### All points\n", all_points(growths)])


def faults_section(file: Path | None) -> str:
    """Return the section on faults, of what ``tools/scale_faults.py`` wrote."""
    if file is None:
        return f"{FAULTS}\nNot run.\n"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    cells = [[str(value).replace("|", "\\|") for value in row.values()] for row in rows]
    return f"{FAULTS}\n" + tabulate(cells, list(rows[0]), tablefmt="pipe", disable_numparse=True) + "\n"


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
    """Write the page, its plots, and the table in the document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=Path)
    parser.add_argument("--faults", type=Path)
    parser.add_argument("--output", type=Path, default=Path("reports/scale.md"))
    parser.add_argument("--document", type=Path, help="a document that has the table of costs")
    parser.add_argument("--cores", type=int, default=2, help="how many cores the machine has")
    parser.add_argument("--note", default="", help="what a reader should know of how this was measured")
    given = parser.parse_args()
    growths = read_growth(given.points)
    if not any(growth.grows == CORPUS for growth in growths):
        print(f"{given.points}: it has no points of the {CORPUS}; run benchmarks/growth_runs.py", file=sys.stderr)
        return 1
    note = f"\n{given.note}\n" if given.note else ""
    head = HEAD.format(tokenizers=version("tokenizers"), python=platform.python_version(), cores=given.cores, note=note)
    cost = f"{COSTS}\n{costs(growths)}"
    growth = growth_section(growths, given.output.with_suffix(""))
    given.output.write_text("\n".join([head, cost, growth, faults_section(given.faults)]), encoding="utf-8")
    if given.document is not None:
        text = with_table(given.document.read_text(encoding="utf-8"), costs(growths))
        given.document.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
