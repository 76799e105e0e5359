"""``tokconf snapshot``: write down everything that one implementation answers."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import Stage
from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    DEFAULT_SECONDS,
    chosen,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.options import SpreadOption, comma_list
from tokenizer_conformance.cli.output_file import target_of
from tokenizer_conformance.cli.read_files import input_files, program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.comparing.blame import STAGE_ORDER
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.run.preparation import MemoryLimit, all_sources, gather, given_sources, word_for
from tokenizer_conformance.session.output import BadInput, Report
from tokenizer_conformance.session.shell import carry_out
from tokenizer_conformance.session.sinks import LockedError
from tokenizer_conformance.session.standard_streams import reason_of
from tokenizer_conformance.snapshot.engine import make_snapshot
from tokenizer_conformance.snapshot.events import is_ending
from tokenizer_conformance.snapshot.plan import SnapshotPlan
from tokenizer_conformance.snapshot.terminal import TerminalReport
from tokenizer_conformance.snapshot.writing import SnapshotReport
from tokenizer_conformance.snapshot_file.compression import compression_for
from tokenizer_conformance.snapshot_file.placed_file import PlacedFile
from tokenizer_conformance.snapshot_file.reader import is_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command(
    "snapshot", cls=LongCommand, table="snapshot", short_help="Write down everything that one implementation answers."
)
@click.argument("tokenizers", nargs=-1, metavar="[TOKENIZER]...")
@click.option(
    "-i",
    "--implementation",
    "word",
    default=DEFAULT_BASELINE,
    show_default=True,
    metavar="IMPL",
    help="Which one: as in 'tokconf run'.",
)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write the snapshot (JSON Lines, gzip).")
@click.option(
    "--inputs",
    "files",
    cls=SpreadOption,
    metavar="FILE...",
    help="Files of texts, in addition to the built-in inputs: as in 'tokconf run'.",
)
@click.option("--column", metavar="NAME", help="The column of tables that has the texts: as in 'tokconf run'.")
@click.option("--no-builtin", is_flag=True, help="Leave the built-in inputs out.")
@click.option(
    "--split",
    "splits",
    multiple=True,
    default=["line"],
    show_default=True,
    callback=comma_list(Split),
    metavar="HOW",
    help="What is one input of plain text: line, paragraph or file.",
)
@click.option(
    "--stage",
    "stages",
    multiple=True,
    callback=comma_list(Stage),
    metavar="STAGE",
    help=f"Ask about these stages only: {', '.join(Stage)}.",
)
@click.option("--force", is_flag=True, help="Replace FILE even if it is something else than a snapshot.")
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@click.pass_context
def snapshot_command(
    context: click.Context,
    *,
    tokenizers: tuple[str, ...],
    word: str,
    output: str,
    files: tuple[str, ...],
    column: str | None,
    no_builtin: bool,
    splits: tuple[Split, ...],
    stages: tuple[Stage, ...],
    force: bool,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
) -> None:
    """Ask one implementation everything that 'tokconf run' asks, and write all answers to a file.

    "tokconf diff" compares two such files, or one with what is installed: what an upgrade changes, without the old
    version at hand. The file holds the texts, no tokenizer. With a name that ends in .xz it is compressed by xz, which
    makes it a good deal smaller where texts have many tokens; else by gzip. What was written before stays until the new
    one is whole; one that was interrupted stays beside it, as FILE.partial.

    \b
    Examples:
      tokconf snapshot my-checkpoint/ --inputs texts/*.txt -o before.jsonl.gz
      tokconf snapshot my-checkpoint/ -i transformers -o golden/transformers.jsonl.gz
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    isolation = isolation_of(isolate, in_process, timeout, memory)
    read = [*tokenizer_files(tokenizers or bundled_names()), *input_files(files), *program_files([word])]
    with (
        _opened(output, tuple(each.path for each in read if not each.may_be_report), force=force) as file,
        chosen([word], None, isolation, "; TOKENIZERs stand before the options", alone=True) as choice,
    ):
        for absent in choice.unavailable:
            raise ImplementationError(f"{one_line(absent.name)} cannot be used: {one_line(absent.reason)}")
        given = gather(
            tokenizers,
            all_sources(given_sources(files, column, splits), builtin=not no_builtin),
            EVERYTHING,
            MemoryLimit(choice.in_process, isolation.limits.memory),
        )
        plan = SnapshotPlan(
            implementation=choice.implementations[0],
            word=word,
            tokenizers=given.tokenizers,
            words={each.source.name: word_for(each) for each in given.tokenizers},
            corpus=given.corpus,
            refusals=given.refusals,
            stages=stages or STAGE_ORDER,
            command=("tokconf", *sys.argv[1:]),
        )
        status = carry_out(
            make_snapshot(plan),
            [Report(repr(output), SnapshotReport(file))],
            partial(TerminalReport, path=Path(output)),
            ends=is_ending,
        )
    context.exit(status)


@contextmanager
def _opened(output: str, read: tuple[Path, ...], *, force: bool) -> Iterator[PlacedFile]:
    """Open the file for ``output``; what must not be replaced is refused before anything is asked."""
    target = target_of(output, read, force=force or _is_snapshot(output))
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


def _is_snapshot(output: str) -> bool:
    try:
        return is_snapshot(Path(output))
    except (OSError, ValueError):
        return False
