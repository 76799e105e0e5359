"""``tokconf audit loader``: what stands between a tokenizer.json and its user, looked into."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import input_files, program_files, tokenizer_files
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.defaults import AUDITED_LOADERS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.inputs.model_lists import read_models
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.releases.loader_audit.checks import LoaderAuditChecks
from tokenizer_conformance.releases.loader_audit.engine import audit
from tokenizer_conformance.releases.loader_audit.events import lines_of
from tokenizer_conformance.releases.loader_audit.known import LedgerUpdate
from tokenizer_conformance.releases.loader_audit.page import LOADER_AUDITS
from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan
from tokenizer_conformance.releases.loader_audit.witness import Budget
from tokenizer_conformance.results.ci_results.reports import check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.preparation import all_sources, gather, given_sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.inputs.model_lists import Listed
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

BY_CLASS = "transformers-class"
"""The implementation that loads with a named class."""

CLASS_VARIABLE = "TOKCONF_TRANSFORMERS_CLASS"
"""The environment variable by which it is told which one."""

MOST_TEXTS = 50_000
"""How many texts of the files that are given are used; they are held in memory."""

HINT = "; FOLDERs stand before the options"


def execute(
    *,
    tokenizers: tuple[str, ...],
    models: str | None,
    wanted: tuple[str, ...],
    class_name: str | None,
    baseline: str,
    cases: int,
    seconds: float,
    seed: int,
    files: tuple[str, ...],
    column: str | None,
    ledgers: LedgerOptions,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf audit loader``."""
    listed = _listed(tokenizers, models)
    tokenizers = (*tokenizers, *(each.word for each in listed))
    words = tuple(wanted or (() if class_name else AUDITED_LOADERS))
    if class_name and BY_CLASS not in words:
        words = (*words, BY_CLASS)
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
            choice.limit,
            may_be_empty=True,
        )
        if given.corpus.count > MOST_TEXTS:
            complain(f"of {given.corpus.count:,} texts in the files of --inputs the first {MOST_TEXTS:,} are used")
        texts = tuple(each.input.text for each in islice(given.corpus, MOST_TEXTS))
        first, *loaders = choice.implementations
        plan = LoaderAuditPlan(
            tokenizers=_named_as_listed(given.tokenizers, listed),
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
        page = PageOf(LOADER_AUDITS, lines_of)
        made = [
            *page.reports(opened),
            *check_reports(opened, partial(LoaderAuditChecks, plan)),
            *ledgers.reports(partial(LedgerUpdate, first.info)),
        ]
        return carry_out(audit(plan), made, page.terminal)


def _listed(tokenizers: tuple[str, ...], models: str | None) -> tuple[Listed, ...]:
    """Return the tokenizers of the list ``models``, beside those that are given as words."""
    if models is None:
        if not tokenizers:
            raise click.UsageError("give a FOLDER, or with --models a file of names or a cache of the hub")
        return ()
    try:
        found = read_models(models)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    if found.left_out:
        complain(f"without a tokenizer.json, and left out: {', '.join(map(one_line, found.left_out))}")
    return found.models


def _named_as_listed(tokenizers: tuple[TokenizerFile, ...], listed: tuple[Listed, ...]) -> tuple[TokenizerFile, ...]:
    """Return ``tokenizers``, those of a cache by the names of their models and not by those of their commits."""
    names = {each.word: each.name for each in listed if each.name != each.word}
    return tuple(
        each
        if (name := names.get(str(each.source.folder))) is None
        else replace(each, source=replace(each.source, name=name))
        for each in tokenizers
    )


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
