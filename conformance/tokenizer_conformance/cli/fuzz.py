"""``tokconf fuzz``: compare implementations on random tokenizers and random hostile texts."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.registry import RegistryError
from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.read_files import program_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.fuzz.engine import fuzz_run
from tokenizer_conformance.fuzz.events import (
    is_ending,
)
from tokenizer_conformance.fuzz.plan import PATIENCE, TEXTS_PER_TOKENIZER, FuzzPlan
from tokenizer_conformance.fuzz.record import FuzzJsonLinesReport
from tokenizer_conformance.fuzz.terminal import FuzzTerminalReport
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import complain

if TYPE_CHECKING:
    from tokenizer_conformance.cli.ledger_options import LedgerOptions
    from tokenizer_conformance.fuzz.events import FuzzEvent
    from tokenizer_conformance.session.outputs import OpenReports, ReportOptions

DEFAULT_IMPLEMENTATIONS = ("reference",)
DEFAULT_TOKENIZERS = 1000
SEEDS = 2**32


@click.command("fuzz", cls=LongCommand, short_help="Compare implementations on random tokenizers and texts.")
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
@ledger_options(
    update=False,
    stale="A random tokenizer is called fuzz, and fuzz:TYPE after each of its components. Whether an entry is stale is "
    "not judged.",
)
@report_options(markdown=False)
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
    ledgers: LedgerOptions,
    reports: ReportOptions,
) -> None:
    """Ask implementations about random tokenizers and random hostile texts, and compare what they answer.

    Every tokenizer is a valid tokenizer.json of random components. What is found stands with its number: the seed and
    the number give the same tokenizer, texts and questions again. A difference is shown with a tokenizer.json and a
    text made as small as possible. An implementation that crashes or hangs costs one answer.

    \b
    Examples:
      tokconf fuzz
      tokconf fuzz --seed 1 --tokenizers 20000 --jobs 4 --json fuzz.jsonl
      tokconf fuzz -i transformers --seed 1 --start 718 --tokenizers 1
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    isolation = isolation_of(isolate, in_process, timeout, memory)
    try:
        with open_reports(reports, [*program_files((*wanted, baseline)), *ledgers.read_files()]) as opened:
            ledger = ledgers.ledger()
            with chosen(wanted or DEFAULT_IMPLEMENTATIONS, baseline, isolation) as choice:
                for refusal in choice.absent:
                    complain(refusal.reason)
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
                ledger=ledger,
                command=("tokconf", *sys.argv[1:]),
            )
            status = _carry_out(plan, opened)
    except (RegistryError, UnavailableError) as error:
        raise ImplementationError(one_line(str(error))) from error
    context.exit(status)


def _carry_out(plan: FuzzPlan, opened: OpenReports[FuzzEvent]) -> int:
    """Fuzz, report, and return the exit status."""
    return carry_out(
        fuzz_run(plan),
        opened.reports(json=FuzzJsonLinesReport),
        FuzzTerminalReport,
        ends=is_ending,
    )
