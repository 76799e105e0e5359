"""``tokconf badge``: badges from the record of a run of the suite."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.defaults import BOTH_FORMATS
from tokenizer_conformance.lazy import carried_out_by

FORMATS = ("svg", "json")


@click.command("badge", cls=LongCommand, short_help="Write badges from a record of a run of the suite.")
@click.argument("record", metavar="RECORD")
@click.option(
    "-i",
    "--implementation",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="Write only the badge of this implementation, by its name in the record; repeatable.",
)
@click.option("--output", metavar="DIR", help="The folder to write to, created if missing; by default that of RECORD.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, BOTH_FORMATS]),
    default=BOTH_FORMATS,
    show_default=True,
    help="A picture (NAME-badge.svg), or the JSON that badge services read (NAME-badge.json): schemaVersion, label, "
    "message, color.",
)
@click.option("--partial", is_flag=True, help="Also accept a record of a part of the suite; the badge says so.")
@click.option("--force", is_flag=True, help="Overwrite files of the same names that are not badges.")
@carried_out_by("tokenizer_conformance.cli.badge:execute")
def badge_command() -> None:
    """Write a badge for each implementation in RECORD, which 'tokconf suite run --json RECORD' has written.

    The label names the release of tokenizers that the suite is about, and the suite: the version of its package,
    and the first digits of the digest of its files. The message says how many core requirements and how many of all
    passed, of how many that were asked. Requirements that the implementation does not show count as asked: they are
    not failures ("not shown"), but not passed either. Those of chat templates count only for implementations that
    render templates. "Failed" are those with a wrong answer, no answer, or a
    tokenizer that did not load, whether or not a ledger knows of it. As in 'tokconf suite run', a requirement
    passes if all its cases pass that the implementation shows anything of.

    \b
    The colour, by the first line that fits:
      red          a requirement of importance core has failed
      orange       another one has failed
      lightgrey    less than half have passed, or only a part of the
                   suite was asked
      brightgreen  all have passed
      green        nine tenths or more have passed
      yellowgreen  half or more have passed

    A record that is cut short gives no badge, and neither does one of a part of the suite (-k, --features, --importance
    or --field), unless --partial is given. Files that are no badges are not replaced.

    \b
    Examples:
      tokconf suite run -i tokie --json run.jsonl; tokconf badge run.jsonl
      tokconf badge run.jsonl -i tokie --format svg --output docs
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
