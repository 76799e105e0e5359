"""The options that say which reports a command writes, and what they may replace."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import click

from tokenizer_conformance.lazy import lazy

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., object]

_reports = lazy("tokenizer_conformance.cli.given_reports:given_reports")

# Directories are refused by click; whatever else is there is judged when the report is opened.
REPORT_FILE = click.Path(dir_okay=False, readable=False, allow_dash=True)

CHECK_OPTIONS = (
    click.option(
        "--junit",
        "junit_name",
        type=REPORT_FILE,
        metavar="FILE",
        help="Write the checks as JUnit XML, which CI systems show as tests; - is standard output.",
    ),
    click.option(
        "--sarif",
        "sarif_name",
        type=REPORT_FILE,
        metavar="FILE",
        help="Write the problems as SARIF 2.1.0, for code scanning and editors; - is standard output.",
    ),
    click.option(
        "--github/--no-github",
        "github",
        default=None,
        help="Print annotations for GitHub, and append a page to the summary of the step (GITHUB_STEP_SUMMARY); "
        "the default if GITHUB_ACTIONS is true.",
    ),
)
"""The options of commands that tell CI systems what they have checked."""


def check_options(command: Command) -> Command:
    """Give a command :data:`CHECK_OPTIONS`, each by its own name."""
    for option in reversed(CHECK_OPTIONS):
        command = option(command)
    return command


MARKDOWN_OPTION = click.option(
    "--markdown",
    "markdown_name",
    type=REPORT_FILE,
    metavar="FILE",
    help="Write a report in Markdown; - is standard output.",
)

HTML_OPTION = click.option(
    "--html",
    "html_name",
    type=REPORT_FILE,
    metavar="FILE",
    help="Write an HTML page: one file that needs no network; - is standard output.",
)


def report_options(
    *,
    markdown: bool = True,
    resume: bool = False,
    checks: bool = False,
    short: str | None = None,
) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return a decorator that gives a command the options of its reports; they reach it as ``reports``, all in one.

    ``markdown`` and ``resume`` tell whether the command has a report in Markdown, and records that it can go on with;
    ``checks`` whether it tells CI systems what it has checked. ``short`` is a further name of ``--json``.
    """
    options: list[Callable[[Command], Command]] = [
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
                help="Continue the run whose record --json names, if it was killed or interrupted.",
            )
        )
    if markdown:
        options.append(MARKDOWN_OPTION)
    options.append(HTML_OPTION)
    if checks:
        options += CHECK_OPTIONS
    options.append(
        click.option(
            "--force",
            is_flag=True,
            help="Overwrite files that are not earlier reports; files that the command reads are never overwritten.",
        )
    )

    def decorate(command: Callable[..., object]) -> Callable[..., object]:
        @functools.wraps(command)
        def with_reports(
            *arguments: Any,
            json_name: str | None,
            html_name: str | None,
            force: bool,
            markdown_name: str | None = None,
            resume: bool = False,
            junit_name: str | None = None,
            sarif_name: str | None = None,
            github: bool | None = None,
            **others: Any,
        ) -> object:
            reports = _reports(
                json=json_name,
                html=html_name,
                markdown=markdown_name,
                force=force,
                resume=resume,
                junit=junit_name,
                sarif=sarif_name,
                github=github if checks else False,
            )
            return command(*arguments, reports=reports, **others)

        decorated: Callable[..., object] = with_reports
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
