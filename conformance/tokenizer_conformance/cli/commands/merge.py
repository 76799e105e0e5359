"""``tokconf merge``: the records of the parts of a run, made into the record of the whole run."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.lazy import carried_out_by


@click.command("merge", cls=LongCommand, short_help="Merge the records of the parts of a run.")
@click.argument("records", nargs=-1, required=True, metavar="RECORD...")
@click.option(
    "--partial",
    is_flag=True,
    help="Judge only the parts that are there: missing and interrupted parts are listed, but do not fail.",
)
@report_options(checks=True, short="-o")
@carried_out_by("tokenizer_conformance.cli.merge:execute")
def merge_command() -> None:
    """Merge the RECORDs of all parts of one run into the record of the whole run, and show its result.

    The parts are those of "tokconf run --shard I/N" and other commands with --shard, in any order. They must be of
    one run: the same tokenizers, inputs, implementations, versions, options and ledgers. The exit status is that of
    the whole run; if parts are missing or incomplete, it is 3. Parts of a snapshot are merged into a snapshot, which
    needs all of them.

    \b
    Examples:
      tokconf merge part-1.jsonl part-2.jsonl part-3.jsonl -o whole.jsonl
      tokconf merge parts/*.jsonl --markdown report.md --junit junit.xml
      tokconf merge parts/*.jsonl --partial
      tokconf merge part-*.jsonl.gz -o snapshot.jsonl.gz
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
