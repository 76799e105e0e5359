"""``tokconf report``: pages and tables of records that were written earlier."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import HTML_OPTION, MARKDOWN_OPTION, REPORT_FILE, check_options
from tokenizer_conformance.lazy import carried_out_by


@click.command("report", cls=LongCommand, short_help="Make pages and tables of records.")
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@MARKDOWN_OPTION
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
    help="A page in Markdown to add to the site, with the pictures it shows; repeatable. One with 'errata' in "
    "its title becomes the page of errata.",
)
@click.option(
    "--documentation",
    metavar="DIR",
    help="Documentation that MkDocs has built into a folder of the site: the site leads there, and its search "
    "finds it.",
)
@check_options
@click.option(
    "--force", is_flag=True, help="Overwrite files that are not earlier reports; records are never overwritten."
)
@carried_out_by("tokenizer_conformance.cli.report:execute")
def report_command() -> None:
    """Make a page in HTML or Markdown, tables of findings, files for CI, or a site of RECORDs that --json has written.

    A record is that of any command that writes one: run, suite, fuzz, train, diff, versions, metrics, compare,
    audit, explain. Several records make one page, or a site to publish. The page of an interrupted command says so.
    --junit, --sarif and --github take one record, of "tokconf run", "tokconf suite run" or "tokconf merge"; here they
    are for who asks for them only.

    \b
    Examples:
      tokconf report run.jsonl --html run.html
      tokconf report run.jsonl suite.jsonl metrics.jsonl --html all.html
      tokconf report run.jsonl --csv findings.csv
      tokconf report run.jsonl --markdown -
      tokconf report whole.jsonl --junit junit.xml --sarif run.sarif
      tokconf report records/*.jsonl --site public --document notes.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
