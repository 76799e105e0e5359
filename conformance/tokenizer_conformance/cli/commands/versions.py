"""``tokconf versions``: releases of a package beside one another."""

from __future__ import annotations

from pathlib import Path

import click

from tokenizer_conformance.cli.comparison_options import cause_time_option, field_option, stage_option
from tokenizer_conformance.cli.implementation_options import isolation_options
from tokenizer_conformance.cli.input_options import input_options
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import SpreadOption
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import CAUSE_SECONDS_EACH, DEFAULT_SECONDS, QUICK_SECTIONS, SECTIONS
from tokenizer_conformance.lazy import carried_out_by, lazy


@click.command(
    "versions",
    cls=LongCommand,
    table="versions",
    short_help="Compare releases of a package: what changed when, and why.",
)
@click.argument("releases", nargs=-1, required=True, metavar="RELEASE...")
@click.option(
    "-t",
    "--tokenizer",
    "tokenizers",
    cls=SpreadOption,
    metavar="TOKENIZER...",
    help="Tokenizers, as in 'tokconf run'; the first bundled ones by default.",
)
@click.option(
    "--last",
    type=click.IntRange(min=2),
    metavar="N",
    help="Only the last N releases of a range, or of a package named without a version.",
)
@input_options
@stage_option()
@field_option
@cause_time_option("on each tokenizer for each step from a release to the next", CAUSE_SECONDS_EACH)
@click.option(
    "--bisect",
    is_flag=True,
    help="Find the first release that has each cause and each change of loading. Releases between the given "
    "ones are asked, and installed, as needed.",
)
@click.option(
    "--section",
    "sections",
    multiple=True,
    callback=lazy("tokenizer_conformance.cli.versions:section_list"),
    metavar="NAME",
    help=f"Compare these facts besides texts: {', '.join(SECTIONS)}; several separated by commas, all or none (the "
    f"default). {', '.join(QUICK_SECTIONS)} take seconds for each release, the others minutes.",
)
@click.option(
    "--speed", is_flag=True, help="Measure speed and memory of each release, in turn, with the first tokenizer."
)
@click.option(
    "--snapshots",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where to keep the snapshot of each release, so that an interrupted run can continue; by default a "
    "folder of the cache.",
)
@ledger_options(
    update=True,
    stale="An entry that no longer occurs is stale, and fails; entries with `section` are about facts.",
)
@isolation_options(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.versions:execute")
def versions_command() -> None:
    """Ask each RELEASE the same questions, and say what changed from one to the next, and why.

    A RELEASE is PACKAGE==VERSION (after it, a VERSION alone is of the same package), a range such as
    "tokenizers>=0.20,<0.22", PACKAGE with --last N, a version in your own environment (NAME@path/to/python), or any
    implementation as in "tokconf run". Each release runs in its own environment, made once ("tokconf environments"
    lists and removes them). A release that is unavailable is reported and skipped. Results are kept: the same command
    continues where it was interrupted.

    \b
    Examples:
      tokconf versions tokenizers==0.19.1 tokenizers==0.23.3 -t my-checkpoint/ --inputs texts/*.txt
      tokconf versions "tokenizers>=0.20" --last 4 -t gpt2-mini
      tokconf versions tokenizers==0.19.1 tokenizers==0.23.3 -t my-checkpoint/ --bisect
      tokconf versions transformers==4.57.6 transformers==5.23.0 -t my-checkpoint/ --markdown upgrade.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
