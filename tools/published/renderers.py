"""What writes pages, and what commands print, from records: by the names that the tables have for it."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Final

import chat_report
import lint_report
import offsets_report
import peer_causes
import peer_speed_report
import study
import vocabulary_reachability
from click.testing import CliRunner
from rich.console import Console

from published.records import RecordError, lines_of
from tokenizer_conformance.cli import main
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.sinks import Stream
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.page_reports import PageMarkdown
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

    from tokenizer_conformance.validation.running.events import Event
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun

WIDTH: Final = 125
"""How many cells a line of an example in a document may take."""


def rendered(name: str, records: Sequence[Path]) -> str:
    """Return the page that the renderer called ``name`` writes from ``records``.

    Raises :class:`RecordError` where it cannot be written from them, with the reason.
    """
    try:
        return RENDERERS[name](records)
    except (BadInputError, LookupError, ValueError, study.MissingError) as error:
        raise RecordError(f"{', '.join(each.name for each in records)}: {error}") from error


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


def _run(records: Sequence[Path]) -> str:
    (record,) = records
    written = BytesIO()
    report = PageMarkdown(RUNS, run_lines_of, Stream(written, closes=False))
    for event in _events_of_run(run_of(read_lines(record))):
        report.handle(event)
    return written.getvalue().decode("utf-8")


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


def _vocabulary(records: Sequence[Path]) -> str:
    (record,) = records
    return vocabulary_reachability.page(lines_of(record))


RENDERERS: Final[Mapping[str, Callable[[Sequence[Path]], str]]] = {
    "changes": _changes,
    "chat": _chat,
    "lint": _lint,
    "offsets": _offsets,
    "peer-causes": peer_causes.page,
    "peer-speed": peer_speed_report.page,
    "run": _run,
    "study": _study,
    "vocabulary": _vocabulary,
}
"""What writes a page from its records, in the order in which the table names these."""
