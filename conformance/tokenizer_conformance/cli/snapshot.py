"""``tokconf snapshot``: write down everything that one implementation answers."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial as partial_call
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import PIPELINE_STAGES
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.output_file import target_of
from tokenizer_conformance.cli.read_files import given_files, program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.output import BadInput, Report
from tokenizer_conformance.command_io.outputs import DASH, ReportOptions
from tokenizer_conformance.command_io.pools import Engine
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.sinks import LockedError
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.compression import compression_for
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.bundled import named
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, make_snapshot
from tokenizer_conformance.releases.snapshot.merging import merged_snapshot, parts_in_order
from tokenizer_conformance.releases.snapshot.terminal import TerminalReport
from tokenizer_conformance.releases.snapshot.writing import SnapshotReport
from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile, partial_of
from tokenizer_conformance.releases.snapshot_file.reader import is_snapshot, read_snapshot
from tokenizer_conformance.validation.running.preparation import gather, word_for

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_adapters.contract import Stage
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_inputs import InputOptions
    from tokenizer_conformance.command_io.internal_error import InternalError
    from tokenizer_conformance.command_io.outputs import ReadFile
    from tokenizer_conformance.command_io.shard import Shard
    from tokenizer_conformance.releases.snapshot.events import Event


def execute(
    *,
    tokenizers: tuple[str, ...],
    word: str,
    output: str,
    inputs: InputOptions,
    stages: tuple[Stage, ...],
    shard: Shard | None,
    jobs: int,
    engine: str,
    force: bool,
    isolation: Isolation,
) -> int:
    """Carry out ``tokconf snapshot``."""
    read = [*tokenizer_files(named(tokenizers)), *inputs.read_files(), *program_files([word])]
    with (
        _opened(output, read, force=force) as file,
        chosen([word], None, isolation, "; TOKENIZERs stand before the options", alone=True) as choice,
    ):
        for absent in choice.unavailable:
            raise ImplementationError(f"{one_line(absent.name)} cannot be used: {one_line(absent.reason)}")
        given = gather(tokenizers, inputs.sources(), EVERYTHING, choice.limit)
        plan = SnapshotPlan(
            implementation=choice.implementations[0],
            word=word,
            tokenizers=given.tokenizers,
            words={each.source.name: word_for(each) for each in given.tokenizers},
            corpus=given.corpus,
            refusals=given.refusals,
            stages=stages or PIPELINE_STAGES,
            command=("tokconf", *sys.argv[1:]),
            jobs=jobs,
            engine=Engine(engine),
            selected=choice.selected[0],
            shard=shard,
        )
        return _written(make_snapshot(plan), file, output)


def are_snapshots(records: Sequence[str]) -> bool:
    """Return whether there is a snapshot among ``records``, which are to be merged."""
    return any(map(_is_snapshot, records))


def merge_snapshots(records: tuple[str, ...], reports: ReportOptions, *, partial: bool) -> int:
    """Merge the snapshots of parts into the whole one, at the place of ``reports`` for the record."""
    output = reports.json
    if output is None or reports != ReportOptions(json=output, force=reports.force, github=reports.github):
        raise click.UsageError("snapshots are merged into a snapshot, and nothing else: give its name with -o")
    if partial:
        raise click.UsageError("--partial is for records: a snapshot is merged of all its parts")
    with _opened(output, [*given_files("a snapshot to merge", records)], force=reports.force) as file:
        try:
            parts, absent = parts_in_order([read_snapshot(Path(record)) for record in records])
        except BadInputError as error:
            raise BadInput(one_line(str(error))) from error
        for told in absent:
            complain(told)
        if absent:
            complain("a snapshot is merged of all its parts: nothing was written")
            return EXIT_STATUS[Conclusion.INCOMPLETE]
        return _written(merged_snapshot(parts, ("tokconf", *sys.argv[1:])), file, output)


def _written(engine: Generator[Event | InternalError], file: PlacedFile, output: str) -> int:
    reports = [Report(repr(output), SnapshotReport(file))]
    return carry_out(engine, reports, partial_call(TerminalReport, path=Path(output)))


@contextmanager
def _opened(output: str, read: Sequence[ReadFile], *, force: bool) -> Iterator[PlacedFile]:
    """Open the file for ``output``; what must not be replaced is refused before anything is asked."""
    if output == DASH:
        raise BadInput("a snapshot is written to a file, and not to standard output; give its name with -o")
    target = _target(output, read, force=force)
    _target(str(partial_of(target)), read, force=force)
    try:
        compression_for(target)
        file = PlacedFile(target)
    except BadInputError as error:
        raise BadInput(str(error)) from error
    except LockedError as error:
        raise BadInput(f"another run is writing to {output!r}; wait for its end, or give another file") from error
    except OSError as error:
        raise BadInput(f"cannot write {output!r}: {reason_of(error)}") from error
    try:
        yield file
    finally:
        file.close()


def _target(output: str, read: Sequence[ReadFile], *, force: bool) -> Path:
    """Return where ``output`` is to be written. Raises :class:`BadInput` where it must not be replaced."""
    is_earlier = _is_snapshot(output)
    kept = tuple(each.path for each in read if not (each.may_be_report and is_earlier))
    return target_of(output, kept, force=force or is_earlier)


def _is_snapshot(output: str) -> bool:
    try:
        return is_snapshot(Path(output))
    except (OSError, ValueError):
        return False
