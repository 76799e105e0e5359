"""Shows how much the tests of the peers' adapters see: they are run with mistakes planted in a copy of these.

    python tools/adapter_power.py                        # all faults, power/adapter_faults/*.toml
    python tools/adapter_power.py -k kitoken -k tokie-   # those whose id or module has one of the words

Each fault is an exact piece of a module's source and what stands in its place; the file that holds it names the tests
that belong to the module. They must pass without a fault, and one of them must fail with it: a flag of a library that
is lost or swapped, a field that is dropped, a counter that does not count. A fault with which no test runs at all is
no good fault. The working tree is never changed. Those who wrote the tests wrote the faults: a check that nothing was
forgotten later. What tests see that nobody had in mind is shown for all other adapters by ``harness_power.py``.

What came of a fault is a line of the record (``--record``) as soon as it is there, so that a command that was ended
goes on; it begins anew where faults, modules or their tests have changed since. Of a part (``-k``, ``--faults``,
``--project``) no record is kept where none is named. ``tools/publish_reports.py`` writes the
page from the record.

Exit status 1 where a fault is not caught, 3 where one cannot be planted as it is written (its text does not stand in
the module once, or nothing runs with it), 2 where the tests do not pass without a fault or the data cannot be read.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from power.adapter_faults import FOLDER, PACKAGE, ROOT, read_adapter_faults
from power.adapter_run import Caught, NotCaught, NotPassedError, Rejected, run_adapter_faults
from power.faults import FaultDataError
from power.packages import digest
from published.measuring import Measuring, read_measured, record_file
from published.records import RecordError
from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from power.adapter_faults import AdapterFault
    from power.adapter_run import Outcome

TOOL = "adapter_power"
RECORD = Path(".venv/records/adapter-power.jsonl")

NOT_CAUGHT, NO_RUN, BAD_FAULT = 1, 2, 3
"""Exit statuses."""

BEGINNING = """# Faults planted in the adapters of peers

<!-- Written by tools/adapter_power.py; do not edit. -->

Each row is a mistake that was planted in a copy of a module of `tokenizer_adapters.peers`, and the first of the
module's tests that failed. Those who wrote the tests wrote the faults: see [harness-power.md](harness-power.md) for
faults of a machine.

{caught} of {planted} faults in {modules} modules were caught.
"""


def chosen(faults: Sequence[AdapterFault], words: Sequence[str]) -> list[AdapterFault]:
    """Return those of ``faults`` whose id or module has one of ``words`` in it; all, where there are no words."""
    return [fault for fault in faults if not words or any(word in fault.id or word in fault.module for word in words)]


def told(fault: AdapterFault, outcome: Outcome) -> dict[str, Any]:
    """Return the line of the record: what ``fault`` was ``caught_by``, or ``why_not`` where it cannot be planted."""
    line = {"id": fault.id, "module": fault.module, "what": fault.what}
    match outcome:
        case Caught(by, how):
            return {**line, "caught_by": by, "how": how}
        case NotCaught():
            return {**line, "caught_by": None}
        case Rejected(why):
            return {**line, "caught_by": None, "why_not": why}


def in_words(line: dict[str, Any]) -> str:
    """Return what came of a fault for people, on a line."""
    if line["caught_by"] is not None:
        return f"  {line['id']:<44} caught by {line['caught_by']}{_how(line)}"
    if "why_not" in line:
        return f"! {line['id']:<44} BAD FAULT: {line['why_not']}"
    return f"! {line['id']:<44} NOT CAUGHT: {line['module']}: {line['what']}"


def _how(line: dict[str, Any]) -> str:
    return f" ({line['how']})" if line["how"] else ""


def page(records: Sequence[Path]) -> str:
    """Return the page of a record: how many were caught in each module, and each fault with the test that sees it."""
    (record,) = records
    lines = read_measured(record, TOOL, {"words": []}).lines
    caught = Counter(line["module"] for line in lines if line["caught_by"] is not None)
    planted = Counter(line["module"] for line in lines)
    parts = [BEGINNING.format(caught=caught.total(), planted=planted.total(), modules=len(planted))]
    for module, count in planted.items():
        rows = [(line["id"], _cell(line["what"]), _test(line)) for line in lines if line["module"] == module]
        table = tabulate(
            rows, headers=("fault", "what is wrong", "caught by"), tablefmt="github", disable_numparse=True
        )
        parts.append(f"## {module}: {caught[module]} of {count}\n\n{table}\n")
    return "\n".join(parts)


def _test(line: dict[str, Any]) -> str:
    if line["caught_by"] is None:
        return "**cannot be planted**" if "why_not" in line else "**not caught**"
    return f"`{_cell(line['caught_by'].removeprefix('tests/adapters/'))}`{_how(line)}"


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
    whole.add_argument(
        "--record", type=Path, metavar="FILE", help=f"where the results are recorded: {RECORD}; of a part, nowhere"
    )
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit status."""
    asked = parser().parse_args(arguments)
    try:
        faults = chosen(read_adapter_faults(asked.faults), asked.words)
        is_part = asked.words or asked.faults != FOLDER or asked.project != ROOT
        with (
            tempfile.TemporaryDirectory(prefix="adapter-power-", ignore_cleanup_errors=True) as folder,
            record_file(asked.record, RECORD, is_part=is_part) as file,
        ):
            record = Measuring(
                file, TOOL, {"words": asked.words, "source": _digest(asked.faults, faults, asked.project)}
            )
            done = {line["id"] for line in record.lines}
            left = [fault for fault in faults if fault.id not in done]
            for fault, outcome in run_adapter_faults(left, asked.project, max(1, asked.jobs), Path(folder)):
                record.add(told(fault, outcome))
                print(in_words(record.lines[-1]), flush=True)
            record.finish()
    except (FaultDataError, NotPassedError, RecordError) as error:
        print(error, file=sys.stderr)
        return NO_RUN
    missed = [line for line in record.lines if line["caught_by"] is None]
    print(f"\n{len(record.lines) - len(missed)} of {len(record.lines)} faults are caught")
    if any("why_not" in line for line in missed):
        return BAD_FAULT
    return NOT_CAUGHT if missed else 0


def _digest(folder: Path, faults: Sequence[AdapterFault], project: Path) -> str:
    """Return a digest of the data in ``folder``, and of the modules of ``faults`` and their tests in ``project``."""
    modules = {(PACKAGE / fault.module).as_posix() for fault in faults}
    tests = {path.partition("::")[0] for fault in faults for path in fault.checks.paths}
    return digest(*sorted(folder.glob("*.toml")), *(project / path for path in sorted(modules | tests)))


if __name__ == "__main__":
    sys.exit(main())
