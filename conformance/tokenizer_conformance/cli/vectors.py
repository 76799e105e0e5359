"""``tokconf vectors``: golden files for one tokenizer, made and checked."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import CannotLoadError
from tokenizer_conformance.cli.choosing import (
    DEFAULT_BASELINE,
    DEFAULT_SECONDS,
    chosen,
    isolation_of,
    isolation_options,
    timeout_option,
)
from tokenizer_conformance.cli.long_command import LongCommand
from tokenizer_conformance.cli.read_files import tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.comparing.asking import loaded
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.tokenizer_files import locate, read_tokenizer
from tokenizer_conformance.session.conclusion import EXIT_STATUS, Conclusion, conclusion_from
from tokenizer_conformance.session.output import BadInput, ReportLost
from tokenizer_conformance.session.screen import width_of
from tokenizer_conformance.session.sinks import write_atomically
from tokenizer_conformance.session.standard_streams import complain, reason_of
from tokenizer_conformance.session.tables import laid_out
from tokenizer_conformance.session.wrapping import wrapped
from tokenizer_conformance.vectors.checking import checked
from tokenizer_conformance.vectors.making import DEFAULT_COUNT, Order, made_vectors
from tokenizer_conformance.vectors.vector_file import is_vector_file, read_vectors, written
from tokenizer_conformance.vectors.wording import checked_document, checked_lines, made_lines, power_table

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation
    from tokenizer_conformance.comparing.asking import Asked
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.vectors.vector_file import VectorFile

MAKE = "make"
STANDARD_OUTPUT = "-"

LONGEST_FILE = 1 << 30
"""Files of more bytes are no vectors."""


class MakesVectors(click.Group):
    """A group whose first word may be left out where it is ``make``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``make`` before what names no command of this group."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [MAKE, *args]
        return super().parse_args(ctx, args)


@click.group("vectors", cls=MakesVectors, short_help="Make and check a golden file for one tokenizer.")
def vectors_command() -> None:
    """Make a golden file: the inputs that show most faults of a tokenizer, with everything that is expected of each.

    \b
    tokconf vectors TOKENIZER -o FILE           makes it (so does tokconf vectors make ...)
    tokconf vectors check FILE -i IMPL          checks an implementation against it

    A tokenizer in a folder called "make" or "check" is given as ./make or ./check.
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped


# Making ---------------------------------------------------------------------------------------------------------------


@vectors_command.command(MAKE, cls=LongCommand, short_help="Make a file of vectors.")
@click.argument("tokenizer", metavar="TOKENIZER")
@click.option(
    "-n", "count", type=click.IntRange(min=1), default=DEFAULT_COUNT, show_default=True, help="How many inputs."
)
@click.option("-o", "--output", required=True, metavar="FILE", help="Where to write them; '-' is standard output.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Of what is drawn at random.")
@click.option(
    "--baseline", default=DEFAULT_BASELINE, show_default=True, metavar="IMPL", help="Whose answers are expected."
)
@click.option("--force", is_flag=True, help="Replace FILE even if it is something else than vectors.")
@isolation_options
@timeout_option(DEFAULT_SECONDS)
def make_command(
    *,
    tokenizer: str,
    count: int,
    output: str,
    seed: int,
    baseline: str,
    force: bool,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
) -> None:
    """Write the inputs that show most faults of TOKENIZER, with all that is expected, as JSON for any language.

    Faults as authors of ports make them are planted by the hundred, and each of some two thousand inputs is asked which
    it shows. The inputs that catch most are taken, the shortest first, then those that tell faults apart. The file says
    what each hunts, how many faults all catch and how many twenty plain texts would, the digest of the tokenizer.json,
    and how it is to be read; schemas/vectors-1.json of this package describes it. The same seed gives the same file.

    \b
    Examples:
      tokconf vectors ./my-checkpoint -o vectors.json
      tokconf vectors hub:openai-community/gpt2 -n 100 -o gpt2.json
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    found = _tokenizer(tokenizer)
    _refuse_output(output, tokenizer, force=force)
    isolation = isolation_of(isolate, in_process, timeout, memory)
    with chosen([baseline, DEFAULT_BASELINE], None, isolation, alone=True) as choice:
        by_word = {choice.words[each.info.name]: each for each in choice.implementations}
        for absent in choice.unavailable:
            raise ImplementationError(f"{one_line(absent.name)} cannot be used: {one_line(absent.reason)}")
        try:
            document = made_vectors(Order(found, by_word[baseline], by_word[DEFAULT_BASELINE], count, seed))
        except (BadInputError, CannotLoadError) as error:
            raise BadInput(one_line(str(error))) from error
    if output == STANDARD_OUTPUT:
        sys.stdout.write(written(document).decode("ascii"))
        return
    try:
        write_atomically(Path(os.path.realpath(output)), written(document))
    except OSError as error:
        raise ReportLost(f"cannot write {output!r}: {reason_of(error)}") from error
    width = width_of(sys.stdout)
    for line in made_lines(document, output):
        click.echo("\n".join(wrapped(line, width, 2)))
    click.echo("\n".join(laid_out(power_table(document), width)))
    if len(document["vectors"]) < count:
        complain(f"these are all: no further input shows another fault (-n {count} asked for more)")


def _tokenizer(argument: str) -> TokenizerFile:
    try:
        found = locate(argument)
        return read_tokenizer(found.source, found.snapshot)
    except BadInputError as error:
        raise BadInput(str(error)) from error


def _refuse_output(output: str, tokenizer: str, *, force: bool) -> None:
    """Raise :class:`BadInput` where ``output`` cannot be written, or is something of the user's; before any work."""
    if output == STANDARD_OUTPUT:
        return
    path = Path(output)
    try:
        if not output or path.is_dir() or not path.resolve().parent.is_dir():
            raise BadInput(f"cannot write {output!r}: give a file in a folder that is there")
        if not path.exists():
            return
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInput(f"cannot write {output!r}: it is there, and no regular file")
        if any(file.path.exists() and path.samefile(file.path) for file in tokenizer_files([tokenizer])):
            raise BadInput(f"cannot write {output!r}: it belongs to the tokenizer")
        if not force and path.stat().st_size and not is_vector_file(path):
            raise BadInput(
                f"cannot write {output!r}: it is there already and is no file of vectors; --force replaces it"
            )
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot write {output!r}: {error}") from error


# Checking -------------------------------------------------------------------------------------------------------------


@vectors_command.command("check", cls=LongCommand, short_help="Check an implementation against a file of vectors.")
@click.argument("file", metavar="FILE")
@click.option("-i", "--implementation", "word", required=True, metavar="IMPL", help="Which one: as in 'tokconf run'.")
@click.option("--tokenizer", metavar="PATH", help="The tokenizer of the vectors; else the one of the recorded name.")
@click.option("--json", "as_json", is_flag=True, help="Print what it came to as JSON.")
@isolation_options
@timeout_option(DEFAULT_SECONDS)
@click.pass_context
def check_command(
    context: click.Context,
    *,
    file: str,
    word: str,
    tokenizer: str | None,
    as_json: bool,
    isolate: tuple[str, ...],
    in_process: tuple[str, ...],
    memory: int,
    timeout: float,
) -> None:
    """Ask IMPL everything in FILE that it can show; any difference is a failure.

    The tokenizer must be the one the vectors are of, byte by byte. Vectors are asked in the order of the file, and then
    backwards: an answer that depends on what was asked before is wrong. What IMPL does not show is counted and is no
    failure, unless nothing at all could be compared.

    \b
    Examples:
      tokconf vectors check vectors.json -i reference --tokenizer ./my-checkpoint
      tokconf vectors check vectors.json -i "command:./my-port" --json

    \b
    Exit status: 0 all that is shown is right, 1 something differs, 2 FILE or the tokenizer cannot be used,
    3 IMPL cannot be used, or shows nothing of what is expected.
    """  # noqa: D301 - "\b" is click's mark for a paragraph that is not to be wrapped
    vectors = _read(file)
    found = _same_tokenizer(vectors, file, tokenizer)
    isolation = isolation_of(isolate, in_process, timeout, memory)
    with chosen([word], None, isolation, alone=True) as choice:
        for absent in choice.unavailable:
            raise ImplementationError(f"{one_line(absent.name)} cannot be used: {one_line(absent.reason)}")
        result = checked(vectors, _loaded(choice.implementations[0], found))
    if as_json:
        click.echo(json.dumps(checked_document(result), indent=2))
    else:
        width = width_of(sys.stdout)
        for line in checked_lines(result):
            click.echo("\n".join(wrapped(line, width, 4)) if line else "")
    reasons = {Conclusion.NOTHING_COMPARED: not result.compared, Conclusion.DIFFERENCES: result.failed}
    context.exit(EXIT_STATUS[conclusion_from(reasons)])


def _read(file: str) -> VectorFile:
    path = Path(file)
    try:
        if path.stat().st_size > LONGEST_FILE:
            raise BadInput(f"vectors {file!r}: too large for a file of vectors")
        return read_vectors(path.read_bytes(), file)
    except OSError as error:
        raise BadInput(f"vectors {file!r}: {reason_of(error)}") from error
    except BadInputError as error:
        raise BadInput(one_line(str(error))) from error


def _same_tokenizer(vectors: VectorFile, file: str, argument: str | None) -> TokenizerFile:
    """Return the tokenizer of ``vectors``. Raises :class:`BadInput` where it is not found, or is another one."""
    try:
        located = locate(argument or vectors.name)
        found = read_tokenizer(located.source, located.snapshot)
    except BadInputError as error:
        hint = "" if argument else f"; {file!r} is of a tokenizer of that name: say where it is with --tokenizer PATH"
        raise BadInput(one_line(f"{error}{hint}")) from error
    if found.sha256 != vectors.sha256:
        raise BadInput(
            one_line(
                f"{found.source.file!r} is not the tokenizer of {file!r}: its SHA-256 is {found.sha256} "
                f"({found.size:,} bytes), and that of the vectors {vectors.sha256} ({vectors.size:,} bytes); give the "
                "same tokenizer.json with --tokenizer, or make the vectors anew"
            )
        )
    return found


def _loaded(implementation: Implementation, found: TokenizerFile) -> Asked:
    try:
        return loaded(implementation, found.source)
    except CannotLoadError as error:
        raise ImplementationError(one_line(str(error))) from error
