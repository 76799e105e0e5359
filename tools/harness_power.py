"""Shows how much the default tests see: they are run with small changes in the harness and the adapters.

    python tools/harness_power.py --count 1000 --seed 1          # drawn over all modules
    python tools/harness_power.py --room merging --count 200     # over those of a room (power/rooms.py)
    python tools/harness_power.py --module "*.ledger.*" --count 50

A *mutant* is made by the operators of ``cosmic-ray``, as those of the reference are (``suite_power.py``). Which tests
run which lines is recorded first, by ``coverage``, in ``.venv/power``; a file of tests is recorded anew when it, what
tests share, or a module that it runs has changed. For each mutant those tests are run that run the changed line, the
quick ones first, to the first that fails, and no more than ``--seconds`` of them. What is done as modules are imported
may be seen by any test that runs something of the module or of one that imports it.

A mutant that no test sees is printed, and needs a test, or a reason in ``power/explained_harness_mutants.toml``; so is
one whose line no test runs. What is left out stands in ``power/rooms.py``. Exit status 1 where the default tests see
less than 95 %, or less than all in the rooms on which verdicts and figures rest; 2 where they do not run without any.

Each result is a line of the file ``--results`` as soon as it is there, so that a run that was ended goes on, and a
module that has not changed is not asked again. A mutant that was not seen is asked again where other tests run its
line, and with ``--again``. The record (``--record``) has the results of all that are drawn, and
``tools/publish_reports.py`` writes the page from it alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from power.explanations import OF_HARNESS, ExplanationError, read_explanations
from power.harness_report import (
    NOT_COVERED,
    NOT_SEEN,
    TOOL,
    Report,
    read_results,
    results_in,
    still_holds,
    write_result,
)
from power.harness_run import Trials, key_of, run_mutants, selection_of, within
from power.mutants import drawn, shares, size
from power.packages import ROOT, digest
from power.recorded_tests import Recording, default_test_files
from power.rooms import PACKAGES, counts, room_of, whole_name
from power.serving import NotServedError
from published.measuring import Measuring
from published.records import RecordError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from power.harness_report import Key, Result
    from power.mutants import Mutant
    from power.packages import Package
    from power.recorded_tests import RunLines

STATE = ROOT / ".venv" / "power"
RECORD = Path(".venv/records/harness-power.jsonl")

PARAMETERS = ("count", "seed", "seconds", "module", "room", "tests")
"""The options on which the record depends."""

Module = tuple["Package", str]


def say(text: str, *, began: float = time.monotonic()) -> None:
    """Say what is done, on standard error."""
    print(f"{time.monotonic() - began:.0f} s: {text}", file=sys.stderr, flush=True)


def chosen_modules(patterns: Sequence[str], rooms: Sequence[str]) -> list[Module]:
    """Return the modules whose whole names match one of ``patterns`` and that are in one of ``rooms``, if any are."""
    return [
        (package, module)
        for package in PACKAGES
        for module in package.modules()
        if any(fnmatchcase(name := whole_name(package, module), pattern) for pattern in patterns)
        and (not rooms or room_of(name) in rooms)
    ]


def sample(modules: Sequence[Module], count: int, seed: int, jobs: int, state: Path) -> list[Mutant]:
    """Return ``count`` mutants, spread over ``modules`` by how many places can be changed in each.

    How many these are is kept in ``state``, for each module as it is.
    """
    file = state / "sizes.json"
    known: dict[str, int] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    digests = {(package, module): digest(package.file_of(module)) for package, module in modules}
    new = [each for each in modules if digests[each] not in known]
    with ProcessPoolExecutor(jobs) as pool:
        known |= zip((digests[each] for each in new), pool.map(_size, new, chunksize=8), strict=True)
        state.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(known), encoding="utf-8")
        wanted = shares({each: known[digests[each]] for each in modules}, count)
        mutants = pool.map(partial(_drawn, seed), wanted.items(), chunksize=4)
        return [mutant for of_module in mutants for mutant in of_module]


def _size(module: Module) -> int:
    package, name = module
    return size(name, package)


def _drawn(seed: int, wanted: tuple[Module, int]) -> list[Mutant]:
    (package, name), count = wanted
    return drawn(name, count, seed, package, counts)


def run(
    arguments: argparse.Namespace,
    modules: Sequence[Module],
    lines: RunLines,
    folders: Sequence[Path],
    files: Sequence[str],
) -> Iterator[Result]:
    """Run what has not been run, with the tests in ``files``; yield the results of all mutants that are drawn."""
    mutants = sample(modules, arguments.count, arguments.seed, len(folders), arguments.state)
    known = read_results(arguments.results)
    left = [mutant for mutant in mutants if not _is_known(mutant, lines, known, arguments)]
    say(f"{len(mutants)} mutants of {len(modules)} modules, {len(left)} to run")
    yield from (known[key_of(mutant)] for mutant in mutants if mutant not in left)
    missed, trials = 0, Trials()
    for done, (_, result) in enumerate(run_mutants(left, lines, folders, files, trials, arguments.seconds), 1):
        write_result(arguments.results, result)
        yield result
        missed += result.outcome in (NOT_SEEN, NOT_COVERED)
        say(
            f"{done} of {len(left)} mutants, {missed} not seen; {result.module}: {result.outcome}, {result.seconds:g} s"
        )
    if trials.failed:
        say(f"did not count, as they fail without a mutant after other tests{_listed(sorted(trials.failed))}")


def _is_known(mutant: Mutant, lines: RunLines, known: dict[Key, Result], arguments: argparse.Namespace) -> bool:
    result = known.get(key_of(mutant))
    return result is not None and still_holds(
        result, within(selection_of(mutant, lines), arguments.seconds).basis, again=arguments.again
    )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    whole = argparse.ArgumentParser(
        description=__doc__.split("\n\n", 1)[0], epilog="See the head of this file for the rest."
    )
    whole.add_argument("--count", type=int, default=1000, help="how many mutants")
    whole.add_argument("--seed", type=int, default=1, help="of what is drawn at random")
    whole.add_argument("--module", nargs="+", default=["*"], metavar="GLOB", help="whole names of modules")
    whole.add_argument("--room", nargs="+", default=[], help="rooms, as they stand in the table")
    whole.add_argument("--tests", nargs="+", default=["*"], metavar="GLOB", help="files of tests, if not all")
    whole.add_argument("--jobs", type=int, default=2, help="how many mutants at a time")
    whole.add_argument(
        "--seconds",
        type=float,
        default=120.0,
        help="of the processor: tests of how long a mutant gets, the quickest first",
    )
    whole.add_argument("--state", type=Path, default=STATE, help="the folder of what is recorded, and of workshops")
    whole.add_argument("--results", type=Path, default=STATE / "harness-mutants.jsonl", help="where results are kept")
    whole.add_argument("--again", action="store_true", help="ask those again that were not seen")
    whole.add_argument("--record", type=Path, default=RECORD, help="where the results of all that are drawn are kept")
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks and return the exit status."""
    asked = parser().parse_args(arguments)
    asked.state = asked.state.resolve()  # modules are told by where they are, and a folder may be a link
    folders = [asked.state / f"workshop-{number}" for number in range(max(1, asked.jobs))]
    try:
        explanations = read_explanations(OF_HARNESS, _source_of)
        modules = chosen_modules(asked.module, asked.room)
        parameters = {name: getattr(asked, name) for name in PARAMETERS}
        parameters["source"] = digest(*(package.file_of(module) for package, module in modules))
        record = Measuring(asked.record, TOOL, parameters)
        known = {result.key: result for result in results_in(record.lines)}
        files = default_test_files(PACKAGES, asked.tests)
        recording = Recording(asked.state / "lines", PACKAGES, files)
        recording.record(folders, say)
        lines = recording.read()
        say(f"{lines.count} tests; {len(lines.failed)} fail without a change and are left out{_listed(lines.failed)}")
        for result in run(asked, modules, lines, folders, files):
            if known.get(result.key) != result:
                record.add({"mutant": asdict(result)})
        record.finish()
    except (ExplanationError, NotServedError, RecordError) as error:
        print(error, file=sys.stderr)
        return 2
    report = Report.of(results_in(record.lines), explanations)
    print(report.text())
    return 1 if report.missed else 0


def _listed(names: Sequence[str]) -> str:
    return f": {', '.join(names)}" if names else ""


def _source_of(name: str) -> str:
    package = next(package for package in PACKAGES if name.startswith(f"{package.name}."))
    return package.source_of(name.removeprefix(f"{package.name}."))


if __name__ == "__main__":
    sys.exit(main())
