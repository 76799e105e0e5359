"""``tokconf audit loader``: what stands between a tokenizer.json and its user, looked into."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.audit.loader.checks import LoaderAuditChecks
from tokenizer_conformance.audit.loader.engine import audit
from tokenizer_conformance.audit.loader.ledger_update import LedgerUpdate
from tokenizer_conformance.audit.loader.markdown import LoaderAuditMarkdownReport
from tokenizer_conformance.audit.loader.plan import DEFAULT_BUDGET, LoaderAuditPlan
from tokenizer_conformance.audit.loader.record import LoaderAuditJsonLinesReport
from tokenizer_conformance.audit.loader.terminal import LoaderAuditTerminalReport
from tokenizer_conformance.audit.loader.witness import Budget
from tokenizer_conformance.checks.reports import check_reports
from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    DEFAULT_SECONDS,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.duration import Duration
from tokenizer_conformance.cli.input_options import column_option, inputs_option
from tokenizer_conformance.cli.ledger_options import LedgerOptions, ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.read_files import input_files, program_files, tokenizer_files
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.run.preparation import MemoryLimit, all_sources, gather, given_sources
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import complain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.session.outputs import ReportOptions

DEFAULT_LOADERS = ("transformers",)

BY_CLASS = "transformers-class"
"""The implementation that loads with a named class."""

CLASS_VARIABLE = "TOKCONF_TRANSFORMERS_CLASS"
"""The environment variable by which it is told which one."""

MOST_TEXTS = 50_000
"""How many texts of the files that are given are used; they are held in memory."""

HINT = "; FOLDERs stand before the options"


@click.command("loader", cls=LongCommand, short_help="Compare a tokenizer.json with what a loader makes of it.")
@click.argument("tokenizers", metavar="FOLDER...", nargs=-1, required=True)
@implementation_option(DEFAULT_LOADERS)
@click.option(
    "--class",
    "class_name",
    metavar="NAME",
    help="Load with this class of transformers, such as BertTokenizer, whatever the folder names; with -i, too.",
)
@click.option("--baseline", default=DEFAULT_BASELINE, show_default=True, metavar="IMPL", help="Who reads the raw file.")
@click.option(
    "--cases",
    type=click.IntRange(min=1),
    default=DEFAULT_BUDGET.cases,
    show_default=True,
    metavar="N",
    help="Among how many texts a witness of one difference is looked for.",
)
@click.option(
    "--time",
    "seconds",
    type=Duration(),
    default=f"{DEFAULT_BUDGET.seconds:g}s",
    show_default=True,
    metavar="TIME",
    help="How long it is looked for at most: 20s, 5m.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of what is drawn at random.")
@inputs_option("Your texts, as for 'tokconf run': how many of them each difference touches is counted.")
@column_option()
@ledger_options(
    update=True,
    known=False,
    stale='input = "added_tokens.normalized" names a component as the report does, and answers that no component '
    "explains are called answers. An entry that names an audited tokenizer and is not met any more is stale.",
)
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
def loader_command(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    wanted: tuple[str, ...],
    class_name: str | None,
    baseline: str,
    cases: int,
    seconds: float,
    seed: int,
    files: tuple[str, ...],
    column: str | None,
    ledgers: LedgerOptions,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    reports: ReportOptions,
) -> None:
    """Compare the tokenizer.json in each FOLDER with the object that a loader makes of it.

    The file as "tokenizers" reads it stands against what from_pretrained gives (-i transformers, transformers-4-fast,
    transformers-4-slow, any implementation that loads folders) and against a class that is named (--class). What the
    loader has replaced is named, component by component, with its JSON path and both values. For each, a witness is
    looked for: the smallest text, pair or ids that the file answers otherwise once that one component is replaced in
    it; then the loader is asked, too. Calls without options are compared with what the file says of truncation and
    padding. Answers that no replaced component explains are told as findings; of a class in plain Python, these are all
    there is.

    \b
    Examples:
      tokconf audit loader ./my-checkpoint
      tokconf audit loader ./my-checkpoint --class BertTokenizer --inputs texts/*.txt --markdown audit.md
      tokconf audit loader ./a ./b -i transformers transformers-4-fast transformers-4-slow --json audit.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    words = tuple(wanted or (() if class_name else DEFAULT_LOADERS))
    if class_name and BY_CLASS not in words:
        words = (*words, BY_CLASS)
    isolation = isolation_of(isolate, in_process, timeout, memory)
    read = [
        *tokenizer_files(tokenizers),
        *input_files(files),
        *program_files((*words, baseline)),
        *ledgers.read_files(),
    ]
    with (
        open_reports(reports, read) as opened,
        _named(class_name),
        chosen((baseline, *words), baseline, isolation, HINT) as choice,
    ):
        for refusal in choice.absent:
            complain(refusal.reason)
        sources = given_sources(files, column, (Split.LINE,))
        given = gather(
            tokenizers,
            all_sources(sources, builtin=False) if sources else [],
            EVERYTHING,
            MemoryLimit(choice.in_process, isolation.limits.memory),
            may_be_empty=True,
        )
        if given.corpus.count > MOST_TEXTS:
            complain(f"of {given.corpus.count:,} texts in the files of --inputs the first {MOST_TEXTS:,} are used")
        texts = tuple(each.input.text for each in islice(given.corpus, MOST_TEXTS))
        first, *loaders = _sides(choice)
        plan = LoaderAuditPlan(
            tokenizers=given.tokenizers,
            baseline=first,
            loaders=tuple(loaders),
            inputs=tuple(dict.fromkeys((*texts, *(each.text for each in builtin_inputs())))),
            given=texts,
            budget=Budget(cases, seconds),
            seed=seed,
            ledger=ledgers.ledger(),
            refusals=given.refusals,
            unavailable=choice.unavailable,
            command=("tokconf", *sys.argv[1:]),
        )
        made = opened.reports(json=LoaderAuditJsonLinesReport, markdown=LoaderAuditMarkdownReport)
        made += check_reports(opened, LoaderAuditChecks)
        made += ledgers.reports(LedgerUpdate)
        status = carry_out(audit(plan), made, LoaderAuditTerminalReport)
    context.exit(status)


def _sides(choice: Chosen) -> Sequence[Implementation]:
    """Return the implementations, the baseline before all others."""
    return sorted(choice.implementations, key=lambda each: each.info.name != choice.baseline)


@contextmanager
def _named(class_name: str | None) -> Iterator[None]:
    """Have the class of that name be the one that is loaded with, in this process and in those that it starts."""
    before = os.environ.get(CLASS_VARIABLE)
    if class_name is not None:
        os.environ[CLASS_VARIABLE] = class_name
    try:
        yield
    finally:
        if class_name is not None:
            if before is None:
                del os.environ[CLASS_VARIABLE]
            else:
                os.environ[CLASS_VARIABLE] = before
