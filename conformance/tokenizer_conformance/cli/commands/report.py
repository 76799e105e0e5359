"""``tokconf report``: pages and tables of records that were written earlier."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import HTML_OPTION, REPORT_FILE
from tokenizer_conformance.lazy import carried_out_by


@click.command("report", cls=LongCommand, short_help="Make pages and tables of records.")
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@HTML_OPTION
@click.option(
    "--csv",
    "csv_name",
    type=REPORT_FILE,
    metavar="FILE",
    help="Write the findings as CSV, a row each; - is standard output.",
)
@click.option(
    "--parquet",
    "parquet_name",
    type=REPORT_FILE,
    metavar="FILE",
    help="Write the findings as a Parquet table (needs the extra parquet); - is standard output.",
)
@click.option(
    "--site",
    "site_name",
    metavar="DIR",
    help="Write a site of all records into this folder: an index, a page for each implementation, tokenizer and "
    "requirement, registers, badges, search.",
)
@click.option(
    "--document",
    "documents",
    multiple=True,
    metavar="FILE",
    help="A page in Markdown that the site has, too, with the pictures beside it that it shows; repeatable. One with "
    "'errata' in its title is the page of errata.",
)
@click.option("--force", is_flag=True, help="Replace files that are no earlier reports; records are never replaced.")
@carried_out_by("tokenizer_conformance.cli.report:execute")
def report_command() -> None:
    """Make a page to look at, or tables of findings, of RECORDs that --json has written.

    A record is of any command that has one: run, suite, fuzz, train, diff, versions, metrics, compare, audit, explain.
    Several records make one page, or a site to publish. A record of a command that was interrupted or killed makes a
    page that says so.

    \b
    Examples:
      tokconf report run.jsonl --html run.html
      tokconf report run.jsonl suite.jsonl metrics.jsonl --html all.html
      tokconf report run.jsonl --csv findings.csv
      tokconf report records/*.jsonl --site public --document notes.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
