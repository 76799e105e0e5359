"""``tokconf audit offsets``: what must hold for any encoding, checked without another implementation."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.given_inputs import InputOptions
from tokenizer_conformance.cli.given_options import given_options
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.defaults import DEFAULT_BASELINE
from tokenizer_conformance.inputs.bundled import named
from tokenizer_conformance.inputs.text_generators.random_unicode import RandomTexts
from tokenizer_conformance.ledger.reader import joined
from tokenizer_conformance.research.offsets_audit.checks import TITLE, Subjects, checks_of, ending
from tokenizer_conformance.research.offsets_audit.engine import Call, OffsetsAuditPlan, audit
from tokenizer_conformance.research.offsets_audit.known import LedgerUpdate, known_oddities
from tokenizer_conformance.research.offsets_audit.page import OFFSETS_AUDITS
from tokenizer_conformance.results.ci_results.reports import ChecksOf, check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of
from tokenizer_conformance.validation.running.preparation import gather, word_for

if TYPE_CHECKING:
    from collections.abc import Callable

    import click

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.corpus import Corpus, Inputs, Selection
    from tokenizer_conformance.validation.running.preparation import Sources

REPEATED_OPTIONS = ("files", "column", "no_builtin", "splits", "count", "seed", "timeout", "isolate", "in_process")
"""The options without which an input may be another one, or the answer to it."""

RANDOM = "random texts"

HINT = "; TOKENIZERs stand before the options"


def execute(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    wanted: tuple[str, ...],
    inputs: InputOptions,
    selection: Selection,
    count: int,
    seed: int,
    sampled: Callable[[Corpus], Inputs],
    jobs: int,
    shard: Shard | None,
    ledgers: LedgerOptions,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf audit offsets``."""
    words = tuple(wanted or (DEFAULT_BASELINE,))
    read = [
        *tokenizer_files(named(tokenizers)),
        *inputs.read_files(),
        *program_files(words),
        *ledgers.read_files(),
    ]
    with open_reports(reports, read) as opened, chosen(words, None, isolation, HINT, alone=True) as choice:
        given = gather(tokenizers, _sources(inputs, count, seed), selection, choice.limit)
        ledger = ledgers.ledger()
        plan = OffsetsAuditPlan(
            tokenizers=given.tokenizers,
            implementations=choice.implementations,
            corpus=sampled(given.corpus),
            ledger=joined(known_oddities(), ledger) if ledgers.known else ledger,
            call=Call(
                tokenizers={each.source.name: word_for(each) for each in given.tokenizers},
                implementations=choice.words,
                options=given_options(context, REPEATED_OPTIONS),
            ),
            optional=choice.optional,
            refusals=given.refusals,
            unavailable=choice.unavailable,
            absent=choice.absent,
            command=("tokconf", *sys.argv[1:]),
            selected=choice.selected,
            jobs=jobs,
            shard=shard,
        )
        page = PageOf(OFFSETS_AUDITS, lines_of)
        subjects = Subjects(plan.tokenizers, tuple(each.info for each in plan.implementations), plan.optional)
        entries = {str(entry.place): entry for entry in plan.ledger.entries}
        checks: ChecksOf[object] = ChecksOf(TITLE, partial(checks_of, subjects, entries), ending)
        made = [*page.reports(opened), *check_reports(opened, checks), *ledgers.reports(LedgerUpdate)]
        return carry_out(audit(plan), made, page.terminal)


def _sources(inputs: InputOptions, count: int, seed: int) -> Sources:
    """Return where inputs come from. Raises :class:`click.UsageError` where there is nothing."""
    if not count:
        return inputs.sources()
    drawn = RandomTexts(count, seed)
    given: Sources = [(source.word, source) for source in inputs.given_sources()]
    return [*(InputOptions().sources() if inputs.builtin else []), *given, (RANDOM, drawn)]
