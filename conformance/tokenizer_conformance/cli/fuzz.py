"""``tokconf fuzz``: compare implementations on random tokenizers and random hostile texts."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from pathlib import Path

import click

from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.options import SpreadCommand
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.fuzz.engine import fuzz_run
from tokenizer_conformance.fuzz.events import (
    is_ending,
)
from tokenizer_conformance.fuzz.plan import PATIENCE, TEXTS_PER_TOKENIZER, FuzzPlan
from tokenizer_conformance.fuzz.record import FuzzJsonLinesReport
from tokenizer_conformance.fuzz.terminal import FuzzTerminalReport
from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.session.shell import carry_out, open_reports

DEFAULT_IMPLEMENTATIONS = ("reference",)
DEFAULT_TOKENIZERS = 1000
SEEDS = 2**32


@click.command("fuzz", cls=SpreadCommand, short_help="Compare implementations on random tokenizers and texts.")
@implementation_option(DEFAULT_IMPLEMENTATIONS)
@click.option(
    "--baseline",
    metavar="IMPL",
    default=DEFAULT_BASELINE,
    show_default=True,
    help="The implementation that the others are compared with.",
)
@click.option("--seed", type=int, help="What the random tokenizers are drawn from; another one each time if not given.")
@click.option(
    "--tokenizers",
    type=click.IntRange(min=1),
    default=DEFAULT_TOKENIZERS,
    show_default=True,
    metavar="N",
    help="How many tokenizers.",
)
@click.option(
    "--texts",
    type=click.IntRange(min=1),
    default=TEXTS_PER_TOKENIZER,
    show_default=True,
    metavar="N",
    help="How many texts for each.",
)
@click.option(
    "--start",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="The number of the first tokenizer.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many processes."
)
@timeout_option(PATIENCE)
@isolation_options
@click.option(
    "--json",
    "json_path",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a record as JSON Lines.",
)
@click.pass_context
def fuzz_command(
    context: click.Context,
    *,
    wanted: tuple[str, ...],
    baseline: str,
    seed: int | None,
    tokenizers: int,
    texts: int,
    start: int,
    jobs: int,
    timeout: float,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    json_path: Path | None,
) -> None:
    """Ask implementations about random tokenizers and random hostile texts, and compare what they answer.

    Every tokenizer is a valid tokenizer.json of random components. What is found stands with its number: the seed and the
    number give the same tokenizer, texts and questions again. A difference is shown with a tokenizer.json and a text made as
    small as possible. An implementation that crashes or hangs costs one answer.

    \b
    Examples:
      tokconf fuzz
      tokconf fuzz --seed 1 --tokenizers 20000 --jobs 4 --json fuzz.jsonl
      tokconf fuzz -i transformers --seed 1 --start 718 --tokenizers 1
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    isolation = isolation_of(isolate, in_process, timeout, memory)
    try:
        with chosen(wanted or DEFAULT_IMPLEMENTATIONS, baseline, isolation) as choice:
            for refusal in choice.absent:
                click.echo(f"tokconf: {one_line(refusal.reason)}", err=True)
            infos = {
                implementation.info.name: replace(implementation.info, name=selected.word)
                for implementation, selected in zip(choice.implementations, choice.selected, strict=True)
            }
        plan = FuzzPlan(
            baseline=infos[choice.baseline],
            implementations=tuple(info for name, info in infos.items() if name != choice.baseline),
            isolation=isolation,
            unavailable=choice.unavailable,
            seed=secrets.randbelow(SEEDS) if seed is None else seed,
            tokenizers=tokenizers,
            texts=texts,
            start=start,
            jobs=jobs,
            patience=timeout,
            command=("tokconf", *sys.argv[1:]),
        )
        status = _carry_out(plan, json_path)
    except KeyboardInterrupt:
        click.echo("tokconf: interrupted before anything was compared", err=True)
        status = EXIT_STATUS[Conclusion.INTERRUPTED]
    context.exit(status)


def _carry_out(plan: FuzzPlan, json_path: Path | None) -> int:
    """Fuzz, report, and return the exit status."""
    return carry_out(
        fuzz_run(plan),
        lambda stack: open_reports(stack, json=None if json_path is None else (json_path, FuzzJsonLinesReport)),
        FuzzTerminalReport,
        ends=is_ending,
    )
