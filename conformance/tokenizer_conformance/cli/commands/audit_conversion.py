"""``tokconf audit conversion`` and ``tokconf audit gguf``: whether a file says what a tokenizer.json says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.implementation_options import isolation_options
from tokenizer_conformance.cli.input_options import column_option, inputs_option
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import DEFAULT_SECONDS, WITNESS_CASES, WITNESS_SECONDS
from tokenizer_conformance.lazy import carried_out_by

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., object]


def _options(command: Command) -> Command:
    """Give ``command`` the options that both have."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


OPTIONS: tuple[Callable[[Command], Command], ...] = (
    click.option(
        "--cases",
        type=click.IntRange(min=1),
        default=WITNESS_CASES,
        show_default=True,
        metavar="N",
        help="How many texts to try for a witness of each difference.",
    ),
    click.option(
        "--time",
        "seconds",
        type=Duration(),
        default=f"{WITNESS_SECONDS:g}s",
        show_default=True,
        metavar="TIME",
        help="The most time for that: 20s, 5m.",
    ),
    click.option(
        "--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of everything drawn at random."
    ),
    inputs_option("Your texts, as for 'tokconf run': how many of them each difference touches is counted."),
    column_option(),
    isolation_options(DEFAULT_SECONDS),
    report_options(checks=True),
)


@click.command("gguf", cls=LongCommand, short_help="Check whether a GGUF file is faithful to a tokenizer.json.")
@click.argument("converted", metavar="FILE")
@click.argument("original", metavar="TOKENIZER")
@_options
@carried_out_by("tokenizer_conformance.cli.audit_conversion:execute")
def gguf_command() -> None:
    """Compare what the GGUF file FILE says of its tokenizer with the tokenizer.json of TOKENIZER.

    Only the key-value pairs of FILE are read, never its weights. Compared are tokens, ids, types, scores, merges, the
    pre-tokenizer, the normalizer, special tokens around a text, the ids of special tokens, and the chat template
    (the last two if TOKENIZER is a folder that has them). For each difference, the smallest text is searched for which
    the tokenizer.json gives another answer once only that part is replaced in it. llama.cpp, if it is installed, is
    asked too, with FILE itself. What no GGUF file can say is told as known.

    \b
    Examples:
      tokconf audit gguf model-Q4_K_M.gguf ./my-checkpoint
      tokconf audit gguf model.gguf tokenizer.json --inputs texts/*.txt --html audit.html

    \b
    Exit status: 0 it is faithful, 1 it is not, 2 the files cannot be compared, 3 llama.cpp refuses FILE.
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped


@click.command(
    "conversion", cls=LongCommand, short_help="Check whether a file of another format says what a tokenizer.json says."
)
@click.argument("original", metavar="A")
@click.argument("converted", metavar="B")
@_options
@carried_out_by("tokenizer_conformance.cli.audit_conversion:execute")
def conversion_command() -> None:
    """Compare two files of one tokenizer, of which one is a tokenizer.json (or a folder that holds it).

    The other one may be a GGUF file, a SentencePiece model, ranks of tiktoken, or a tekken.json. Whatever it says is
    put into the tokenizer.json; what is another in it then is listed, part by part, with the smallest text that shows
    that part alone, and what the file does not say.

    \b
    Examples:
      tokconf audit conversion ./my-checkpoint model.gguf
      tokconf audit conversion ./my-checkpoint ./my-checkpoint/spiece.model
      tokconf audit conversion ./my-checkpoint tekken.json

    \b
    Exit status: 0 they agree, 1 they do not, 2 they cannot be compared, 3 llama.cpp refuses a GGUF file.
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
