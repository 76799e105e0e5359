"""``tokconf snapshot``: write down everything that one implementation answers."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.comparison_options import stage_option
from tokenizer_conformance.cli.engine_option import engine_option
from tokenizer_conformance.cli.implementation_options import isolation_options
from tokenizer_conformance.cli.input_options import input_options
from tokenizer_conformance.cli.jobs_option import jobs_option
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import DEFAULT_BASELINE, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command(
    "snapshot", cls=LongCommand, table="snapshot", short_help="Save all answers of one implementation to a file."
)
@click.argument("tokenizers", nargs=-1, metavar="[TOKENIZER]...")
@click.option(
    "-i",
    "--implementation",
    "word",
    default=DEFAULT_BASELINE,
    show_default=True,
    metavar="IMPL",
    help="The implementation, as in 'tokconf run'.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Where to write the snapshot: JSON Lines, compressed by gzip, or by xz if the name ends in .xz.",
)
@input_options
@stage_option("Ask about")
@shard_option(
    "every input",
    'Give each part its own -o: "tokconf merge" makes the whole snapshot of all parts.',
)
@jobs_option
@engine_option
@click.option("--force", is_flag=True, help="Overwrite FILE even if it is not a snapshot.")
@isolation_options(DEFAULT_SECONDS)
@carried_out_by("tokenizer_conformance.cli.snapshot:execute")
def snapshot_command() -> None:
    """Ask one implementation everything that 'tokconf run' asks, and save all answers to a file.

    "tokconf diff" compares two such files, or one with the installed version, so you can see what an upgrade
    changes without the old version. The file contains the texts, but not the tokenizers. It is compressed by xz if
    its name ends in .xz, which is much smaller for texts with many tokens, else by gzip. An existing file stays
    until the new one is complete; an interrupted one is kept as FILE.partial.

    \b
    Examples:
      tokconf snapshot my-checkpoint/ --inputs texts/*.txt -o before.jsonl.gz
      tokconf snapshot my-checkpoint/ -i transformers -o golden/transformers.jsonl.gz
      tokconf snapshot my-checkpoint/ --inputs corpus.txt --shard 3/8 --jobs 4 -o part-3.jsonl.gz
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
