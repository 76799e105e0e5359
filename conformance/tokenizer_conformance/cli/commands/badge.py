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
    help="Write the badge of this one, by its name in the record, in place of all; repeatable.",
)
@click.option(
    "--output", metavar="DIR", help="Write into this folder, which is made where it is missing; else beside RECORD."
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*FORMATS, BOTH_FORMATS]),
    default=BOTH_FORMATS,
    show_default=True,
    help="A picture (NAME-badge.svg), or the JSON that badge services read (NAME-badge.json): schemaVersion, label, "
    "message, color.",
)
@click.option("--partial", is_flag=True, help="Take a record of a part of the suite too; the badge says so.")
@click.option("--force", is_flag=True, help="Replace files of the same names that are no badges.")
@carried_out_by("tokenizer_conformance.cli.badge:execute")
def badge_command() -> None:
    """Write a badge for each implementation in RECORD, which 'tokconf suite run --json RECORD' has written.

    The label says which release of tokenizers the suite is about, and which suite it is: the version of the package
    that it comes with, and the beginning of the digest of its files. The message says how many requirements of
    importance core, and how many of all, passed, of how many that were asked. All of these count, those too that the
    implementation does not show ("not shown"): these are no failures, and are not passed either. "Failed" are those
    with a wrong answer or none, or a tokenizer that was not loaded, whether a ledger knows of it or not. As in 'tokconf
    suite run', a requirement has passed if all its cases have that say anything about what the implementation shows.

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
