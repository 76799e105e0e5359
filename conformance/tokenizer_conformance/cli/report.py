"""``tokconf report``: pages and tables of records that were written earlier."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.cli.read_files import given_files
from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.outputs import CSV, HTML, MARKDOWN, PARQUET, ReportOptions, open_reports
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.command_io.table_files import require_pyarrow
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.plural import counted
from tokenizer_conformance.report.combining import combined
from tokenizer_conformance.report.findings_table import csv_of, parquet_of
from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.report.record_names import distinct_names
from tokenizer_conformance.report.site.building import Documentation, site_of
from tokenizer_conformance.report.site.folder import refuse_other_folders, write_site
from tokenizer_conformance.results.ci_results.reports import check_reports
from tokenizer_conformance.results.html.writing import html_file
from tokenizer_conformance.results.markdown import markdown_file
from tokenizer_conformance.results.records.run import FORMAT as RUN
from tokenizer_conformance.results.records.suite_run import FORMAT as SUITE_RUN
from tokenizer_conformance.validation.running.checks import RunChecks
from tokenizer_conformance.validation.running.recorded_run import replayed, run_of
from tokenizer_conformance.validation.suite.checks import SuiteChecks
from tokenizer_conformance.validation.suite.merging import replayed_suite
from tokenizer_conformance.validation.suite.recorded_suite import suite_run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokenizer_conformance.command_io.output import Consumer
    from tokenizer_conformance.command_io.outputs import OpenReport, OpenReports
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.results.ci_results.check import CheckedRun
    from tokenizer_conformance.results.page import Page

FILES: Mapping[str, Callable[[Page], bytes]] = {
    MARKDOWN: markdown_file,
    HTML: html_file,
    CSV: csv_of,
    PARQUET: parquet_of,
}
"""What makes files of a page, by the options that ask for them."""


def execute(
    *,
    records: tuple[str, ...],
    markdown_name: str | None,
    html_name: str | None,
    csv_name: str | None,
    parquet_name: str | None,
    junit_name: str | None,
    sarif_name: str | None,
    github: bool | None,
    site_name: str | None,
    documents: tuple[str, ...],
    documentation: str | None,
    force: bool,
) -> None:
    """Carry out ``tokconf report``."""
    tables = tuple((option, name) for option, name in ((CSV, csv_name), (PARQUET, parquet_name)) if name is not None)
    is_wanted = html_name is not None or markdown_name is not None or bool(tables)
    wants_checks = bool(junit_name is not None or sarif_name is not None or github)
    if not (is_wanted or wants_checks) and site_name is None:
        raise click.UsageError(
            "say what to make of the records: --html FILE, --markdown FILE, --csv FILE, --parquet FILE, --site DIR, "
            "--junit FILE, --sarif FILE or --github"
        )
    _refuse_no_names(records, documents)
    if wants_checks and len(records) > 1:
        raise click.UsageError(
            "--junit, --sarif and --github take one record; tokconf merge makes one of parts of a run"
        )
    if site_name is None and (documents or documentation is not None):
        option = "--document" if documents else "--documentation"
        raise click.UsageError(f"{option} is a part of a site; say where that goes: --site DIR")
    folder = None if site_name is None else _folder(site_name, (*records, *documents), force=force)
    paths = [Path(record) for record in records]
    names = _names(paths)
    _require_pyarrow(parquet_name)
    options = ReportOptions(
        html=html_name,
        markdown=markdown_name,
        tables=tables,
        junit=junit_name,
        sarif=sarif_name,
        github=bool(github),
        force=force,
    )
    told = []
    with open_reports(options, given_files("a record to report on", records)) as opened:
        if is_wanted:
            page = combined([_page(path, name) for path, name in zip(paths, names, strict=True)])
            pages = {MARKDOWN: opened.markdown, HTML: opened.html}
            places = {option: place for option, place in pages.items() if place is not None} | dict(opened.tables)
            told = [_write(place, FILES[option](page), page) for option, place in places.items()]
        if wants_checks:
            told += _write_checks(paths[0], opened)
        if folder is not None:
            told.append(_write_site(*folder, paths, documents, documentation))
    if not opened.takes_standard_output:
        for each in told:
            click.echo(each)


def _refuse_no_names(records: tuple[str, ...], documents: tuple[str, ...]) -> None:
    """Raise :class:`BadInput` for an empty name, as a variable has that was never set."""
    for what, names in (("RECORD", records), ("--document", documents)):
        if "" in names:
            raise BadInput(f"{what} names no file: its value is empty")


def _names(paths: list[Path]) -> list[str]:
    try:
        return distinct_names(paths)
    except (BadInputError, OSError) as error:
        raise BadInput(str(error)) from error


def _folder(name: str, read: tuple[str, ...], *, force: bool) -> tuple[Path, frozenset[str]]:
    """Return the folder of a site, and the files of an earlier one in it.

    Raises :class:`BadInput` where a site does not go there, and where one of the files that are ``read`` lies there.
    """
    if not name:
        raise BadInput("--site names no folder: its value is empty")
    path = Path(name)
    for each in read:
        if path.resolve() in Path(each).resolve().parents:
            raise BadInput(f"{each!r} lies in {name!r}, whose files a site replaces; give another folder")
    return path, refuse_other_folders(path, force=force)


def _write_site(
    folder: Path,
    earlier: frozenset[str],
    records: list[Path],
    documents: tuple[str, ...],
    documentation: str | None,
) -> str:
    """Write a site, and say of how many files it is."""
    built = None if documentation is None else Documentation(folder, Path(documentation))
    try:
        files = site_of(records, list(map(Path, documents)), built)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    write_site(folder, files, earlier)
    return f"{str(folder)!r}: {counted(len(files), 'file')} of {counted(len(records), 'record')}; begin at index.html"


def _write_checks(record: Path, opened: OpenReports) -> Iterator[str]:
    """Write what the run of ``record`` has checked, as the run itself would have, and say where it stands."""
    try:
        make, events = _checks(read_lines(record))
        for report in check_reports(opened, make):
            STATUS.begin(f"writing {report.name}")
            for event in events:
                report.consumer.handle(event)
            yield f"{report.name}: the checks of the run"
    except BadInputError as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        raise ReportLost(f"cannot write the checks: {reason_of(error)}") from error


def _checks(read: RecordedLines) -> tuple[Callable[[Callable[[CheckedRun], None]], Consumer[Any]], list[Any]]:
    """Return what tells the checks of a record, and the events that it is told. Raises :class:`BadInputError`."""
    schema = read.header.get("schema")
    if schema == SUITE_RUN.name:
        return SuiteChecks, list(replayed_suite(suite_run_of(read)))
    if schema == RUN.name:
        recorded = run_of(read)
        if not recorded.is_diff:
            return partial(RunChecks, optional=recorded.started.optional), list(replayed(recorded))
    raise BadInputError(
        f"{str(read.path)!r} is no record of 'tokconf run' or 'tokconf suite run', and checks are made of these alone; "
        "give --junit, --sarif or --github to the command itself"
    )


def _page(record: Path, name: str) -> Page:
    try:
        return read_page(record, name)
    except BadInputError as error:
        raise BadInput(str(error)) from error


def _require_pyarrow(parquet_name: str | None) -> None:
    """Raise :class:`BadInput` where a table in Parquet is wanted, and cannot be made here."""
    if parquet_name is not None:
        try:
            require_pyarrow()
        except BadInputError as error:
            raise BadInput(f"{PARQUET}: {error}") from error


def _write(place: OpenReport, content: bytes, page: Page) -> str:
    """Write ``content``, which is made of ``page``, and return how it is called."""
    STATUS.begin(f"writing {place.destination.shown}")
    try:
        place.sink.write(content)
    except OSError as error:
        raise ReportLost(f"cannot write {place.destination.shown}: {reason_of(error)}") from error
    return f"{place.destination.shown}: {counted(len(page.findings), 'finding')}"
