"""Running the command of a case in an empty folder, and what it needs."""

from __future__ import annotations

import importlib.util
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reported.expectations import Judgement, judge
from reported.files import write
from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.environments.pinned import environment_of
from tokenizer_adapters.registry import RegistryError, load_implementation

if TYPE_CHECKING:
    from reported.table import Case, Json

RECORD = "record.jsonl"

Run = Callable[[Sequence[str], Path], "tuple[int, str]"]
"""Runs ``tokconf`` with arguments in a folder, and returns its exit status and what it printed."""

PACKAGE, NPM = "pip:", "npm:"
"""What the name of a package begins with that a case needs beside implementations and releases."""

PROGRAMS = Path(__file__).with_name("programs")
"""Where programs lie that stand for an implementation, and the packages of npm that they need."""

PATIENCE = 600.0
"""How long a command may take, in seconds."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a case: its ``judgement`` and the ``seconds`` it took; or why it was ``not_run``.

    ``said`` is what the command printed, ``record`` the lines that it wrote.
    """

    case: Case
    judgement: Judgement | None
    not_run: str = ""
    said: str = ""
    record: tuple[Json, ...] = ()
    seconds: float = 0.0

    @property
    def is_shown(self) -> bool:
        """Whether it was run and the bug is seen."""
        return self.judgement is not None and self.judgement.is_shown

    @property
    def is_explained(self) -> bool:
        """Whether it was run, and the reason is the right one."""
        return self.judgement is not None and self.judgement.is_explained and self.case.unexplained is None


def as_process(arguments: Sequence[str], folder: Path) -> tuple[int, str]:
    """Run ``tokconf`` in a process of its own. Raises ``TimeoutExpired`` where it does not end in time."""
    words = [sys.executable, "-m", "tokenizer_conformance", *arguments]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)
    return done.returncode, done.stdout + done.stderr


def ask(case: Case, run: Run = as_process) -> Asked:
    """Run the command of ``case``, if what it needs is there."""
    if missing := [reason for need in case.needs if (reason := why_missing(need))]:
        return Asked(case, None, not_run="; ".join(missing))
    with tempfile.TemporaryDirectory(prefix="casebook-") as folder:
        return asked_in(case, Path(folder), run)


def asked_in(case: Case, folder: Path, run: Run) -> Asked:
    """Run the command of ``case`` in ``folder``."""
    for given in case.files:
        write(given, folder)
    started = time.monotonic()
    try:
        status, said = run([*words_of(case), "--json", RECORD, "--quiet"], folder)
    except subprocess.TimeoutExpired:
        return Asked(case, None, not_run=f"it did not end in {PATIENCE:g} s")
    record = read_record(folder / RECORD)
    return Asked(case, judge(case, record, status), "", said, record, time.monotonic() - started)


def words_of(case: Case) -> list[str]:
    """Return the words of the command; programs of the project are where they are from any folder."""
    return shlex.split(case.command.replace(f"tools/reported/{PROGRAMS.name}", str(PROGRAMS)))


def read_record(file: Path) -> tuple[Json, ...]:
    """Return the lines of a record; none where there is no file."""
    return tuple(map(json.loads, file.read_text("utf-8").splitlines())) if file.exists() else ()


def why_missing(need: str) -> str:
    """Return why what a case needs is not there; nothing where it is."""
    if "==" in need:
        return _why_no_environment(need)
    if need.startswith(PACKAGE):
        name = need.removeprefix(PACKAGE)
        return "" if importlib.util.find_spec(name.replace("-", "_")) else f"pip install {name}"
    if need.startswith(NPM):
        is_there = shutil.which("node") and (PROGRAMS / "node_modules" / need.removeprefix(NPM)).is_dir()
        return "" if is_there else "npm install --prefix tools/reported/programs"
    try:
        load_implementation(need)
    except (UnavailableError, RegistryError) as error:
        return f"{need}: {error}"
    return ""


def _why_no_environment(word: str) -> str:
    try:
        is_there = environment_of(word).is_complete
    except RegistryError as error:
        return f"{word}: {error}"
    return "" if is_there else f"{word}: tokconf environments create {word}"
