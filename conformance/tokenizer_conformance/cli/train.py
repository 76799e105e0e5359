"""``tokconf train``: compare what trainers learn from one corpus."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.training import Algorithm, PreTokenizer
from tokenizer_conformance.cli.choosing import limits_of, memory_option, timeout_option
from tokenizer_conformance.cli.choosing_trainers import DEFAULT_TRAINERS, choose_trainers, is_trainer
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import ALL, NumberRange, SpreadOption, comma_list
from tokenizer_conformance.cli.read_files import given_files, program_files
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.training_options import options_of, training_options
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import complain
from tokenizer_conformance.train.engine import train
from tokenizer_conformance.train.events import is_ending
from tokenizer_conformance.train.markdown import TrainingMarkdownReport
from tokenizer_conformance.train.preparation import CannotCountError, prepared
from tokenizer_conformance.train.record import TrainingJsonLinesReport
from tokenizer_conformance.train.task import TOLERANCE
from tokenizer_conformance.train.terminal import TrainingTerminalReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.session.outputs import OpenReports, ReadFile, ReportOptions
    from tokenizer_conformance.train.plan import TrainingPlan

SECONDS = Limits().train_seconds


@click.command("train", cls=LongCommand, short_help="Compare what trainers learn from a corpus.")
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    required=True,
    callback=comma_list(Algorithm),
    metavar="ALGORITHM",
    help=f"What to learn: {', '.join(Algorithm)}; several, separated by commas, or all.",
)
@click.option(
    "--corpus",
    "files",
    cls=SpreadOption,
    required=True,
    metavar="FILE...",
    help="UTF-8 files to learn from; each line is a sequence.",
)
@click.option("--vocab-size", type=click.IntRange(min=1), required=True, metavar="N", help="How many tokens to learn.")
@click.option(
    "-i",
    "--implementation",
    "wanted",
    cls=SpreadOption,
    takes=is_trainer,
    metavar="IMPL...",
    help=f"Trainers to compare; {', '.join(DEFAULT_TRAINERS)} where none is given. {ALL!r} is every installed one. "
    '"command:PROGRAM ARGUMENT…", or "NAME=command:…", is a program that speaks the line protocol.',
)
@click.option(
    "--baseline",
    metavar="IMPL",
    help="The trainer that the others are compared with: tokenizers where it takes part, else the first.",
)
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="How often each trainer learns, each time in a fresh process.",
)
@click.option(
    "--pre-tokenizer",
    type=click.Choice([each.value for each in PreTokenizer]),
    default=PreTokenizer.WHITESPACE.value,
    show_default=True,
    help="What cuts sequences into words.",
)
@training_options
@click.option(
    "--tolerance",
    type=NumberRange(min=0),
    default=TOLERANCE,
    show_default=True,
    metavar="X",
    help="By how much equal scores may differ (natural logarithms).",
)
@timeout_option(SECONDS, "How long one training may take; where given, the start of its process too.")
@memory_option(0)
@report_options()
@click.pass_context
def train_command(
    context: click.Context,
    /,
    *,
    algorithms: tuple[Algorithm, ...],
    files: tuple[str, ...],
    vocab_size: int,
    wanted: tuple[str, ...],
    baseline: str | None,
    repeat: int,
    pre_tokenizer: str,
    tolerance: float,
    timeout: float,
    memory: int,
    reports: ReportOptions,
    **given: Any,
) -> None:
    """Train several times with each trainer on one corpus, and compare the tokens, merges or scores, and ids.

    Every merge is done again beside exact counts of pairs, so that each difference is shown with the first merge that
    differs and the counts of both pairs there, and is called a tie only where the counts prove it.

    \b
    Examples:
      tokconf train --algorithm bpe --corpus book.txt --vocab-size 8000
      tokconf train --algorithm wordpiece --corpus texts/*.txt --vocab-size 8000 -i tokenizers reference --repeat 20
      tokconf train --algorithm all --corpus book.txt --vocab-size 2000 -i tokenizers sentencepiece --markdown report.md
      tokconf train --algorithm wordlevel --corpus book.txt --vocab-size 2000 -i tokenizers "command:./my-trainer --flag"
    """  # noqa: D301, E501 - "\b" is click's mark for a paragraph that is not to be wrapped, as here a command line
    try:
        with open_reports(reports, _read_files(files, (*wanted, *filter(None, (baseline,))))) as opened:
            chosen = choose_trainers(wanted or DEFAULT_TRAINERS, baseline, limits_of(timeout, memory))
            plan = prepared(
                trainers=chosen.trainers,
                unavailable=chosen.unavailable,
                counters=chosen.counters,
                files=files,
                pre_tokenizer=PreTokenizer(pre_tokenizer),
                options=options_of(algorithms, vocab_size, given),
                repeat=repeat,
                tolerance=tolerance,
                command=("tokconf", *sys.argv[1:]),
            )
            status = _carry_out(plan, opened)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    except CannotCountError as error:
        complain(str(error))
        status = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]
    context.exit(status)


def _read_files(files: Sequence[str], words: Sequence[str]) -> list[ReadFile]:
    """Return the files that the command reads: those of the corpus, and the programs of trainers."""
    return [*given_files("a file of the corpus", files), *program_files(words)]


def _carry_out(plan: TrainingPlan, opened: OpenReports) -> int:
    """Train, report, and return the exit status."""
    return carry_out(
        train(plan),
        opened.reports(json=TrainingJsonLinesReport, markdown=TrainingMarkdownReport),
        TrainingTerminalReport,
        ends=is_ending,
    )
