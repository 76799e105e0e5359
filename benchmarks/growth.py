"""How time grows with size beside `tokenizers`, kind by kind: the reference may have no cliffs.

    python benchmarks/growth.py [STAGE…] [-k PART] [--size N] [--doublings N] [--record FILE]

For every component a table, with a line for each kind of work: the largest size, the time of both libraries in
milliseconds of the processor, the greatest ratio of the two at any size, and the exponents between size and time (1 is
linear, 2 quadratic). Sizes count characters of one text, tokens of one list, or what the line says; they double. Times
are medians of rounds in which the two take turns, each with objects that are new, and so remember no text. A kind is
not measured at larger sizes once either side takes half a second, or refuses.

The goals: no ratio is greater than 50, and no exponent greater than the target's, or than 1 where the target's is less,
by more than 0.4. A time of the target below 20 microseconds counts as that: it is mostly the call. A kind that misses
its goals is measured again, twice, as another process may have been in the way. The last line counts, and the exit
status is 1 where a goal is missed. A benchmark that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import gc
import math
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tokenizers
from growth_tasks import STAGES
from tabulate import tabulate

import tokenizer_reference
from tokenizer_reference.errors import TokenizerReferenceError

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

from published import machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from growth_tasks import Task

TOOL: Final = "growth"

LARGEST_RATIO: Final = 50
SLACK: Final = 0.4
"""By how much an exponent may be greater than the target's."""

ROUNDS: Final = 3
REPETITIONS: Final = 2
"""How often a kind that misses its goals is measured again."""

PATIENCE: Final = 0.5
"""A kind of which one side needs more seconds for a size is not measured at the next one."""

SHORTEST: Final = 20e-6
"""Seconds of the target below which only a call is measured."""

NOISE: Final = 0.002
"""Times of ours below this many seconds say nothing about growth."""

HEADERS: Final = ("kind", "size", "tokenizers (ms)", "ours (ms)", "ratio", "exponent: tokenizers", "ours", "goals")

# Measuring -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """The seconds that both sides take for a size."""

    size: int
    theirs: float
    ours: float

    @property
    def ratio(self) -> float:
        """How many times the target's time ours is."""
        return self.ours / max(self.theirs, SHORTEST)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured of a kind of work; no points where the target, or ours, does not do it at all."""

    kind: str
    points: tuple[Point, ...]

    def told(self) -> tuple[str, list[tuple[int, float, float]]]:
        """Return what the record has of it; times to the tenth of a microsecond."""
        return self.kind, [(each.size, round(each.theirs, 7), round(each.ours, 7)) for each in self.points]

    @property
    def ratio(self) -> float:
        """The greatest ratio at any size."""
        return max((point.ratio for point in self.points), default=math.nan)

    @property
    def exponents(self) -> tuple[float, float] | None:
        """The exponents of both sides; ``None`` where they say nothing."""
        if len(self.points) < 3 or self.points[-1].ours < NOISE:
            return None
        return _exponent((point.size, point.theirs) for point in self.points), _exponent(
            (point.size, point.ours) for point in self.points
        )

    @property
    def misses(self) -> str:
        """Which goals are missed, if any."""
        missed = ["ratio"] if self.ratio > LARGEST_RATIO else []
        if self.exponents is not None and self.exponents[1] > max(self.exponents[0], 1) + SLACK:
            missed.append("growth")
        return ", ".join(missed)

    def row(self) -> list[str]:
        """Return the line of the table."""
        if not self.points:
            return [self.kind, *"-" * 6, "not measured"]
        last = self.points[-1]
        exponents = ("", "") if self.exponents is None else (f"{each:.2f}" for each in self.exponents)
        times = (f"{last.theirs * 1000:.2f}", f"{last.ours * 1000:.2f}", f"{self.ratio:.1f}")
        return [
            self.kind,
            f"{last.size:,}",
            *times,
            *exponents,
            f"missed: {self.misses}" if self.misses else "met",
        ]


def _exponent(times: Iterable[tuple[int, float]]) -> float:
    """Return the slope of log time over log size."""
    points = [(math.log(size), math.log(max(seconds, SHORTEST))) for size, seconds in times]
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def measured(task: Task, sizes: Sequence[int]) -> Measurement:
    """Measure a task, and again where it misses its goals."""
    measurement = Measurement(task.kind, tuple(_points(task, sizes)))
    for _ in range(REPETITIONS):
        if not measurement.misses:
            break
        measurement = Measurement(task.kind, tuple(_points(task, sizes)))
    return measurement


def _points(task: Task, sizes: Sequence[int]) -> Iterator[Point]:
    for size in sizes:
        try:
            point = _point(task, int(size * task.scale))
        except BaseException as error:
            if not _is_refusal(error):
                raise
            return
        yield point
        if max(point.theirs, point.ours) > PATIENCE:
            return


def _point(task: Task, size: int) -> Point:
    rounds: list[list[float]] = []
    while len(rounds) < ROUNDS and sum(map(sum, rounds)) < PATIENCE:
        works = [task.work(library, size) for library in (tokenizers, tokenizer_reference)]
        gc.collect()
        rounds.append([_seconds(work) for work in works])
    theirs, ours = (statistics.median(times) for times in zip(*rounds, strict=True))
    return Point(size, theirs, ours)


def _is_refusal(error: BaseException) -> bool:
    """Whether a library raised this on purpose; a panic of the target is known by its name alone."""
    return isinstance(error, TokenizerReferenceError) or type(error).__name__ in ("Exception", "PanicException")


def _seconds(work: Callable[[], object]) -> float:
    gc.disable()  # the collector comes when it likes, and takes as long as all there is asks for
    start = time.process_time()
    try:
        work()
        return time.process_time() - start
    finally:
        gc.enable()


# Showing -------------------------------------------------------------------------------------------------------------


def table_of(measurements: Sequence[Measurement]) -> str:
    """Return the table of a component, as it is printed."""
    rows = [measurement.row() for measurement in measurements]
    alignment = ("left", *("right" for _ in HEADERS[1:-1]), "left")
    return tabulate(rows, HEADERS, disable_numparse=True, colalign=alignment)


def summary(measurements: Sequence[Measurement]) -> str:
    """Return the last line."""
    missed = sum(bool(measurement.misses) for measurement in measurements)
    unmeasured = sum(not measurement.points for measurement in measurements)
    met = len(measurements) - missed - unmeasured
    return f"{len(measurements)} kinds: {met} meet the goals, {missed} miss them, {unmeasured} could not be measured"


def worst_of(measurements: Sequence[Measurement]) -> Measurement:
    """Return the measurement that misses a goal, or has the greatest ratio."""
    return max(measurements, key=lambda each: (bool(each.misses), bool(each.points), each.ratio if each.points else 0))


def of_line(line: Mapping[str, Any]) -> list[Measurement]:
    """Return what was measured of the component of a ``line`` of the record."""
    return [Measurement(kind, tuple(Point(*each) for each in points)) for kind, points in line["kinds"]]


def table(lines: Sequence[Mapping[str, Any]], style: str) -> str:
    """Return a section for each stage in the ``lines`` of a record, with the worst kind of each of its components."""
    sections = []
    headers = ("component", "kinds", f"worst {HEADERS[0]}", *HEADERS[1:])
    for stage in dict.fromkeys(line["stage"] for line in lines):
        rows = [
            [_in_code(line["component"]), str(len(line["kinds"])), *_cells_of_worst(of_line(line))]
            for line in lines
            if line["stage"] == stage
        ]
        sections.append(f"### {stage}\n\n" + tabulate(rows, headers, tablefmt=style, disable_numparse=True))
    return "\n\n".join([*sections, summary([each for line in lines for each in of_line(line)])])


def _cells_of_worst(kinds: Sequence[Measurement]) -> list[str]:
    kind, *cells = worst_of(kinds).row()
    return [_in_code(kind), *cells]


def _in_code(text: str) -> str:
    """Return ``text`` as code in a table of Markdown, where a bar would end the cell."""
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}".replace("|", "\\|")


# Running -------------------------------------------------------------------------------------------------------------


def main() -> int:
    """Print a table for each component, and then how many goals are met; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=f"of {', '.join(STAGES)}; all where none is given")
    parser.add_argument("--size", type=int, default=2000, help="the smallest size")
    parser.add_argument("--doublings", type=int, default=3, help="how often it is doubled")
    parser.add_argument("-k", dest="wanted", default="", help="only components whose name has this in it")
    machine.add_options(parser, "speed-growth")
    arguments = parser.parse_args()
    unknown = set(arguments.stages) - set(STAGES)
    if unknown:
        parser.error(f"no stage is called {min(unknown)!r}; choose from {', '.join(STAGES)}")

    sizes = [arguments.size << doubling for doubling in range(arguments.doublings + 1)]
    tasks: dict[tuple[str, str], list[Task]] = {}
    for stage in arguments.stages or STAGES:
        for task in STAGES[stage]():
            if arguments.wanted in task.component:
                tasks.setdefault((stage, task.component), []).append(task)
    record = machine.begun(arguments, TOOL)
    done = {(line["stage"], line["component"]) for line in record.lines}
    gc.collect()
    gc.freeze()  # what is loaded by now is not to be looked at before each measurement
    for (stage, component), of_component in tasks.items():
        if (stage, component) not in done:
            kinds = [measured(task, sizes) for task in of_component]
            record.add({"stage": stage, "component": component, "kinds": [kind.told() for kind in kinds]})
            print(f"\n{stage}: {component}\n{table_of(kinds)}", flush=True)
    record.finish()
    every = [each for line in record.lines for each in of_line(line)]
    missed = [each for each in every if each.misses]
    if missed:
        print(f"\nmissed:\n{table_of(missed)}")
    print(f"\n{summary(every)}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
