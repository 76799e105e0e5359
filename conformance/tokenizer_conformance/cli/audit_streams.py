"""``tokconf audit streams``: the texts of a stream, joined, are the text of all its ids decoded at once."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.given_options import given_options
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.defaults import DEFAULT_BASELINE
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.research.streams_audit.checks import TITLE, checks_of, ending
from tokenizer_conformance.research.streams_audit.engine import Call, StreamsAuditPlan, audit
from tokenizer_conformance.research.streams_audit.page import STREAMS_AUDITS
from tokenizer_conformance.results.ci_results.reports import ChecksOf, check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of
from tokenizer_conformance.validation.running.preparation import gather, word_for

if TYPE_CHECKING:
    import click

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_inputs import InputOptions
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.inputs.corpus import Selection

REPEATED_OPTIONS = (
    "files", "column", "no_builtin", "splits", "seed", "timeout", "isolate", "in_process",
)  # fmt: skip
"""The options without which a stream may be another one, or the answer to it."""

HINT = "; TOKENIZERs stand before the options"


def execute(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    wanted: tuple[str, ...],
    cases: int,
    start: int,
    seed: int,
    inputs: InputOptions,
    selection: Selection,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf audit streams``."""
    words = tuple(wanted or (DEFAULT_BASELINE,))
    read = [*tokenizer_files(tokenizers or bundled_names()), *inputs.read_files(), *program_files(words)]
    with open_reports(reports, read) as opened, chosen(words, None, isolation, HINT, alone=True) as choice:
        given = gather(tokenizers, inputs.sources(), selection, choice.limit)
        plan = StreamsAuditPlan(
            tokenizers=given.tokenizers,
            implementations=choice.implementations,
            corpus=given.corpus,
            numbers=range(start, start + cases),
            seed=seed,
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
        )
        page = PageOf(STREAMS_AUDITS, lines_of)
        checks: ChecksOf[object] = ChecksOf(TITLE, partial(checks_of, plan), ending)
        return carry_out(audit(plan), [*page.reports(opened), *check_reports(opened, checks)], page.terminal)
