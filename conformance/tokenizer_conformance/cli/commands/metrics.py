"""``tokconf metrics``: measure tokenizers on a corpus, and compare them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tokenizer_conformance.cli.engine_option import engine_option
from tokenizer_conformance.cli.implementation_options import implementation_option, isolation_options
from tokenizer_conformance.cli.input_options import column_option, inputs_option, row_sample_options
from tokenizer_conformance.cli.jobs_option import jobs_option
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import NumberRange
from tokenizer_conformance.cli.report_options import REPORT_FILE, report_options
from tokenizer_conformance.cli.shard_option import shard_option
from tokenizer_conformance.defaults import (
    CONFIDENCE,
    DEFAULT_BASELINE,
    DEFAULT_SECONDS,
    LONGEST_MEASURED,
    MEASUREMENT_TABLES,
    RENYI_ALPHA,
    REPLICATES,
    RESAMPLING_SEED,
)
from tokenizer_conformance.lazy import carried_out_by, lazy

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = ("whitespace", "unicode", "characters", "lines", "pre-tokens")
"""What a word can be; the default stands first."""


def table_options(command: Callable[..., object]) -> Callable[..., object]:
    """Give ``command`` the options of tables for other programs, which reach it by their names."""
    for name, flag, form in reversed(MEASUREMENT_TABLES):
        words = f"Write all measurements {form}; - is standard output."
        command = click.option(flag, name, type=REPORT_FILE, metavar="FILE", help=words)(command)
    return command


@click.command(
    "metrics", cls=LongCommand, table="metrics", short_help="Measure tokenizers on a corpus, and compare them."
)
@click.argument("tokenizers", nargs=-1, required=True, metavar="TOKENIZER...")
@implementation_option((DEFAULT_BASELINE,), "cut texts with")
@inputs_option(
    "The corpus: files, folders, patterns in quotes, URLs and datasets, as for 'tokconf run'; of text files each line "
    "is a text. It is read twice: once to be counted and checked, once to be measured."
)
@column_option()
@row_sample_options
@click.option(
    "--by",
    "by",
    multiple=True,
    callback=lazy("tokenizer_conformance.cli.metrics:read_groups"),
    metavar="GROUP",
    help="Also measure groups of texts: by language, by script (of most characters of the text, by Unicode's "
    "Script property; Common and Inherited do not count), by file; several, separated by commas.",
)
@click.option(
    "--language",
    "languages",
    multiple=True,
    callback=lazy("tokenizer_conformance.cli.metrics:read_languages"),
    metavar="FILE=LANGUAGE",
    help="The language of a file of --inputs; repeatable. By default the first part between dots of its name "
    "that looks like a language tag, as in news.fr.txt, else the name.",
)
@click.option(
    "--language-column",
    metavar="NAME",
    help="The column with the language, of tables and datasets.",
)
@click.option(
    "--parallel",
    is_flag=True,
    help="The files are translations of each other, line by line: also measure premiums and the Gini "
    "coefficient. Implies --by language.",
)
@click.option(
    "--base-language", metavar="LANGUAGE", help="The language to compute premiums against; by default the first file's."
)
@click.option(
    "--base", metavar="TOKENIZER", help="The tokenizer to normalize sequence lengths by; by default the first."
)
@click.option(
    "--words",
    type=click.Choice(WORDS),
    default=WORDS[0],
    show_default=True,
    help="The definition of a word; --definitions has them in full.",
)
@click.option(
    "--measure",
    "chosen_measures",
    multiple=True,
    callback=lazy("tokenizer_conformance.cli.metrics:read_measures"),
    metavar="NAME",
    help="Compute only this measure; several, separated by commas or repeated.",
)
@click.option(
    "--definitions",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lazy("tokenizer_conformance.cli.metrics:tell_definitions"),
    help="Print the definitions of all measures and of words, and exit.",
)
@click.option(
    "--alpha",
    type=NumberRange(min=0),
    default=RENYI_ALPHA,
    show_default=True,
    help="The order of the Rényi entropy.",
)
@click.option(
    "--gold",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A file of words with their morphemes, one per line: the word, a tab, its morphemes separated by spaces.",
)
@click.option("--no-round-trip", is_flag=True, help="Do not decode, so round trips are not measured.")
@click.option(
    "--longest",
    type=click.IntRange(min=100),
    default=LONGEST_MEASURED,
    show_default=True,
    metavar="N",
    help="Split texts of more than this many characters, before white space.",
)
@click.option(
    "--confidence",
    type=NumberRange(min=0, max=1, min_open=True, max_open=True),
    default=CONFIDENCE,
    show_default=True,
    help="The level of the confidence intervals.",
)
@click.option(
    "--replicates",
    type=click.IntRange(min=2),
    default=REPLICATES,
    show_default=True,
    metavar="N",
    help="Number of bootstrap replicates for them.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=RESAMPLING_SEED,
    show_default=True,
    metavar="S",
    help="The seed of the resampling.",
)
@jobs_option
@engine_option
@shard_option("every stretch of the texts")
@click.option(
    "--checkpoint-every",
    type=NumberRange(min=0),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to write a checkpoint beside the record, for --resume. At most a twentieth of the time is "
    "spent on this; 0 writes one after each megabyte of text.",
)
@isolation_options(DEFAULT_SECONDS)
@click.option(
    "--plots",
    "plot_folder",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Draw plots, as SVG and PNG.",
)
@table_options
@report_options(resume=True)
@carried_out_by("tokenizer_conformance.cli.metrics:execute")
def metrics_command() -> None:
    """Measure TOKENIZERs on the texts of --inputs, and compare them with each other.

    Every text is encoded once by every tokenizer, without special tokens, truncation and padding. Measured are
    fertility, compression, entropy, vocabulary use, unknown tokens, round trips and more, for all texts and for
    groups; tokenizers are compared with a base and, boundary by boundary, with each other. Intervals come from
    resampling texts. Memory does not grow with the corpus. An interrupted run continues with --resume: its counts
    are written beside the record (FILE.checkpoint) every half minute.

    A TOKENIZER is what 'tokconf run' takes. --definitions and docs/reference/metrics.md define the measures.

    \b
    Examples:
      tokconf metrics gpt2-mini bert-mini --inputs corpus/*.txt
      tokconf metrics ./mine openai-community/gpt2 --inputs web.jsonl --language-column lang --by language,script
      tokconf metrics ./mine xlm --inputs flores/*.dev --parallel --base-language eng_Latn --plots plots/
      tokconf metrics ./mine -i tokenizers reference --inputs big.txt --jobs 4 --json metrics.jsonl --resume
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
