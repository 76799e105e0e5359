"""``tokconf run``: compare implementations on tokenizers and texts."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.comparison_options import cause_time_option, field_option, max_fail_options, stage_option
from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.engine_option import engine_option
from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.input_options import input_options, sample_options, selection_options
from tokenizer_conformance.cli.jobs_option import jobs_option
from tokenizer_conformance.cli.last_failed_option import last_failed_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import SpreadOption
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import CAUSE_SECONDS, DEFAULT_BASELINE, DEFAULT_SECONDS, RUN_IMPLEMENTATIONS
from tokenizer_conformance.lazy import carried_out_by, lazy


@click.command("run", cls=LongCommand, table="run", short_help="Compare implementations on tokenizers and texts.")
@click.argument("tokenizers", nargs=-1, metavar="[TOKENIZER]...")
@implementation_option(RUN_IMPLEMENTATIONS)
@click.option(
    "--baseline",
    metavar="IMPL",
    help=f"The implementation to compare the others with; by default {DEFAULT_BASELINE} if it takes part, else the "
    "first.",
)
@isolation_options(DEFAULT_SECONDS)
@input_options
@click.option(
    "--chat",
    is_flag=True,
    help="Compare prompts, not texts: what the chat template beside each tokenizer makes of conversations, built-in "
    "ones and those of --inputs FILE.jsonl, one a line: an object with messages (and tools), an array of messages, or "
    "ShareGPT's form.",
)
@click.option(
    "--random",
    "count",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Add this many drawn conversations (--chat).",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of drawn conversations.")
@stage_option()
@field_option
@selection_options
@sample_options
@click.option(
    "--ask",
    "questions",
    multiple=True,
    callback=lazy("tokenizer_conformance.cli.asked_questions:read_questions"),
    metavar="QUESTION",
    help='Ask just this, as JSON: \'{"ask": "encode", "text": "a", "add_special_tokens": false}\'; repeatable, asked '
    'in the order given; \'{"ask": "vocabulary"}\' compares the vocabularies. No other inputs are used.',
)
@click.option(
    "--require",
    "required",
    cls=SpreadOption,
    takes=lazy("tokenizer_conformance.cli.run:is_requirement"),
    callback=lazy("tokenizer_conformance.cli.run:read_requirements"),
    metavar="STAGE[:FIELD]...",
    help="Fail if less than 99 % of these values could be compared, even if an implementation does not claim "
    "to show them.",
)
@shard_option("every input on every tokenizer")
@last_failed_option("the inputs (all inputs, for tokenizers that were not loaded)")
@click.option("--every-id", is_flag=True, help="Also decode every id of the vocabulary on its own.")
@max_fail_options("failing input")
@jobs_option
@engine_option
@cause_time_option("in all, shared out over the findings; they are told before", CAUSE_SECONDS)
@click.option(
    "--speed",
    is_flag=True,
    help="When all is compared, measure how fast implementations encode the same texts: those of --inputs, if any.",
)
@click.option(
    "--speed-time",
    "speed_seconds",
    type=Duration(),
    default="2s",
    show_default=True,
    metavar="TIME",
    help="Measure each implementation about so long on each tokenizer, with one thread and again with all (--speed).",
)
@ledger_options(update=True, stale="An entry that no longer occurs is stale, and fails.")
@report_options(resume=True, checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.run:execute")
def run_command() -> None:
    """Ask implementations about every input, and compare their answers stage by stage.

    A TOKENIZER is a tokenizer.json file, a folder that holds one, a bundled name, or a repository of the Hugging
    Face hub, OWNER/NAME or OWNER/NAME@REVISION, in this order ("hub:NAME" is always on the hub). By default the first
    ten bundled tokenizers are used; "bundled" means all of them, those with the pipelines of today's models too.
    TOKENIZERs stand before the options, or after "--".

    \b
    Examples:
      tokconf run
      tokconf run bundled
      tokconf run my-checkpoint/ -i reference tokenizers --inputs texts/*.txt
      tokconf run my-checkpoint/ --inputs chats.jsonl --column message.content
      tokconf run openai-community/gpt2 google-bert/bert-base-uncased@main
      tokconf run my-checkpoint/ -i tokenizers "command:./my-tokenizer --flag" --timeout 5
      tokconf run my-checkpoint/ --chat -i reference transformers --inputs conversations.jsonl
      tokconf run gpt2-mini --stage decode --every-id --markdown report.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
