"""``tokconf fuzz``: look for differences on given tokenizers, or on random ones, with texts that generators make."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.registry import RegistryError
from tokenizer_conformance.checks.reports import check_reports
from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.input_options import column_option, inputs_option
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.read_files import program_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.searching import HINT, SearchOptions, search_status
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.fuzz.checks import FuzzChecks
from tokenizer_conformance.fuzz.engine import fuzz_run
from tokenizer_conformance.fuzz.events import is_ending
from tokenizer_conformance.fuzz.plan import PATIENCE, TEXTS_PER_TOKENIZER, FuzzPlan
from tokenizer_conformance.fuzz.record import FuzzJsonLinesReport
from tokenizer_conformance.fuzz.terminal import FuzzTerminalReport
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import complain

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_conformance.cli.ledger_options import LedgerOptions
    from tokenizer_conformance.session.outputs import OpenReports, ReportOptions

DEFAULT_IMPLEMENTATIONS = ("reference",)
DEFAULT_TOKENIZERS = 1000
SEEDS = 2**32

OF_RANDOM_TOKENIZERS = ("tokenizers", "texts", "start")
"""The options by name that say which random tokenizers are compared, and so have no place beside given ones."""

OF_A_SEARCH = ("seconds", "cases", "corpus", "files", "column")
"""The options by name that need a given tokenizer."""


NOT_SHARED_OUT = (
    "--shard: fuzzing has no parts that are merged. Which texts a search asks hangs on what it has found before, so "
    "parts would find other things than the whole. In place of it, give each machine another --seed for the same "
    "TOKENIZERs, or TOKENIZERs of its own; without a TOKENIZER, the same --seed and numbers of its own (--start, "
    "--tokenizers)"
)
"""Why one option of other commands is refused, and what to give in place of it."""

NOT_REPEATED = (
    "--last-failed: a search asks first about what an earlier one has kept, so give --corpus FOLDER each time. Of "
    "random tokenizers each finding is told with the command that repeats it (--start N --tokenizers 1)"
)
"""The same of another one."""


def _refused(reason: str) -> Callable[[click.Context, click.Parameter, str | None], None]:
    """Return the callback of an option of other commands that fuzzing refuses, for this ``reason``."""

    def refuse(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError(reason)

    return refuse


@click.command(
    "fuzz", cls=LongCommand, table="fuzz", short_help="Look for differences on given tokenizers, or on random ones."
)
@click.argument("given", nargs=-1, metavar="[TOKENIZER]...")
@implementation_option(DEFAULT_IMPLEMENTATIONS)
@click.option(
    "--baseline",
    metavar="IMPL",
    default=DEFAULT_BASELINE,
    show_default=True,
    help="The implementation that the others are compared with; of several given with -i for a TOKENIZER the first, "
    f"where {DEFAULT_BASELINE} is none of them.",
)
@click.option(
    "--seed",
    type=int,
    help="What random texts and tokenizers are drawn from; where it is not given, that of the --corpus, or another one "
    "each time.",
)
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    metavar="TIME",
    help="How long to look for differences on the given TOKENIZERs, all together: 90s, 5m, 1h; 60s where neither this "
    "nor --cases is given.",
)
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    metavar="N",
    help="In place of --time, how many texts to ask about for each given TOKENIZER and implementation; the same ones, "
    "and the same findings, for a seed each time, with any number of --jobs.",
)
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Keep there what is found, and how far the search came: the next search asks about what is kept first, and "
    "goes on from there.",
)
@inputs_option(
    "Texts that are asked about, and changed, for given TOKENIZERs: JSON Lines, Parquet, datasets:NAME:SPLIT, and "
    'plain text, a line each, as for "tokconf run".'
)
@column_option()
@click.option(
    "--tokenizers",
    type=click.IntRange(min=1),
    default=DEFAULT_TOKENIZERS,
    show_default=True,
    metavar="N",
    help="How many random tokenizers.",
)
@click.option(
    "--texts",
    type=click.IntRange(min=1),
    default=TEXTS_PER_TOKENIZER,
    show_default=True,
    metavar="N",
    help="How many texts for each random tokenizer.",
)
@click.option(
    "--start",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="The number of the first random tokenizer.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="N", help="How many processes."
)
@click.option("--shard", hidden=True, expose_value=False, callback=_refused(NOT_SHARED_OUT))
@click.option("--last-failed", hidden=True, expose_value=False, callback=_refused(NOT_REPEATED))
@timeout_option(PATIENCE)
@isolation_options
@ledger_options(
    update=False,
    stale="A random tokenizer is called fuzz, and fuzz:TYPE after each of its components. Whether an entry is stale is "
    "not judged.",
)
@report_options(checks=True)
@click.pass_context
def fuzz_command(
    context: click.Context,
    *,
    given: tuple[str, ...],
    wanted: tuple[str, ...],
    baseline: str,
    seed: int | None,
    seconds: float | None,
    cases: int | None,
    corpus: Path | None,
    files: tuple[str, ...],
    column: str | None,
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
    """Look for texts on which implementations differ, make them small, and gather them by what is behind them.

    With a TOKENIZER, named as for "tokconf run", texts are made from its file (its expressions, added tokens, tables,
    vocabulary), from Unicode, and by changing what was found; generators that find more are asked more often. Without
    any, tokenizers are random, too: each is a valid tokenizer.json of random components, asked about random hostile
    texts; the seed and its number give the same again. An implementation that crashes or hangs costs one answer.

    \b
    Examples:
      tokconf fuzz my-checkpoint/ -i tokenizers my_package.mine:Mine
      tokconf fuzz gpt2-mini -i tokie --time 5m --jobs 4 --corpus found/
      tokconf fuzz gpt2-mini --cases 20000 --seed 1 --json search.jsonl
      tokconf fuzz
      tokconf fuzz --seed 1 --tokenizers 20000 --jobs 4 --json fuzz.jsonl
      tokconf fuzz -i transformers --seed 1 --start 718 --tokenizers 1
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    _refuse_what_does_not_fit(context, is_search=bool(given), markdown=reports.markdown)
    isolation = isolation_of(isolate, in_process, timeout, memory)
    if given:
        options = SearchOptions(
            tokenizers=given,
            wanted=wanted,
            baseline=baseline if _is_given(context, "baseline") else None,
            isolation=isolation,
            patience=timeout,
            seconds=seconds,
            cases=cases,
            jobs=jobs,
            seed=seed,
            files=files,
            column=column,
            corpus=corpus,
            ledgers=ledgers,
            reports=reports,
        )
        context.exit(search_status(options))
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


def _refuse_what_does_not_fit(context: click.Context, *, is_search: bool, markdown: str | None) -> None:
    """Raise :class:`click.UsageError` where options are given together that make no sense together."""
    flags = {parameter.name: parameter.opts[-1] for parameter in context.command.params}
    for name in OF_RANDOM_TOKENIZERS if is_search else OF_A_SEARCH:
        if _is_given(context, name):
            why = "is about random tokenizers, and a TOKENIZER is given" if is_search else "needs a TOKENIZER"
            raise click.UsageError(f"{flags[name]} {why}{'' if is_search else HINT}")
    if markdown is not None and not is_search:
        raise click.UsageError(f"--markdown needs a TOKENIZER{HINT}; of random tokenizers there is a record (--json)")
    if _is_given(context, "seconds") and _is_given(context, "cases"):
        raise click.UsageError("--time and --cases both say when the search ends; give one of them")


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT


def _carry_out(plan: FuzzPlan, opened: OpenReports) -> int:
    """Fuzz, report, and return the exit status."""
    return carry_out(
        fuzz_run(plan),
        [*opened.reports(json=FuzzJsonLinesReport), *check_reports(opened, FuzzChecks)],
        FuzzTerminalReport,
        ends=is_ending,
    )
