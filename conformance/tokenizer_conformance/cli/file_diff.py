"""``tokconf diff`` where OLD and NEW are tokenizers: two revisions of a tokenizer.json, part by part."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import click

from tokenizer_conformance.cli.audit_loader import MOST_TEXTS
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import input_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.defaults import DEFAULT_BASELINE
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.inputs.paths import expanded
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME
from tokenizer_conformance.releases.diff.sides import Renamed
from tokenizer_conformance.releases.loader_audit.checks import LoaderAuditChecks
from tokenizer_conformance.releases.loader_audit.engine import audit
from tokenizer_conformance.releases.loader_audit.events import lines_of
from tokenizer_conformance.releases.loader_audit.page import LOADER_AUDITS
from tokenizer_conformance.releases.loader_audit.plan import LoaderAuditPlan
from tokenizer_conformance.releases.loader_audit.witness import Budget
from tokenizer_conformance.results.ci_results.reports import check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.preparation import MemoryLimit, all_sources, gather, given_sources

if TYPE_CHECKING:
    from contextlib import ExitStack

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.command_io.outputs import ReportOptions

SECONDS = 10.0
"""How long a text is looked for at most that shows one change."""

APPLYING = frozenset(
    {
        *("old", "new", "files", "column", "json_name", "markdown_name", "html_name", "junit_name", "sarif_name"),
        *("github", "force", "isolate", "in_process", "memory", "timeout"),
    }
)
"""The parameters of ``tokconf diff`` that mean something to tokenizers, beside those of every command."""

BETWEEN = "two tokenizers"


def are_tokenizers(old: str, new: str | None) -> bool:
    """Return whether tokenizers are compared: OLD is a bundled one, a folder with one, or a file of JSON."""
    path = expanded(old)
    is_one = (path / FILE_NAME).is_file() or (path.suffix == ".json" and path.is_file())
    return is_one or (new is not None and not path.exists() and old in bundled_names())


def diff_of_tokenizers(
    stack: ExitStack,
    old: str,
    new: str | None,
    files: tuple[str, ...],
    column: str | None,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Compare the tokenizers OLD and NEW, and return the exit status.

    Raises :class:`click.UsageError` and :class:`BadInput` where they cannot be compared.
    """
    if new is None:
        raise click.UsageError(f"{old!r} is a tokenizer: give the other one, too (tokconf diff OLD NEW)")
    opened = stack.enter_context(open_reports(reports, [*tokenizer_files((old, new)), *input_files(files)]))
    # One process holds one tokenizer: each side has an implementation to itself.
    first, second = (built(stack, isolation, DEFAULT_BASELINE) for _ in range(2))
    sources = given_sources(files, column, (Split.LINE,))
    given = gather(
        (old, new),
        all_sources(sources, builtin=False) if sources else [],
        EVERYTHING,
        MemoryLimit((), isolation.limits.memory),
        may_be_empty=True,
    )
    if len(given.tokenizers) < 2:
        same = f"{old!r} and {new!r} are one file"
        raise BadInput(given.refusals[0].reason if given.refusals else same)
    before, after = given.tokenizers
    texts = tuple(each.input.text for each in islice(given.corpus, MOST_TEXTS))
    plan = LoaderAuditPlan(
        tokenizers=(before,),
        new=after,
        baseline=first,
        loaders=(Renamed(second, replace(second.info, name=after.source.name)),),
        inputs=tuple(dict.fromkeys((*texts, *(each.text for each in builtin_inputs())))),
        given=texts,
        budget=Budget(seconds=SECONDS),
        refusals=given.refusals,
        command=("tokconf", *sys.argv[1:]),
    )
    page = PageOf(LOADER_AUDITS, lines_of)
    made = page.reports(opened)
    made += check_reports(opened, partial(LoaderAuditChecks, plan))
    return carry_out(audit(plan), made, page.terminal)


def built(stack: ExitStack, isolation: Isolation, word: str) -> Implementation:
    """Return the implementation ``word``, which ends with ``stack``. Raises :class:`ImplementationError`."""
    choice = stack.enter_context(chosen((word,), None, isolation, alone=True))
    for absent in choice.unavailable:
        raise ImplementationError(f"{one_line(absent.name)} cannot be used: {one_line(absent.reason)}")
    return choice.implementations[0]
