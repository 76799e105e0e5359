"""``tokconf audit streams``: the texts of a stream, joined, are the text of all its ids decoded at once."""

from __future__ import annotations

import click

from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.input_options import input_options, selection_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.defaults import DEFAULT_BASELINE, DEFAULT_SECONDS
from tokenizer_conformance.lazy import carried_out_by


@click.command("streams", cls=LongCommand, short_help="Check that streams give the text of decoding at once.")
@click.argument("tokenizers", metavar="[TOKENIZER]...", nargs=-1)
@implementation_option((DEFAULT_BASELINE,), "audit")
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="How many streams each implementation is asked on each tokenizer.",
)
@click.option(
    "--start", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Begin with stream N."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of the streams.")
@input_options
@selection_options
@isolation_options(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
@carried_out_by("tokenizer_conformance.cli.audit_streams:execute")
def streams_command() -> None:
    """Check that streams give the text of decoding at once; no other implementation is needed.

    Random streams are asked: ids of texts, of the whole vocabulary and of single bytes, special tokens among them,
    after prompts that may end within a character, one by one and in steps of any size. What was shown of the prompt and
    the texts of all steps, joined, have to be the text of all ids decoded at once.

    Where that does not hold, the reason is named with its proof. Limits of decoders are told apart from faults: a
    decoder that takes back what it gave, or a text that ends within a character, leaves a stream no way to be right.
    TOKENIZERs are those of "tokconf run"; the bundled ones by default. "classical-stream" is the stream of inference
    engines (prefix and read offset), "transformers-streamer" TextStreamer, "word-stream" the reference of that.

    The exit status is 1 if a stream is wrong where it could be right.

    \b
    Examples:
      tokconf audit streams ./my-checkpoint
      tokconf audit streams llama-mini -i tokenizers classical-stream transformers-streamer --cases 5000
      tokconf audit streams ./my-checkpoint -i my_package.mine:Mine --json streams.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
