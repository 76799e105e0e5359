"""``tokconf diff`` where OLD and NEW are records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tokenizer_conformance.cli.read_files import given_files
from tokenizer_conformance.diff.records.engine import record_diff
from tokenizer_conformance.diff.records.events import is_ending
from tokenizer_conformance.diff.records.lines import begins_as_record
from tokenizer_conformance.diff.records.markdown import MarkdownReport
from tokenizer_conformance.diff.records.plan import record_diff_plan
from tokenizer_conformance.diff.records.record import RecordReport
from tokenizer_conformance.diff.records.terminal import TerminalReport
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import complain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.session.outputs import ReportOptions

APPLYING = frozenset({"old", "new", "matches", "json_name", "markdown_name", "force", "traceback", "quiet"})
"""The parameters of ``tokconf diff`` that mean something to records."""

GIVEN = frozenset({ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT})


def are_records(old: str, new: str | None) -> bool:
    """Tell whether records are compared: one of the two begins as a record does."""
    return any(begins_as_record(Path(word)) for word in (old, new) if word)


def diff_of_records(
    context: click.Context, old: str, new: str | None, matches: Sequence[str], reports: ReportOptions
) -> int:
    """Compare the records OLD and NEW, and return the exit status.

    Raises :class:`BadInput` where they cannot be compared.
    """
    if new is None:
        raise click.UsageError(f"{old!r} is a record: give the other record, too (tokconf diff OLD NEW)")
    for parameter in context.command.params:
        if parameter.name not in APPLYING and context.get_parameter_source(str(parameter.name)) in GIVEN:
            complain(f"{parameter.opts[0]} does not apply to records, and changes nothing here{_why(parameter)}")
    with open_reports(reports, given_files("a record to be compared", [old, new])) as opened:
        try:
            plan = record_diff_plan(Path(old), Path(new), matches, ("tokconf", *sys.argv[1:]))
        except BadInputError as error:
            raise BadInput(str(error)) from error
        made = opened.reports(json=RecordReport, markdown=MarkdownReport)
        return carry_out(record_diff(plan), made, TerminalReport, ends=is_ending)


def _why(parameter: click.Parameter) -> str:
    return ": what was known stands in them" if "ledger" in parameter.opts[0] else ""
