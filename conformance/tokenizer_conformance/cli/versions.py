"""``tokconf versions``: releases of a package beside one another."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import Field, Stage
from tokenizer_adapters.environments.store import cache_folder
from tokenizer_adapters.environments.words import is_range
from tokenizer_conformance.checks.reports import check_reports
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
from tokenizer_conformance.cli.report_options import report_options
from tokenizer_conformance.comparing.blame import STAGE_ORDER
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.run.preparation import MemoryLimit, gather, word_for
from tokenizer_conformance.session.output import BadInput
from tokenizer_conformance.session.outputs import open_reports
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.standard_streams import reason_of
from tokenizer_conformance.versions.checks import VersionsChecks
from tokenizer_conformance.versions.engine import compare_releases
from tokenizer_conformance.versions.events import is_ending
from tokenizer_conformance.versions.facts import Release
from tokenizer_conformance.versions.markdown import MarkdownReport
from tokenizer_conformance.versions.plan import VersionsPlan
from tokenizer_conformance.versions.record import RecordReport
from tokenizer_conformance.versions.releases_between import ReleasesBetween
from tokenizer_conformance.versions.sections.table import SECTIONS
from tokenizer_conformance.versions.terminal import TerminalReport

if TYPE_CHECKING:
    from tokenizer_conformance.cli.ledger_options import LedgerOptions
    from tokenizer_conformance.session.outputs import ReportOptions

SNAPSHOTS = "snapshots"

ALL_SECTIONS = "all"


def section_list(_context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of sections in ``words``, in the order in which they are told."""
    named = [name for word in words for name in word.split(",")]
    for name in named:
        if name not in (*SECTIONS, ALL_SECTIONS):
            raise click.BadParameter(f"{name!r} is no section; choose from {', '.join((*SECTIONS, ALL_SECTIONS))}")
    return tuple(name for name in SECTIONS if name in named or ALL_SECTIONS in named)


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
@cause_time_option("on each tokenizer for each step from a release to the next")
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
    help=f"Compare facts that are no answers to texts, too: {', '.join(SECTIONS)}; several, with commas, or all.",
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
@ledger_options(update=False, stale="")
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
    sections: tuple[str, ...],
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
    words = _spelt_out(releases, last)
    read = [
        *tokenizer_files(tokenizers or bundled_names()),
        *inputs.read_files(),
        *program_files(words),
        *ledgers.read_files(),
    ]
    with open_reports(reports, read) as opened, chosen(words, None, isolation, alone=True) as choice:
        given = gather(
            tokenizers,
            inputs.sources(),
            EVERYTHING,
            MemoryLimit(choice.in_process, isolation.limits.memory),
        )
        plan = VersionsPlan(
            releases=tuple(
                Release(choice.words[each.info.name], each.info.version, each) for each in choice.implementations
            ),
            tokenizers=given.tokenizers,
            words={each.source.name: word_for(each) for each in given.tokenizers},
            corpus=given.corpus,
            folder=_made(folder or cache_folder().with_name(SNAPSHOTS)),
            refusals=given.refusals,
            unavailable=choice.unavailable,
            stages=stages or STAGE_ORDER,
            fields=frozenset(fields or Field),
            ledger=ledgers.ledger(),
            cause_seconds=cause_seconds,
            between=ReleasesBetween(isolation) if bisect else None,
            sections=tuple(SECTIONS[name]() for name in sections),
            measures_speed=speed,
            command=("tokconf", *sys.argv[1:]),
        )
        status = carry_out(
            compare_releases(plan),
            [*opened.reports(json=RecordReport, markdown=MarkdownReport), *check_reports(opened, VersionsChecks)],
            TerminalReport,
            ends=is_ending,
        )
    context.exit(status)


def _spelt_out(words: tuple[str, ...], last: int | None) -> list[str]:
    """Return the words of single releases; of ranges the ``last`` ones, where that is given."""
    found: list[str] = []
    for word in words:
        if last is not None and word.replace("-", "").replace("_", "").isalnum():
            word += ">=0"  # noqa: PLW2901 - every release of the package
        found += releases_in(word)[-(last or 0) :] if is_range(word) else [word]
    return list(dict.fromkeys(found))


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
