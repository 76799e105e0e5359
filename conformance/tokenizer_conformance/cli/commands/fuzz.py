"""``tokconf fuzz``: look for differences on given tokenizers, or on random ones, with texts that generators make."""

from __future__ import annotations

from pathlib import Path

import click

from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options, timeout_option
from tokenizer_conformance.cli.input_options import column_option, inputs_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import DEFAULT_BASELINE, FUZZ_SECONDS, FUZZED_IMPLEMENTATIONS, TEXTS_PER_TOKENIZER
from tokenizer_conformance.lazy import carried_out_by

DEFAULT_TOKENIZERS = 1000


@click.command(
    "fuzz", cls=LongCommand, table="fuzz", short_help="Look for differences on given tokenizers, or on random ones."
)
@click.argument("given", nargs=-1, metavar="[TOKENIZER]...")
@implementation_option(FUZZED_IMPLEMENTATIONS)
@click.option(
    "--baseline",
    metavar="IMPL",
    default=DEFAULT_BASELINE,
    show_default=True,
    help="The implementation that the others are compared with; of several given with -i for a TOKENIZER the first, "
    f"where {DEFAULT_BASELINE} is none of them.",
)
@click.option(
    "--seed",
    type=int,
    help="What random texts and tokenizers are drawn from; where it is not given, that of the --corpus, or another one "
    "each time.",
)
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    metavar="TIME",
    help="How long to look for differences on the given TOKENIZERs, all together: 90s, 5m, 1h; 60s where neither this "
    "nor --cases is given.",
)
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    metavar="N",
    help="In place of --time, how many texts to ask about for each given TOKENIZER and implementation; the same ones, "
    "and the same findings, for a seed each time, with any number of --jobs.",
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Keep there what is found, and how far the search came: the next search asks about what is kept first, and "
    "goes on from there.",
)
@inputs_option(
    "Texts that are asked about, and changed, for given TOKENIZERs: JSON Lines, Parquet, datasets:NAME:SPLIT, and "
    'plain text, a line each, as for "tokconf run".'
)
@column_option()
@click.option(
    "--tokenizers",
    type=click.IntRange(min=1),
    default=DEFAULT_TOKENIZERS,
    show_default=True,
    metavar="N",
    help="How many random tokenizers.",
)
@click.option(
    "--texts",
    type=click.IntRange(min=1),
    default=TEXTS_PER_TOKENIZER,
    show_default=True,
    metavar="N",
    help="How many texts for each random tokenizer.",
)
@click.option(
    "--start",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="The number of the first random tokenizer.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many processes."
)
@timeout_option(FUZZ_SECONDS)
@isolation_options
@ledger_options(
    update=False,
    stale="A random tokenizer is called fuzz, and fuzz:TYPE after each of its components. Whether an entry is stale is "
    "not judged.",
)
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.fuzz:execute")
def fuzz_command() -> None:
    """Look for texts on which implementations differ, make them small, and gather them by what is behind them.

    With a TOKENIZER, named as for "tokconf run", texts are made from its file (its expressions, added tokens, tables,
    vocabulary), from Unicode, and by changing what was found; generators that find more are asked more often. Without
    any, tokenizers are random, too: each is a valid tokenizer.json of random components, asked about random hostile
    texts; the seed and its number give the same again. An implementation that crashes or hangs costs one answer.

    \b
    Examples:
      tokconf fuzz my-checkpoint/ -i tokenizers my_package.mine:Mine
      tokconf fuzz gpt2-mini -i tokie --time 5m --jobs 4 --corpus found/
      tokconf fuzz gpt2-mini --cases 20000 --seed 1 --json search.jsonl
      tokconf fuzz
      tokconf fuzz --seed 1 --tokenizers 20000 --jobs 4 --json fuzz.jsonl
      tokconf fuzz -i transformers --seed 1 --start 718 --tokenizers 1
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
