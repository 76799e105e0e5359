"""Checks for GitHub: annotations, which are commands in what a step prints, and a page in the summary of the run.

GitHub shows ten errors of a step (and as many warnings and notices) and drops a summary of more than 1 MiB, both
without a word, so what is left out is said here. It also takes commands from the middle of any line that a step prints
(``##[add-mask]``), and what tokenizers and programs have others print is not to be obeyed: from the first event on it
is told to heed nothing, until what is said to it follows.
"""

from __future__ import annotations

import html
import os
import secrets
import shlex
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.markdown import as_block, as_code, as_words
from tokenizer_conformance.command_io.progress import PROGRESS
from tokenizer_conformance.command_io.report_length import LARGEST_SUMMARY
from tokenizer_conformance.escape import visible
from tokenizer_conformance.results.ci_results.check import CheckOutcome, Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TextIO

    from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, Problem

SUMMARY_FILE = "GITHUB_STEP_SUMMARY"
"""The environment variable with the name of the file that a step appends its part of the summary to."""

MOST_ERRORS = 10
"""How many errors of a step GitHub shows, and how many warnings."""

MOST_LINES = 30
"""How many lines of a problem an annotation has."""

LONGEST_TITLE = 255
"""How many characters the title of an annotation has."""

LONGEST_MESSAGE = 4000
"""How many characters an annotation has; GitHub cuts it at 64 KiB, and shows a few lines at first."""

MOST_GROUPS = 100
"""How many groups the table of a summary has."""


@dataclass(slots=True)
class GitHub:
    """Where GitHub is told: commands go to ``output``, a page of Markdown to the end of ``summary``, if any."""

    output: TextIO
    summary: Path | None = None
    _until: str = ""

    def heed_nothing(self) -> None:
        """Have GitHub take no commands until a word comes that nobody can guess. Raises ``OSError``."""
        if not self._until:
            self._until = secrets.token_hex(16)
            self.output.write(f"::stop-commands::{self._until}\n")
            self.output.flush()

    def write(self, run: CheckedRun) -> None:
        """Tell ``run``. Raises ``OSError``."""
        PROGRESS.display.hide()
        if self._until:
            self.output.write(f"::{self._until}::\n")
        for line in error_commands(run):
            self.output.write(f"{line}\n")
        self.output.flush()
        if self.summary is not None:
            append_summary(self.summary, run)


def github(output: TextIO, environment: Mapping[str, str] = os.environ) -> GitHub:
    """Return where the step in this ``environment`` is told."""
    name = environment.get(SUMMARY_FILE)
    return GitHub(output, Path(name) if name else None)


# Annotations ---------------------------------------------------------------------------------------------------------


def error_commands(run: CheckedRun) -> Iterator[str]:
    """Yield a command for each of the first problems, one of every check first, and for what is left of each kind.

    Remarks are warnings, but for notes: these are on no page and in no list, since nobody has to do anything.
    """
    shown = list(islice(_by_rank(run), MOST_ERRORS))
    for check, problem in shown:
        yield _annotation(check, problem)
    remarks = [(check, remark) for check in run.checks for remark in check.remarks if remark.level is not Level.NOTE]
    for check, remark in remarks[:MOST_ERRORS]:
        yield _annotation(check, remark, "warning")
    left = sum(len(check.problems) for check in run.wrong()) - len(shown)
    if left:
        told = f"{left:,} more problems than the {MOST_ERRORS} that GitHub shows; the summary of the run has all checks"
        yield command("notice", told, title=_title(run.title))
    left = len(remarks) - MOST_ERRORS
    if left > 0:
        told = f"{left:,} more warnings than the {MOST_ERRORS} that GitHub shows; JUnit XML and SARIF have all"
        yield command("notice", told, title=_title(run.title))


def _title(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST_TITLE else f"{shown[: LONGEST_TITLE - 1]}…"


def _by_rank(run: CheckedRun) -> Iterator[tuple[Check, Problem]]:
    """Yield the first problem of every check, then the second ones, and so on."""
    wrong = list(run.wrong())
    for rank in range(max((len(check.problems) for check in wrong), default=0)):
        yield from ((check, check.problems[rank]) for check in wrong if rank < len(check.problems))


def _annotation(check: Check, problem: Problem, kind: str = "error") -> str:
    lines = [visible(line) for line in problem.lines()]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], f"… {len(lines) - MOST_LINES + 1:,} further lines"]
    text = "\n".join(lines)
    message = text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}…"
    place = check.place_of(problem)
    where: dict[str, str] = {}
    if place is not None:
        where = {"file": visible(place.file), "line": str(place.line or 1)}
    return command(kind, message, title=_title(f"{check.name}: {check.group}"), **where)


def command(name: str, message: str, **properties: str) -> str:
    r"""Return a workflow command, one line; ``message`` may have several.

    >>> print(command("error", "50 %\nof it", title="a: b, c"))
    ::error title=a%3A b%2C c::50 %25%0Aof it
    """
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {told}::{_data(message)}" if told else f"::{name}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# The summary ---------------------------------------------------------------------------------------------------------


def append_summary(path: Path, run: CheckedRun) -> None:
    """Append the page about ``run`` to the file at ``path``, as far as it has room. Raises ``OSError``."""
    with path.open("ab") as file:
        room = LARGEST_SUMMARY - file.tell()
        file.write(summary(run, room).encode("utf-8", "backslashreplace"))


def summary(run: CheckedRun, room: int = LARGEST_SUMMARY) -> str:
    """Return the page about ``run`` in Markdown, of at most ``room`` bytes in UTF-8, ending with a whole line."""
    page = _Page(room)
    page.add(list(_head(run)))
    page.add(list(_table(run)))
    for check in run.wrong():
        for problem in check.problems:
            page.add(_problem_block(check, problem))
    known = [check for check in run.checks if check.outcome is CheckOutcome.KNOWN]
    if known:
        page.add(["", "Known:", ""])
    for check in known:
        page.add([f"- {as_words(visible(f'{check.name}: {check.group}: {check.message}'))}"])
    return page.text()


class _Page:
    """Blocks of lines, as many as there is room for."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._blocks: list[str] = []
        self._left_out = 0

    def add(self, lines: list[str]) -> None:
        """Add a block, whole or not at all; once one was left out, all are."""
        block = "".join(f"{line}\n" for line in lines)
        size = len(block.encode("utf-8", "backslashreplace"))
        if self._left_out or size > self._room - len(_CUT.format(999_999_999).encode()):
            self._left_out += 1
        else:
            self._room -= size
            self._blocks.append(block)

    def text(self) -> str:
        """Return the page; what was left out is said, if there is room for so much."""
        cut = _CUT.format(self._left_out) if self._left_out else ""
        return "".join([*self._blocks, cut if len(cut.encode()) <= self._room else ""])


_CUT = "\n… {:,} further parts of this page are left out: a summary has room for 1 MiB\n"


def _head(run: CheckedRun) -> Iterator[str]:
    counts = run.counts()
    total = counts.total()
    told = ", ".join(f"{counts[outcome]:,} {_WORDS[outcome]}" for outcome in CheckOutcome if counts[outcome])
    yield f"## {as_words(visible(run.title))}: {as_words(visible(run.conclusion))}"
    yield ""
    yield f"{total:,} checks: {told}; exit status {run.exit_status}" + ("" if run.finished else "; **not finished**")
    yield ""
    yield f"{as_code(visible(shlex.join(run.environment.command)))}"
    yield ""
    for note in run.notes:
        yield f"- {as_words(visible(note))}"


_WORDS: dict[CheckOutcome, str] = {
    CheckOutcome.ERROR: "in error",
    CheckOutcome.FAILED: "failed",
    CheckOutcome.KNOWN: "known",
    CheckOutcome.SKIPPED: "skipped",
    CheckOutcome.PASSED: "passed",
}


def _table(run: CheckedRun) -> Iterator[str]:
    groups: dict[str, Counter[CheckOutcome]] = {}
    for check in run.checks:
        groups.setdefault(check.group, Counter())[check.outcome] += 1
    worst_first = sorted(groups.items(), key=lambda group: not any(each.is_wrong for each in group[1]))
    yield ""
    yield f"| checks | {' | '.join(_WORDS.values())} |"
    yield f"| --- |{' ---: |' * len(_WORDS)}"
    for name, counts in worst_first[:MOST_GROUPS]:
        cells = " | ".join(f"{counts[outcome]:,}" if counts[outcome] else "" for outcome in _WORDS)
        yield f"| {as_words(visible(name))} | {cells} |"
    yield ""
    left = len(worst_first) - MOST_GROUPS
    if left > 0:
        yield f"… and {left:,} further groups"
        yield ""


def _problem_block(check: Check, problem: Problem) -> list[str]:
    title = f"{check.name}: {check.group}: {problem.message}"
    return [
        f"<details><summary>{html.escape(visible(title), quote=False)}</summary>",
        "",
        *as_block(list(map(visible, check.lines_of(problem)))).split("\n"),
        "",
        "</details>",
        "",
    ]
