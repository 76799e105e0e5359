"""``tokconf merge``: the records of the parts of a run, made into the record of the whole run."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial as partial_call
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.cli.compare_parts import comparison_of, merged_comparison
from tokenizer_conformance.cli.read_files import given_files
from tokenizer_conformance.cli.snapshot import are_snapshots, merge_snapshots
from tokenizer_conformance.command_io.events import is_last
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import JUNIT, SARIF, open_reports
from tokenizer_conformance.command_io.parts import changes_of_headers, in_order, missing
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.diff.checks import DiffChecks
from tokenizer_conformance.releases.diff.events import is_ending as is_ending_of_diff
from tokenizer_conformance.releases.diff.merging import is_of_diff, merged_diff
from tokenizer_conformance.releases.diff.record import DiffLines, RecordReport
from tokenizer_conformance.research.cuts.engine import is_ending as is_ending_of_comparison
from tokenizer_conformance.research.cuts.page import COMPARISONS
from tokenizer_conformance.research.metrics.events import is_ending as is_ending_of_metrics
from tokenizer_conformance.research.metrics.merging import changes_of_metrics, merged_metrics, part_of_metrics
from tokenizer_conformance.research.metrics.page import METRICS
from tokenizer_conformance.research.offsets_audit.checks import TITLE, checks_of, ending
from tokenizer_conformance.research.offsets_audit.merging import (
    audit_of,
    changes_of_audits,
    entries_of,
    merged_audit,
    subjects_of,
)
from tokenizer_conformance.research.offsets_audit.page import OFFSETS_AUDITS
from tokenizer_conformance.results.ci_results.reports import ChecksOf, check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.cuts import FORMAT as COMPARISON
from tokenizer_conformance.results.records.fuzz import FORMAT as FUZZ
from tokenizer_conformance.results.records.making import lines_of as audit_lines_of
from tokenizer_conformance.results.records.making import lines_of as comparison_lines_of
from tokenizer_conformance.results.records.making import lines_of as metrics_lines_of
from tokenizer_conformance.results.records.metrics import FORMAT as METRICS_FORMAT
from tokenizer_conformance.results.records.offsets_audit import FORMAT as OFFSETS
from tokenizer_conformance.results.records.run import FORMAT as RUN
from tokenizer_conformance.results.records.suite_run import FORMAT as SUITE_RUN
from tokenizer_conformance.validation.running.checks import RunChecks
from tokenizer_conformance.validation.running.events import is_ending
from tokenizer_conformance.validation.running.merging import merged_run
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.record import JsonLinesReport, lines_of
from tokenizer_conformance.validation.running.record_changes import changes_of_parts
from tokenizer_conformance.validation.running.recorded_run import run_of
from tokenizer_conformance.validation.search.checks import SearchChecks
from tokenizer_conformance.validation.search.events import is_ending as is_ending_of_search
from tokenizer_conformance.validation.search.merging import changes_of_searches, fuzz_of, merged_search
from tokenizer_conformance.validation.search.random_page import FUZZING
from tokenizer_conformance.validation.search.record import lines_of as search_lines_of
from tokenizer_conformance.validation.suite.checks import SuiteChecks
from tokenizer_conformance.validation.suite.events import is_ending as is_ending_of_suite
from tokenizer_conformance.validation.suite.merging import changes_of_suites, merged_suite
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.record import lines_of as suite_lines_of
from tokenizer_conformance.validation.suite.recorded_suite import suite_run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from tokenizer_conformance.command_io.output import Consumer, Report
    from tokenizer_conformance.command_io.outputs import OpenReports, ReportOptions
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.command_io.sinks import Sink
    from tokenizer_conformance.research.offsets_audit.merging import RecordedAudit
    from tokenizer_conformance.validation.running.recorded_run import RecordedRun

    Json = dict[str, Any]


def execute(*, records: tuple[str, ...], partial: bool, reports: ReportOptions) -> int:
    """Carry out ``tokconf merge``."""
    if are_snapshots(records):
        return merge_snapshots(records, reports, partial=partial)
    with open_reports(reports, given_files("a record to merge", records)) as opened:
        with _bad_input():
            parts = _read(records)
            merging = _merging(parts)
            _refuse_checks(merging, opened)
            parts = in_order(parts, merging.changes)
        for told in missing(parts):
            complain(told)
        with _bad_input():
            recorded = [merging.read(part) for part in parts]
            engine = merging.merged(recorded, partial=partial)
        return carry_out(
            engine,
            [*merging.page.reports(opened, merging.record), *(merging.checks or _no_checks)(opened, recorded)],
            merging.page.terminal,
            ends=merging.ends,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """How the records are merged that the parts of one ``command`` have made.

    ``changes`` tells the headers of two parts apart, in phrases; the parts of one run have none. ``read`` makes of the
    lines of a part what ``merged`` makes the events of the whole run of: it is given the parts in their order, and
    ``partial``, which says that a missing part does not fail. ``ends`` says of an event that it ends the run.
    ``record`` writes the record where the ``page`` does not, ``checks`` are the reports for CI systems, if any.
    """

    command: str
    changes: Callable[[Json, Json], list[str]]
    read: Callable[[RecordedLines], Any]
    merged: Callable[..., Generator[Any]]
    page: PageOf[Any]
    ends: Callable[[Any], bool] = is_last
    record: Callable[[Sink], Consumer[Any]] | None = None
    checks: Callable[[OpenReports, Sequence[Any]], list[Report[Any]]] | None = None


def _no_checks(_opened: OpenReports, _parts: Sequence[Any]) -> list[Report[Any]]:
    return []


def _refuse_checks(merging: Merging, opened: OpenReports) -> None:
    """Raise :class:`BadInputError` where files for CI systems are wanted of what checks nothing."""
    wanted = [name for name, given in ((JUNIT, opened.junit), (SARIF, opened.sarif)) if given is not None]
    if merging.checks is None and wanted:
        raise BadInputError(f"{wanted[0]}: {merging.command!r} measures and checks nothing; leave it out")


def _checks_of_run(opened: OpenReports, parts: Sequence[RecordedRun]) -> list[Report[Any]]:
    return check_reports(opened, partial_call(RunChecks, optional=parts[0].started.optional))


def _checks_of_audit(opened: OpenReports, parts: Sequence[RecordedAudit]) -> list[Report[Any]]:
    checks = partial_call(checks_of, subjects_of(parts[0]), entries_of(parts))
    return check_reports(opened, ChecksOf(TITLE, checks, ending))


MERGINGS: dict[str, Merging] = {
    RUN.name: Merging(
        command="tokconf run",
        changes=changes_of_parts,
        read=run_of,
        merged=merged_run,
        page=PageOf(RUNS, lines_of),
        ends=is_ending,
        record=JsonLinesReport,
        checks=_checks_of_run,
    ),
    SUITE_RUN.name: Merging(
        command="tokconf suite run",
        changes=changes_of_suites,
        read=suite_run_of,
        merged=merged_suite,
        page=PageOf(SUITES, suite_lines_of),
        ends=is_ending_of_suite,
        checks=lambda opened, _parts: check_reports(opened, SuiteChecks),
    ),
    FUZZ.name: Merging(
        command="tokconf fuzz",
        changes=changes_of_searches,
        read=fuzz_of,
        merged=merged_search,
        page=PageOf(FUZZING, search_lines_of),
        ends=is_ending_of_search,
        checks=lambda opened, _parts: check_reports(opened, SearchChecks),
    ),
    METRICS_FORMAT.name: Merging(
        command="tokconf metrics",
        changes=changes_of_metrics,
        read=part_of_metrics,
        merged=merged_metrics,
        page=PageOf(METRICS, metrics_lines_of),
        ends=is_ending_of_metrics,
    ),
    COMPARISON.name: Merging(
        command="tokconf compare",
        changes=changes_of_headers,
        read=comparison_of,
        merged=merged_comparison,
        page=PageOf(COMPARISONS, comparison_lines_of),
        ends=is_ending_of_comparison,
    ),
    OFFSETS.name: Merging(
        command="tokconf audit offsets",
        changes=changes_of_audits,
        read=audit_of,
        merged=merged_audit,
        page=PageOf(OFFSETS_AUDITS, audit_lines_of),
        checks=_checks_of_audit,
    ),
}
"""The formats whose records have parts."""

DIFFS = Merging(
    command="tokconf diff",
    changes=changes_of_parts,
    read=run_of,
    merged=merged_diff,
    page=PageOf(RUNS, DiffLines),
    ends=is_ending_of_diff,
    record=RecordReport,
    checks=lambda opened, _parts: check_reports(opened, DiffChecks),
)
"""A diff writes the record of a run, with lines of its own."""


@contextmanager
def _bad_input() -> Iterator[None]:
    """Say in one line what is wrong with what was given, and end with the status for that."""
    try:
        yield
    except BadInputError as error:
        raise BadInput(str(error)) from error


def _read(records: Sequence[str]) -> list[RecordedLines]:
    """Read all records; where several cannot be used, all but the last are complained about at once."""
    parts: list[RecordedLines] = []
    faults: list[str] = []
    for record in records:
        STATUS.begin("reading records", record)
        try:
            parts.append(read_lines(Path(record)))
        except BadInputError as error:
            faults.append(str(error))
    if faults:
        *others, last = faults
        for fault in others:
            complain(fault)
        raise BadInputError(last)
    return parts


def _merging(parts: Sequence[RecordedLines]) -> Merging:
    """Return how ``parts`` are merged, all of which are of one command. Raises :class:`BadInputError`."""
    schema = _schema(parts)
    if schema != RUN.name:
        return MERGINGS[schema]
    kinds = {is_of_diff(part): part for part in parts if len(part.lines) > 1}
    if len(kinds) > 1:
        raise BadInputError(
            f"{str(kinds[True].path)!r} is a record of {DIFFS.command!r} and {str(kinds[False].path)!r} of "
            f"{MERGINGS[schema].command!r}; merge those of one run"
        )
    return DIFFS if True in kinds else MERGINGS[schema]


def _schema(parts: Sequence[RecordedLines]) -> str:
    """Return the format that all ``parts`` have. Raises :class:`BadInputError`."""
    schemas = {str(part.header.get("schema")): part for part in reversed(parts)}
    for schema, part in schemas.items():
        if schema not in MERGINGS:
            raise BadInputError(f"{str(part.path)!r} is a {schema}: only records of {_commands(MERGINGS)} have parts")
    if len(schemas) > 1:
        files = " and ".join(repr(str(schemas[schema].path)) for schema in MERGINGS if schema in schemas)
        raise BadInputError(f"{files} are records of {_commands(schemas)}; merge those of one run")
    return next(iter(schemas))


def _commands(schemas: Iterable[str]) -> str:
    """Name the commands that make records of these formats."""
    return " and ".join(repr(merging.command) for schema, merging in MERGINGS.items() if schema in schemas)
