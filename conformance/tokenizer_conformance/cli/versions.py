"""``tokconf versions``: releases of a package beside one another."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import Field, Stage
from tokenizer_adapters.environments.store import cache_folder
from tokenizer_adapters.environments.words import is_range
from tokenizer_conformance.checks.reports import check_reports, refusals_told
from tokenizer_conformance.cli.choosing import (
    DEFAULT_SECONDS,
    chosen,
    isolation_of,
    isolation_options,
    releases_in,
    timeout_option,
)
from tokenizer_conformance.cli.comparison_options import cause_time_option, field_option, stage_option
from tokenizer_conformance.cli.input_options import InputOptions, input_options
from tokenizer_conformance.cli.ledger_options import ledger_options
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import SpreadOption
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.comparing.blame import STAGE_ORDER
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.run.plan import CAUSE_SECONDS_EACH
from tokenizer_conformance.run.preparation import MemoryLimit, gather, word_for
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import reason_of
from tokenizer_conformance.unusable import Unusable
from tokenizer_conformance.versions.checks import TITLE, VersionsChecks
from tokenizer_conformance.versions.engine import compare_releases
from tokenizer_conformance.versions.facts import Release
from tokenizer_conformance.versions.ledger_update import LedgerUpdate
from tokenizer_conformance.versions.markdown import MarkdownReport
from tokenizer_conformance.versions.plan import VersionsPlan
from tokenizer_conformance.versions.record import RecordReport
from tokenizer_conformance.versions.releases_between import ReleasesBetween
from tokenizer_conformance.versions.sections.table import QUICK, SECTIONS
from tokenizer_conformance.versions.terminal import TerminalReport

if TYPE_CHECKING:
    from tokenizer_conformance.cli.choosing import Chosen
    from tokenizer_conformance.cli.ledger_options import LedgerOptions
    from tokenizer_conformance.session.outputs import ReportOptions

SNAPSHOTS = "snapshots"

ALL_SECTIONS = "all"
NO_SECTION = "none"


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


@click.command(
    "versions",
    cls=LongCommand,
    table="versions",
    short_help="Compare releases of a package, and say what changed when.",
)
@click.argument("releases", nargs=-1, required=True, metavar="RELEASE...")
@click.option(
    "-t",
    "--tokenizer",
    "tokenizers",
    cls=SpreadOption,
    metavar="TOKENIZER...",
    help="Which tokenizers, as in 'tokconf run'; the bundled ones where none is given.",
)
@click.option(
    "--last",
    type=click.IntRange(min=2),
    metavar="N",
    help="Of a range, or of a package that is named without a version, only the last N releases.",
)
@input_options
@stage_option()
@field_option
@cause_time_option("on each tokenizer for each step from a release to the next", CAUSE_SECONDS_EACH)
@click.option(
    "--bisect",
    is_flag=True,
    help="Find out for each cause and each change of loading since which release it is there: of the releases between "
    "two that were given, as few as need be are asked too, which may mean to install them.",
)
@click.option(
    "--section",
    "sections",
    multiple=True,
    callback=section_list,
    metavar="NAME",
    help=f"Which facts are compared that are no answers to texts: {', '.join(SECTIONS)}; several, with commas, all or "
    f"none. Where nothing is said: {', '.join(QUICK)}, which take seconds a release (the others take minutes); with "
    "--stage or --field none.",
)
@click.option(
    "--speed", is_flag=True, help="Measure speed and memory of each release, in turns, with the first tokenizer."
)
@click.option(
    "--snapshots",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where to keep the snapshot of each release, which a run that was interrupted goes on with; without it, a "
    "folder of the cache.",
)
@ledger_options(
    update=True,
    stale="An entry is stale, and fails, where all it is about was compared from a release to the next one and is the "
    "same; entries with `section` are about facts.",
)
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@report_options(checks=True)
@click.pass_context
def versions_command(
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
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    reports: ReportOptions,
) -> None:
    """Ask each RELEASE the same, and say what changed from each to the next, and why.

    A RELEASE is PACKAGE==VERSION, a range such as "tokenizers>=0.20,<0.22", PACKAGE with --last N, what is installed in
    an environment of yours (NAME@path/to/python), or any implementation as in "tokconf run". Each release runs in an
    environment of its own, made once ("tokconf environments" lists and removes them). One that cannot be had is said,
    and the rest goes on. What is done is kept: the same command goes on where it was interrupted.

    \b
    Examples:
      tokconf versions tokenizers==0.19.1 tokenizers==0.23.3 -t my-checkpoint/ --inputs texts/*.txt
      tokconf versions "tokenizers>=0.20" --last 4 -t gpt2-mini
      tokconf versions tokenizers==0.19.1 tokenizers==0.23.3 -t my-checkpoint/ --bisect
      tokconf versions transformers==4.57.6 transformers==5.23.0 -t my-checkpoint/ --markdown upgrade.md
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    isolation = isolation_of(isolate, in_process, timeout, memory)
    _refuse_last_of_nothing(releases, last)
    command = ("tokconf", *sys.argv[1:])
    read = [
        *tokenizer_files(tokenizers or bundled_names()),
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
        given = gather(
            tokenizers,
            inputs.sources(),
            EVERYTHING,
            MemoryLimit(() if choice is None else choice.in_process, isolation.limits.memory),
        )
        names = (() if stages or fields else QUICK) if sections is None else sections
        plan = VersionsPlan(
            releases=() if choice is None else _releases(choice),
            tokenizers=given.tokenizers,
            words={each.source.name: word_for(each) for each in given.tokenizers},
            corpus=given.corpus,
            folder=_made(folder or cache_folder().with_name(SNAPSHOTS)),
            refusals=given.refusals,
            unavailable=(*unknown, *(() if choice is None else choice.unavailable)),
            stages=stages or STAGE_ORDER,
            fields=frozenset(fields or Field),
            ledger=ledger,
            cause_seconds=cause_seconds,
            between=ReleasesBetween(isolation) if bisect else None,
            sections=tuple(SECTIONS[name]() for name in names),
            measures_speed=speed,
            command=command,
        )
        made = opened.reports(json=RecordReport, markdown=MarkdownReport)
        made += check_reports(opened, VersionsChecks)
        made += ledgers.reports(LedgerUpdate)
        status = carry_out(compare_releases(plan), made, TerminalReport)
    context.exit(status)


def _releases(choice: Chosen) -> tuple[Release, ...]:
    return tuple(Release(choice.words[each.info.name], each.info.version, each) for each in choice.implementations)


def _is_package(word: str) -> bool:
    """Tell whether ``word`` is the name of a package without a version."""
    return word.replace("-", "").replace("_", "").isalnum()


def _refuse_last_of_nothing(words: tuple[str, ...], last: int | None) -> None:
    if last is not None and not any(is_range(word) or _is_package(word) for word in words):
        raise click.UsageError(
            f"--last {last} takes the last releases of a range or of a package that is named without a version, and "
            f"there is none among {', '.join(words)}"
        )


def _spelt_out(words: tuple[str, ...], last: int | None) -> tuple[list[str], list[Unusable]]:
    """Return the words of single releases, of ranges the ``last`` ones, where that is given.

    Ranges whose releases nobody can tell are returned apart.
    """
    found: list[str] = []
    unknown: list[Unusable] = []
    for word in words:
        wanted = f"{word}>=0" if last is not None and _is_package(word) else word
        try:
            found += releases_in(wanted)[-(last or 0) :] if is_range(wanted) else [wanted]
        except ImplementationError as error:
            unknown.append(Unusable("implementation", word, error.format_message()))
    return list(dict.fromkeys(found)), unknown


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise BadInput(
            f"cannot keep snapshots in {str(folder)!r}: {reason_of(error)}; give --snapshots FOLDER"
        ) from error
    return folder
