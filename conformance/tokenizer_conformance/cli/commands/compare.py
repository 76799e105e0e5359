"""``tokconf compare``: several tokenizers on the same texts."""

from __future__ import annotations

from pathlib import Path

import click

from tokenizer_conformance.cli.engine_option import engine_option
from tokenizer_conformance.cli.implementation_options import isolation_options
from tokenizer_conformance.cli.input_options import column_option, inputs_option, split_option
from tokenizer_conformance.cli.jobs_option import jobs_option
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import COMPARED_EXAMPLES, DEFAULT_BASELINE, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command("compare", cls=LongCommand, short_help="Show how several tokenizers split the same text.")
@click.argument("words", metavar="TOKENIZER TOKENIZER... [TEXT]", nargs=-1, required=True)
@click.option(
    "-i",
    "--implementation",
    "word",
    default=DEFAULT_BASELINE,
    show_default=True,
    metavar="IMPL",
    help="The implementation that loads the tokenizers and splits the texts: any that 'tokconf run' takes.",
)
@click.option(
    "--text-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Show the text of this file (UTF-8, to the last byte) instead of TEXT.",
)
@click.option(
    "--escaped",
    is_flag=True,
    help="Interpret escapes in TEXT: \\n, \\t, \\r, \\0, \\\\, \\x41, \\u0301, \\U0001f600, \\N{SNOWMAN}.",
)
@inputs_option("Compare on files of texts, as for 'tokconf run', in place of TEXT.")
@column_option()
@split_option
@click.option("--all-pairs", is_flag=True, help="Compare every pair, not only each with the first.")
@click.option(
    "--examples",
    type=click.IntRange(min=0),
    default=COMPARED_EXAMPLES,
    show_default=True,
    metavar="N",
    help="How many examples to show of each kind of difference, the most frequent first.",
)
@shard_option(
    "every text",
    'Give each part its own --json: "tokconf merge" makes the whole comparison, where the tokenizers are.',
)
@jobs_option
@engine_option
@isolation_options(DEFAULT_SECONDS)
@report_options()
@carried_out_by("tokenizer_conformance.cli.compare:execute")
def compare_command() -> None:
    """Show how several tokenizers split the same text, and why one needs more tokens than the other.

    A TOKENIZER is what 'tokconf run' takes: a tokenizer.json file, a folder that holds one, a bundled name, or a
    repository of the Hugging Face hub. TEXT is used as it is; "-" reads it from standard input. It is shown with
    the tokens of each tokenizer under its characters; places where a tokenizer differs from the first one are
    marked. TOKENIZERs and TEXT stand before the options, or after "--".

    With --inputs there is no TEXT. Every place where two tokenizers split a text differently belongs to one kind of
    difference: case, digits, punctuation, rare words and so on, by rules that the report states. The tokens gained
    and lost by kind add up to the whole difference. Where a cause can be tested, examples are changed and split
    again.

    Which part of the tokenizer carries the difference is found by experiment: parts of the two files are exchanged, one
    at a time and then several, until the first file gives the answers of the second.

    The exit status is 0 whether or not tokenizers differ; 2 if something given cannot be used; 3 if an
    implementation does not load a tokenizer, fails on a text, or shows no offsets.

    \b
    Examples:
      tokconf compare gpt2-mini bert-mini "Hello, world!"
      tokconf compare my-old/ my-new/ "e\\u0301 \\u00df" --escaped
      tokconf compare openai-community/gpt2 google-bert/bert-base-uncased --inputs texts/*.txt --markdown why.md
      tokconf compare a.json b.json c.json --inputs corpus.jsonl --column text --all-pairs --json pairs.jsonl
      tokconf compare a.json b.json --inputs corpus.jsonl --column text --shard 3/8 --jobs 4 --json part-3.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
