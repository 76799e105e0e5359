"""Run random programs that call the Python API with `tokenizers` and with the reference, and print where they part.

    python tools/api_programs.py --steps 100000 --seed 1        # until so many steps have run
    python tools/api_programs.py --seed 1 --program 17 --show   # that program alone; --show prints it, made smaller

A program makes components and tokenizers, shares them, changes options and members, copies, trains, fails on purpose,
encodes and decodes, in any order. After every step both sides must have given the same value, or the same kind of
exception. What is printed: how often steps of each kind ran and gave a value, what was left out and why, and of every
difference a program with as few steps as show it. The programs follow from the seed, whatever they do.

The target runs in a process of its own: where that dies or hangs, the program at fault is shown, and the rest goes on.
Exit status 1 where there is a difference.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import randrange
from time import monotonic
from typing import TYPE_CHECKING, Final

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "reference" / "material"))  # test folders are not packages

from lone_process import LoneProcess  # noqa: E402 - found by the line above
from programs.left_out import LEFT_OUT  # noqa: E402
from programs.running import Counts, Difference, reduced, run_in  # noqa: E402
from programs.step import as_program  # noqa: E402
from programs.writing import program  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS: Final = 30.0
"""How long a program may take before it is taken for one that hangs."""

MOST_DIFFERENCES: Final = 20
"""How many differences are shown; then nothing more is run."""


ENDED_EARLY: Final = "what the target was changing when it panicked is useless from then on, or it aborted"


@dataclass(slots=True)
class Report:
    """What became of the programs of a seed."""

    programs: int = 0
    counts: Counts = field(default_factory=Counts)
    differences: dict[int, Difference] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        """How many steps ran on both sides."""
        return self.counts.ran.total()


def run_programs(seed: str, steps: int, first: int = 0, most_differences: int = MOST_DIFFERENCES) -> Report:
    """Run programs of ``seed``, from number ``first`` on, until so many steps have run or differences are found."""
    report = Report()
    with LoneProcess(SECONDS) as process:
        for number in count(first):
            counts, difference = run_in(process, program(seed, number))
            report.programs += 1
            report.counts.add(counts)
            if difference is not None:
                report.differences[number] = reduced(process, difference)
            if report.steps >= steps or len(report.differences) >= most_differences:
                break
    return report


def printed(report: Report, seed: str) -> str:
    """Return ``report`` for people."""
    counts = report.counts
    heading = f"{report.steps:,} steps of {report.programs:,} programs (seed {seed})"
    lines = [f"{heading}; of each kind: how often it ran, and gave a value"]
    lines += [f"  {kind:<32} {ran:>8,} {counts.succeeded[kind]:>8,}" for kind, ran in sorted(counts.ran.items())]
    lines.append("left out:")
    lines += [f"  {name:<32} {counts.left_out[name]:>8,}  {why.reason}" for name, why in LEFT_OUT.items()]
    lines.append(f"  {'programs ended early':<32} {counts.ended_early:>8,}  {ENDED_EARLY}")
    for number, difference in report.differences.items():
        lines += [
            f"DIFFERENCE: program {number} of seed {seed}, made smaller; the last line gives",
            f"  tokenizers: {difference.target}",
            f"  reference:  {difference.reference}",
            *(f"    {line}" for step in difference.steps for line in step.code.splitlines()),
        ]
    found = len(report.differences)
    lines.append(f"{found} difference{'' if found == 1 else 's'}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="how many steps to run")
    parser.add_argument("--seed", help="of which the programs follow; drawn where it is not given, and printed")
    parser.add_argument("--program", type=int, metavar="N", help="run program N only")
    parser.add_argument("--show", action="store_true", help="print program N")
    options = parser.parse_args(arguments)
    seed = options.seed or str(randrange(10**9))
    begin = monotonic()
    if options.program is None:
        report = run_programs(seed, options.steps)
    else:
        report = run_programs(seed, 1, options.program)
        if options.show:
            found = report.differences.get(options.program)
            print(as_program(found.steps if found else program(seed, options.program)))
    print(printed(report, seed))
    print(f"{monotonic() - begin:.1f} s")
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
