"""``tokconf audit file``: what is wrong, dead or surprising in a tokenizer.json."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.protocol.process import Limits
from tokenizer_conformance.audit.file.audited import SEARCH_SECONDS
from tokenizer_conformance.audit.file.checks import FileAuditChecks
from tokenizer_conformance.audit.file.checks_table import ALL_DEFECTS
from tokenizer_conformance.audit.file.engine import audit_files
from tokenizer_conformance.audit.file.finding import Severity
from tokenizer_conformance.audit.file.listing import defect_lines
from tokenizer_conformance.audit.file.markdown import FileAuditMarkdownReport
from tokenizer_conformance.audit.file.plan import FileAuditPlan, Selection
from tokenizer_conformance.audit.file.reading import described
from tokenizer_conformance.audit.file.record import FileAuditJsonLinesReport
from tokenizer_conformance.audit.file.terminal import FileAuditTerminalReport
from tokenizer_conformance.checks.reports import check_reports
from tokenizer_conformance.cli.choosing import DEFAULT_BASELINE, chosen, isolation_of, isolation_options, timeout_option
from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import SpreadOption
from tokenizer_conformance.cli.output_file import target_of
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.tokenizer_files import locate
from tokenizer_conformance.run.memory_estimate import refusal_of
from tokenizer_conformance.run.preparation import MemoryLimit
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.progress import STATUS
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import complain
from tokenizer_conformance.unusable import Unusable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.session.outputs import ReportOptions

ANSWER_SECONDS = 10.0
"""How long one answer of a process may take by default."""

SEVERITIES = click.Choice([severity.value for severity in Severity])
NEVER = "never"
IDS = tuple(defect.id for defect in ALL_DEFECTS)


def is_defect(word: str) -> bool:
    """Tell whether ``word`` names a kind of defect, or with a hyphen at its end some that begin so."""
    return word in IDS or (word.endswith("-") and any(id.startswith(word) for id in IDS))


def _known(_context: click.Context, parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    given = tuple(word.strip() for value in words for word in value.split(","))
    for word in given:
        if not is_defect(word):
            raise click.BadParameter(f"{word!r} is no kind of defect; --list has all", param=parameter)
    return given


def _list(context: click.Context, _parameter: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        for line in defect_lines():
            click.echo(line)
        context.exit()


@click.command("file", cls=LongCommand, short_help="Find what is wrong or dead in a tokenizer.json.")
@click.argument("tokenizers", metavar="TOKENIZER...", nargs=-1, required=True)
@click.option(
    "--select",
    "selected",
    cls=SpreadOption,
    takes=is_defect,
    callback=_known,
    metavar="ID...",
    help='Look for these kinds of defects alone; "merge-" is all that begin so.',
)
@click.option(
    "--ignore", "ignored", cls=SpreadOption, takes=is_defect, callback=_known, metavar="ID...", help="Leave these out."
)
@click.option(
    "--severity",
    "least",
    type=SEVERITIES,
    default=Severity.NOTE.value,
    show_default=True,
    help="The slightest severity that is reported.",
)
@click.option(
    "--fail-on",
    "fails",
    type=click.Choice([*SEVERITIES.choices, NEVER]),
    default=Severity.ERROR.value,
    show_default=True,
    help="The slightest severity for which the exit status is 1.",
)
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List all kinds of defects with what they mean, and end.",
)
@click.option(
    "--fix-to",
    metavar="FILE",
    help="Write the file mended where its meaning provably stays: older forms, what is ignored, what repeats. Both "
    "files are asked first, and nothing is written unless all answers are the same. TOKENIZER is never replaced.",
)
@click.option("--baseline", default=DEFAULT_BASELINE, show_default=True, metavar="IMPL", help="Who is asked.")
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    default=f"{SEARCH_SECONDS:g}s",
    show_default=True,
    metavar="TIME",
    help="How long each search in a file takes at most: 20s, 5m.",
)
@isolation_options
@timeout_option(ANSWER_SECONDS)
@report_options(checks=True)
@click.pass_context
def file_command(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    selected: tuple[str, ...],
    ignored: tuple[str, ...],
    least: str,
    fails: str,
    fix_to: str | None,
    baseline: str,
    seconds: float,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    reports: ReportOptions,
) -> None:
    """Look into each TOKENIZER's tokenizer.json: a file, a folder, a bundled name, or a name of the hub.

    Each finding has the id of its kind, a severity, its JSON path and line, what shows it, and what to do. An error
    means that the file is refused, or that texts become other ids or text than the file itself says; a warning, that
    something in it does nothing or surprises; a note may well be meant. What is said of texts was asked of the
    baseline: a witness is a text, and what becomes of it.

    The exit status is 1 where there is a finding as bad as --fail-on, 2 where a file cannot be read. What is no JSON,
    and what the baseline refuses, are findings.

    \b
    Examples:
      tokconf audit file ./my-checkpoint
      tokconf audit file tokenizer.json --fail-on warning --ignore legacy-form --sarif lint.sarif
      tokconf audit file gpt2-mini --select merge- duplicate-merge --json lint.jsonl
      tokconf audit file old/tokenizer.json --fix-to new.json
      tokconf audit file --list
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    if fix_to is not None and len(tokenizers) > 1:
        raise click.UsageError("--fix-to writes one file: give one TOKENIZER")
    selection = Selection(selected, ignored, Severity(least), None if fails == NEVER else Severity(fails))
    if not any(map(selection.wants, ALL_DEFECTS)):
        raise click.UsageError("nothing is left to look for: --select, --ignore and --severity leave out every kind")
    isolation = isolation_of(isolate, in_process, timeout, memory)
    read = [*tokenizer_files(tokenizers), *program_files((baseline,))]
    with open_reports(reports, read) as opened, chosen((baseline,), None, isolation, alone=True) as choice:
        if not choice.implementations:
            raise BadInput("; ".join(each.reason for each in choice.unavailable))
        files, refusals = _found(tokenizers, MemoryLimit(choice.in_process, isolation.limits.memory))
        kept = tuple(Path(each.source.file) for each in files)
        plan = FileAuditPlan(
            tokenizers=files,
            baseline=choice.implementations[0],
            measured=lambda: choice.selected[0].start(Limits(seconds=timeout)),
            selection=selection,
            seconds=seconds,
            fix_to=None if fix_to is None else target_of(fix_to, kept, force=reports.force),
            refusals=refusals,
            command=("tokconf", *sys.argv[1:]),
        )
        made = opened.reports(json=FileAuditJsonLinesReport, markdown=FileAuditMarkdownReport)
        made += check_reports(opened, FileAuditChecks)
        status = carry_out(audit_files(plan), made, FileAuditTerminalReport)
    context.exit(status)


def _found(arguments: Iterable[str], limit: MemoryLimit) -> tuple[tuple[TokenizerFile, ...], tuple[Unusable, ...]]:
    """Return the files that ``arguments`` name, and which of them cannot be read."""
    files: dict[str, TokenizerFile] = {}
    refusals = []
    for argument in arguments:
        STATUS.begin("finding tokenizers", argument)
        try:
            tokenizer = described(locate(argument))
            too_large = refusal_of(tokenizer, limit.in_process, limit.size)
            if too_large is None:
                files.setdefault(tokenizer.source.file, tokenizer)
            else:
                refusals.append(too_large)
        except BadInputError as error:
            refusals.append(Unusable("tokenizer", argument, str(error)))
    if not files:
        *others, last = refusals
        for refusal in others:
            complain(refusal.reason)
        raise BadInput(last.reason)
    return tuple(files.values()), tuple(refusals)
