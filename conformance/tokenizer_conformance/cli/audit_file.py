"""``tokconf audit file``: what is wrong, dead or surprising in a tokenizer.json; ``tokconf audit chat``: in prompts."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.output_file import target_of
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.defaults import FAILS_FOR_NOTHING
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import named
from tokenizer_conformance.inputs.tokenizer_files import locate, with_unique_names
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.research.file_audit.checks import checks_of, ending
from tokenizer_conformance.research.file_audit.checks_table import OF_CHAT, OF_FILES, Audit, defect_lines
from tokenizer_conformance.research.file_audit.engine import FileAuditPlan, Selection, audit_files
from tokenizer_conformance.research.file_audit.finding import Severity
from tokenizer_conformance.research.file_audit.page import FILE_AUDITS
from tokenizer_conformance.research.file_audit.reading import described
from tokenizer_conformance.results.ci_results.reports import ChecksOf, check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of
from tokenizer_conformance.validation.running.preparation import MemoryLimit, refusal_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile


def _is_defect(audit: Audit, word: str) -> bool:
    """Return whether ``word`` names a kind of defect, or with a hyphen at its end some that begin so."""
    ids = [defect.id for defect in audit.defects]
    return word in ids or (word.endswith("-") and any(id.startswith(word) for id in ids))


def _known_defects(
    audit: Audit, _context: click.Context, parameter: click.Parameter, words: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the kinds of defects in ``words``, which commas may separate. Raises :class:`click.BadParameter`."""
    given = tuple(word.strip() for value in words for word in value.split(","))
    for word in given:
        if not _is_defect(audit, word):
            raise click.BadParameter(f"{word!r} is no kind of defect; --list has all", param=parameter)
    return given


def _list_defects(audit: Audit, context: click.Context, _parameter: click.Parameter, is_wanted: bool) -> None:
    """Print all kinds of defects and end, where that ``is_wanted``."""
    if is_wanted and not context.resilient_parsing:
        for line in defect_lines(audit):
            click.echo(line)
        context.exit()


is_defect, is_chat_defect = partial(_is_defect, OF_FILES), partial(_is_defect, OF_CHAT)
known_defects, known_chat_defects = partial(_known_defects, OF_FILES), partial(_known_defects, OF_CHAT)
list_defects, list_chat_defects = partial(_list_defects, OF_FILES), partial(_list_defects, OF_CHAT)


def execute(
    *,
    tokenizers: tuple[str, ...],
    selected: tuple[str, ...],
    ignored: tuple[str, ...],
    least: str,
    fails: str,
    baseline: str,
    seconds: float,
    isolation: Isolation,
    reports: ReportOptions,
    fix_to: str | None = None,
    audit: Audit = OF_FILES,
) -> int:
    """Carry out ``tokconf audit file``, or another ``audit``."""
    if fix_to is not None and len(tokenizers) > 1:
        raise click.UsageError("--fix-to writes one file: give one TOKENIZER")
    selection = Selection(selected, ignored, Severity(least), None if fails == FAILS_FOR_NOTHING else Severity(fails))
    if not any(map(selection.wants, audit.defects)):
        raise click.UsageError("nothing is left to look for: --select, --ignore and --severity leave out every kind")
    tokenizers = named(tokenizers)
    read = [*tokenizer_files(tokenizers), *program_files((baseline,))]
    with open_reports(reports, read) as opened, chosen((baseline,), None, isolation, alone=True) as choice:
        if not choice.implementations:
            raise BadInput("; ".join(each.reason for each in choice.unavailable))
        files, refusals = _found(tokenizers, choice.limit)
        kept = tuple(Path(each.source.file) for each in files)
        plan = FileAuditPlan(
            tokenizers=files,
            baseline=choice.implementations[0],
            audit=audit,
            measured=lambda: choice.selected[0].start(Limits(seconds=min(isolation.limits.seconds, seconds))),
            selection=selection,
            seconds=seconds,
            fix_to=None if fix_to is None else target_of(fix_to, kept, force=reports.force),
            refusals=refusals,
            command=("tokconf", *sys.argv[1:]),
        )
        page = PageOf(FILE_AUDITS, lines_of)
        checks: ChecksOf[object] = ChecksOf(audit.title, partial(checks_of, audit, files), ending)
        reports_made = [*page.reports(opened), *check_reports(opened, checks)]
        return carry_out(audit_files(plan), reports_made, page.terminal)


execute_chat = partial(execute, audit=OF_CHAT)
"""Carry out ``tokconf audit chat``."""


def _found(arguments: Iterable[str], limit: MemoryLimit) -> tuple[tuple[TokenizerFile, ...], tuple[Rejected, ...]]:
    """Return the files that ``arguments`` name, and which of them cannot be read."""
    files: dict[str, TokenizerFile] = {}
    refusals, found = [], []
    for argument in arguments:
        STATUS.begin("finding tokenizers", argument)
        try:
            found.append((argument, locate(argument)))
        except BadInputError as error:
            refusals.append(Rejected("tokenizer", argument, str(error)))
    sources = with_unique_names(each.source for _, each in found)
    for (argument, each), source in zip(found, sources, strict=True):
        try:
            tokenizer = described(replace(each, source=source))
            too_large = refusal_of(tokenizer, limit.in_process, limit.size)
            if too_large is None:
                files.setdefault(tokenizer.source.file, tokenizer)
            else:
                refusals.append(too_large)
        except BadInputError as error:
            refusals.append(Rejected("tokenizer", argument, str(error)))
    if not files:
        *others, last = refusals
        for refusal in others:
            complain(refusal.reason)
        raise BadInput(last.reason)
    return tuple(files.values()), tuple(refusals)
