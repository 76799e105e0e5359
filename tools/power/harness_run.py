"""Running mutants of the harness and the adapters: for each the default tests that run the changed line.

A mutant that only changes functions is made in a fork of a process that has imported and collected everything, by
putting their code in the place of what they had: that takes a tenth of a second. What is done as modules are imported
is changed in the file alone, and its tests are collected anew. The file is changed in both cases, for the programs that
tests start.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from queue import Queue
from threading import Lock, Thread
from typing import TYPE_CHECKING

import grimp

from power.harness_report import DOES_NOT_LOAD, NOT_COVERED, NOT_SEEN, SEEN, Result
from power.live_change import NotLiveError, changed_functions
from power.packages import ROOT
from power.recorded_tests import COPIED
from power.rooms import PACKAGES, whole_name
from power.serving import NotServedError, Ran, Server
from power.statements import statement_at
from power.workshops import copy_again, environment_in, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from power.harness_report import Key
    from power.mutants import Mutant
    from power.recorded_tests import DefaultTest, RunLines

SLOW = 0.3
"""Seconds of the processor: slower tests are run after all others."""

STAGES = (3, 12, 10_000)
"""Of how many files of tests a process collects the tests at a time, where it is started for one mutant."""

COLLECTING = "collecting the tests"
"""What stands in the place of a test where a module that imports the changed one cannot be imported any more."""


def key_of(mutant: Mutant) -> Key:
    """Return what ``mutant`` is known by."""
    return name_of(mutant), mutant.site.operator, mutant.site.occurrence, text_digest(mutant.before)


def name_of(mutant: Mutant) -> str:
    """Return the whole name of the module of ``mutant``."""
    return whole_name(mutant.site.package, mutant.site.module)


def text_digest(text: str) -> str:
    """Return a digest of ``text``."""
    return sha256(text.encode()).hexdigest()[:16]


# Which tests ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Selection:
    """The tests that may see a mutant, in order, and whether what they import must be imported anew.

    With ``guessed`` none of them is known to run the line.
    """

    tests: tuple[DefaultTest, ...]
    imports: bool
    guessed: bool = False

    @property
    def basis(self) -> str:
        """A digest of which tests there are."""
        return text_digest("\n".join(sorted(test.id for test in self.tests)))


def selection_of(mutant: Mutant, lines: RunLines) -> Selection:
    """Return the tests that run the statement that ``mutant`` changes.

    What is done as modules are imported may be seen by the test of what the module declares, by those of the file that
    mirrors it (who reads a table runs no line), and by any test that runs something of the function or the class around
    it, of the module, or of one that imports it, in this order. Where no test is known to run the line, a process may
    that tells nothing: the tests are run whose file is named as the module is.
    """
    path = mutant.site.package.path_of(mutant.site.module).as_posix()
    statement = statement_at(mutant.before, mutant.site.line)
    own = lines.tests(path, statement.lines)
    named = lines.named.get(own_test_file(path), [])
    if statement.in_function and not own:
        return Selection(tuple(in_order(named, path)), imports=False, guessed=True)
    if statement.in_function and not lines.is_run_by_import(path, statement.lines):
        return Selection(tuple(in_order(own, path)), imports=False)
    mirrored = [test for test in named if Path(test.file).parent.name == Path(path).parent.name]
    stages = [declarations_of(mutant, lines), mirrored, own if statement.in_function else []]
    stages.append(lines.tests(path, statement.definition) if statement.definition else [])
    stages.append(lines.tests(path))
    stages.append([test for each in importers(name_of(mutant)) for test in lines.tests(each)])
    tests = {test.id: test for stage in stages for test in in_order(stage, path)}
    return Selection(tuple(tests.values()), imports=True)


def declarations_of(mutant: Mutant, lines: RunLines) -> list[DefaultTest]:
    """Return the test of what the changed module declares: that runs no line of it."""
    return [test for test in lines.named.get("test_declarations.py", ()) if test.id.endswith(f"[{name_of(mutant)}]")]


def own_test_file(path: str) -> str:
    """Return the name of a file of tests that are of the module ``path``."""
    return f"test_{Path(path).stem}.py"


def in_order(tests: Sequence[DefaultTest], path: str) -> list[DefaultTest]:
    """Return ``tests``: those first that are quick, by files, the file first that is named as the module ``path`` is.

    >>> from power.recorded_tests import DefaultTest as Test
    >>> tests = [Test("b.py::slow", 1.0), Test("a.py::1", 0.1), Test("test_merging.py::1", 0.2)]
    >>> [test.id for test in in_order(tests, "x/merging.py")]
    ['test_merging.py::1', 'a.py::1', 'b.py::slow']
    """
    own = own_test_file(path)
    files: dict[tuple[bool, str], list[DefaultTest]] = defaultdict(list)
    for test in tests:
        files[test.seconds >= SLOW, test.file].append(test)

    def rank(key: tuple[bool, str]) -> tuple[bool, bool, float, str]:
        slow, file = key
        same = files[key]
        return slow, Path(file).name != own, sum(test.seconds for test in same) / len(same), file

    return [test for key in sorted(files, key=rank) for test in files[key]]


@cache
def _imports() -> grimp.ImportGraph:
    first, *others = (package.name for package in PACKAGES)
    return grimp.build_graph(first, *others, cache_dir=None)


def importers(name: str) -> list[str]:
    """Return the paths of the modules that import the module ``name`` themselves."""
    graph = _imports()
    name = name.removesuffix(".__init__")
    if name not in graph.modules:
        return []
    roots = {package.name: package.root for package in PACKAGES}
    found = []
    for each in sorted(graph.find_modules_that_directly_import(name)):
        file = Path(roots[each.partition(".")[0]], *each.split("."))
        found.append((file / "__init__.py" if (ROOT / file).is_dir() else file.with_suffix(".py")).as_posix())
    return found


# Running them ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trials:
    """Which tests have passed without a mutant after they had failed with one, and which have failed again."""

    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)


class Bench:
    """Runs mutants one after the other in the workshop ``folder``; ``files`` are those of all tests."""

    def __init__(self, folder: Path, files: Sequence[str], trials: Trials) -> None:
        self._folder = folder
        self._trials = trials
        self._files = files
        self._sources = [package.path.as_posix() for package in PACKAGES]
        self._server: Server | None = None
        self._time = int(time.time())
        lay_out(ROOT, folder / "project", COPIED)

    def close(self) -> None:
        """End the process that has collected all tests."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def run(self, mutant: Mutant, selection: Selection) -> tuple[str, Ran]:
        """Run the tests of ``selection`` with ``mutant`` to the first that fails; return what came of it, and how.

        A test that fails has to pass without the mutant, after the same tests of its file, or it does not count. Raises
        :class:`NotServedError` where the tests do not run without it.
        """
        while True:
            fit = replace(
                selection, tests=tuple(test for test in selection.tests if test.id not in self._trials.failed)
            )
            outcome, ran = self._run_changed(mutant, fit)
            sees = ran.failed or ran.unfinished
            if outcome != SEEN or sees is None or sees == COLLECTING or self._passes_unchanged(sees, ran):
                return outcome, ran

    def _run_changed(self, mutant: Mutant, selection: Selection) -> tuple[str, Ran]:
        live = not _needs_import(mutant, selection)
        server = self._started() if live else None
        with self._changed(mutant) as file:
            if server is not None:
                ran = self._run_live(server, mutant, selection, file)
                if ran.refused is None:
                    return outcome_of(ran), ran
            return self._run_anew(mutant, selection)

    def _passes_unchanged(self, test: str, ran: Ran) -> bool:
        if test not in self._trials.passed:
            # What else a test may stumble over was made by tests of its own file; the others may take minutes.
            file = test.partition("::")[0]
            tests = [*(each for each in ran.ended if each != test and each.partition("::")[0] == file), test]
            unchanged = self._started().run(tests, {each: how.seconds for each, how in ran.ended.items()})
            (self._trials.passed if outcome_of(unchanged) == NOT_SEEN else self._trials.failed).add(test)
        return test in self._trials.passed

    def _started(self) -> Server:
        if self._server is None:
            self._server = Server(self._folder, ROOT, self._files, self._sources)
        return self._server

    def _run_live(self, server: Server, mutant: Mutant, selection: Selection, file: Path) -> Ran:
        try:
            return server.run(
                *_asked(selection.tests, server),
                module=name_of(mutant).removesuffix(".__init__"),
                file=str(file),
                before=mutant.before,
                after=mutant.change.source,
            )
        except NotServedError:
            self.close()
            raise

    def _run_anew(self, mutant: Mutant, selection: Selection) -> tuple[str, Ran]:
        whole = Ran()
        for tests in stages_of(selection.tests):
            try:
                server = Server(self._folder, ROOT, list(dict.fromkeys(test.file for test in tests)), self._sources)
            except NotServedError:
                if not self._loads(mutant):
                    return DOES_NOT_LOAD, whole
                whole.unfinished = COLLECTING
                return SEEN, whole
            try:
                ran = server.run(*_asked(tests, server))
                whole.seconds += server.seconds()
            finally:
                server.close()
            whole.ended |= ran.ended
            whole.unfinished, whole.status = ran.unfinished, ran.status
            if outcome_of(ran) == SEEN:
                return SEEN, whole
        return NOT_SEEN, whole

    def _loads(self, mutant: Mutant) -> bool:
        script = f"import {name_of(mutant).removesuffix('.__init__')}"
        environment = environment_in(self._folder / "project", ROOT)
        done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, check=False)
        return done.returncode == 0

    @contextmanager
    def _changed(self, mutant: Mutant) -> Iterator[Path]:
        """Have the changed source in the module's file, and no compiled code of it, while the block runs."""
        path = mutant.site.package.path_of(mutant.site.module)
        file = self._folder / "project" / path
        compiled = Path(importlib.util.cache_from_source(str(file)))
        self._time += 1
        file.write_text(mutant.change.source, encoding="utf-8")
        os.utime(file, (self._time, self._time))
        compiled.unlink(missing_ok=True)
        try:
            yield file
        finally:
            file.unlink()
            copy_again(ROOT / path, file)
            compiled.unlink(missing_ok=True)


def _needs_import(mutant: Mutant, selection: Selection) -> bool:
    if selection.imports:
        return True
    try:
        changed_functions(compile(mutant.before, "", "exec"), compile(mutant.change.source, "", "exec"))
    except NotLiveError:
        return True
    return False


def _asked(tests: Sequence[DefaultTest], server: Server) -> tuple[list[str], dict[str, float]]:
    collected = set(server.collected)
    expected = {test.id: test.seconds for test in tests if test.id in collected}
    return sorted(expected, key=server.costly.__contains__), expected


def stages_of(tests: Sequence[DefaultTest]) -> list[list[DefaultTest]]:
    """Return ``tests`` in stages of more and more files, in their order."""
    files = list(dict.fromkeys(test.file for test in tests))
    stages = []
    for size in STAGES:
        some, files = set(files[:size]), files[size:]
        stages.append([test for test in tests if test.file in some])
    return [stage for stage in stages if stage]


def outcome_of(ran: Ran) -> str:
    """Return whether tests saw something: one failed, hung, or ended the process."""
    return SEEN if ran.failed or ran.unfinished or ran.status else NOT_SEEN


def result_of(mutant: Mutant, selection: Selection, outcome: str, ran: Ran, tests: int) -> Result:
    """Return what came of ``mutant``, whose line is run by so many ``tests``."""
    module, operator, occurrence, source = key_of(mutant)
    if outcome == NOT_SEEN and (selection.guessed or not selection.tests):
        outcome = NOT_COVERED
    how = "" if ran.failed or outcome != SEEN else f"ends or hangs (status {ran.status})"
    return Result(
        module=module,
        operator=operator,
        occurrence=occurrence,
        source=source,
        outcome=outcome,
        line=mutant.site.line,
        text=mutant.line_text,
        diff=mutant.diff(),
        tests=tests,
        ran=len(ran.ended),
        basis=selection.basis,
        by=ran.failed or ran.unfinished or "",
        how=how,
        seconds=round(ran.seconds, 2),
    )


def run_mutants(
    mutants: Sequence[Mutant],
    lines: RunLines,
    folders: Sequence[Path],
    files: Sequence[str],
    trials: Trials,
    seconds: float,
) -> Iterator[tuple[Mutant, Result]]:
    """Run ``mutants``, one at a time in each of the workshops ``folders``, and yield what came of each.

    For each the tests are run that took no more than ``seconds`` together when they were recorded, the quickest first.
    What tests do without a mutant is noted in ``trials``. Raises :class:`NotServedError` where the tests do not run
    without one.
    """
    waiting: Queue[Mutant | None] = Queue()
    done: Queue[tuple[Mutant, Result] | BaseException | None] = Queue()
    for each in (*mutants, *[None] * len(folders)):
        waiting.put(each)
    recent = Recent()

    def work(folder: Path) -> None:
        bench = None
        try:
            bench = Bench(folder, files, trials)
            while (mutant := waiting.get()) is not None:
                all_tests = selection_of(mutant, lines)
                selection = recent.first(name_of(mutant), within(all_tests, seconds))
                outcome, ran = bench.run(mutant, selection) if selection.tests else (NOT_SEEN, Ran())
                recent.note(name_of(mutant), ran.failed)
                done.put((mutant, result_of(mutant, selection, outcome, ran, len(all_tests.tests))))
        except BaseException as error:  # noqa: BLE001 - raised where the results are taken
            done.put(error)
        finally:
            if bench is not None:
                bench.close()
            done.put(None)

    threads = [Thread(target=work, args=(folder,), daemon=True) for folder in folders]
    for thread in threads:
        thread.start()
    working = len(threads)
    while working:
        match done.get():
            case None:
                working -= 1
            case BaseException() as error:
                raise error
            case result:
                yield result


def within(selection: Selection, seconds: float) -> Selection:
    """Return ``selection`` with its first tests, one at least, that took no more than ``seconds`` together.

    Where modules must be imported anew, so must files of tests: each counts as a second more.
    """
    costs = {test: test.seconds for test in selection.tests}
    if selection.imports:
        for first in {test.file: test for test in reversed(selection.tests)}.values():
            costs[first] += 1
    sums = accumulate(costs.values())
    return replace(selection, tests=selection.tests[: max(1, sum(each <= seconds for each in sums))])


class Recent:
    """The tests that failed with other mutants of a module: they are likely to see the next."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._failed: dict[str, dict[str, None]] = defaultdict(dict)

    def note(self, module: str, test: str | None) -> None:
        """Note that ``test`` has failed with a mutant of ``module``."""
        if test is not None:
            with self._lock:
                self._failed[module].pop(test, None)
                self._failed[module][test] = None

    def first(self, module: str, selection: Selection) -> Selection:
        """Return ``selection`` with those of its tests first that have failed before, the last of these first."""
        with self._lock:
            ranks = {test: -rank for rank, test in enumerate(self._failed[module])}
        return replace(selection, tests=tuple(sorted(selection.tests, key=lambda test: ranks.get(test.id, 1))))
