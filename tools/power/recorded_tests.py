"""Which default tests run which lines: recorded once, a file of tests at a time, and kept in a folder.

What was recorded of a file of tests is kept as long as the file, what tests share, and the modules of which its tests
run a line stay as they are.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING, Any

from power.packages import ROOT, digest
from power.serving import Server
from power.workshops import lay_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from power.packages import Package
    from power.serving import Ran

COPIED = ("adapters", "conformance", "tests", "pyproject.toml")
"""What a workshop has copies of: the packages that are changed, and the tests, which look beside themselves."""

FORMAT = 1

AT_A_TIME = 12
"""Of how many files of tests the lines are recorded in one process: these share what is made once in a run."""

REMEMBERS = re.compile(r"^@(functools\.)?(lru_)?cache\b", re.MULTILINE)
"""What a file of tests has in it whose tests look at what another has made."""

IMPORTED = "imported"
"""Under which name it is kept what is run as modules are imported."""


@dataclass(frozen=True, slots=True)
class DefaultTest:
    """A default test that passes: its node id, and its processor time in seconds."""

    id: str
    seconds: float

    @property
    def file(self) -> str:
        """The path of its file, below the project's folder."""
        return self.id.partition("::")[0]


@dataclass(slots=True)
class RunLines:
    """Which tests run which lines of which modules, and what is run as modules are imported.

    Modules are paths below the project's folder; lines are bits of a number, counted from 1. ``named`` are all tests,
    by the names of their files.
    """

    run: dict[str, list[tuple[DefaultTest, int]]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[str, int] = field(default_factory=dict)
    named: dict[str, list[DefaultTest]] = field(default_factory=lambda: defaultdict(list))
    failed: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many tests there are."""
        return sum(map(len, self.named.values()))

    def tests(self, path: str, lines: range | None = None) -> list[DefaultTest]:
        """Return the tests that run one of ``lines`` of the module ``path``, or any line that is in a function."""
        wanted = -1 if lines is None else mask_of(lines)
        return [test for test, run in self.run.get(path, ()) if run & wanted]

    def is_run_by_import(self, path: str, lines: range) -> bool:
        """Whether one of ``lines`` of the module ``path`` is run as modules are imported."""
        return bool(self.imported.get(path, 0) & mask_of(lines))


def mask_of(lines: Iterable[int]) -> int:
    """Return lines as bits.

    >>> bin(mask_of([1, 3]))
    '0b1010'
    """
    mask = 0
    for line in lines:
        mask |= 1 << line
    return mask


def default_test_files(packages: Sequence[Package], patterns: Sequence[str]) -> list[str]:
    """Return the paths of the files of tests that match one of ``patterns``.

    Of those of the reference there are only the ones that name a package.
    """
    named = re.compile("|".join(package.name for package in packages))
    files = sorted(file.relative_to(ROOT) for file in (ROOT / "tests").rglob("test_*.py"))
    return [
        file.as_posix()
        for file in files
        if any(fnmatchcase(file.as_posix(), pattern) for pattern in patterns)
        and (file.parts[1] != "reference" or named.search((ROOT / file).read_text(encoding="utf-8")))
    ]


def _shared_by_tests() -> list[Path]:
    """Return the files of tests that hold no tests: fixtures, fakes, material."""
    return sorted(file for file in (ROOT / "tests").rglob("*.py") if not file.name.startswith("test_"))


class Recording:
    """What is recorded of the tests in ``files`` about ``packages``, in ``folder``."""

    def __init__(self, folder: Path, packages: Sequence[Package], files: Sequence[str]) -> None:
        self._folder = folder
        self._packages = packages
        self._files = files
        self._digests: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def stale(self) -> list[str]:
        """Return the files of tests of which nothing is recorded that still holds."""
        shared = digest(*_shared_by_tests())
        return [file for file in self._files if not self._holds(self._read(file), file, shared)]

    def record(self, workshops: Sequence[Path], progress: Callable[[str], None]) -> None:
        """Record what is stale, in each of ``workshops`` a few files of tests at a time.

        Raises :class:`NotServedError`.
        """
        stale = self.stale()
        if not stale:
            return
        shared = digest(*_shared_by_tests())
        servers: Queue[tuple[Server, Path]] = Queue()
        for folder in workshops:
            lay_out(ROOT, folder / "project", COPIED)
            server = self._server(folder, stale)
            self._note_imported(server, folder)
            servers.put((server, folder))
        done = 0

        def some(files: Sequence[str]) -> None:
            nonlocal done
            server, folder = servers.get()
            try:
                content = self._recorded(server, folder, files)
            finally:
                servers.put((server, folder))
            for file in files:
                self._write(file, {**content[file], "shared": shared})
            done += len(files)
            progress(f"lines of tests: {done} of {len(stale)} files")

        try:
            with ThreadPoolExecutor(len(workshops)) as pool:
                list(pool.map(some, (stale[at : at + AT_A_TIME] for at in range(0, len(stale), AT_A_TIME))))
        finally:
            while not servers.empty():
                servers.get()[0].close()

    def _server(self, folder: Path, files: Sequence[str]) -> Server:
        return Server(folder, ROOT, files, [package.path.as_posix() for package in self._packages], records=True)

    def _recorded(self, server: Server, folder: Path, files: Sequence[str]) -> dict[str, dict[str, Any]]:
        tests = {file: [test for test in server.collected if test.partition("::")[0] == file] for file in files}
        written = folder / "lines.json"
        written.unlink(missing_ok=True)
        ran = server.run([test for file in files for test in tests[file]], {}, lines=str(written))
        lines = json.loads(written.read_text(encoding="utf-8")) if written.is_file() else {}
        below = {test: _below(folder / "project", run) for test, run in lines.items()}
        return {
            file: {
                "format": FORMAT,
                "digest": digest(ROOT / file),
                "modules": {path: self._digest(path) for path in sorted(set().union(*map(_paths(below), tests[file])))},
                "tests": {test: _told(ran, test) | {"lines": below.get(test, {})} for test in tests[file]},
            }
            for file in files
        }

    def _note_imported(self, server: Server, folder: Path) -> None:
        """Keep what was run as modules were imported; of modules that are as they were, what was run before, too."""
        known = self._read(IMPORTED) or {}
        for path, lines in _below(folder / "project", server.imported).items():
            before = known.get(path, {})
            kept = int(before["lines"], 16) if before.get("digest") == self._digest(path) else 0
            known[path] = {"digest": self._digest(path), "lines": f"{int(lines, 16) | kept:x}"}
        self._write(IMPORTED, known)

    def _path(self, file: str) -> Path:
        return self._folder / f"{file.replace('/', '+')}.json.gz"

    def _read(self, file: str) -> dict[str, Any] | None:
        path = self._path(file)
        if not path.is_file():
            return None
        content: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        return content

    def _write(self, file: str, content: Mapping[str, Any]) -> None:
        path = self._path(file)
        new = path.with_suffix(".new")
        new.write_bytes(gzip.compress(json.dumps(content).encode(), 3, mtime=0))
        new.replace(path)

    def _holds(self, content: dict[str, Any] | None, file: str, shared: str) -> bool:
        return (
            content is not None
            and content["format"] == FORMAT
            and content["shared"] == shared
            and content["digest"] == self._digest(file)
            and all(self._digest(path) == known for path, known in content["modules"].items())
        )

    def _digest(self, path: str) -> str:
        if path not in self._digests:
            self._digests[path] = digest(ROOT / path)
        return self._digests[path]

    def read(self) -> RunLines:
        """Return all that is recorded."""
        found = RunLines()
        for path, told in (self._read(IMPORTED) or {}).items():
            found.imported[path] = int(told["lines"], 16)
        for file in self._files:
            content = self._read(file) or {"tests": {}}
            passed = {name: told for name, told in content["tests"].items() if told["passed"]}
            found.failed += [name for name, told in content["tests"].items() if told["failed"]]
            if REMEMBERS.search((ROOT / file).read_text(encoding="utf-8")):
                _share(passed)
            for name, told in passed.items():
                test = DefaultTest(name, told["seconds"])
                found.named[Path(file).name].append(test)
                for path, mask in told["lines"].items():
                    found.run[path].append((test, int(mask, 16)))
        return found


def _share(tests: Mapping[str, dict[str, Any]]) -> None:
    """Have each of ``tests`` run the lines of all: what one of them made, others look at."""
    all_lines: dict[str, int] = defaultdict(int)
    for told in tests.values():
        for path, mask in told["lines"].items():
            all_lines[path] |= int(mask, 16)
    shared = {path: f"{mask:x}" for path, mask in all_lines.items()}
    for told in tests.values():
        told["lines"] = shared


def _paths(lines: Mapping[str, Mapping[str, str]]) -> Callable[[str], Iterable[str]]:
    return lambda test: lines.get(test, {})


def _told(ran: Ran, test: str) -> dict[str, Any]:
    how = ran.ended.get(test)
    if how is None:
        return {"seconds": 0.0, "passed": False, "failed": True}
    return {"seconds": how.seconds, "passed": not (how.failed or how.skipped), "failed": how.failed}


def _below(folder: Path, lines: Mapping[str, Sequence[int]]) -> dict[str, str]:
    prefix = f"{folder}/"
    return {path.removeprefix(prefix): f"{mask_of(numbers):x}" for path, numbers in lines.items()}
