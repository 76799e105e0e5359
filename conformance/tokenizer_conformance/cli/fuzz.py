"""``tokconf fuzz``: look for differences on given tokenizers, or on random ones, with texts that generators make."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from tokenizer_adapters.contract import UnavailableError
from tokenizer_adapters.registry import RegistryError
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import program_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.cli.searching import HINT, SearchOptions, carried_out, search_status
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.defaults import FUZZED_IMPLEMENTATIONS
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.validation.search.plan import FuzzPlan
from tokenizer_conformance.validation.search.random_page import FUZZING

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.command_io.shard import Shard

SEEDS = 2**32

OF_RANDOM_TOKENIZERS = ("tokenizers", "texts", "start", "shard")
"""The options by name that say which random tokenizers are compared, and so have no place beside given ones."""

OF_A_SEARCH = ("seconds", "cases", "corpus", "files", "column")
"""The options by name that need a given tokenizer."""


def execute(
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
    shard: Shard | None,
    isolation: Isolation,
    ledgers: LedgerOptions,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf fuzz``."""
    _refuse_what_does_not_fit(context, is_search=bool(given))
    if given:
        options = SearchOptions(
            tokenizers=given,
            wanted=wanted,
            baseline=baseline if _is_given(context, "baseline") else None,
            isolation=isolation,
            patience=isolation.limits.seconds,
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
        return search_status(options)
    try:
        with open_reports(reports, [*program_files((*wanted, baseline)), *ledgers.read_files()]) as opened:
            ledger = ledgers.ledger()
            with chosen(wanted or FUZZED_IMPLEMENTATIONS, baseline, isolation) as choice:
                for refusal in choice.absent:
                    complain(refusal.reason)
                infos = {
                    implementation.info.name: replace(implementation.info, name=selected.word)
                    for implementation, selected in zip(choice.implementations, choice.selected, strict=True)
                }
            plan = FuzzPlan(
                baseline_info=infos[choice.baseline],
                implementations=tuple(info for name, info in infos.items() if name != choice.baseline),
                isolation=isolation,
                unavailable=choice.unavailable,
                seed=secrets.randbelow(SEEDS) if seed is None else seed,
                tokenizers=tokenizers,
                texts=texts,
                start=start,
                shard=shard,
                jobs=jobs,
                patience=isolation.limits.seconds,
                ledger=ledger,
                command=("tokconf", *sys.argv[1:]),
            )
            return carried_out(plan, FUZZING, opened)
    except (RegistryError, UnavailableError) as error:
        raise ImplementationError(one_line(str(error))) from error


def _refuse_what_does_not_fit(context: click.Context, *, is_search: bool) -> None:
    """Raise :class:`click.UsageError` where options are given together that make no sense together."""
    flags = {parameter.name: parameter.opts[-1] for parameter in context.command.params}
    for name in OF_RANDOM_TOKENIZERS if is_search else OF_A_SEARCH:
        if _is_given(context, name):
            why = "is about random tokenizers, and a TOKENIZER is given" if is_search else "needs a TOKENIZER"
            raise click.UsageError(f"{flags[name]} {why}{'' if is_search else HINT}")
    if _is_given(context, "shard") and not _is_given(context, "seed"):
        raise click.UsageError("--shard needs the --seed that all parts have")
    if _is_given(context, "seconds") and _is_given(context, "cases"):
        raise click.UsageError("--time and --cases both say when the search ends; give one of them")


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) is not ParameterSource.DEFAULT
