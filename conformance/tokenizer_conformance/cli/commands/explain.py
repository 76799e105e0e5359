"""``tokconf explain``: the way of one text through a tokenizer."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options, timeout_option
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by

TRACER = "reference"
"""The implementation that shows the way of a text."""

DEFAULT_IMPLEMENTATIONS = (TRACER, "tokenizers")


@click.command("explain", cls=LongCommand, short_help="Show the way of one text through a tokenizer.")
@click.argument("tokenizer", metavar="TOKENIZER")
@click.argument("text", metavar="TEXT")
@implementation_option(DEFAULT_IMPLEMENTATIONS)
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@click.option("--pair", metavar="TEXT", help="The second text of a pair.")
@click.option("--no-special-tokens", is_flag=True, help="Encode without adding special tokens.")
@click.option(
    "--escaped",
    is_flag=True,
    help=r"Read escapes in the texts: \n, \t, \r, \0, \\, \x41, \u0301, \U0001f600, \N{SNOWMAN}.",
)
@click.option("--all", "everything", is_flag=True, help="Show all of a long text, where else a part of it is shown.")
@report_options()
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.explain:execute")
def explain_command() -> None:
    """Show the way of TEXT through TOKENIZER, stage by stage, and where implementations leave it.

    TOKENIZER is what 'tokconf run' takes: a tokenizer.json file, a folder that holds one, a bundled name, or a
    repository of the Hugging Face hub. TEXT is taken as it stands; "-" reads it from standard input, to the last byte
    (echo adds a newline there, printf does not). TOKENIZER and TEXT stand before the options, or after "--".

    The way is shown as the reference takes it, which is compared with all others: each component with what it changes,
    which added tokens are cut out and why others are not, the merges, paths or matches of the model, what follows it,
    and the way back. Where an implementation differs, the first stage and component is named; for this it is given
    changed copies of the file. The exit status is 1 then.

    \b
    Examples:
      tokconf explain gpt2-mini "Hello, world!"
      tokconf explain my-checkpoint/ "e\\u0301 \\u00df" --escaped -i tokenizers tokie
      tokconf explain openai-community/gpt2 - --all --markdown way.md < text.txt
      tokconf explain bert-mini "a question" --pair "its answer" -i reference
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
