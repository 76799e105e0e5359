"""``tokconf snapshot``: write down everything that one implementation answers."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PIPELINE_STAGES
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.output_file import target_of
from tokenizer_conformance.cli.read_files import program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.output import BadInput, Report
from tokenizer_conformance.command_io.outputs import DASH
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.sinks import LockedError
from tokenizer_conformance.command_io.standard_streams import reason_of
from tokenizer_conformance.compression import compression_for
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.bundled import named
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.releases.snapshot.engine import SnapshotPlan, make_snapshot
from tokenizer_conformance.releases.snapshot.terminal import TerminalReport
from tokenizer_conformance.releases.snapshot.writing import SnapshotReport
from tokenizer_conformance.releases.snapshot_file.placed_file import PlacedFile, partial_of
from tokenizer_conformance.releases.snapshot_file.reader import is_snapshot
from tokenizer_conformance.validation.running.preparation import gather, word_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Stage
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.cli.given_inputs import InputOptions
    from tokenizer_conformance.command_io.outputs import ReadFile


def execute(
    *,
    tokenizers: tuple[str, ...],
    word: str,
    output: str,
    inputs: InputOptions,
    stages: tuple[Stage, ...],
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
        )
        return carry_out(
            make_snapshot(plan),
            [Report(repr(output), SnapshotReport(file))],
            partial(TerminalReport, path=Path(output)),
        )


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
