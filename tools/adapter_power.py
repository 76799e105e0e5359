"""Shows how much the tests of the peers' adapters see: they are run with mistakes planted in a copy of these.

    python tools/adapter_power.py                                       # all faults, power/adapter_faults/*.toml
    python tools/adapter_power.py -k kitoken -k tokie-                  # those whose id or module has one of the words
    python tools/adapter_power.py --markdown reports/adapter-power.md   # the result as a table, for keeping

Each fault is an exact piece of a module's source and what stands in its place; the file that holds it names the tests
that belong to the module. They must pass without a fault, and one of them must fail with it: a flag of a library that
is lost or swapped, a field that is dropped, a counter that does not count. A fault with which no test runs at all is
no good fault. The working tree is never changed. Those who wrote the tests wrote the faults: a check that nothing was
forgotten later. What tests see that nobody had in mind is shown for all other adapters by ``harness_power.py``.

Exit status 1 where a fault is not caught, 3 where one cannot be planted as it is written (its text does not stand in
the module once, or nothing runs with it), 2 where the tests do not pass without a fault or the data cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from power.adapter_faults import FOLDER, ROOT, read_adapter_faults
from power.adapter_run import Caught, NotCaught, NotPassedError, Rejected, run_adapter_faults
from power.faults import FaultDataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from power.adapter_faults import AdapterFault
    from power.adapter_run import Outcome

Result = tuple["AdapterFault", "Outcome"]

NOT_CAUGHT, NO_RUN, BAD_FAULT = 1, 2, 3
"""Exit statuses."""


def chosen(faults: Sequence[AdapterFault], words: Sequence[str]) -> list[AdapterFault]:
    """Return those of ``faults`` whose id or module has one of ``words`` in it; all, where there are no words."""
    return [fault for fault in faults if not words or any(word in fault.id or word in fault.module for word in words)]


def line(fault: AdapterFault, outcome: Outcome) -> str:
    """Return what came of ``fault`` for people, on a line."""
    match outcome:
        case Caught(by, how):
            return f"  {fault.id:<44} caught by {by}{f' ({how})' if how else ''}"
        case NotCaught():
            return f"! {fault.id:<44} NOT CAUGHT: {fault.module}: {fault.what}"
        case Rejected(why):
            return f"! {fault.id:<44} BAD FAULT: {why}"


def as_json(results: Sequence[Result]) -> str:
    """Return the results as a JSON list: an object for each fault, with ``caught_by`` or ``why_not``."""
    rows = []
    for fault, outcome in results:
        row: dict[str, object] = {"id": fault.id, "module": fault.module, "what": fault.what}
        match outcome:
            case Caught(by, how):
                row |= {"caught_by": by, "how": how or "fails"}
            case NotCaught():
                row |= {"caught_by": None}
            case Rejected(why):
                row |= {"caught_by": None, "why_not": why}
        rows.append(row)
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def as_markdown(results: Sequence[Result]) -> str:
    """Return the results as a page: how many were caught in each module, and each fault with the test that sees it."""
    caught = Counter(fault.module for fault, outcome in results if isinstance(outcome, Caught))
    planted = Counter(fault.module for fault, _ in results)
    parts = [
        "# Faults planted in the adapters of peers",
        "",
        "Made by `python tools/adapter_power.py --markdown reports/adapter-power.md`. Each row is a mistake that was",
        "planted in a copy of a module of `tokenizer_adapters.peers`, and the first of the module's tests that failed.",
        "Those who wrote the tests wrote the faults: see [harness-power.md](harness-power.md) for faults of a machine.",
        "",
        f"{caught.total()} of {planted.total()} faults in {len(planted)} modules were caught.",
    ]
    for module, count in planted.items():
        parts += ["", f"## {module}: {caught[module]} of {count}", "", "| Fault | What is wrong | Caught by |"]
        parts += ["| --- | --- | --- |"]
        parts += [
            f"| {fault.id} | {_cell(fault.what)} | {_test(outcome)} |"
            for fault, outcome in results
            if fault.module == module
        ]
    return "\n".join(parts) + "\n"


def _test(outcome: Outcome) -> str:
    match outcome:
        case Caught(by, how):
            return f"`{_cell(by.removeprefix('tests/adapters/'))}`{f' ({how})' if how else ''}"
        case NotCaught():
            return "**not caught**"
        case Rejected():
            return "**cannot be planted**"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    whole = argparse.ArgumentParser(
        description=__doc__.split("\n\n", 1)[0], epilog="See the head of this file for the rest."
    )
    whole.add_argument("-k", dest="words", action="append", default=[], metavar="WORD", help="in the id or the module")
    whole.add_argument("--jobs", type=int, default=2, help="how many faults at a time")
    whole.add_argument("--faults", type=Path, default=FOLDER, metavar="FOLDER", help="a folder with other faults")
    whole.add_argument("--project", type=Path, default=ROOT, metavar="FOLDER", help="another copy of the project")
    whole.add_argument("--markdown", type=Path, metavar="PATH", help="a file to write the result to, as a page")
    whole.add_argument("--json", type=Path, metavar="PATH", help="a file to write the result to, as JSON")
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit status."""
    asked = parser().parse_args(arguments)
    results: list[Result] = []
    try:
        faults = chosen(read_adapter_faults(asked.faults), asked.words)
        with tempfile.TemporaryDirectory(prefix="adapter-power-", ignore_cleanup_errors=True) as folder:
            for fault, outcome in run_adapter_faults(faults, asked.project, max(1, asked.jobs), Path(folder)):
                results.append((fault, outcome))
                print(line(fault, outcome), flush=True)
    except (FaultDataError, NotPassedError) as error:
        print(error, file=sys.stderr)
        return NO_RUN
    outcomes = [outcome for _, outcome in results]
    print(f"\n{sum(isinstance(outcome, Caught) for outcome in outcomes)} of {len(outcomes)} faults are caught")
    if asked.markdown is not None:
        asked.markdown.write_text(as_markdown(results), encoding="utf-8")
    if asked.json is not None:
        asked.json.write_text(as_json(results), encoding="utf-8")
    if any(isinstance(outcome, Rejected) for outcome in outcomes):
        return BAD_FAULT
    return NOT_CAUGHT if any(isinstance(outcome, NotCaught) for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
