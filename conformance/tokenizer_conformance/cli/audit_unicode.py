"""``tokconf audit unicode``: which version of Unicode explains what implementations do with characters."""

from __future__ import annotations

import difflib
import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.audit.unicode.behaviours import BEHAVIOURS
from tokenizer_conformance.audit.unicode.checks import UnicodeAuditChecks
from tokenizer_conformance.audit.unicode.engine import audit
from tokenizer_conformance.audit.unicode.markdown import UnicodeAuditMarkdownReport
from tokenizer_conformance.audit.unicode.plan import UnicodeAuditPlan
from tokenizer_conformance.audit.unicode.record import UnicodeAuditJsonLinesReport
from tokenizer_conformance.audit.unicode.terminal import UnicodeAuditTerminalReport
from tokenizer_conformance.checks.reports import check_reports
from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    DEFAULT_SECONDS,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.read_files import program_files
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import complain

if TYPE_CHECKING:
    from tokenizer_conformance.session.outputs import ReportOptions


@click.command("unicode", cls=LongCommand, short_help="Say which version of Unicode explains each behaviour.")
@implementation_option((DEFAULT_BASELINE,), "audit")
@click.option(
    "--behaviour",
    "patterns",
    multiple=True,
    metavar="NAME",
    help="Ask about this behaviour alone, by its name in the report; * stands for anything, as in 'Split*'. May be "
    "given again.",
)
@click.option("--list", "lists", is_flag=True, help="Print the names of the behaviours, and what each is about.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many processes ask an implementation; more than one are started beside this one.",
)
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
def unicode_command(
    context: click.Context,
    *,
    wanted: tuple[str, ...],
    patterns: tuple[str, ...],
    lists: bool,
    jobs: int,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    reports: ReportOptions,
) -> None:
    """Say which version of Unicode explains each behaviour of each implementation.

    Over all 1,112,064 code points, and over pairs of marks, of base and mark, of jamo: what normalizers make of them,
    what pre-tokenizers, regexes and added tokens take them for. Each behaviour is explained by a rule over properties,
    such as "P + ASCII symbols", with the tables of a version from 8.0 on. Where no version explains it, the nearest
    one is named, with the characters that are left. Parts of one implementation that decide the same question
    differently are named, too; and where there are several implementations, what each does differently from the one
    before it.

    Documents for it are made on the spot; no tokenizer is needed. What an implementation does not show, or does not
    load, is told as "cannot be asked".

    The exit status is 0 where everything that could be asked is explained, and implementations agree. It is 1 where
    characters are left that no version explains, where a component is loaded and has no effect, or where two
    implementations differ. That parts of one implementation follow different versions is told, and is no failure.

    \b
    Examples:
      tokconf audit unicode
      tokconf audit unicode -i tokenizers==0.19.1 tokenizers==0.21.4 tokenizers==0.23.3 --markdown unicode.md
      tokconf audit unicode -i tokenizers reference --behaviour 'Split*' --json unicode.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    if lists:
        width = max(map(len, BEHAVIOURS))
        for behaviour in BEHAVIOURS.values():
            click.echo(f"{behaviour.name:<{width}}  {behaviour.question}: {behaviour.about}")
        return
    words = tuple(wanted or (DEFAULT_BASELINE,))
    behaviours = _named(patterns)
    isolation = isolation_of(isolate, in_process, timeout, memory)
    with (
        open_reports(reports, [*program_files(words)]) as opened,
        chosen(words, None, isolation, alone=True) as choice,
    ):
        for refusal in choice.absent:
            complain(refusal.reason)
        plan = UnicodeAuditPlan(
            implementations=choice.implementations,
            behaviours=behaviours,
            unavailable=choice.unavailable,
            command=("tokconf", *sys.argv[1:]),
            selected=dict(zip((each.info.name for each in choice.implementations), choice.selected, strict=True)),
            jobs=jobs,
        )
        made = opened.reports(json=UnicodeAuditJsonLinesReport, markdown=UnicodeAuditMarkdownReport)
        made += check_reports(opened, UnicodeAuditChecks)
        status = carry_out(audit(plan), made, UnicodeAuditTerminalReport)
    context.exit(status)


def _named(patterns: tuple[str, ...]) -> frozenset[str]:
    """Return the behaviours that ``patterns`` name. Raises :class:`click.UsageError` where one names none."""
    found: set[str] = set()
    for pattern in patterns:
        names = {name for name in BEHAVIOURS if name == pattern} or {
            name for name in BEHAVIOURS if fnmatchcase(name, pattern)
        }
        if not names:
            close = difflib.get_close_matches(pattern, BEHAVIOURS, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else "; --list prints their names"
            raise click.UsageError(f"no behaviour is called {pattern!r}{hint}")
        found |= names
    return frozenset(found)
