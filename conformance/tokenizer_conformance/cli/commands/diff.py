"""``tokconf diff``: what changed from a snapshot to another one, or to what is installed."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.comparison_options import cause_time_option, field_option, max_fail_options, stage_option
from tokenizer_conformance.cli.implementation_options import isolation_options, timeout_option
from tokenizer_conformance.cli.input_options import selection_options
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import CAUSE_SECONDS_EACH, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command(
    "diff",
    cls=LongCommand,
    table="diff",
    short_help="Say what changed from a snapshot to another, or to what is installed.",
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option(
    "-t",
    "--tokenizer",
    "tokenizers",
    multiple=True,
    metavar="NAME=TOKENIZER",
    help="Where the tokenizer NAME of OLD is now; without it, where it was. May be given again.",
)
@click.option(
    "--match",
    "matches",
    multiple=True,
    metavar="OLDNAME=NEWNAME",
    help="Between two records: the implementation that is called so in OLD is the one called so in NEW. May be given "
    "again.",
)
@click.option(
    "--live/--no-live",
    "live",
    default=None,
    help="Ask both sides anew about what changed, for causes and the smallest texts: OLD in its version, in an "
    "environment that is made for it. Without either: where OLD's version is the one installed.",
)
@click.option("--partial", is_flag=True, help="Read what is whole of a snapshot that was cut off.")
@stage_option()
@field_option
@click.option("--no-loading", is_flag=True, help="Leave out how tokenizers are loaded and saved, and vocabularies.")
@selection_options
@max_fail_options("input that changed")
@cause_time_option("on each tokenizer, where both sides are asked anew", CAUSE_SECONDS_EACH)
@ledger_options(update=True, stale="An entry is stale, and fails, where all it is about was compared and is the same.")
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.diff:execute")
def diff_command() -> None:
    """Say what changed from OLD to NEW.

    OLD is a file that "tokconf snapshot" wrote; NEW another one, or an implementation as in "tokconf run" (without it:
    the one of OLD, as it is installed now). Every question of OLD is compared, stage by stage; beside that, whether and
    with which words a tokenizer is refused, what it is saved as, and its vocabulary. Reports say how much of the texts
    is touched. Exit status 1 says that something changed which no ledger knows.

    OLD and NEW may also be two records of one command (--json of "run", "fuzz", "suite run", "train", and of "diff"
    between snapshots): then it is said what is new, fixed, changed, the same, and what was not compared then or now.
    Exit status 1 says that something is new or worse, 3 that nothing could be compared.

    \b
    Examples:
      tokconf diff before.jsonl.gz
      tokconf diff before.jsonl.gz after.jsonl.gz --markdown changes.md
      tokconf diff before.jsonl.gz tokenizers==0.23.3 --live
      tokconf diff before.jsonl.gz --ledger known.toml --update-ledger known.toml
      tokconf diff last-week.jsonl today.jsonl --markdown new.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
