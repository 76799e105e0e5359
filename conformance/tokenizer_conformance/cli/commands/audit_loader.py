"""``tokconf audit loader``: what stands between a tokenizer.json and its user, looked into."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.input_options import column_option, inputs_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import (
    AUDITED_LOADERS,
    DEFAULT_BASELINE,
    DEFAULT_SECONDS,
    WITNESS_CASES,
    WITNESS_SECONDS,
)
from tokenizer_conformance.lazy import carried_out_by


@click.command("loader", cls=LongCommand, short_help="Compare a tokenizer.json with what a loader makes of it.")
@click.argument("tokenizers", metavar="[FOLDER...]", nargs=-1)
@click.option(
    "--models",
    metavar="PATH",
    help="Audit these, too: a file with a name or a path a line, or a cache of the hub. More than three are told in"
    " one table, a line each.",
)
@implementation_option(AUDITED_LOADERS)
@click.option(
    "--class",
    "class_name",
    metavar="NAME",
    help="Load with this class of transformers, such as BertTokenizer, whatever class the folder names; may be"
    " combined with -i.",
)
@click.option(
    "--baseline",
    default=DEFAULT_BASELINE,
    show_default=True,
    metavar="IMPL",
    help="The implementation that reads the raw file.",
)
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    default=WITNESS_CASES,
    show_default=True,
    metavar="N",
    help="How many texts to try for a witness of each difference.",
)
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    default=f"{WITNESS_SECONDS:g}s",
    show_default=True,
    metavar="TIME",
    help="The most time for that: 20s, 5m.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of everything drawn at random."
)
@inputs_option("Your texts, as for 'tokconf run': how many of them each difference touches is counted.")
@column_option()
@ledger_options(
    update=True,
    known=False,
    stale='input = "added_tokens.normalized" names a component as the report does, and answers that no component '
    "explains are called answers. An entry that names an audited tokenizer and is not met any more is stale.",
)
@isolation_options(DEFAULT_SECONDS)
@report_options(checks=True)
@carried_out_by("tokenizer_conformance.cli.audit_loader:execute")
def loader_command() -> None:
    """Compare the tokenizer.json in each FOLDER with the object that a loader makes of it.

    The file as "tokenizers" reads it is compared with what from_pretrained returns (-i transformers,
    transformers-4-fast, transformers-4-slow, any implementation that loads folders), or with a class of your choice
    (--class). Components that the loader replaced are listed, with their JSON path and both values. For each, a
    witness is searched: the smallest text, pair or ids for which the file gives another answer once only that
    component is replaced in it; then the loader is asked too. Calls without options are compared with the
    truncation and padding of the file. Answers that no replaced component explains are findings; for a class in
    plain Python, these are all there is.

    \b
    Examples:
      tokconf audit loader ./my-checkpoint
      tokconf audit loader ./my-checkpoint --class BertTokenizer --inputs texts/*.txt --markdown audit.md
      tokconf audit loader --models ~/.cache/huggingface/hub --cases 100
      tokconf audit loader ./a ./b -i transformers transformers-4-fast transformers-4-slow --json audit.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
