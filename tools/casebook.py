"""Run the casebook: publicly reported bugs, each with the one command that shows it; judge what the commands answer.

    python tools/casebook.py                     all, into a record; one that was ended goes on where it was
    python tools/casebook.py -k onnxruntime      those with this in their reference, software, symptom or command
    python tools/casebook.py --offline           those that need neither peers nor other releases
    python tools/casebook.py --needs             print what to install first

The cases are data, ``tools/reported/bugs/*.toml``. A bug is *shown* where the record of the command has the difference,
error or defect, and *explained* where it has the reason that was found. A case whose needs are missing is not run, and
counts as not shown. ``tools/publish_reports.py`` writes reports/casebook.md from the record. Exit status 1 where a case
is not shown, or, of all cases, fewer than 35 are explained; with -k or --offline where one is not explained that was
before.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from published.measuring import Measuring
from published.records import RecordError
from reported.asking import ask
from reported.page import TOOL, digest_of, line_of
from reported.table import CaseError, read_cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reported.asking import Asked
    from reported.table import Case, Json

ENOUGH = 35
"""How many cases have to be explained."""


def main() -> int:
    """Carry out the command, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", metavar="WORD", help="only cases with this in them; makes no record")
    parser.add_argument("--offline", action="store_true", help="only cases that need nothing more; makes no record")
    parser.add_argument("--needs", action="store_true", help="print what the cases need, and run none")
    parser.add_argument("--record", type=Path, default=Path(".venv/records/casebook.jsonl"), metavar="FILE")
    parser.add_argument("--verbose", action="store_true", help="print what the commands print")
    given = parser.parse_args()
    try:
        every = read_cases()
    except CaseError as error:
        print(f"casebook: {error}", file=sys.stderr)
        return 2
    cases = [case for case in every if is_wanted(case, given.k, offline=given.offline)]
    if given.needs:
        print("\n".join(sorted({need for case in cases for need in case.needs})))
        return 0
    if len(cases) < len(every):
        return conclusion([told(ask(case), verbose=given.verbose) for case in cases], explainable(cases))
    try:
        record = Measuring(given.record, TOOL)
    except RecordError as error:
        print(f"casebook: {error}", file=sys.stderr)
        return 2
    done = {line["case"] for line in record.lines}
    for case in cases:
        if digest_of(case) not in done:
            record.add(told(ask(case), verbose=given.verbose))
    record.finish()
    latest = {line["reference"]: line for line in record.lines}  # a case that was changed meanwhile was asked again
    return conclusion([*latest.values()], min(ENOUGH, len(cases)))


def is_wanted(case: Case, word: str | None, *, offline: bool) -> bool:
    """Return whether ``case`` is among those asked for."""
    texts = (case.reference, case.software, case.symptom, case.command)
    return (word is None or any(word in text for text in texts)) and (not offline or case.is_offline)


def explainable(cases: Sequence[Case]) -> int:
    """Return how many of ``cases`` are to be explained."""
    return sum(case.unexplained is None for case in cases)


def told(asked: Asked, *, verbose: bool) -> Json:
    """Print what came of a case, and return it."""
    line = line_of(asked)
    state = "explained" if line["explained"] else "shown" if line["shown"] else "NOT SHOWN"
    print(f"{asked.case.reference:48} {state:10} {asked.seconds:6.1f} s", flush=True)
    print("".join(f"    {each}\n" for each in line["missing"]), end="")
    if verbose:
        print(asked.said)
    return line


def conclusion(lines: Sequence[Json], enough: int) -> int:
    """Print the counts, and return the exit status."""
    shown, explained, run = (sum(line[key] for line in lines) for key in ("shown", "explained", "run"))
    print(f"{len(lines)} cases: {shown} shown, {explained} explained, {len(lines) - run} not run")
    return 0 if shown == len(lines) and explained >= enough else 1


if __name__ == "__main__":
    sys.exit(main())
