"""Shows how much the conformance suite sees: it is asked of the reference with mistakes in it.

    python tools/suite_power.py faults                            # those written by hand, power/faults/*.toml
    python tools/suite_power.py mutants --count 1000 --seed 1     # small changes of the source, drawn at random

A *fault* is a mistake as authors of ports make it. Each must be caught, and the stage that it is in must be blamed most
among the cases that fail; exit status 1 where one is not. ``faults --real`` asks, without the suite, whether each
changes an answer at all.

A *mutant* is made by the operators of ``cosmic-ray``. It is *killed* by the first case that fails. Of those that no
case kills, an independent comparison tells whether they change any answer: random tokenizers and texts as ``tokconf
fuzz`` draws them, and the bundled tokenizers with the built-in inputs. Those that change none are equivalent as far as
is known. The others are *survivors*: each is printed with what shows it, and needs a case, or a reason in
``power/explained_mutants.toml``. Exit status 1 where the suite kills less than 95 % of the mutants that change an
answer, or a survivor is not explained; 2 where the suite or the data cannot be used.

``--minute COUNT`` asks of some of those that change an answer whether ``tokconf run`` and ``tokconf fuzz`` show them in
their first minute. What came of each mutant is kept (``--results``) as long as its module stays as it is; the record
(``--record``) has all that were drawn, and ``tools/publish_reports.py`` writes the page from it alone.

The same seed draws the same mutants as long as the reference stays as it is. A mutant takes a tenth of a second to a
few seconds; limits are of processor time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from power import answers
from power.answers import NoAnswersError
from power.changed_reference import source_of
from power.explanations import OF_REFERENCE, ExplanationError, read_explanations
from power.fault_run import FaultResult, run_faults, summary, witnesses
from power.faults import FaultDataError, read_faults
from power.first_minute import asked_by_fuzz, asked_by_run, shown
from power.mutant_results import (
    TOOL,
    Seen,
    Unseen,
    line_of,
    report,
    report_of_minute,
    results_in,
    shown_in,
    tally,
)
from power.mutant_run import MutantRun, called_at_import, digest_of_suite, key_of
from power.mutants import sample
from power.packages import REFERENCE, ROOT, digest
from power.suite_cases import SuiteNotPassedError, groups_of
from published.measuring import Measuring
from published.records import RecordError

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.validation.suite.reader import read_suite, read_suite_in
from tokenizer_conformance.validation.suite.requirement import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from power.faults import Fault
    from power.suite_cases import Group

RANDOM_TOKENIZERS = 1_000
"""How many random tokenizers are asked about whether a mutant changes an answer."""

RESULTS = ROOT / ".venv" / "power" / "reference.jsonl"
RECORD = Path(".venv/records/suite-power.jsonl")

PARAMETERS = ("count", "seed", "module", "minute", "tokenizers", "bundled")
"""The options on which the record depends."""

IN_MEMORY = Path("/dev/shm")
"""Where files are kept in memory, on systems that have it."""


class Progress:
    """Says on standard error what is done, every few seconds."""

    SECONDS = 10.0

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()

    def __call__(self, text: str) -> None:
        """Say ``text``, unless something was said just before."""
        now = time.monotonic()
        if now - self._said >= self.SECONDS:
            self._said = now
            print(f"{now - self._began:.0f} s: {text}", file=sys.stderr, flush=True)


def suite_groups(folder: Path | None) -> list[Group]:
    """Return the cases of the suite in ``folder``, or of the one that comes with the package."""
    return groups_of(read_suite() if folder is None else read_suite_in(folder))


def faults(arguments: argparse.Namespace) -> int:
    """Run the faults, print what came of each, and return the exit status."""
    chosen = [
        fault
        for fault in read_faults()
        if any(fnmatchcase(fault.id, pattern) for pattern in arguments.only) and arguments.stage in (None, fault.stage)
    ]
    if arguments.real:
        return real_faults(arguments, chosen)
    results: list[FaultResult] = []
    for result in run_faults(chosen, suite_groups(arguments.suite), arguments.jobs):
        results.append(result)
        print(result.line(), flush=True)
    results.sort(key=lambda result: chosen.index(result.fault))
    print(f"\n{summary(results)}")
    return 0 if all(result.is_right for result in results) else 1


def real_faults(arguments: argparse.Namespace, chosen: Sequence[Fault]) -> int:
    """Print for each fault what shows that it changes an answer, and return the exit status."""
    missing = 0
    records = answers.recorded(arguments.seed, arguments.tokenizers, arguments.jobs, bundled=arguments.bundled)
    for fault, found in witnesses(chosen, records, arguments.jobs):
        shown = isinstance(found, answers.Witness)
        missing += not shown
        told = f"{found.name}: {found.question[:200]}" if isinstance(found, answers.Witness) else f"NOTHING: {found}"
        print(f"{'  ' if shown else '! '}{fault.id:<42} {told}", flush=True)
    print(f"\n{len(chosen) - missing} of {len(chosen)} faults change an answer")
    return 1 if missing else 0


def mutants(arguments: argparse.Namespace) -> int:
    """Run the mutants, record and print what came of them, and return the exit status."""
    explanations = read_explanations(OF_REFERENCE, source_of)
    drawn = {key_of(mutant): mutant for mutant in sample(arguments.count, arguments.seed, arguments.module)}
    groups = suite_groups(arguments.suite)
    asked = {name: getattr(arguments, name) for name in PARAMETERS}
    asked |= {"cases": sum(len(group.cases) for group in groups), "suite": digest_of_suite(groups)}
    asked["source"] = digest(*map(REFERENCE.file_of, REFERENCE.modules()))
    print(f"{len(drawn)} mutants, {asked['cases']} cases", file=sys.stderr, flush=True)
    record, progress = Measuring(arguments.record, TOOL, asked), Progress()

    def unchanged() -> list[answers.Recorded]:
        return answers.recorded(arguments.seed, arguments.tokenizers, arguments.jobs, bundled=arguments.bundled)

    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    known = {result.key: result for result in results_in(record.lines)}
    for result in MutantRun(groups, unchanged, arguments.jobs, arguments.results, progress).results(drawn.values()):
        if known.get(result.key) != result:
            record.add(line_of(result))
    results = results_in(record.lines)
    if arguments.minute:
        changing = [result.key for result in results if isinstance(result.outcome, Seen | Unseen)]
        chosen = Random(arguments.seed).sample(changing, min(arguments.minute, len(changing)))
        told = {each.key for each in shown_in(record.lines)}
        left = [drawn[key] for key in chosen if key not in told]
        by_command = {"run": asked_by_run(arguments.jobs), "fuzz": asked_by_fuzz(arguments.seed, arguments.jobs)}
        for done, each in enumerate(shown(left, by_command, called_at_import(arguments.jobs), arguments.jobs), 1):
            record.add(line_of(each))
            progress(f"{done} of {len(left)} mutants, in a minute")
        print(f"{report_of_minute(shown_in(record.lines))}\n")
    record.finish()
    print(report(results, explanations))
    whole = tally(results, explanations)
    return 0 if whole.is_enough and whole.explained == len(whole.unseen) else 1


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    whole = argparse.ArgumentParser(
        description=__doc__.split("\n\n", 1)[0], epilog="See the head of this file for the rest."
    )
    commands = whole.add_subparsers(required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--jobs", type=int, default=2, help="how many processes at a time")
    common.add_argument("--seed", type=int, default=1, help="of what is drawn at random")
    common.add_argument("--suite", type=Path, help="a folder with another suite")
    common.add_argument(
        "--tokenizers", type=int, default=RANDOM_TOKENIZERS, help="how many random tokenizers tell what changes"
    )
    common.add_argument(
        "--bundled",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether the bundled tokenizers and the built-in inputs do as well",
    )
    of_faults = commands.add_parser("faults", parents=[common], help="the faults that are written by hand")
    of_faults.add_argument("--only", nargs="+", default=["*"], metavar="GLOB", help="ids of the faults")
    of_faults.add_argument("--stage", choices=[place.value for place in Place], help="those of one stage")
    of_faults.add_argument("--real", action="store_true", help="ask, without the suite, whether they change an answer")
    of_faults.set_defaults(run=faults)
    of_mutants = commands.add_parser("mutants", parents=[common], help="small changes of the source")
    of_mutants.add_argument("--count", type=int, default=1000, help="how many mutants")
    of_mutants.add_argument("--module", default="*", metavar="GLOB", help="modules below tokenizer_reference")
    of_mutants.add_argument(
        "--minute", type=int, default=0, help="of how many that change an answer `run` and `fuzz` are asked, too"
    )
    of_mutants.add_argument("--results", type=Path, default=RESULTS, help="the file of results, which goes on")
    of_mutants.add_argument("--record", type=Path, default=RECORD, help="where what came of all that are drawn is kept")
    of_mutants.set_defaults(run=mutants)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit status."""
    asked = parser().parse_args(arguments)
    if IN_MEMORY.is_dir():  # every tokenizer goes through a file, and disks are slow
        tempfile.tempdir = str(IN_MEMORY)
    try:
        status: int = asked.run(asked)
    except (FaultDataError, ExplanationError, SuiteNotPassedError, NoAnswersError, BadInputError, RecordError) as error:
        print(error, file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main())
