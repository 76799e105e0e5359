"""``tokconf explain``: the way of one text through a tokenizer."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode
from tokenizer_adapters.selection import ALL, Isolation
from tokenizer_conformance.causes.explain.engine import explain
from tokenizer_conformance.causes.explain.markdown import ExplanationMarkdownReport
from tokenizer_conformance.causes.explain.page import EXPLANATIONS
from tokenizer_conformance.causes.explain.plan import SHORT, UNLIMITED, ExplanationPlan
from tokenizer_conformance.causes.explain.record import lines_of
from tokenizer_conformance.causes.explain.terminal import ExplanationTerminalReport
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.cli.registered import names_of_all
from tokenizer_conformance.cli.text_argument import text_of
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.results.page_reports import PageOf

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.command_io.outputs import ReportOptions

TRACER = "reference"
"""The implementation that shows the way of a text."""

DEFAULT_IMPLEMENTATIONS = (TRACER, "tokenizers")


def execute(
    *,
    tokenizer: str,
    text: str,
    wanted: tuple[str, ...],
    isolation: Isolation,
    pair: str | None,
    no_special_tokens: bool,
    escaped: bool,
    everything: bool,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf explain``."""
    question = Encode(
        text_of(text, escaped=escaped, what="TEXT"),
        None if pair is None else text_of(pair, escaped=escaped, what="--pair"),
        add_special_tokens=not no_special_tokens,
    )
    words = _others(wanted or DEFAULT_IMPLEMENTATIONS)
    with (
        open_reports(reports, [*tokenizer_files([tokenizer]), *program_files(words)]) as opened,
        chosen(
            (TRACER, *words),
            TRACER,
            _with_tracer_here(isolation),
            "; TOKENIZER and TEXT stand before the options",
            alone=not words,
        ) as choice,
    ):
        tracer, *others = choice.implementations
        plan = ExplanationPlan(
            source=_source(tokenizer),
            question=question,
            tracer=tracer,
            others=tuple(others),
            unavailable=choice.unavailable,
            limits=UNLIMITED if everything else SHORT,
            command=("tokconf", *sys.argv[1:]),
        )
        page = PageOf(EXPLANATIONS, lines_of)
        return carry_out(
            explain(plan),
            opened.reports(page.record, ExplanationMarkdownReport, page.html),
            ExplanationTerminalReport,
        )


def _others(wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the words that are not the one that shows the way."""
    spelt_out = itertools.chain.from_iterable(names_of_all() if word == ALL else (word,) for word in wanted)
    return tuple(word for word in dict.fromkeys(spelt_out) if word != TRACER)


def _with_tracer_here(isolation: Isolation) -> Isolation:
    """Return ``isolation`` with the one that shows the way in this process: it shows none across a pipe."""
    return Isolation(isolation.limits, isolation.isolated - {TRACER}, isolation.in_process | {TRACER})


def _source(tokenizer: str) -> TokenizerSource:
    STATUS.begin("finding the tokenizer", tokenizer)
    try:
        source = find_tokenizer(tokenizer)
        read_tokenizer(source)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    return source
