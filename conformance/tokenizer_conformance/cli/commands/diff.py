"""``tokconf diff``: what changed from a snapshot to another one, or to what is installed."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.comparison_options import cause_time_option, field_option, max_fail_options, stage_option
from tokenizer_conformance.cli.implementation_options import isolation_options
from tokenizer_conformance.cli.input_options import column_option, inputs_option, selection_options
from tokenizer_conformance.cli.jobs_option import jobs_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import CAUSE_SECONDS_EACH, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command(
    "diff",
    cls=LongCommand,
    table="diff",
    short_help="Compare a snapshot with another one, or with the installed version.",
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option(
    "-t",
    "--tokenizer",
    "tokenizers",
    multiple=True,
    metavar="NAME=TOKENIZER",
    help="The current location of the tokenizer NAME of OLD, if it has moved. Repeatable.",
)
@click.option(
    "--match",
    "matches",
    multiple=True,
    metavar="OLDNAME=NEWNAME",
    help="Of two records: the implementation OLDNAME of OLD is NEWNAME in NEW. Repeatable.",
)
@click.option(
    "--live/--no-live",
    "live",
    default=None,
    help="Ask both sides again about what changed, to find causes and the smallest texts; OLD then runs in its"
    " own version, in an environment made for it. The default is to do so only if OLD's version is the "
    "installed one.",
)
@click.option("--partial", is_flag=True, help="Read as much as is complete of a truncated snapshot.")
@inputs_option("Of two tokenizers: your texts, as for 'tokconf run', beside the built-in ones.")
@column_option()
@stage_option()
@field_option
@click.option("--no-loading", is_flag=True, help="Do not compare loading, saved files and vocabularies.")
@selection_options
@max_fail_options("input that changed")
@jobs_option
@shard_option("every input of each tokenizer")
@cause_time_option("on each tokenizer, where both sides are asked anew", CAUSE_SECONDS_EACH)
@ledger_options(update=True, stale="An entry that no longer occurs is stale, and fails.")
@isolation_options(DEFAULT_SECONDS, at_once=False)
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.diff:execute")
def diff_command() -> None:
    """Say what changed from OLD to NEW.

    OLD is a file written by "tokconf snapshot". NEW is another one, or an implementation as in "tokconf run"; by
    default the implementation of OLD as it is installed now. Every answer in OLD is compared, stage by stage, and
    also refusals with their messages, saved files and vocabularies. Reports say how many texts are affected. Exit
    status 1 means that something changed that no ledger knows.

    OLD and NEW may also be two tokenizers, as in "tokconf run": a tokenizer.json before and after a change, or their
    folders. Each part that changed is listed with both values, counts of entries, and the smallest text that shows
    it; then which texts get other answers, and which parts carry that.

    OLD and NEW may also be two records of one command (--json of "run", "fuzz", "suite run", "train", or of "diff"
    between snapshots). Then the report says what is new, fixed, changed, the same, or was not compared then or now.
    Exit status 1 means that something is new or worse, 3 that nothing could be compared.

    \b
    Examples:
      tokconf diff before.jsonl.gz
      tokconf diff before.jsonl.gz after.jsonl.gz --markdown changes.md
      tokconf diff before.jsonl.gz tokenizers==0.23.3 --live
      tokconf diff before.jsonl.gz --ledger known.toml --update-ledger known.toml
      tokconf diff before.jsonl.gz after.jsonl.gz --shard 1/4 --jobs 2 --json part-1.jsonl
      tokconf diff old/tokenizer.json new/tokenizer.json --inputs texts/*.txt
      tokconf diff last-week.jsonl today.jsonl --markdown new.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
