"""``tokconf diff`` where OLD and NEW are records."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tokenizer_conformance.cli.read_files import given_files
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.releases.diff.checks import TITLE
from tokenizer_conformance.releases.diff.records.checks import RecordDiffChecks
from tokenizer_conformance.releases.diff.records.engine import cut_short_record_diff, lines_of, record_diff
from tokenizer_conformance.releases.diff.records.page import RECORD_DIFFS
from tokenizer_conformance.releases.diff.records.plan import record_diff_plan
from tokenizer_conformance.releases.snapshot_file.reader import is_snapshot
from tokenizer_conformance.results.ci_results.reports import check_reports, refusals_told
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.lines import begins_as_record

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.releases.diff.records.engine import RecordDiffEvent
    from tokenizer_conformance.releases.diff.records.plan import RecordDiffPlan

APPLYING = frozenset(
    {"old", "new", "matches", "json_name", "markdown_name", "junit_name", "sarif_name", "github", "force"}
)
"""The parameters of ``tokconf diff`` that mean something to records, beside those of every command."""

WHY_NOT = {
    "ledger_files": "what was known stands in them",
    "no_known": "what was known stands in them",
    "ledger_update": "an entry is made of a difference, with its version and baseline; add it where the record is made",
}
"""Why an option does not apply, where that is worth a word."""


def are_records(old: str, new: str | None) -> bool:
    """Return whether records are compared: one of the two begins as a record does."""
    return any(begins_as_record(Path(word)) for word in (old, new) if word)


def diff_of_records(
    context: click.Context, old: str, new: str | None, matches: Sequence[str], reports: ReportOptions
) -> int:
    """Compare the records OLD and NEW, and return the exit status.

    Raises :class:`click.UsageError` for options that mean nothing to records, :class:`BadInput` where they cannot be
    compared.
    """
    if new is None:
        raise click.UsageError(f"{old!r} is a record: give the other record, too (tokconf diff OLD NEW)")
    _refuse_snapshots(old, new)
    refuse_what_does_not_apply(context)
    command = ("tokconf", *sys.argv[1:])
    began = time.perf_counter()

    def cut_short() -> Generator[RecordDiffEvent]:
        return cut_short_record_diff(old, new, command, time.perf_counter() - began)

    with open_reports(reports, given_files("a record to be compared", [old, new])) as opened:
        page = PageOf(RECORD_DIFFS, lines_of)
        made = page.reports(opened)
        made += check_reports(opened, RecordDiffChecks)
        try:
            with refusals_told(opened, TITLE, "records", "", command):
                engine = record_diff(_planned(old, new, matches, command))
            INTERRUPTS.hold_back()  # from here on the reports are told of an interrupt
        except KeyboardInterrupt:
            INTERRUPTS.hold_back()
            engine = cut_short()
        return carry_out(engine, made, page.terminal, cut_short=cut_short)


def _planned(old: str, new: str, matches: Sequence[str], command: Sequence[str]) -> RecordDiffPlan:
    try:
        return record_diff_plan(Path(old), Path(new), matches, command)
    except BadInputError as error:
        raise BadInput(str(error)) from error


def _refuse_snapshots(*names: str) -> None:
    for name in names:
        with suppress(OSError):  # what cannot be read is said where it is read
            if is_snapshot(Path(name)):
                raise click.UsageError(f"{name!r} is a snapshot, and the other file is a record: give two of one")


def refuse_what_does_not_apply(
    context: click.Context, applying: frozenset[str] = APPLYING, between: str = "two records"
) -> None:
    """Raise :class:`click.UsageError` for options that were given and mean nothing ``between`` two of a kind.

    Those that stand in a configuration are meant for other diffs; they are named, and change nothing. A variable of the
    environment is meant for every command: of that nothing is said.
    """
    given: list[click.Parameter] = []
    configured: list[click.Parameter] = []
    for parameter in context.command.params:
        if parameter.name in applying or not parameter.expose_value:
            continue
        source = context.get_parameter_source(str(parameter.name))
        if source is ParameterSource.COMMANDLINE:
            given.append(parameter)
        elif source is ParameterSource.DEFAULT_MAP:
            configured.append(parameter)
    if given:
        means = "means" if len(given) == 1 else "mean"
        why = [f": {WHY_NOT[name]}" for each in given if (name := str(each.name)) in WHY_NOT][:1]
        raise click.UsageError(f"{_flags(given)} {means} nothing between {between}{''.join(why)}")
    if configured:
        complain(f"{_flags(configured)} of the configuration mean nothing between {between}")


def _flags(parameters: Sequence[click.Parameter]) -> str:
    return ", ".join(parameter.opts[-1] for parameter in parameters)
