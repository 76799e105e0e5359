"""``tokconf explain``: the way of one text through a tokenizer."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by

TRACER = "reference"
"""The implementation that shows the way of a text."""

DEFAULT_IMPLEMENTATIONS = (TRACER, "tokenizers")


@click.command("explain", cls=LongCommand, short_help="Show what each stage of a tokenizer does to one text.")
@click.argument("tokenizer", metavar="TOKENIZER")
@click.argument("text", metavar="TEXT")
@implementation_option(DEFAULT_IMPLEMENTATIONS)
@isolation_options(DEFAULT_SECONDS)
@click.option("--pair", metavar="TEXT", help="The second text of a pair.")
@click.option("--no-special-tokens", is_flag=True, help="Encode without adding special tokens.")
@click.option(
    "--escaped",
    is_flag=True,
    help="Interpret escapes in the texts: \\n, \\t, \\r, \\0, \\\\, \\x41, \\u0301, \\U0001f600, \\N{SNOWMAN}.",
)
@click.option("--all", "everything", is_flag=True, help="Show long texts whole.")
@report_options()
@carried_out_by("tokenizer_conformance.cli.explain:execute")
def explain_command() -> None:
    """Show what each stage of TOKENIZER does to TEXT, and where implementations first differ.

    TOKENIZER is what 'tokconf run' takes: a tokenizer.json file, a folder that holds one, a bundled name, or a
    repository of the Hugging Face hub. TEXT is used as it is; "-" reads it from standard input, to the last byte
    (echo adds a newline there, printf does not). TOKENIZER and TEXT stand before the options, or after "--".

    The stages are those of the reference, with which all others are compared: each component with what it changes,
    which added tokens match and why others do not, the merges, paths or matches of the model, what follows it, and
    decoding. If an implementation differs, the first stage and component are named, by giving it changed copies of
    the file. The exit status is then 1.

    \b
    Examples:
      tokconf explain gpt2-mini "Hello, world!"
      tokconf explain my-checkpoint/ "e\\u0301 \\u00df" --escaped -i tokenizers tokie
      tokconf explain openai-community/gpt2 - --all --markdown way.md < text.txt
      tokconf explain bert-mini "a question" --pair "its answer" -i reference
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
