"""Running tests in a workshop by a process that has collected them (``served_tests.py``), under limits of time."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from power.process_lines import FOLDER, SOURCES
from power.served_tests import CHANNELS, MARK
from power.workshops import TOOLS, end_all, end_marked, environment_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

START_SECONDS = 900.0
LEAST_SECONDS = 90.0
TIMES_AS_LONG = 40
"""On the clock a test hangs when it takes so many times its processor time, and at least :data:`LEAST_SECONDS`."""

HYPOTHESIS = "_hypothesis_pytestplugin"

_numbers = count()


class NotServedError(Exception):
    """The process that collects the tests does not run, or has come to an end. The message says what it printed."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a test ended: its processor time in seconds, and whether it failed or was skipped."""

    seconds: float
    failed: bool
    skipped: bool


@dataclass(slots=True)
class Ran:
    """What came of tests: those that ended, the one in which all came to an end, and all processor time in seconds.

    ``refused`` says why the change could not be made in what was imported; nothing was run then.
    """

    ended: dict[str, Ended] = field(default_factory=dict)
    unfinished: str | None = None
    status: int = 0
    seconds: float = 0.0
    refused: str | None = None

    @property
    def failed(self) -> str | None:
        """The first test that failed."""
        return next((test for test, how in self.ended.items() if how.failed), None)


class Server:
    """The process, in the workshop ``folder`` of ``project``; it has collected ``tests``, which are paths there.

    With ``records`` it and what its tests start record the lines of ``sources`` that they run, folders of the project.
    """

    def __init__(
        self, folder: Path, project: Path, tests: Sequence[str], sources: Sequence[str], *, records: bool = False
    ) -> None:
        self._folder = folder
        self._mark = f"{os.getpid()}-{next(_numbers)}"
        environment = environment_in(folder / "project", project)
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment |= {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "OPENBLAS_NUM_THREADS": "1",
            SOURCES: os.pathsep.join(str(folder / "project" / source) for source in sources),
            MARK: self._mark,
        }
        if records:
            written = folder / "lines"
            written.mkdir(exist_ok=True)
            environment |= {FOLDER: str(written)}
            environment["PYTHONPATH"] += f"{os.pathsep}{TOOLS / 'power' / 'at_start'}"
        command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "-p", HYPOTHESIS]
        command += ["-p", "power.served_tests", f"--basetemp={folder / 'temporary'}", *tests]
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        self._rest = b""
        with (folder / "output.txt").open("wb") as output:
            self._process = subprocess.Popen(
                command,
                cwd=folder / "project",
                env=environment | {CHANNELS: f"{requests},{answers}"},
                pass_fds=(requests, answers),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        os.close(requests)
        os.close(answers)
        started = self._answer(time.monotonic() + START_SECONDS)
        if "collected" not in started:
            self.close()
            raise NotServedError(f"{started.get('refused', 'the tests cannot be collected')}:\n{self._printed()}")
        self.collected: list[str] = started["collected"]
        self.costly = frozenset(started["costly"])
        self.imported: dict[str, list[int]] = started["imported"]

    def _printed(self) -> str:
        return "\n".join((self._folder / "output.txt").read_text("utf-8", "replace").strip().splitlines()[-30:])

    def _answer(self, deadline: float) -> dict[str, Any]:
        """Return the next answer. Raises :class:`TimeoutError` after ``deadline``, and :class:`NotServedError`."""
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            part = os.read(self._answers, 1 << 20)
            if not part:
                raise NotServedError(f"the process of the tests has ended:\n{self._printed()}")
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def run(self, tests: Sequence[str], expected: Mapping[str, float], **request: str) -> Ran:
        """Run ``tests`` in this order to the first that fails; ``expected`` are seconds of the processor.

        ``request`` is what else the process is asked to do. Nothing that tests have started is left. Raises
        :class:`NotServedError`.
        """
        mark = f"{self._mark}-{next(_numbers)}"
        wanted = {test: expected[test] for test in tests if test in expected}
        line = json.dumps({"tests": list(tests), "expected": wanted, "mark": mark, **request}) + "\n"
        _write(self._requests, line.encode())
        ran, child = Ran(), 0
        deadline = time.monotonic() + LEAST_SECONDS
        while True:
            try:
                answer = self._answer(deadline)
            except TimeoutError:
                _kill(child)
                deadline = time.monotonic() + LEAST_SECONDS
                continue
            match answer:
                case {"child": pid}:
                    child = pid
                case {"started": test}:
                    ran.unfinished = test
                    deadline = time.monotonic() + LEAST_SECONDS + TIMES_AS_LONG * expected.get(test, 1.0)
                case {"ended": test, "seconds": seconds, "failed": failed, "skipped": skipped}:
                    ran.unfinished = None
                    ran.ended[test] = Ended(seconds, failed, skipped)
                    deadline = time.monotonic() + LEAST_SECONDS
                case {"refused": reason}:
                    ran.refused = reason
                case {"status": status, "seconds": seconds}:
                    ran.status, ran.seconds = status, seconds
                    break
        _kill(child)
        end_marked(MARK, mark)
        return ran

    def seconds(self) -> float:
        """Return the processor time of the process so far, with that of the tests."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the process."""
        os.close(self._requests)
        os.close(self._answers)
        end_all(self._process, MARK, self._mark)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if group:
            os.killpg(group, signal.SIGKILL)


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
