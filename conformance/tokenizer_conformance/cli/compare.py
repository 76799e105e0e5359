"""``tokconf compare``: several tokenizers on the same texts."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.selection import ALL
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import given_files, input_files, program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError, is_registered
from tokenizer_conformance.cli.shard_option import refuse_without_record
from tokenizer_conformance.cli.text_argument import text_in_file, text_of
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.pools import Engine
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.research.cuts.engine import ComparePlan, compare, is_ending
from tokenizer_conformance.research.cuts.markdown import ComparisonMarkdownReport
from tokenizer_conformance.research.cuts.page import COMPARISONS
from tokenizer_conformance.research.cuts.terminal import ComparisonTerminalReport
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.results.records.making import lines_of
from tokenizer_conformance.validation.running.preparation import all_sources, gather, given_sources

if TYPE_CHECKING:
    from pathlib import Path

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.text import Split
    from tokenizer_conformance.validation.running.preparation import Given

HINT = "; TOKENIZERs and TEXT stand before the options"


def execute(
    *,
    words: tuple[str, ...],
    word: str,
    text_file: Path | None,
    escaped: bool,
    files: tuple[str, ...],
    column: str | None,
    splits: tuple[Split, ...],
    all_pairs: bool,
    examples: int,
    shard: Shard | None,
    jobs: int,
    engine: str,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf compare``."""
    tokenizers, text = _told_apart(words, files, text_file, escaped=escaped)
    if shard is not None and text is not None:
        raise click.UsageError("--shard is about --inputs: one text has no parts")
    if shard is not None:
        refuse_without_record(reports)
        if not is_registered(word):
            raise click.UsageError(
                f"--shard with -i {one_line(word)}: merging tries causes, and starts nothing by a record but what is "
                "registered; compare all at once, with --jobs"
            )
    sources = given_sources(files, column, splits)
    read = [
        *tokenizer_files(tokenizers),
        *input_files(files),
        *given_files("the file of the text", [] if text_file is None else [text_file]),
        *program_files((word,)),
    ]
    with ExitStack() as stack:
        opened = stack.enter_context(open_reports(reports, read))
        choice = _chosen(stack, word, isolation)
        given = gather(
            tokenizers,
            all_sources(sources, builtin=False) if sources else [],
            EVERYTHING,
            choice.limit,
            may_be_empty=text is not None,
        )
        if len(given.tokenizers) < 2:
            raise _too_few(given)
        plan = ComparePlan(
            tokenizers=given.tokenizers,
            implementations=(
                choice.implementations[0],
                *(_another(stack, word, isolation) for _ in given.tokenizers[1:]),
            ),
            text=text,
            corpus=given.corpus,
            all_pairs=all_pairs,
            examples=examples,
            refusals=given.refusals,
            command=("tokconf", *sys.argv[1:]),
            word=word,
            jobs=jobs,
            engine=Engine(engine),
            selected=choice.selected[0],
            shard=shard,
        )
        page = PageOf(COMPARISONS, lines_of)
        return carry_out(
            compare(plan),
            opened.reports(page.record, ComparisonMarkdownReport, page.html),
            ComparisonTerminalReport,
            ends=is_ending,
        )


def _too_few(given: Given) -> click.ClickException:
    """Return what is wrong where there are not two tokenizers: one cannot be used, or the same one is given again."""
    refused = next((each.reason for each in given.refusals if each.what == "tokenizer"), None)
    if refused is not None:
        return BadInput(refused)
    return click.UsageError(
        f"every TOKENIZER is {given.tokenizers[0].source.name!r}: give a second one to compare with"
    )


def _told_apart(
    words: tuple[str, ...], files: tuple[str, ...], text_file: Path | None, *, escaped: bool
) -> tuple[tuple[str, ...], str | None]:
    """Return which of the ``words`` are tokenizers, and the text; ``None`` where files of inputs are given instead."""
    if files and text_file is not None:
        raise click.UsageError("--inputs and --text-file are both given; the first compares, the second shows one text")
    if files or text_file is not None:
        if len(words) < 2:
            raise click.UsageError(f"nothing to compare {words[0]!r} with: give a second TOKENIZER before the options")
        return words, None if text_file is None else text_in_file(text_file, escaped=escaped, what="--text-file")
    if len(words) < 3:
        raise click.UsageError(
            "give two TOKENIZERs or more and a TEXT behind them, or --inputs with files of texts, or --text-file; the "
            f"last word here, {words[-1]!r}, is taken for the TEXT"
        )
    return words[:-1], text_of(words[-1], escaped=escaped, what="TEXT")


def _chosen(stack: ExitStack, word: str, isolation: Isolation) -> Chosen:
    """Return the implementation that ``word`` selects, ended when ``stack`` is."""
    if word == ALL:
        raise click.UsageError(f"-i {word} is several implementations; here one cuts all texts")
    choice = stack.enter_context(chosen((word,), None, isolation, HINT, alone=True))
    if not choice.implementations:
        raise ImplementationError(one_line(choice.unavailable[0].reason))
    if len(choice.implementations) > 1:
        raise click.UsageError(f"-i {word} is several implementations; here one cuts all texts")
    return choice


def _another(stack: ExitStack, word: str, isolation: Isolation) -> Implementation:
    """Return the implementation once more: a process holds one tokenizer, and loading takes longer than cutting."""
    return _chosen(stack, word, isolation).implementations[0]
