"""What writes pages, and what commands print, from records: by the names that the tables have for it."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING, Final

import adapter_power
import cause_truth
import chat_report
import lint_report
import offsets_report
import option_pairs
import peer_causes
import peer_matrix
import peer_speed_report
import scale_report
import search_power
import search_report
import speed_report
import study
import upgrade_story
import vector_power
from click.testing import CliRunner
from peers.descriptions import DescriptionError
from power import harness_report, mutant_page
from reported import page as casebook
from rich.console import Console

from published.records import RecordError, lines_of
from published.table import RECORDS, compressed_name
from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.markdown import markdown_file
from tokenizer_conformance.results.records.suite_run import FORMAT
from tokenizer_conformance.results.terminal import PageTerminal
from tokenizer_conformance.validation.running.events import RunStarted
from tokenizer_conformance.validation.running.merging import merged_run
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.record import lines_of as run_lines_of
from tokenizer_conformance.validation.running.recorded_run import run_of
from tokenizer_conformance.validation.suite.merging import merged_suite
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.record import lines_of as suite_lines_of
from tokenizer_conformance.validation.suite.recorded_suite import suite_run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from published.table import Page
    from tokenizer_conformance.validation.running.events import Event
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun

TITLE: Final = re.compile(r"^# .*\n", re.MULTILINE)
"""The title of a page."""

WIDTH: Final = 125
"""How many cells a line of an example in a document may take."""


def rendered(page: Page, folder: Path = RECORDS) -> dict[str, str]:
    """Return the files that ``page`` has, by their names in ``reports/``, as they are written from its records.

    The records lie in ``folder``. Raises :class:`RecordError` where it cannot be written from them, with the reason.
    """
    assert page.renderer is not None
    renderer = RENDERERS.get(page.renderer)
    if renderer is None:
        raise RecordError(f"{page.name}: tools/published/renderers.py has no {page.renderer!r}")
    try:
        written = renderer([folder / compressed_name(name) for name in page.records])
    except (BadInputError, DescriptionError, LookupError, ValueError, study.MissingError) as error:
        raise RecordError(f"{', '.join(page.records)}: {error}") from error
    files = {page.name: written} if isinstance(written, str) else dict(written)
    return files | {page.name: _introduced(files[page.name], page.shows)}


def _introduced(text: str, shows: str) -> str:
    """Return the ``text`` of a page that says below its title what it ``shows``."""
    return TITLE.sub(lambda match: f"{match[0]}\n{shows}\n", text, count=1)


def printed(record: Path) -> str:
    """Return what the run of ``record``, or the run of the suite, has printed, in lines of :data:`WIDTH`.

    It was one with ``--shard 1/1``: a whole one, of which the record has the ledger's entries. Raises
    :class:`BadInputError`.
    """
    text = StringIO()
    screens = Console(file=text, width=WIDTH, highlight=False), Console(file=StringIO())
    read = read_lines(record)
    if read.header["schema"] == FORMAT.name:
        of_suite = PageTerminal(SUITES, suite_lines_of, *screens)
        for told in merged_suite([suite_run_of(read)], partial=False):
            of_suite.handle(told)
    else:
        of_run = PageTerminal(RUNS, run_lines_of, *screens)
        for event in _events_of_run(run_of(read)):
            of_run.handle(event)
    return text.getvalue()


def _page(records: Sequence[Path]) -> str:
    """Return what ``tokconf report RECORD --markdown`` writes, which is what the command itself wrote."""
    (record,) = records
    return markdown_file(read_page(record, "")).decode("utf-8")


def _events_of_run(recorded: RecordedRun) -> Iterator[Event]:
    """Yield what happened in a run that was the only part of one, as of the whole."""
    for event in merged_run([recorded], partial=False):
        if isinstance(event, RunStarted):
            yield replace(event, environment=recorded.started.environment, merged=())
        else:
            yield event


def _changes(_: Sequence[Path]) -> str:
    return CliRunner().invoke(main, ["changes", "--markdown"], catch_exceptions=False).output


def _chat(records: Sequence[Path]) -> str:
    (record,) = records
    return chat_report.page(lines_of(record))


def _lint(records: Sequence[Path]) -> str:
    record, counted = map(lines_of, records)
    return lint_report.page(record, {line.pop("checkpoint"): line for line in counted})


def _offsets(records: Sequence[Path]) -> str:
    *audits, seen = map(lines_of, records)
    return offsets_report.page(offsets_report.from_lines(seen), audits)


def _study(records: Sequence[Path]) -> str:
    books, declaration, why = records
    studied = study.Study(study.measurements(books), study.measurements(declaration), study.differences(why))
    broken = [claim for claim, holds in study.CLAIMS if not holds(studied)]
    if broken:
        raise RecordError(f"the records do not bear out: {'; '.join(broken)}")
    return study.page(studied).rstrip() + "\n"


RENDERERS: Final[Mapping[str, Callable[[Sequence[Path]], str | Mapping[str, str]]]] = {
    "adapter-power": adapter_power.page,
    "casebook": casebook.page,
    "cause-truth": cause_truth.page,
    "changes": _changes,
    "chat": _chat,
    "harness-power": harness_report.page,
    "lint": _lint,
    "offsets": _offsets,
    "option-pairs": option_pairs.page,
    "page": _page,
    "peer-causes": peer_causes.page,
    "peer-speed": peer_speed_report.page,
    "peers": peer_matrix.pages,
    "scale": scale_report.page,
    "search": search_report.page,
    "search-power": search_power.page,
    "speed": speed_report.page,
    "study": _study,
    "suite-power": mutant_page.page,
    "upgrade": upgrade_story.page,
    "vectors": vector_power.page,
}
"""What writes a page, or a page and others in a folder of its own, from its records, in the order of the table."""
