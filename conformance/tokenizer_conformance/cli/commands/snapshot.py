"""``tokconf snapshot``: write down everything that one implementation answers."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.comparison_options import stage_option
from tokenizer_conformance.cli.implementation_options import isolation_options, timeout_option
from tokenizer_conformance.cli.input_options import input_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.defaults import DEFAULT_BASELINE, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command(
    "snapshot", cls=LongCommand, table="snapshot", short_help="Write down everything that one implementation answers."
)
@click.argument("tokenizers", nargs=-1, metavar="[TOKENIZER]...")
@click.option(
    "-i",
    "--implementation",
    "word",
    default=DEFAULT_BASELINE,
    show_default=True,
    metavar="IMPL",
    help="Which one: as in 'tokconf run'.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Where to write the snapshot: JSON Lines, compressed by gzip, or by xz where the name ends in .xz.",
)
@input_options
@stage_option("Ask about")
@click.option("--force", is_flag=True, help="Replace FILE even if it is something else than a snapshot.")
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.snapshot:execute")
def snapshot_command() -> None:
    """Ask one implementation everything that 'tokconf run' asks, and write all answers to a file.

    "tokconf diff" compares two such files, or one with what is installed: what an upgrade changes, without the old
    version at hand. The file holds the texts, no tokenizer. With a name that ends in .xz it is compressed by xz, which
    makes it a good deal smaller where texts have many tokens; else by gzip. What was written before stays until the new
    one is whole; one that was interrupted stays beside it, as FILE.partial.

    \b
    Examples:
      tokconf snapshot my-checkpoint/ --inputs texts/*.txt -o before.jsonl.gz
      tokconf snapshot my-checkpoint/ -i transformers -o golden/transformers.jsonl.gz
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
