"""Runs the Python tests of `tokenizers` itself on the reference, which stands there under the name `tokenizers`.

    python tools/upstream_tests.py                          # those of the version in constraints.txt, got by pip
    python tools/upstream_tests.py tokenizers.tar.gz        # those of a source archive, or of a folder
    python tools/upstream_tests.py --package tokenizers     # on the installed target: what fails there, too
    python tools/upstream_tests.py --data folder            # with files that a test would get from the hub

Nothing is got from the hub. What a test wants from there is taken from the folders given by ``--data``
(``folder/OWNER/NAME/FILE``, or ``folder/FILE`` for a file of upstream's test data) or from the shared checkpoints
(``../shared`` or TOKCONF_SHARED); a test for which there is nothing cannot run. So cannot one that needs a module that
is not installed, or that upstream skips; each is printed with its reason. The tests run in a copy.

Exit status 0 where all that can run have passed and some have run, 1 where one fails, 2 where there are no tests to be
had, 3 where nothing ran or the run was cut short.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from upstream import plugin
from upstream.outcomes import CONTRADICTIONS, NotFinishedError, Results, read_results
from upstream.sources import NoTestsError, copied_tests

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TOOLS = Path(__file__).resolve().parent
REFERENCE = "tokenizer_reference"
FAILED, NO_TESTS, NOTHING_RAN = 1, 2, 3
"""Exit statuses."""

NO_TEST_FAILED, SOME_FAILED, NONE_COLLECTED = 0, 1, 5
"""Statuses with which pytest has come to an end."""


def run(folder: Path, package: str, data: Sequence[Path], limit: int, only: str) -> Results:
    """Run the tests in ``folder``/tests on ``package``. Raises :class:`NotFinishedError`."""
    results = folder.parent / "results.jsonl"
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    network: needs files of the hub\n", "utf-8")
    environment = {
        **os.environ,
        plugin.PACKAGE: package,
        plugin.DATA: os.pathsep.join(str(path.resolve()) for path in data),
        plugin.RESULTS: str(results),
        "PYTHONPATH": os.pathsep.join(filter(None, (str(TOOLS), os.environ.get("PYTHONPATH")))),
    }
    options = ["-p", "upstream.plugin", "-p", "no:cacheprovider", "-p", "no:tokenizer-conformance"]
    command = [sys.executable, "-m", "pytest", *options, "--continue-on-collection-errors", "-q", "-k", only, "tests"]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=limit
        )
    except subprocess.TimeoutExpired:
        raise NotFinishedError(f"the tests took more than {limit} s") from None
    if done.returncode not in (NO_TEST_FAILED, SOME_FAILED, NONE_COLLECTED) and not results.exists():
        raise NotFinishedError(f"pytest ended with status {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    return read_results(results, package, {} if package == plugin.NAME else CONTRADICTIONS)


def told(results: Results, package: str) -> str:
    """Return the results for people: first what fails, then what cannot run by reason, then the counts."""
    lines = [f"FAILED {place}\n       {reason}" for place, reason in sorted(results.failed.items())]
    places = defaultdict(list)
    for place, reason in sorted(results.cannot_run.items()):
        places[reason].append(place)
    for reason, of_reason in sorted(places.items()):
        lines += [f"cannot run: {reason}", *(f"       {place}" for place in of_reason)]
    can_run = len(results.passed) + len(results.failed)
    lines.append(
        f"{package}: {len(results.passed)} of {can_run} tests that can run passed, {len(results.failed)} failed; "
        f"{len(results.cannot_run)} cannot run"
    )
    return "\n".join(lines)


def data_folders(given: Sequence[Path], environment: Mapping[str, str]) -> list[Path]:
    """Return the folders of data: what is given, then the shared ones."""
    return [*given, Path(environment.get("TOKCONF_SHARED", TOOLS.parents[1] / "shared"))]


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", type=Path, help="a source archive or a folder that has the tests")
    parser.add_argument("--package", default=REFERENCE, help="the package that is tested (default: %(default)s)")
    parser.add_argument("--data", action="append", default=[], type=Path, help="a folder of files of the hub")
    parser.add_argument("--limit", type=int, default=1800, metavar="SECONDS", help="how long the tests may take")
    parser.add_argument("-k", dest="only", default="", metavar="EXPRESSION", help="run some of them, as pytest does")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    given = parse(arguments)
    with tempfile.TemporaryDirectory() as name:
        try:
            folder = copied_tests(given.source, Path(name))
            data = data_folders(given.data, os.environ)
            results = run(folder, given.package, data, given.limit, given.only)
        except NoTestsError as error:
            print(f"no tests: {error}", file=sys.stderr)
            return NO_TESTS
        except NotFinishedError as error:
            print(f"not finished: {error}", file=sys.stderr)
            return NOTHING_RAN
    print(told(results, given.package))
    if results.failed:
        return FAILED
    if not results.good:
        print("nothing ran, so nothing was checked", file=sys.stderr)
        return NOTHING_RAN
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
