"""Running a snippet as maintainers would: a fresh interpreter, the file of the snippet, and nothing of this project."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Crashed, Failed, TimedOut
from tokenizer_conformance.causes.bug.recipes import Runs
from tokenizer_conformance.causes.bug.sides import in_words, is_value, plain, plain_value
from tokenizer_conformance.causes.bug.snippet import in_ascii
from tokenizer_conformance.escape import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Field
    from tokenizer_conformance.causes.bug.sides import Plain, ReportedSide
    from tokenizer_conformance.causes.bug.snippet import Snippet

QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
    "TRANSFORMERS_VERBOSITY": "critical",
    "RUST_BACKTRACE": "0",
    "PYTHONIOENCODING": "utf-8",
}
"""Nothing is fetched, and advice is not printed."""

MODULES = "node_modules"


@dataclass(frozen=True, slots=True)
class Printed:
    """What a run of a snippet ``printed``, and its ``status``; ``None`` where it was stopped when its time was over."""

    printed: str
    complaint: str
    status: int | None

    def line_of(self, side: ReportedSide) -> str | None:
        """Return what stands behind the label of ``side``, ``None`` where that was not printed."""
        label = f"{in_ascii(side.label)}: "
        lines = [line for line in self.printed.splitlines() if line.startswith(label)]
        return lines[-1].removeprefix(label) if lines else None


class CannotRunError(Exception):
    """A snippet cannot be run here. The message says why."""


def objections(snippets: Sequence[Snippet], field: Field, seconds: float) -> list[str]:
    """Return why ``snippets``, run now, do not show what was answered; nothing where they do."""
    found: list[str] = []
    for snippet in snippets:
        try:
            printed = run(snippet, seconds)
        except CannotRunError as error:
            return [str(error)]
        found += [said for side in snippet.sides for said in _objections(side, field, snippet, printed)]
    return found


def run(snippet: Snippet, seconds: float) -> Printed:
    """Run ``snippet`` in a fresh interpreter, in an empty folder; in this one where it asks what is the user's own.

    Raises :class:`CannotRunError`.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / ("snippet.mjs" if snippet.runs is Runs.NODE else "snippet.py")
        file.write_text(snippet.code, encoding="ascii")
        command = [*_interpreter(snippet, Path(folder)), str(file), *([snippet.takes] if snippet.takes else [])]
        is_here = _asks_what_is_here(snippet)
        path = {"PYTHONPATH": os.pathsep.join((str(Path.cwd()), *sys.path))} if is_here else {}
        try:
            done = subprocess.run(  # noqa: S603 - the snippet was made here, and is run by the interpreter that is meant
                command,
                cwd=Path.cwd() if is_here else folder,
                env={**os.environ, **QUIET, **path},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as expired:
            return Printed(_decoded(expired.stdout), _decoded(expired.stderr), None)
        except OSError as error:
            raise CannotRunError(f"the snippet cannot be run: {error}") from error
    return Printed(_decoded(done.stdout), _decoded(done.stderr), done.returncode)


def _asks_what_is_here(snippet: Snippet) -> bool:
    """Return whether ``snippet`` asks a class or program of the user, which is found from this folder."""
    return any(side.recipe is not None and bool(side.recipe.here) for side in snippet.sides)


def _decoded(output: bytes | None) -> str:
    return (output or b"").decode("utf-8", "replace")


def _interpreter(snippet: Snippet, folder: Path) -> list[str]:
    """Return the command that runs a file; packages for Node are made reachable from ``folder``."""
    if snippet.runs is Runs.PYTHON:
        return [sys.executable] if _asks_what_is_here(snippet) else [sys.executable, "-I"]
    program = next((side.program for side in snippet.sides if side.program is not None), None)
    if program is None:
        raise CannotRunError(f"nothing is known that runs a snippet by {snippet.runs}")
    if snippet.runs is Runs.OWN_PYTHON:
        return [program.command[0], "-I"]
    (folder / MODULES).symlink_to(Path(program.command[1]).parent / MODULES, target_is_directory=True)
    return [program.command[0]]


def _objections(side: ReportedSide, field: Field, snippet: Snippet, printed: Printed) -> Iterator[str]:
    """Yield why what was ``printed`` is not the answer of ``side``."""
    line = printed.line_of(side)
    match side.outcome:
        case Crashed() if line is None and printed.status not in {0, None}:
            return
        case TimedOut() if line is None and printed.status is None:
            return
    if line is None:
        yield f"it printed no answer of {one_line(side.label)}{_how_it_ended(printed)}"
    elif isinstance(side.outcome, Failed):
        if not line.startswith("raises "):
            yield f"{one_line(side.label)} raised an error here, and answered in the snippet: {one_line(line)}"
    elif not is_value(side.outcome) or _value(line, snippet) != plain_value(side.outcome, field):
        said = in_words(side.outcome, field)
        yield f"{one_line(side.label)} answered {one_line(said)} here, and {one_line(line)} in the snippet"


def _how_it_ended(printed: Printed) -> str:
    if printed.status is None:
        return ": its time was over"
    lines = printed.complaint.strip().splitlines()
    # Node prints its version after the error, Python the error last.
    errors = [line for line in lines if "Error" in line] or lines
    return f": {one_line(errors[-1])}" if errors else f": it ended with status {printed.status}"


def _value(line: str, snippet: Snippet) -> Plain | Exception:
    """Return the value that was printed; what is wrong where it is none."""
    try:
        return plain(json.loads(line) if snippet.runs is Runs.NODE else ast.literal_eval(line))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        return error
