"""``tokconf explain``: the way of one text through a tokenizer."""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import Encode
from tokenizer_adapters.selection import ALL, Isolation
from tokenizer_conformance.cli.choosing import (
    DEFAULT_SECONDS,
    chosen,
    implementation_option,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.cli.registered import implementation_names
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.cli.text_argument import text_of
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.explain.engine import explain
from tokenizer_conformance.explain.limits import SHORT, UNLIMITED
from tokenizer_conformance.explain.markdown import ExplanationMarkdownReport
from tokenizer_conformance.explain.plan import ExplanationPlan
from tokenizer_conformance.explain.record import ExplanationJsonLinesReport
from tokenizer_conformance.explain.terminal import ExplanationTerminalReport
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer, read_tokenizer
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.progress import STATUS
from tokenizer_conformance.session.shell import carry_out

if TYPE_CHECKING:
    from tokenizer_adapters.contract import TokenizerSource
    from tokenizer_conformance.session.outputs import ReportOptions

TRACER = "reference"
"""The implementation that shows the way of a text."""

DEFAULT_IMPLEMENTATIONS = (TRACER, "tokenizers")


@click.command("explain", cls=LongCommand, short_help="Show the way of one text through a tokenizer.")
@click.argument("tokenizer", metavar="TOKENIZER")
@click.argument("text", metavar="TEXT")
@implementation_option(DEFAULT_IMPLEMENTATIONS)
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@click.option("--pair", metavar="TEXT", help="The second text of a pair.")
@click.option("--no-special-tokens", is_flag=True, help="Encode without adding special tokens.")
@click.option(
    "--escaped",
    is_flag=True,
    help=r"Read escapes in the texts: \n, \t, \r, \0, \\, \x41, \u0301, \U0001f600, \N{SNOWMAN}.",
)
@click.option("--all", "everything", is_flag=True, help="Show all of a long text, where else a part of it is shown.")
@report_options()
@click.pass_context
def explain_command(
    context: click.Context,
    *,
    tokenizer: str,
    text: str,
    wanted: tuple[str, ...],
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    pair: str | None,
    no_special_tokens: bool,
    escaped: bool,
    everything: bool,
    reports: ReportOptions,
) -> None:
    """Show the way of TEXT through TOKENIZER, stage by stage, and where implementations leave it.

    TOKENIZER is what 'tokconf run' takes: a tokenizer.json file, a folder that holds one, a bundled name, or a
    repository of the Hugging Face hub. TEXT is taken as it stands; "-" reads it from standard input, to the last byte
    (echo adds a newline there, printf does not). TOKENIZER and TEXT stand before the options, or after "--".

    The way is shown as the reference takes it, which is compared with all others: each component with what it changes,
    which added tokens are cut out and why others are not, the merges, paths or matches of the model, what follows it,
    and the way back. Where an implementation differs, the first stage and component is named; for this it is given
    changed copies of the file. The exit status is 1 then.

    \b
    Examples:
      tokconf explain gpt2-mini "Hello, world!"
      tokconf explain my-checkpoint/ "e\\u0301 \\u00df" --escaped -i tokenizers tokie
      tokconf explain openai-community/gpt2 - --all --markdown way.md < text.txt
      tokconf explain bert-mini "a question" --pair "its answer" -i reference
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    isolation = isolation_of(isolate, in_process, timeout, memory)
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
        status = carry_out(
            explain(plan),
            opened.reports(json=ExplanationJsonLinesReport, markdown=ExplanationMarkdownReport),
            ExplanationTerminalReport,
        )
    context.exit(status)


def _others(wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the words that are not the one that shows the way."""
    spelt_out = itertools.chain.from_iterable(implementation_names() if word == ALL else (word,) for word in wanted)
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
