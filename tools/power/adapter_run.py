"""Running the tests of the adapters with a fault in a copy of them: ``adapters`` and ``tests`` are copied."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

from power.adapter_faults import PACKAGE, ROOT
from power.faults import FaultDataError
from power.first_failure import MODULE, VARIABLE
from power.workshops import end_all, environment_in, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from power.adapter_faults import AdapterFault, Checks

COPIED = ("adapters", "tests", "pyproject.toml")

LEAST_SECONDS = 120.0
TIMES_AS_LONG = 4
"""Tests hang when they take so many times as long as without a fault, and at least :data:`LEAST_SECONDS`."""

HYPOTHESIS = "_hypothesis_pytestplugin"
"""The plugin of ``hypothesis``, by which its examples can be drawn alike each time."""

NOTHING_FAILED = 0
"""The exit status of ``pytest`` where all is well."""


class NotPassedError(Exception):
    """The tests do not pass, or none runs, without a fault. The message says which."""


# What came of a fault -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Caught:
    """The test ``by`` failed; or ``how`` says what else it did: it hung, or ended the whole run."""

    by: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class NotCaught:
    """All tests passed."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The fault says nothing about the tests: it cannot be planted, or no test runs with it; ``why``."""

    why: str


Outcome = Caught | NotCaught | Rejected


@dataclass(frozen=True, slots=True)
class Ran:
    """How tests ended: the exit status of ``pytest`` (``None``: it took too long), and what it noted of tests.

    ``unfinished`` is the test that was running when all ended, ``unimportable`` why the changed module has no tests.
    """

    status: int | None
    failed: tuple[str, ...]
    passed: int
    unfinished: str | None
    unimportable: str | None
    printed: str


# The copy -------------------------------------------------------------------------------------------------------------


class Workshop:
    """A copy of what is tested in ``project``, and what tests it, in ``folder``, which is made here."""

    def __init__(self, project: Path, folder: Path) -> None:
        self.root = folder / "project"
        self._notes = folder / "notes.jsonl"
        self._output = folder / "output.txt"
        self._temporary = folder / "temporary"
        self._time = int(time.time())
        lay_out(project, self.root, COPIED)
        self._refuse_another_package()

    def _refuse_another_package(self) -> None:
        script = "import tokenizer_adapters; print(tokenizer_adapters.__file__)"
        shown = Path(self._python("-c", script).stdout.strip())
        if not shown.is_relative_to(self.root):
            raise NotPassedError(f"the copy of the adapters is not the one that is imported: {shown} is")

    def _environment(self, module: str = "") -> dict[str, str]:
        return environment_in(self.root, ROOT) | {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # most plugins are slow to import, and random orders are no use
            VARIABLE: str(self._notes),
            MODULE: module,
        }

    def _python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=LEAST_SECONDS,
        )

    @contextmanager
    def planted(self, fault: AdapterFault) -> Iterator[None]:
        """Have ``fault`` in the copy while the block runs. Raises :class:`FaultDataError` where it cannot be."""
        file = self.root / PACKAGE / fault.module
        changed = fault.changed(self.root)
        before = file.read_bytes()
        self._write(file, changed.encode())
        try:
            self._refuse_bad_javascript(fault)
            yield
        finally:
            self._write(file, before)

    def _write(self, file: Path, content: bytes) -> None:
        """Write ``content`` to ``file``, with a time of its own: by that Python knows what it has compiled before."""
        file.write_bytes(content)
        self._time += 1
        os.utime(file, (self._time, self._time))

    def _refuse_bad_javascript(self, fault: AdapterFault) -> None:
        node = shutil.which("node")
        if fault.module.endswith(".mjs") and node is not None:
            done = subprocess.run(
                [node, "--check", str(self.root / PACKAGE / fault.module)], capture_output=True, check=False
            )
            if done.returncode:
                raise FaultDataError(f"fault {fault.id} makes {fault.module} no JavaScript")

    def run(self, checks: Checks, seconds: float, module: str = "") -> Ran:
        """Run the tests of ``checks`` to the first that fails, for at most ``seconds``; nothing is left running.

        None is run where ``module``, if one is named, cannot be imported.
        """
        self._notes.unlink(missing_ok=True)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "--tb=short"]
        command += ["-p", "no:cacheprovider", "-p", HYPOTHESIS, "--hypothesis-seed=0"]
        command += ["-p", "power.first_failure", f"--basetemp={self._temporary}"]
        command += ["-m", "not slow"]  # what belongs to a module may take long
        command += ["-k", checks.select] if checks.select else []
        with self._output.open("wb") as output:
            process = subprocess.Popen(
                [*command, *checks.paths],
                cwd=self.root,
                env=self._environment(module),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                status: int | None = process.wait(seconds)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                end_all(process, VARIABLE, str(self._notes))
        return self._ran(status)

    def _ran(self, status: int | None) -> Ran:
        lines = self._notes.read_text(encoding="utf-8").splitlines() if self._notes.is_file() else []
        notes = [next(iter(json.loads(line).items())) for line in lines]
        return Ran(
            status=status,
            failed=tuple(node for what, node in notes if what == "failed"),
            passed=sum(what == "passed" for what, _ in notes),
            unfinished=notes[-1][1] if notes and notes[-1][0] in {"started", "passed"} else None,
            unimportable=next((error for what, error in notes if what == "unimportable"), None),
            printed=self._output.read_text(encoding="utf-8", errors="replace"),
        )


# Runs -----------------------------------------------------------------------------------------------------------------


def run_adapter_faults(
    faults: Sequence[AdapterFault], project: Path, jobs: int, folder: Path
) -> Iterator[tuple[AdapterFault, Outcome]]:
    """Run the tests of each of ``faults``, ``jobs`` at a time, and yield what came of each.

    ``project`` is copied, into workshops in ``folder``.
    Before the first is planted, all their tests must pass without it: raises :class:`NotPassedError`.
    """
    workshops: Queue[Workshop] = Queue()
    for number in range(jobs):
        workshops.put(Workshop(project, folder / str(number)))

    @contextmanager
    def borrowed() -> Iterator[Workshop]:
        workshop = workshops.get()
        try:
            yield workshop
        finally:
            workshops.put(workshop)

    def unchanged(checks: Checks) -> float:
        began = time.monotonic()
        with borrowed() as workshop:
            ran = workshop.run(checks, TIMES_AS_LONG * LEAST_SECONDS)
        if ran.status != NOTHING_FAILED or not ran.passed:
            shown = "\n".join(ran.printed.strip().splitlines()[-20:])
            raise NotPassedError(f"without a fault, {' '.join(checks.paths)} does not pass:\n{shown}")
        return time.monotonic() - began

    def asked(fault: AdapterFault, seconds: Mapping[Checks, float]) -> Outcome:
        with borrowed() as workshop:
            return outcome_of_fault(workshop, fault, max(LEAST_SECONDS, TIMES_AS_LONG * seconds[fault.checks]))

    with ThreadPoolExecutor(jobs) as pool:
        each = list(dict.fromkeys(fault.checks for fault in faults))
        seconds = dict(zip(each, pool.map(unchanged, each), strict=True))
        yield from zip(faults, pool.map(lambda fault: asked(fault, seconds), faults), strict=True)


def outcome_of_fault(workshop: Workshop, fault: AdapterFault, seconds: float) -> Outcome:
    """Plant ``fault``, run its tests for at most ``seconds``, and say what came of it."""
    try:
        with workshop.planted(fault):
            ran = workshop.run(fault.checks, seconds, fault.python_name)
    except FaultDataError as error:
        return Rejected(str(error))
    if ran.unimportable is not None:
        return Rejected(f"fault {fault.id}: {fault.module} cannot be imported with it: {ran.unimportable}")
    if ran.failed:
        return Caught(ran.failed[0])
    if ran.status is None:
        return Caught(ran.unfinished or "no test", "hangs")
    if ran.unfinished is not None:
        return Caught(ran.unfinished, "ends the tests")
    if ran.status == NOTHING_FAILED:
        return NotCaught()
    last = ran.printed.strip().splitlines()[-1:]
    return Rejected(f"fault {fault.id}: its tests do not run with it (status {ran.status}): {''.join(last)}")
