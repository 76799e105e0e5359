"""``tokconf diff``: what changed from a snapshot to another one, or to what is installed."""

from __future__ import annotations

import functools
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click
from click.core import ParameterSource

from tokenizer_adapters.contract import PIPELINE_STAGES, Field, Stage
from tokenizer_conformance.cli.choosing import chosen, isolation_of
from tokenizer_conformance.cli.file_diff import APPLYING, BETWEEN, are_tokenizers, diff_of_tokenizers
from tokenizer_conformance.cli.given_options import given_options, process_options
from tokenizer_conformance.cli.read_files import given_files, program_files, tokenizer_files
from tokenizer_conformance.cli.record_diff import are_records, diff_of_records, refuse_what_does_not_apply
from tokenizer_conformance.cli.registered import ImplementationError, implementation_names, is_registered
from tokenizer_conformance.command_io.interrupts import INTERRUPTS
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.standard_streams import complain
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.checks import TITLE, DiffChecks
from tokenizer_conformance.releases.diff.engine import cut_short_diff, diff
from tokenizer_conformance.releases.diff.events import is_ending
from tokenizer_conformance.releases.diff.ledger_update import LedgerUpdate
from tokenizer_conformance.releases.diff.preparation import Wanted, diff_plan
from tokenizer_conformance.releases.diff.record import DiffLines, RecordReport
from tokenizer_conformance.releases.diff.sides import BuiltAnywhere, pinned_name
from tokenizer_conformance.releases.snapshot_file.reader import Snapshot, read_snapshot
from tokenizer_conformance.results.ci_results.reports import check_reports, refusals_told
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.page import RUNS
from tokenizer_conformance.validation.running.plan import RepeatedDiff

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_ledgers import LedgerOptions
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.command_io.outputs import ReadFile, ReportOptions
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.inputs.corpus import Selection
    from tokenizer_conformance.releases.diff.events import Event
    from tokenizer_conformance.releases.diff.preparation import DiffPlan
    from tokenizer_conformance.results.records.snapshot import Header


def execute(
    context: click.Context,
    *,
    old: str,
    new: str | None,
    tokenizers: tuple[str, ...],
    matches: tuple[str, ...],
    files: tuple[str, ...],
    column: str | None,
    live: bool | None,
    partial: bool,
    stages: tuple[Stage, ...],
    fields: tuple[Field, ...],
    no_loading: bool,
    selection: Selection,
    max_failing: int | None,
    jobs: int,
    shard: Shard | None,
    cause_seconds: float,
    ledgers: LedgerOptions,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf diff``."""
    if are_records(old, new):
        return diff_of_records(context, old, new, matches, reports)
    if are_tokenizers(old, new):
        refuse_what_does_not_apply(context, APPLYING, BETWEEN)
        isolation = isolation_of(isolate, in_process, timeout, memory)
        with ExitStack() as stack:
            return diff_of_tokenizers(stack, old, new, files, column, isolation, reports)
    if any(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ("files", "column")):
        raise click.UsageError("--inputs and --column are of two tokenizers; a snapshot holds its inputs")
    if matches:
        raise click.UsageError("--match means something between two records alone, and OLD is none")
    isolation = isolation_of(isolate, in_process, timeout, memory)
    moved = _moved(tokenizers)
    snapshots = [*given_files("a snapshot", [old, *([new] if new and is_file(new) else [])])]
    read = [*snapshots, *program_files([new] if new else []), *tokenizer_files(moved.values()), *ledgers.read_files()]
    command = ("tokconf", *sys.argv[1:])
    began = time.perf_counter()

    def cut_short() -> Generator[Event]:
        return cut_short_diff(old, new, command, time.perf_counter() - began)

    with open_reports(reports, read) as opened, ExitStack() as stack:
        page = PageOf(RUNS, DiffLines)
        made = page.reports(opened, RecordReport)
        made += check_reports(opened, DiffChecks)
        made += ledgers.reports(LedgerUpdate)
        engine: Generator[Event | InternalError]
        try:
            wanted = Wanted(
                stages=stages or PIPELINE_STAGES,
                fields=frozenset(fields or Field),
                selection=selection,
                max_failing=max_failing,
                cause_seconds=cause_seconds,
                loading=not no_loading,
                command=command,
                call=_call(context, old, new),
                shard=shard,
                jobs=jobs,
                options=process_options(context),
            )
            sides = _Sides(old=old, new=new, partial=partial, live=live, moved=moved)
            told = functools.partial(refusals_told, opened, TITLE, command=command)
            engine = diff(
                _prepared(sides, wanted, ledgers, _Building(stack, isolation), told, opened.refuse_what_is_read)
            )
            INTERRUPTS.hold_back()  # from here on the reports are told of an interrupt
        except KeyboardInterrupt:
            INTERRUPTS.hold_back()
            engine = cut_short()
        return carry_out(engine, made, page.terminal, ends=is_ending, cut_short=cut_short)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """What is compared, as it was asked for: the words for both sides, and how they are read."""

    old: str
    new: str | None
    partial: bool
    live: bool | None
    moved: Mapping[str, str]


class _Told(Protocol):
    """Tells the reports of checks what is refused inside, by what it is and its name."""

    def __call__(self, what: str, name: str) -> AbstractContextManager[None]: ...


def _prepared(
    sides: _Sides,
    wanted: Wanted,
    ledgers: LedgerOptions,
    building: _Building,
    told: _Told,
    refuse: Callable[[Iterable[ReadFile]], None],
) -> DiffPlan:
    """Read all that is given, and return the plan of the diff; ``refuse`` is told of the files that are read besides.

    Raises :class:`BadInput`.
    """
    old, new = sides.old, sides.new
    with told("ledger", ""):
        wanted = replace(wanted, ledger=ledgers.ledger())
    with told("snapshot", old):
        before = _read(old, partial=sides.partial)
    with told("snapshot", new or ""):
        after = _read(new, partial=sides.partial) if new and is_file(new) else None
    # Not told in the reports: one of them would take the place of what is read.
    refuse(tokenizer_files(each.word for each in before.header.tokenizers))
    with told("implementation", new or before.header.selected_by):
        new_side = after or building.built(new or _word_of(before, old))
        live_sides = _live(building, before, new_side, wanted=sides.live)
    with told("", "what both sides have"):
        return _planned(before, new_side, live_sides, sides.moved, wanted)


# Reading --------------------------------------------------------------------------------------------------------------


def is_file(word: str) -> bool:
    """Return whether ``word`` is a file, and no implementation."""
    path = Path(word)
    return path.is_file() or path.suffix in (".gz", ".xz", ".jsonl")


def _read(word: str, *, partial: bool) -> Snapshot:
    try:
        found = read_snapshot(Path(word), partial=partial)
    except BadInputError as error:
        raise BadInput(one_line(str(error))) from error
    part = found.header.part
    if part is not None:
        raise BadInput(f"{word!r} is part {part.part} of {part.of} of a snapshot; 'tokconf merge' makes the whole one")
    if not found.is_whole:
        complain(f"{word!r} is not whole: only what it holds is compared")
    return found


def _planned(
    before: Snapshot,
    new_side: Snapshot | Implementation,
    live_sides: tuple[Implementation, Implementation] | None,
    moved: Mapping[str, str],
    wanted: Wanted,
) -> DiffPlan:
    try:
        return diff_plan(before, new_side, live_sides, moved, wanted)
    except BadInputError as error:
        raise BadInput(one_line(str(error))) from error


def _moved(words: Sequence[str]) -> dict[str, str]:
    """Return where tokenizers are now, by the names that they have in the old snapshot."""
    moved = {}
    for word in words:
        name, found, tokenizer = word.partition("=")
        if not found or not name or not tokenizer:
            raise click.UsageError(f"-t {word!r}: write NAME=TOKENIZER, with the name that it has in OLD")
        moved[name] = tokenizer
    return moved


def _call(context: click.Context, old: str, new: str | None) -> RepeatedDiff:
    """Return what knows the command line that compares the two again."""
    options = given_options(context, ("tokenizers", "stages", "fields", "isolate", "in_process", "memory", "timeout"))
    return RepeatedDiff(("tokconf", "diff", old, *((new,) if new else ()), *options))


# Implementations ------------------------------------------------------------------------------------------------------


class _Building:
    """Builds implementations that end with ``stack``."""

    def __init__(self, stack: ExitStack, isolation: Isolation) -> None:
        self._stack = stack
        self._isolation = isolation

    def built(self, word: str) -> Implementation:
        """Return the implementation that ``word`` selects. Raises :class:`ImplementationError`."""
        choice = self._stack.enter_context(chosen([word], None, self._isolation, alone=True))
        for absent in choice.unavailable:
            raise ImplementationError(f"{one_line(absent.name)} cannot be used: {one_line(absent.reason)}")
        return BuiltAnywhere(choice.selected[0], choice.implementations[0])


def _word_of(before: Snapshot, old: str) -> str:
    """Return the word that selects the implementation of ``before``; one that starts a program is not taken from it."""
    word = before.header.selected_by
    if not is_registered(word):
        raise BadInput(
            f"{old!r} was answered by {one_line(word)!r}, which is not registered here, and no snapshot starts a "
            "program or a class by itself; give as NEW what to compare with"
        )
    return word


def _live(
    building: _Building, before: Snapshot, new_side: Snapshot | Implementation, *, wanted: bool | None
) -> tuple[Implementation, Implementation] | None:
    """Return both sides as implementations that can be asked anew, ``None`` where that is not wanted.

    Where nothing is said they are asked anew if their versions are the ones installed: no environment is made unasked.
    """
    if wanted is False:
        return None
    headers = [before.header, *([new_side.header] if isinstance(new_side, Snapshot) else [])]
    found = []
    for header in headers:
        installed = None
        if header.selected_by in implementation_names():
            with suppress(ImplementationError):
                installed = building.built(header.selected_by)
        if installed is None or installed.info.version != header.info.version:
            if not wanted:
                return None
            installed = building.built(_pinned(header))
        found.append(installed)
    if not isinstance(new_side, Snapshot):
        found.append(new_side)
    old_side, other = found
    return old_side, other


def _pinned(header: Header) -> str:
    """Return the word that selects the implementation of ``header`` in its version.

    Raises :class:`ImplementationError` where that is no version of an installed implementation.
    """
    word = pinned_name(header.info)
    if not is_registered(word):
        raise ImplementationError(
            f"--live: {one_line(header.info.name)} {one_line(header.info.version)} cannot be asked anew: a snapshot "
            f"has no program (it was selected by {one_line(header.selected_by)!r}); give --no-live"
        )
    return word
