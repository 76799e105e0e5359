"""``tokconf audit offsets``: what must hold for any encoding, checked without another implementation."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.input_options import input_options, sample_options, selection_options
from tokenizer_conformance.cli.jobs_option import jobs_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import DEFAULT_BASELINE, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command("offsets", cls=LongCommand, short_help="Check invariants that hold for every encoding.")
@click.argument("tokenizers", metavar="[TOKENIZER]...", nargs=-1)
@implementation_option((DEFAULT_BASELINE,), "audit")
@input_options
@selection_options
@click.option(
    "--random",
    "count",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Add this many random texts, from all blocks, scripts and categories of Unicode.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of the random texts.")
@sample_options
@jobs_option
@shard_option("every input")
@ledger_options(update=True, stale="An entry that names an audited tokenizer and is not met any more is stale.")
@isolation_options(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.audit_offsets:execute")
def offsets_command() -> None:
    """Check invariants of encodings; no other implementation is needed.

    Lists have the same length; spans lie in the text, in its order, and cover everything that is not removed from
    it; the text in a token's span normalizes to the token; masks, type ids, word ids and sequence ids agree about
    each token; a pair consists of its texts, a batch of its inputs, and the windows of a truncated text give the
    text. Implementations are asked about single texts, words, pairs and batches, and with truncation and padding
    added to the file.

    What an implementation does not show cannot be checked, and is counted as such. A finding has the smallest
    example found. Known oddities of released versions are in a ledger of the project (--no-known leaves it out); in
    a ledger, input = "coverage.text: white space in no span" names a violation as the report does. TOKENIZERs are
    those of "tokconf run"; the first bundled ones by default.

    \b
    Examples:
      tokconf audit offsets ./my-checkpoint
      tokconf audit offsets bert-mini -i my_package.mine:Mine --inputs texts/*.txt
      tokconf audit offsets gpt2-mini -i tokenizers==0.19.1 tiktoken --random 2000 --json audit.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
