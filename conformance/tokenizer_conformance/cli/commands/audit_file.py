"""``tokconf audit file``: what is wrong, dead or surprising in a tokenizer.json."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.implementation_options import isolation_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import SpreadOption
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import DEFAULT_BASELINE, FAILS_FOR_NOTHING, FILE_AUDIT_SECONDS
from tokenizer_conformance.lazy import carried_out_by, lazy
from tokenizer_conformance.research.file_audit.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., object]

ANSWER_SECONDS = 10.0
"""How long one answer of a process may take by default."""

SEVERITIES = click.Choice([severity.value for severity in Severity])


def defect_options(command: Command, of: str = "") -> Command:
    """Give ``command`` the options that choose kinds of defects, those of ``of`` by the names of their functions."""
    for option in reversed(_defect_options(of)):
        command = option(command)
    return command


def _defect_options(of: str) -> tuple[Callable[[Command], Command], ...]:
    is_defect, known, listed = (
        lazy(f"tokenizer_conformance.cli.audit_file:{name}")
        for name in (f"is_{of}defect", f"known_{of}defects", f"list_{of}defects")
    )
    return (
        click.option(
            "--select",
            "selected",
            cls=SpreadOption,
            takes=is_defect,
            callback=known,
            metavar="ID...",
            help='Look only for these kinds of defects; "merge-" means all whose names begin with it.',
        ),
        click.option(
            "--ignore",
            "ignored",
            cls=SpreadOption,
            takes=is_defect,
            callback=known,
            metavar="ID...",
            help="Leave these out.",
        ),
        click.option(
            "--severity",
            "least",
            type=SEVERITIES,
            default=Severity.NOTE.value,
            show_default=True,
            help="The lowest severity to report.",
        ),
        click.option(
            "--fail-on",
            "fails",
            type=click.Choice([*SEVERITIES.choices, FAILS_FOR_NOTHING]),
            default=Severity.ERROR.value,
            show_default=True,
            help="The lowest severity that makes the exit status 1.",
        ),
        click.option(
            "--list",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=listed,
            help="List all kinds of defects with their meaning, and exit.",
        ),
    )


def asking_options(command: Command) -> Command:
    """Give ``command`` the options that say who is asked, and for how long."""
    for option in reversed(_ASKING_OPTIONS):
        command = option(command)
    return command


_ASKING_OPTIONS = (
    click.option(
        "--baseline", default=DEFAULT_BASELINE, show_default=True, metavar="IMPL", help="The implementation to ask."
    ),
    click.option(
        "--time",
        "seconds",
        type=Duration(),
        default=f"{FILE_AUDIT_SECONDS:g}s",
        show_default=True,
        metavar="TIME",
        help="The most time to look for defects, in all files together: 20s, 5m. What was not looked at is said.",
    ),
    isolation_options(ANSWER_SECONDS),
    report_options(checks=True),
)


@click.command("file", cls=LongCommand, short_help="Find errors and dead entries in a tokenizer.json.")
@click.argument("tokenizers", metavar="TOKENIZER...", nargs=-1, required=True)
@defect_options
@click.option(
    "--fix-to",
    metavar="FILE",
    help="Write a repaired file, changing only what provably keeps the meaning: older forms, ignored options, "
    "duplicates. Both files are asked first; nothing is written unless all answers are the same. "
    "TOKENIZER itself is never replaced.",
)
@asking_options
@carried_out_by("tokenizer_conformance.cli.audit_file:execute")
def file_command() -> None:
    """Check the tokenizer.json of each TOKENIZER: a file, a folder, a bundled name, or a name of the hub.

    Each finding has the id of its kind, a severity, its JSON path and line, evidence, and what to do. An error
    means that the file is refused, or that texts get other ids or text than the file itself says; a warning, that
    something in it has no effect or a surprising one; a note may be intended. Statements about texts were tested on
    the baseline: a witness is a text, and what becomes of it.

    The exit status is 1 if there is a finding as severe as --fail-on, 2 if a file cannot be read. Invalid JSON, and
    files that the baseline refuses, are findings.

    \b
    Examples:
      tokconf audit file ./my-checkpoint
      tokconf audit file tokenizer.json --fail-on warning --ignore legacy-form --sarif lint.sarif
      tokconf audit file gpt2-mini --select merge- duplicate-merge --json lint.jsonl
      tokconf audit file old/tokenizer.json --fix-to new.json
      tokconf audit file --list
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
