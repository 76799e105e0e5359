"""``tokconf merge``: the records of the parts of a run, made into the record of the whole run."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial as partial_call
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_conformance.cli.read_files import given_files
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.parts import in_order, missing
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.results.ci_results.reports import check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.run import FORMAT as RUN
from tokenizer_conformance.results.records.suite_run import FORMAT as SUITE_RUN
from tokenizer_conformance.validation.running.checks import RunChecks
from tokenizer_conformance.validation.running.events import is_ending
from tokenizer_conformance.validation.running.merging import merged_run
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.record import JsonLinesReport, lines_of
from tokenizer_conformance.validation.running.record_changes import changes_of_parts
from tokenizer_conformance.validation.running.recorded_run import run_of
from tokenizer_conformance.validation.suite.checks import SuiteChecks
from tokenizer_conformance.validation.suite.events import is_ending as is_ending_of_suite
from tokenizer_conformance.validation.suite.merging import changes_of_suites, merged_suite
from tokenizer_conformance.validation.suite.page import SUITES
from tokenizer_conformance.validation.suite.record import lines_of as suite_lines_of
from tokenizer_conformance.validation.suite.recorded_suite import suite_run_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_conformance.command_io.outputs import OpenReports, ReportOptions
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines


def execute(*, records: tuple[str, ...], partial: bool, reports: ReportOptions) -> int:
    """Carry out ``tokconf merge``."""
    with open_reports(reports, given_files("a record to merge", records)) as opened:
        with _bad_input():
            parts = _read(records)
            schema = _schema(parts)
            parts = in_order(parts, CHANGES[schema])
        for told in missing(parts):
            complain(told)
        return _runs(parts, opened, partial=partial) if schema == RUN.name else _suites(parts, opened, partial=partial)


CHANGES = {RUN.name: changes_of_parts, SUITE_RUN.name: changes_of_suites}
"""The formats whose records have parts, and how headers of two parts are told apart."""


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


def _schema(parts: Sequence[RecordedLines]) -> str:
    """Return the format that all ``parts`` have. Raises :class:`BadInputError`."""
    schemas = {str(part.header.get("schema")): part for part in reversed(parts)}
    for schema, part in schemas.items():
        if schema not in CHANGES:
            raise BadInputError(
                f"{str(part.path)!r} is a {schema}: only records of 'tokconf run' and 'tokconf suite run' have parts"
            )
    if len(schemas) > 1:
        files = " and ".join(repr(str(schemas[schema].path)) for schema in CHANGES)
        raise BadInputError(f"{files} are records of a run and of a run of the suite; merge those of one run")
    return next(iter(schemas))


def _runs(parts: Sequence[RecordedLines], opened: OpenReports, *, partial: bool) -> int:
    with _bad_input():
        recorded = [run_of(part) for part in parts]
    page = PageOf(RUNS, lines_of)
    checks = check_reports(opened, partial_call(RunChecks, optional=recorded[0].started.optional))
    return carry_out(
        merged_run(recorded, partial=partial),
        [*page.reports(opened, JsonLinesReport), *checks],
        page.terminal,
        ends=is_ending,
    )


def _suites(parts: Sequence[RecordedLines], opened: OpenReports, *, partial: bool) -> int:
    with _bad_input():
        recorded = [suite_run_of(part) for part in parts]
    page = PageOf(SUITES, suite_lines_of)
    return carry_out(
        merged_suite(recorded, partial=partial),
        [*page.reports(opened), *check_reports(opened, SuiteChecks)],
        page.terminal,
        ends=is_ending_of_suite,
    )
