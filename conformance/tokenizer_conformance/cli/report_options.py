"""The options that say which reports a command writes, and what they may replace."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.session.outputs import ReportOptions

if TYPE_CHECKING:
    from collections.abc import Callable

# Directories are refused by click; whatever else is there is judged when the report is opened.
REPORT_FILE = click.Path(dir_okay=False, readable=False, allow_dash=True)


def report_options(
    *, markdown: bool = True, resume: bool = False, short: str | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that gives a command the options of its reports; they reach it as ``reports``, all in one.

    ``markdown`` and ``resume`` tell whether the command has a report in Markdown, and records that it can go on with;
    ``short`` is a further name of ``--json``.
    """
    options = [
        click.option(
            *filter(None, (short,)),
            "--json",
            "json_name",
            type=REPORT_FILE,
            metavar="FILE",
            help="Write a record as JSON Lines; - is standard output.",
        )
    ]
    if resume:
        options.append(
            click.option(
                "--resume",
                is_flag=True,
                help="Go on with the run whose record --json names, if it was killed or interrupted.",
            )
        )
    if markdown:
        options.append(
            click.option(
                "--markdown",
                "markdown_name",
                type=REPORT_FILE,
                metavar="FILE",
                help="Write a report in Markdown; - is standard output.",
            )
        )
    options.append(
        click.option(
            "--force",
            is_flag=True,
            help="Replace files that are no earlier reports; what the command reads is never replaced.",
        )
    )

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def with_reports(
            *arguments: Any,
            json_name: str | None,
            force: bool,
            markdown_name: str | None = None,
            resume: bool = False,
            **others: Any,
        ) -> None:
            reports = ReportOptions(json=json_name, markdown=markdown_name, force=force, resume=resume)
            command(*arguments, reports=reports, **others)

        decorated: Callable[..., None] = with_reports
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
