"""The lines and members that several formats have, made of events and descriptions."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import UNSET

from tokenizer_conformance.command_io.events import Finished, ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.record import rounded
from tokenizer_conformance.ledger.record_forms import entry_record
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.conclusion import Conclusion
    from tokenizer_conformance.command_io.environment import Environment
    from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.ledger.matching import Ledger
    from tokenizer_conformance.results.records.format import Format


V = TypeVar("V", bound=Value)


def made(type_: type[V], told: object, **others: Any) -> V:
    """Return a value of ``type_``, whose members are ``others`` and, by the same names, what is ``told``.

    What is told may be made of other objects, and is converted member by member. A member that neither has is left to
    its default. Raises ``msgspec.ValidationError`` where something does not fit the type.
    """
    names = type_.__struct_fields__
    members = {name: getattr(told, name) for name in names if name not in others and hasattr(told, name)}
    config = type_.__struct_config__
    if config.tag_field is not None:
        members[config.tag_field] = config.tag
    return msgspec.convert({**members, **others}, type_, from_attributes=True)


def header_of(format_: Format, environment: Environment) -> dict[str, Any]:
    """Return the members that every header has: the format, and where the command ran."""
    return {"schema": format_.name, "version": format_.version, "environment": environment_of(environment)}


def environment_of(environment: Environment) -> headers.Environment:
    """Return ``environment`` as it stands in a header."""
    used = environment.configuration
    return headers.Environment(
        tokconf=environment.tokconf,
        python=environment.python,
        platform=environment.platform,
        started=environment.started,
        command=environment.command,
        configuration=UNSET if used is None else headers.NamedFile(name=used.name, sha256=used.sha256),
    )


def implementation_of(info: ImplementationInfo) -> headers.Implementation:
    """Return ``info`` as it stands in a header."""
    return headers.Implementation(
        name=info.name,
        version=info.version,
        language=info.language,
        home_page=info.home_page,
        offset_unit=info.offset_unit,
        stages=tuple(sorted(info.stages)),
        fields=tuple(sorted(info.fields)),
    )


def tokenizer_file_of(tokenizer: TokenizerFile) -> headers.TokenizerFile:
    """Return ``tokenizer`` as it stands in a header."""
    return headers.TokenizerFile(name=tokenizer.source.name, file=tokenizer.source.file, sha256=tokenizer.sha256)


def ledger_files_of(ledger: Ledger) -> tuple[headers.NamedFile, ...]:
    """Return the files of ``ledger`` as they stand in a header."""
    return tuple(headers.NamedFile(name=Path(file.name).name, sha256=file.sha256) for file in ledger.files)


def ledger_entries_of(entries: Iterable[Entry]) -> headers.LedgerEntries:
    """Return the line with ``entries`` whole, with the place by which other lines name them."""
    return headers.LedgerEntries(entries=tuple({**entry_record(each), "called": str(each.place)} for each in entries))


def refusal_of(event: InputRefused | ImplementationMissing) -> headers.Refused | headers.ImplementationMissing:
    """Return the line about something that cannot be used."""
    told = event.refusal
    if isinstance(event, InputRefused):
        return headers.Refused(what=told.what, name=told.name, reason=told.reason)
    return headers.ImplementationMissing(name=told.name, reason=told.reason)


def known_of(known: Mapping[Entry, int]) -> tuple[headers.Known, ...]:
    """Return how many differences entries of ledgers expect, as it stands in a record."""
    return tuple(
        headers.Known(
            ledger=Path(entry.place.file).name,
            entry=entry.place.number,
            reason=entry.reason,
            link=entry.link,
            count=count,
        )
        for entry, count in known.items()
    )


def footer_of(event: Finished) -> dict[str, Any]:
    """Return the members that every footer has."""
    return {
        "finished": event.finished,
        "conclusion": event.conclusion,
        "exit_status": event.exit_status,
        "seconds": rounded(event.seconds),
    }


# Engines that yield lines ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLine(Finished):
    """A command is over; ``line`` is the last one of its record."""

    line: headers.Footer


def last_line(
    type_: type[headers.Footer], conclusion: Conclusion, seconds: float, *, finished: bool, **counted: Any
) -> LastLine:
    """Return the last event of a command, with a footer of ``type_`` that has what was ``counted``."""
    ending = Finished(finished=finished, conclusion=conclusion, seconds=seconds)
    line = made(type_, counted, **footer_of(ending), **counted)
    return LastLine(finished=finished, conclusion=conclusion, seconds=seconds, line=line)


def lines_of(event: object) -> Iterator[Value]:
    """Yield the line of the record for an ``event`` of an engine that yields lines, if it has one."""
    match event:
        case Value():
            yield event
        case InputRefused() | ImplementationMissing():
            yield refusal_of(event)
        case LastLine():
            yield event.line
