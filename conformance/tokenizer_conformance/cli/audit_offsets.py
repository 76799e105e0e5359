"""``tokconf audit offsets``: what must hold for any encoding, checked without another implementation."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.audit.offsets.checks import OffsetsAuditChecks
from tokenizer_conformance.audit.offsets.engine import audit
from tokenizer_conformance.audit.offsets.known import known_oddities
from tokenizer_conformance.audit.offsets.ledger_update import LedgerUpdate
from tokenizer_conformance.audit.offsets.markdown import OffsetsAuditMarkdownReport
from tokenizer_conformance.audit.offsets.plan import OffsetsAuditPlan
from tokenizer_conformance.audit.offsets.record import OffsetsAuditJsonLinesReport
from tokenizer_conformance.audit.offsets.repeating import Call
from tokenizer_conformance.audit.offsets.terminal import OffsetsAuditTerminalReport
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
from tokenizer_conformance.cli.given_options import given_options
from tokenizer_conformance.cli.input_options import InputOptions, input_options, sample_option, selection_options
from tokenizer_conformance.cli.ledger_options import LedgerOptions, ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import sampled
from tokenizer_conformance.inputs.generators.random_texts import RandomTexts
from tokenizer_conformance.ledger.reader import joined
from tokenizer_conformance.run.preparation import MemoryLimit, gather, word_for
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out

if TYPE_CHECKING:
    from tokenizer_conformance.inputs.corpus import Selection
    from tokenizer_conformance.run.preparation import Sources
    from tokenizer_conformance.session.outputs import ReportOptions

REPEATED_OPTIONS = ("files", "column", "no_builtin", "splits", "count", "seed", "timeout", "isolate", "in_process")
"""The options without which an input may be another one, or the answer to it."""

RANDOM = "random texts"

HINT = "; TOKENIZERs stand before the options"


@click.command("offsets", cls=LongCommand, short_help="Check what must hold for any encoding, whoever made it.")
@click.argument("tokenizers", metavar="[TOKENIZER]...", nargs=-1)
@implementation_option((DEFAULT_BASELINE,), "audit")
@input_options
@selection_options
@click.option(
    "--random",
    "count",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="As many random texts besides, of all blocks, scripts and categories of Unicode.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of the random texts.")
@sample_option
@ledger_options(update=True, stale="An entry that names an audited tokenizer and is not met any more is stale.")
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
def offsets_command(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    wanted: tuple[str, ...],
    inputs: InputOptions,
    selection: Selection,
    count: int,
    seed: int,
    most: int | None,
    ledgers: LedgerOptions,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    reports: ReportOptions,
) -> None:
    """Check invariants of encodings that need no other implementation.

    Lists have one length; spans lie in the text, in its order, and cover all that is not taken out of it; what stands
    in the span of a token is normalized to what the token stands for; masks, type ids, word ids and sequence ids say
    the same of a token; a pair is its texts, a batch its inputs, and windows of a truncated text are the text. Whoever
    answers is asked about single texts, words, pairs and batches, and with truncation and padding put into the file.

    What an implementation does not show cannot be checked, and is counted so. A finding has the smallest example that
    was found. Known oddities of released versions stand in a ledger of the project (--no-known leaves it out); in a
    ledger, input = "coverage.text: white space in no span" names a violation as the report does. TOKENIZERs are those
    of "tokconf run"; the bundled ones where none is given.

    \b
    Examples:
      tokconf audit offsets ./my-checkpoint
      tokconf audit offsets bert-mini -i my_package.mine:Mine --inputs texts/*.txt
      tokconf audit offsets gpt2-mini -i tokenizers==0.19.1 tiktoken --random 2000 --json audit.jsonl
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    words = tuple(wanted or (DEFAULT_BASELINE,))
    isolation = isolation_of(isolate, in_process, timeout, memory)
    read = [
        *tokenizer_files(tokenizers or bundled_names()),
        *inputs.read_files(),
        *program_files(words),
        *ledgers.read_files(),
    ]
    with open_reports(reports, read) as opened, chosen(words, None, isolation, HINT, alone=True) as choice:
        given = gather(
            tokenizers,
            _sources(inputs, count, seed),
            selection,
            MemoryLimit(choice.in_process, isolation.limits.memory),
        )
        ledger = ledgers.ledger()
        plan = OffsetsAuditPlan(
            tokenizers=given.tokenizers,
            implementations=choice.implementations,
            corpus=sampled(given.corpus, most),
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
        )
        made = opened.reports(json=OffsetsAuditJsonLinesReport, markdown=OffsetsAuditMarkdownReport)
        made += check_reports(opened, OffsetsAuditChecks)
        made += ledgers.reports(LedgerUpdate)
        status = carry_out(audit(plan), made, OffsetsAuditTerminalReport)
    context.exit(status)


def _sources(inputs: InputOptions, count: int, seed: int) -> Sources:
    """Return where inputs come from. Raises :class:`click.UsageError` where there is nothing."""
    if not count:
        return inputs.sources()
    drawn = RandomTexts(count, seed)
    given: Sources = [(source.word, source) for source in inputs.given_sources()]
    return [*(InputOptions().sources() if inputs.builtin else []), *given, (RANDOM, drawn)]
