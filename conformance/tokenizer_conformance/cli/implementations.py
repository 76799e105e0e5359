"""``tokconf implementations``: who can be compared on this machine, and whether a program speaks the line protocol."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    PIPELINE_STAGES,
    Field,
    Stage,
    TokenizerSource,
    UnavailableError,
)
from tokenizer_adapters.environments.faults import EnvironmentFaultError
from tokenizer_adapters.environments.words import is_release
from tokenizer_adapters.inventory import Listed, State, inventory
from tokenizer_adapters.protocol.check import Faulty, Noted, Passed, Result, check
from tokenizer_adapters.protocol.launch import assert_is_there
from tokenizer_adapters.protocol.process import Limits
from tokenizer_adapters.registry import RegistryError, WrongImplementationError, selectable
from tokenizer_adapters.selection import COMMAND, MEMORY, Isolation, is_class, is_command, select, select_trainer
from tokenizer_adapters.trainers import registered_trainers
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.conclusion import EXIT_STATUS, Conclusion
from tokenizer_conformance.command_io.screen import width_of
from tokenizer_conformance.command_io.tables import laid_out, table
from tokenizer_conformance.command_io.wrapping import stacked
from tokenizer_conformance.comparison.wording import aligned
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.inputs.bundled import named
from tokenizer_conformance.inputs.tokenizer_files import find_tokenizer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from enum import StrEnum

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_adapters.protocol.launch import Program

SCHEMA = "tokenizer-conformance-implementations"
SCHEMA_VERSION = "1.0"

LONGEST_LINE_SHOWN = 400


def execute_list(*, as_json: bool) -> None:
    """Carry out ``tokconf implementations``."""
    try:
        listed = inventory()
    except RegistryError as error:
        raise ImplementationError(one_line(str(error))) from error
    click.echo(as_document(listed) if as_json else "\n".join(as_table(listed, width_of(sys.stdout))))


# The list ------------------------------------------------------------------------------------------------------------


def as_table(listed: Sequence[Listed], width: int | None = None) -> list[str]:
    """Return the lines for people, of ``width`` cells at most: what is installed, what is not, and what is broken."""
    headers = ["name", "version", "language", "stages", "fields", "offsets in", "home page"]
    rows = [_row(each.name, each.info) for each in listed if each.info is not None]
    lines = laid_out(table(headers, rows), width)
    for state, title in (
        (State.NOT_INSTALLED, "not installed; this installs them:"),
        (State.BROKEN, "broken, and left out:"),
    ):
        others = [[f"  {one_line(each.name)}", _reason(each)] for each in listed if each.state is state]
        if others:
            lines += ["", title, *stacked(aligned(others), width, cuts=False)]
    return lines


def _reason(listed: Listed) -> str:
    """Return why an implementation cannot be used; of one that is not installed, the command that installs it."""
    lacking = f"{listed.name} is not installed; "
    return one_line(listed.reason or "").removeprefix(lacking).removeprefix("install it with: ")


def _row(name: str, info: ImplementationInfo) -> list[str]:
    shows_spans = info.fields & {Field.OFFSETS, Field.PIECES}
    return [
        *map(one_line, (name, info.version, info.language)),
        _stages(info.stages),
        _names(info.fields - {Field.PIECES}, (Field.TEXT, *ENCODING_FIELDS)),
        info.offset_unit if shows_spans else "",
        one_line(info.home_page),
    ]


def _stages(found: Collection[Stage]) -> str:
    """Return the names of the stages that are ``found``; rendering chats is no stage of a pipeline."""
    of_pipeline = _names(found, PIPELINE_STAGES)
    return ", ".join(filter(None, (of_pipeline, *({Stage.CHAT} & set(found)))))


def _names(found: Collection[StrEnum], every: Iterable[StrEnum]) -> str:
    """Return the names of what is ``found`` in the order of ``every``; ``all``, or all but a few, where shorter."""
    every = list(every)
    missing = [str(each) for each in every if each not in found]
    if not missing:
        return "all"
    if len(missing) <= len(every) // 3:
        return f"all but {', '.join(missing)}"
    return ", ".join(str(each) for each in every if each in found)


def as_document(listed: Sequence[Listed]) -> str:
    """Return everything that is known, as one JSON document."""
    document = {"schema": SCHEMA, "version": SCHEMA_VERSION, "implementations": [_entry(each) for each in listed]}
    return json.dumps(document, indent=2)


def _entry(listed: Listed) -> dict[str, Any]:
    info = listed.info
    known = {
        "name": listed.name,
        "state": listed.state,
        "package": listed.package,
        "process": "own" if listed.isolated else "shared",
    }
    if info is None:
        return {**known, "reason": listed.reason}
    return {
        **known,
        "version": info.version,
        "language": info.language,
        "stages": [stage for stage in Stage if stage in info.stages],
        "fields": [field for field in Field if field in info.fields],
        "offset_unit": info.offset_unit,
        "home_page": info.home_page,
        "install": info.install,
    }


# The check -----------------------------------------------------------------------------------------------------------


def execute_check(context: click.Context, *, command: str, tokenizers: tuple[str, ...], timeout: float) -> None:
    """Carry out ``tokconf implementations check``."""
    sources = _sources(tokenizers)
    faulty = False
    programs = _programs(command)
    try:
        for program in programs:
            assert_is_there(program)
    except WrongImplementationError as error:
        raise click.UsageError(one_line(str(error))) from error
    for program in programs:
        for result in check(program, sources, Limits(seconds=timeout, memory=MEMORY)):
            faulty = faulty or isinstance(result, Faulty)
            click.echo("\n".join(_lines(result)))
    context.exit(EXIT_STATUS[Conclusion.IMPLEMENTATION_FAILED if faulty else Conclusion.CONFORM])


def _sources(tokenizers: Sequence[str]) -> list[TokenizerSource]:
    try:
        return [find_tokenizer(each) for each in named(tokenizers)]
    except BadInputError as error:
        raise click.UsageError(one_line(str(error))) from error


def _programs(command: str) -> list[Program]:
    """Return the program that ``command`` runs; for a registered name, those that serve what is registered."""
    word = command if is_command(command) else f"{COMMAND}{command}"
    try:
        found = [select(command, Isolation()).runs()] if command in selectable() else []
        if command not in selectable() and (is_release(command) or is_class(command)):
            return [select(command, Isolation()).runs()]
        if command in registered_trainers():
            found.append(select_trainer(command).program)
        return found or [select(word, Isolation()).runs()]
    except EnvironmentFaultError as error:
        raise ImplementationError(one_line(str(error))) from error
    except RegistryError as error:
        raise click.UsageError(one_line(str(error))) from error
    except UnavailableError as error:
        raise ImplementationError(one_line(str(error))) from error


def _lines(result: Result) -> list[str]:
    """Return the lines that tell ``result``."""
    match result:
        case Passed(step, words):
            return [f"ok     {step}: {one_line(words)}"]
        case Noted(step, words):
            return [f"note   {step}: {one_line(words)}"]
        case Faulty(step, words, sent, received):
            lines = (("sent", sent), ("received", received))
            shown = [f"       {name:<8}  {_shown(line)}" for name, line in lines if line is not None]
            return [f"FAULT  {step}: {one_line(words)}", *shown]


def _shown(line: bytes) -> str:
    text = one_line(line.rstrip(b"\r\n").decode("utf-8", "backslashreplace"))
    return text if len(text) <= LONGEST_LINE_SHOWN else f"{text[:LONGEST_LINE_SHOWN]}…"
