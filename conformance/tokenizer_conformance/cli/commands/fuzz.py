"""``tokconf fuzz``: look for differences on given tokenizers, or on random ones, with texts that generators make."""

from __future__ import annotations

from pathlib import Path

import click

from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.input_options import column_option, inputs_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import DEFAULT_BASELINE, FUZZ_SECONDS, FUZZED_IMPLEMENTATIONS, TEXTS_PER_TOKENIZER
from tokenizer_conformance.lazy import carried_out_by

DEFAULT_TOKENIZERS = 1000


@click.command(
    "fuzz", cls=LongCommand, table="fuzz", short_help="Search for differences, on given or on random tokenizers."
)
@click.argument("given", nargs=-1, metavar="[TOKENIZER]...")
@implementation_option(FUZZED_IMPLEMENTATIONS)
@click.option(
    "--baseline",
    metavar="IMPL",
    default=DEFAULT_BASELINE,
    show_default=True,
    help=f"The implementation to compare the others with. With a TOKENIZER and several -i without {DEFAULT_BASELINE}, "
    "the first of them.",
)
@click.option(
    "--seed",
    type=int,
    help="The seed of random texts and tokenizers; by default that of --corpus, or a new one each time.",
)
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    metavar="TIME",
    help="How long to search the given TOKENIZERs, in all: 90s, 5m, 1h; 60s if neither this nor --cases is given.",
)
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    metavar="N",
    help="Instead of --time, how many texts to try for each given TOKENIZER and implementation. The same seed "
    "gives the same texts and findings, with any number of --jobs.",
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Save the findings and the state of the search in this folder: the next search tries these findings "
    "first and continues.",
)
@inputs_option(
    "Texts that are asked about, and changed, for given TOKENIZERs: files, folders and URLs, as for 'tokconf run'; of "
    "plain text a line each."
)
@column_option()
@click.option(
    "--tokenizers",
    type=click.IntRange(min=1),
    default=DEFAULT_TOKENIZERS,
    show_default=True,
    metavar="N",
    help="Number of random tokenizers.",
)
@click.option(
    "--texts",
    type=click.IntRange(min=1),
    default=TEXTS_PER_TOKENIZER,
    show_default=True,
    metavar="N",
    help="Number of texts for each random tokenizer.",
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
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="Number of worker processes."
)
@shard_option("each of the random tokenizers of a --seed")
@isolation_options(FUZZ_SECONDS)
@ledger_options(
    update=False,
    stale="A random tokenizer is called fuzz, and fuzz:TYPE after each of its components. Stale entries are not "
    "reported.",
)
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.fuzz:execute")
def fuzz_command() -> None:
    """Search for texts on which implementations differ, reduce them, and group them by cause.

    With a TOKENIZER, named as for "tokconf run", texts are made from its file (regexes, added tokens, tables,
    vocabulary), from Unicode, and by mutation; generators that find more are used more. Without one, tokenizers are
    random too: each is a valid tokenizer.json of random components, tested with random hostile texts; its seed and
    number make it again. An implementation that crashes or hangs loses only one answer.

    \b
    Examples:
      tokconf fuzz my-checkpoint/ -i tokenizers my_package.mine:Mine
      tokconf fuzz gpt2-mini -i tokie --time 5m --jobs 4 --corpus found/
      tokconf fuzz gpt2-mini --cases 20000 --seed 1 --json search.jsonl
      tokconf fuzz
      tokconf fuzz --seed 1 --tokenizers 20000 --jobs 4 --json fuzz.jsonl
      tokconf fuzz -i transformers --seed 1 --start 718 --tokenizers 1
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
