"""``tokconf versions``: releases of a package beside one another."""

from __future__ import annotations

import os
import re
import sys
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import PIPELINE_STAGES, Field, Stage
from tokenizer_adapters.environments.store import cache_folder
from tokenizer_adapters.environments.words import is_range
from tokenizer_conformance.cli.choosing import chosen, releases_in
from tokenizer_conformance.cli.given_options import given_options
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.inputs.bundled import named
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.versions.bisecting import ReleasesBetween
from tokenizer_conformance.releases.versions.checks import TITLE, VersionsChecks
from tokenizer_conformance.releases.versions.engine import compare_releases
from tokenizer_conformance.releases.versions.events import lines_of
from tokenizer_conformance.releases.versions.facts import Release
from tokenizer_conformance.releases.versions.known import LedgerUpdate
from tokenizer_conformance.releases.versions.page import VERSIONS
from tokenizer_conformance.releases.versions.plan import VersionsPlan
from tokenizer_conformance.releases.versions.sections.table import SECTIONS
from tokenizer_conformance.releases.versions.truncated import truncated_files
from tokenizer_conformance.results.ci_results.reports import check_reports, refusals_told
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.plan import Call
from tokenizer_conformance.validation.running.preparation import MemoryLimit, all_sources, gather, word_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.cli.given_inputs import InputOptions
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile

SNAPSHOTS = "snapshots"

ALL_SECTIONS = "all"
NO_SECTION = "none"

REPEATED_OPTIONS = ("splits", "stages", "fields", "isolate", "in_process", "memory", "timeout")
"""The options by name that matter for a single input too."""


def section_list(
    _context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Return the names of sections in ``words``, in the order in which they are told; ``None`` where none is given."""
    choices = (*SECTIONS, ALL_SECTIONS, NO_SECTION)
    named = [name for word in words for name in word.split(",")]
    for name in named:
        if name not in choices:
            raise click.BadParameter(f"{name!r} is no section; choose from {', '.join(choices)}")
    if NO_SECTION in named and set(named) != {NO_SECTION}:
        raise click.BadParameter(f"{NO_SECTION!r} stands alone: it leaves all sections out")
    return tuple(name for name in SECTIONS if name in named or ALL_SECTIONS in named) if named else None


def execute(
    context: click.Context,
    *,
    releases: tuple[str, ...],
    tokenizers: tuple[str, ...],
    last: int | None,
    inputs: InputOptions,
    stages: tuple[Stage, ...],
    fields: tuple[Field, ...],
    cause_seconds: float,
    bisect: bool,
    sections: tuple[str, ...] | None,
    speed: bool,
    folder: Path | None,
    ledgers: LedgerOptions,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf versions``."""
    _refuse_last_of_nothing(releases, last)
    command = ("tokconf", *sys.argv[1:])
    read = [
        *tokenizer_files(named(tokenizers)),
        *inputs.read_files(),
        *program_files(releases),
        *ledgers.read_files(),
    ]
    with (
        open_reports(reports, read) as opened,
        refusals_told(opened, TITLE, "releases", "", command),
        ExitStack() as stack,
    ):
        ledger = ledgers.ledger()
        words, unknown = _spelt_out(releases, last)
        choice = stack.enter_context(chosen(words, None, isolation, alone=True)) if words else None
        sources = inputs.given_sources()
        given = gather(
            tokenizers,
            all_sources(sources, builtin=inputs.builtin),
            EVERYTHING,
            MemoryLimit() if choice is None else choice.limit,
        )
        place = _made(folder or cache_folder().with_name(SNAPSHOTS))
        truncated = _truncated(given.tokenizers, place) if _shows_cuts(stages) else ()
        names = sections or ()
        plan = VersionsPlan(
            releases=() if choice is None else _releases(choice),
            tokenizers=given.tokenizers,
            words={each.source.name: word_for(each) for each in given.tokenizers}
            | {each.source.name: each.source.file for each in truncated},
            corpus=given.corpus,
            folder=place,
            truncated=truncated,
            refusals=given.refusals,
            unavailable=(*unknown, *(() if choice is None else choice.unavailable)),
            stages=stages or PIPELINE_STAGES,
            fields=frozenset(fields or Field),
            ledger=ledger,
            cause_seconds=cause_seconds,
            between=ReleasesBetween(isolation) if bisect else None,
            sections=tuple(SECTIONS[name]() for name in names),
            measures_speed=speed,
            command=command,
            call=Call(
                sources={source.name: source.options for source in sources},
                options=given_options(context, REPEATED_OPTIONS),
            ),
        )
        page = PageOf(VERSIONS, lines_of)
        made = [
            *page.reports(opened),
            *check_reports(opened, partial(VersionsChecks, plan)),
            *ledgers.reports(partial(LedgerUpdate, plan)),
        ]
        return carry_out(compare_releases(plan), made, page.terminal)


def _releases(choice: Chosen) -> tuple[Release, ...]:
    return tuple(Release(choice.words[each.info.name], each.info.version, each) for each in choice.implementations)


def _is_package(word: str) -> bool:
    """Return whether ``word`` is the name of a package without a version."""
    return word.replace("-", "").replace("_", "").isalnum()


def _refuse_last_of_nothing(words: tuple[str, ...], last: int | None) -> None:
    if last is not None and not any(is_range(word) or _is_package(word) for word in words):
        raise click.UsageError(
            f"--last {last} takes the last releases of a range or of a package that is named without a version, and "
            f"there is none among {', '.join(words)}"
        )


def _spelt_out(words: tuple[str, ...], last: int | None) -> tuple[list[str], list[Rejected]]:
    """Return the words of single releases, of ranges the ``last`` ones, where that is given.

    Ranges whose releases nobody can tell are returned apart.
    """
    found: list[str] = []
    unknown: list[Rejected] = []
    for word in _with_packages(words):
        wanted = f"{word}>=0" if last is not None and _is_package(word) else word
        try:
            found += releases_in(wanted)[-(last or 0) :] if is_range(wanted) else [wanted]
        except ImplementationError as error:
            unknown.append(Rejected("implementation", word, error.format_message()))
    return list(dict.fromkeys(found)), unknown


def _with_packages(words: tuple[str, ...]) -> Iterator[str]:
    """Yield ``words``; a version alone is one of the package that the word before it names.

    >>> list(_with_packages(("tokenizers==0.21.4", "0.23.3", "transformers")))
    ['tokenizers==0.21.4', 'tokenizers==0.23.3', 'transformers']
    """
    package = ""
    for word in words:
        if re.fullmatch(r"\d+(\.\w+)+", word) is None:
            package = word.partition("==")[0] if "==" in word else ""
            yield word
        elif package:
            yield f"{package}=={word}"
        else:
            raise click.UsageError(f"{word} is a version of no package; write PACKAGE==VERSION, as tokenizers=={word}")


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise _cannot_keep(folder, error) from error
    return folder


def _shows_cuts(stages: tuple[Stage, ...]) -> bool:
    """Return whether any of ``stages``, by default all, shows where a text is truncated."""
    return not stages or not {Stage.MODEL, Stage.POST_PROCESS}.isdisjoint(stages)


def _truncated(tokenizers: tuple[TokenizerFile, ...], folder: Path) -> tuple[TokenizerFile, ...]:
    try:
        return tuple(truncated_files(tokenizers, folder))
    except OSError as error:
        raise _cannot_keep(folder, error) from error


def _cannot_keep(folder: Path, error: OSError) -> BadInput:
    return BadInput(f"cannot keep snapshots in {str(folder)!r}: {reason_of(error)}; give --snapshots FOLDER")
