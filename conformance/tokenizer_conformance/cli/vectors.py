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
from tokenizer_conformance.cli.choosing import chosen
from tokenizer_conformance.cli.read_files import tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion, conclusion_from
from tokenizer_conformance.command_io.output import BadInput, ReportLost
from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.sinks import write_atomically
from tokenizer_conformance.command_io.standard_streams import complain, reason_of
from tokenizer_conformance.command_io.tables import laid_out
from tokenizer_conformance.command_io.wrapping import wrapped
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.defaults import DEFAULT_BASELINE
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.tokenizer_files import locate, read_tokenizer
from tokenizer_conformance.validation.vectors.checking import checked
from tokenizer_conformance.validation.vectors.making import Order, made_vectors
from tokenizer_conformance.validation.vectors.vector_file import is_vector_file, read_vectors, written
from tokenizer_conformance.validation.vectors.wording import checked_document, checked_lines, made_lines, power_table

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Implementation
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.validation.vectors.vector_file import VectorFile

STANDARD_OUTPUT = "-"

LONGEST_FILE = 1 << 30
"""Files of more bytes are no vectors."""


# Making ---------------------------------------------------------------------------------------------------------------


def execute_make(
    *,
    tokenizer: str,
    count: int,
    output: str,
    seed: int,
    baseline: str,
    force: bool,
    isolation: Isolation,
) -> None:
    """Carry out ``tokconf vectors make``."""
    found = _tokenizer(tokenizer)
    _refuse_output(output, tokenizer, force=force)
    with chosen([baseline, DEFAULT_BASELINE], None, isolation, alone=True) as choice:
        by_word = {choice.words[each.info.name]: each for each in choice.implementations}
        for absent in choice.unavailable:
            raise ImplementationError(f"{one_line(absent.name)} cannot be used: {one_line(absent.reason)}")
        try:
            document = made_vectors(Order(found, by_word[baseline], by_word[DEFAULT_BASELINE], count, seed))
        except BadInputError as error:
            raise BadInput(one_line(str(error))) from error
        except CannotLoadError as error:
            raise BadInput(one_line(why_not_loaded(error))) from error
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


def execute_check(
    *,
    file: str,
    word: str,
    tokenizer: str | None,
    as_json: bool,
    isolation: Isolation,
) -> int:
    """Carry out ``tokconf vectors check``."""
    vectors = _read(file)
    found = _same_tokenizer(vectors, file, tokenizer)
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
    return EXIT_STATUS[conclusion_from(reasons)]


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
        raise ImplementationError(one_line(why_not_loaded(error))) from error
