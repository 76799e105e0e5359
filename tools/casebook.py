"""Run the casebook: publicly reported bugs, each with the one command that shows it; judge what the commands answer.

    python tools/casebook.py                     all, and write reports/casebook.md
    python tools/casebook.py -k onnxruntime      those with this in their reference, software, symptom or command
    python tools/casebook.py --offline           those that need neither peers nor other releases
    python tools/casebook.py --needs             print what to install first

The cases are data, ``tools/reported/bugs/*.toml``. A bug is *shown* where the record of the command has the difference,
error or defect, and *explained* where it has the reason that was found. A case whose needs are missing is not run, and
counts as not shown. Exit status 1 where a case is not shown, or, of all cases, fewer than 35 are explained; with -k or
--offline where one is not explained that was before.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reported.asking import Asked, ask
from reported.page import missing, page
from reported.table import CaseError, read_cases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reported.table import Case

REPORT = Path("reports/casebook.md")

ENOUGH = 35
"""How many cases have to be explained."""


def main() -> int:
    """Carry out the command, and return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-k", metavar="WORD", help="only cases with this in them; writes no page")
    parser.add_argument("--offline", action="store_true", help="only cases that need nothing more; writes no page")
    parser.add_argument("--needs", action="store_true", help="print what the cases need, and run none")
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
    asked = [told(ask(case), verbose=given.verbose) for case in cases]
    if len(cases) == len(every):
        REPORT.write_text(page(asked), encoding="utf-8", newline="\n")
    return conclusion(asked, min(ENOUGH, len(cases)) if len(cases) == len(every) else explainable(cases))


def is_wanted(case: Case, word: str | None, *, offline: bool) -> bool:
    """Return whether ``case`` is among those asked for."""
    texts = (case.reference, case.software, case.symptom, case.command)
    return (word is None or any(word in text for text in texts)) and (not offline or case.is_offline)


def explainable(cases: Sequence[Case]) -> int:
    """Return how many of ``cases`` are to be explained."""
    return sum(case.unexplained is None for case in cases)


def told(asked: Asked, *, verbose: bool) -> Asked:
    """Print what came of a case, and return it."""
    state = "explained" if asked.is_explained else "shown" if asked.is_shown else "NOT SHOWN"
    print(f"{asked.case.reference:48} {state:10} {asked.seconds:6.1f} s", flush=True)
    if not asked.is_explained:
        print("".join(f"    {line}\n" for line in missing(asked)), end="")
    if verbose:
        print(asked.said)
    return asked


def conclusion(asked: Sequence[Asked], enough: int) -> int:
    """Print the counts, and return the exit status."""
    shown, explained = sum(each.is_shown for each in asked), sum(each.is_explained for each in asked)
    not_run = sum(each.judgement is None for each in asked)
    print(f"{len(asked)} cases: {shown} shown, {explained} explained, {not_run} not run")
    return 0 if shown == len(asked) and explained >= enough else 1


if __name__ == "__main__":
    sys.exit(main())
