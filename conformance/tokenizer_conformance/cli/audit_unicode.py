"""``tokconf audit unicode``: which version of Unicode explains what implementations do with characters."""

from __future__ import annotations

import difflib
import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import program_files
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.defaults import DEFAULT_BASELINE
from tokenizer_conformance.research.unicode_audit.behaviours import BEHAVIOURS
from tokenizer_conformance.research.unicode_audit.checks import TITLE, checks_of, ending
from tokenizer_conformance.research.unicode_audit.engine import UnicodeAuditPlan, audit
from tokenizer_conformance.research.unicode_audit.page import UNICODE_AUDITS
from tokenizer_conformance.results.ci_results.reports import ChecksOf, check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of

if TYPE_CHECKING:
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.command_io.outputs import ReportOptions


def execute(
    *,
    wanted: tuple[str, ...],
    patterns: tuple[str, ...],
    lists: bool,
    jobs: int,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf audit unicode``."""
    if lists:
        width = max(map(len, BEHAVIOURS))
        for behaviour in BEHAVIOURS.values():
            click.echo(f"{behaviour.name:<{width}}  {behaviour.question}: {behaviour.about}")
        return EXIT_STATUS[Conclusion.CONFORM]
    words = tuple(wanted or (DEFAULT_BASELINE,))
    behaviours = _named(patterns)
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
        page = PageOf(UNICODE_AUDITS, lines_of)
        checks: ChecksOf[object] = ChecksOf(TITLE, checks_of, ending)
        return carry_out(audit(plan), [*page.reports(opened), *check_reports(opened, checks)], page.terminal)


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
