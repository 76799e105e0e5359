"""``tokconf train``: compare what trainers learn from one corpus."""

from __future__ import annotations

import click

from tokenizer_adapters.training import Algorithm, PreTokenizer
from tokenizer_conformance.cli.implementation_options import memory_option, timeout_option
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import ALL, NumberRange, SpreadOption, comma_list
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.training_options import training_options
from tokenizer_conformance.defaults import COMPARED_TRAINERS, TRAINING_SECONDS, TRAINING_TOLERANCE
from tokenizer_conformance.lazy import carried_out_by, lazy


@click.command("train", cls=LongCommand, short_help="Compare what trainers learn from a corpus.")
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    required=True,
    callback=comma_list(Algorithm),
    metavar="ALGORITHM",
    help=f"What to train: {', '.join(Algorithm)}; several, separated by commas, or all.",
)
@click.option(
    "--corpus",
    "files",
    cls=SpreadOption,
    required=True,
    metavar="FILE...",
    help="UTF-8 files to train on; each line is a sequence.",
)
@click.option(
    "--vocab-size", type=click.IntRange(min=1), required=True, metavar="N", help="The size of the vocabulary to train."
)
@click.option(
    "-i",
    "--implementation",
    "wanted",
    cls=SpreadOption,
    takes=lazy("tokenizer_conformance.cli.choosing_trainers:is_trainer"),
    metavar="IMPL...",
    help=f"Trainers to compare; by default {', '.join(COMPARED_TRAINERS)}. {ALL!r}: every installed one. "
    '"command:PROGRAM ARGUMENT…" or "NAME=command:…": a program that speaks the line protocol.',
)
@click.option(
    "--baseline",
    metavar="IMPL",
    help="The trainer to compare the others with; by default tokenizers if it takes part, else the first.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="How many times to train with each trainer, each time in a fresh process.",
)
@click.option(
    "--pre-tokenizer",
    type=click.Choice([each.value for each in PreTokenizer]),
    default=PreTokenizer.WHITESPACE.value,
    show_default=True,
    help="The pre-tokenizer that splits sequences into words.",
)
@training_options
@click.option(
    "--tolerance",
    type=NumberRange(min=0),
    default=TRAINING_TOLERANCE,
    show_default=True,
    metavar="X",
    help="How much scores may differ and still count as equal (natural logarithms).",
)
@timeout_option(TRAINING_SECONDS, "How long one training may take; where given, the start of its process too.")
@memory_option(0)
@report_options()
@carried_out_by("tokenizer_conformance.cli.train:execute")
def train_command() -> None:
    """Train several times with each trainer on one corpus, and compare tokens, merges or scores, and ids.

    Every merge is replayed against exact counts of pairs. So each difference is shown with the first merge that
    differs and the counts of both pairs there, and is called a tie only if the counts prove it.

    \b
    Examples:
      tokconf train --algorithm bpe --corpus book.txt --vocab-size 8000
      tokconf train --algorithm wordpiece --corpus texts/*.txt --vocab-size 8000 -i tokenizers reference --repeat 20
      tokconf train --algorithm all --corpus book.txt --vocab-size 2000 -i tokenizers sentencepiece --markdown report.md
      tokconf train --algorithm wordlevel --corpus book.txt --vocab-size 2000 -i tokenizers "command:./my-trainer --flag"
    """  # noqa: D301, E501 - "\b" is click's mark for a paragraph that is not to be wrapped, as here a command line
