"""``tokconf train``: compare what trainers learn from one corpus."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.training import Algorithm, PreTokenizer
from tokenizer_conformance.cli.choosing_trainers import DEFAULT_TRAINERS, choose_trainers, trainer_names
from tokenizer_conformance.cli.options import ALL, NumberRange, SpreadCommand, SpreadOption, comma_list
from tokenizer_conformance.cli.training_options import options_of, training_options
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.shell import carry_out, open_reports
from tokenizer_conformance.train.engine import train
from tokenizer_conformance.train.events import is_ending
from tokenizer_conformance.train.markdown import TrainingMarkdownReport
from tokenizer_conformance.train.plan import PATIENCE
from tokenizer_conformance.train.preparation import CannotCountError, prepared
from tokenizer_conformance.train.record import TrainingJsonLinesReport
from tokenizer_conformance.train.task import TOLERANCE
from tokenizer_conformance.train.terminal import TrainingTerminalReport

if TYPE_CHECKING:
    from tokenizer_conformance.train.plan import TrainingPlan


@click.command("train", cls=SpreadCommand, short_help="Compare what trainers learn from a corpus.")
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
    takes=lambda word: word == ALL or word in trainer_names(),
    metavar="IMPL...",
    help=f"Trainers to compare; {', '.join(DEFAULT_TRAINERS)} where none is given. {ALL!r} is every installed one.",
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
@click.option(
    "--timeout",
    "patience",
    type=NumberRange(min=0, min_open=True),
    default=PATIENCE,
    show_default=True,
    metavar="SECONDS",
    help="How long one training may take.",
)
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a record as JSON Lines.",
)
@click.option(
    "--markdown",
    "markdown_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a report in Markdown.",
)
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
    patience: float,
    json_path: Path | None,
    markdown_path: Path | None,
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
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    try:
        chosen = choose_trainers(wanted or DEFAULT_TRAINERS, baseline)
        plan = prepared(
            trainers=chosen.trainers,
            unavailable=chosen.unavailable,
            counters=chosen.counters,
            files=files,
            pre_tokenizer=PreTokenizer(pre_tokenizer),
            options=options_of(algorithms, vocab_size, given),
            repeat=repeat,
            tolerance=tolerance,
            patience=patience,
            command=("tokconf", *sys.argv[1:]),
        )
        status = _carry_out(plan, json_path, markdown_path)
    except BadInputError as error:
        raise BadInput(one_line(str(error))) from error
    except CannotCountError as error:
        click.echo(f"tokconf: {one_line(str(error))}", err=True)
        status = EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED]
    except KeyboardInterrupt:
        click.echo("tokconf: interrupted before anything was compared", err=True)
        status = EXIT_STATUS[Conclusion.INTERRUPTED]
    context.exit(status)


def _carry_out(plan: TrainingPlan, json_path: Path | None, markdown_path: Path | None) -> int:
    """Train, report, and return the exit status."""
    return carry_out(
        train(plan),
        lambda stack: open_reports(
            stack,
            json=None if json_path is None else (json_path, TrainingJsonLinesReport),
            markdown=None if markdown_path is None else (markdown_path, TrainingMarkdownReport),
        ),
        TrainingTerminalReport,
        ends=is_ending,
    )
