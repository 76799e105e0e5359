"""The record of a run, or of a part of one, read back as what happened: the events that reports are made from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import Field, Stage, TokenizerSource
from tokenizer_conformance.command_io.compact_names import spelled_out
from tokenizer_conformance.command_io.events import ImplementationMissing, InputRefused
from tokenizer_conformance.command_io.recorded_header import FAULTS, environment_of, info_of
from tokenizer_conformance.command_io.recorded_lines import read_lines
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.findings import RecordedExample
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.hub import HubSnapshot
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.ledger.matching import LedgerFile
from tokenizer_conformance.ledger.record_forms import entries_in_play_of
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.results.records.run import FORMAT
from tokenizer_conformance.validation.running.coverage import Requirement
from tokenizer_conformance.validation.running.events import (
    CausesSought,
    DifferenceFound,
    EntriesInPlay,
    InputsFailed,
    LoadFailed,
    RunStarted,
    TokenizerFinished,
    TokenizerLoaded,
)
from tokenizer_conformance.validation.running.plan import LastFailed
from tokenizer_conformance.validation.running.record_reader import recorded_causes, recorded_example, recorded_tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.comparison.findings import Example, Finding
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.validation.running.events import Event

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What a record says: how the run ``started``, what happened then, and its ``footer``, where it has one.

    ``finished`` has the last that is said of each tokenizer, be it at a checkpoint; ``events`` are all others.
    """

    read: RecordedLines
    started: RunStarted
    events: tuple[Event, ...]
    finished: dict[str, TokenizerFinished]

    @property
    def footer(self) -> Json | None:
        """The last line of a run that ended in any way."""
        return self.read.footer

    def of(self, kind: type[Any]) -> Iterator[Any]:
        """Yield the events of one ``kind``."""
        return (event for event in self.events if isinstance(event, kind))


def read_run(path: Path) -> RecordedRun:
    """Read the record at ``path``. Raises :class:`BadInputError`, with the line that is at fault."""
    return run_of(read_lines(path))


def run_of(read: RecordedLines) -> RecordedRun:
    """Return the run of which the lines were ``read``. Raises :class:`BadInputError`, with the line at fault."""
    header = read.header
    if header.get("schema") != FORMAT.name:
        raise BadInputError(
            f"{str(read.path)!r} is no record of a run, which begins with the header of a {FORMAT.name}"
        )
    version = str(header.get("version"))
    if version.split(".", maxsplit=1)[0] != FORMAT.version.split(".", maxsplit=1)[0]:
        raise BadInputError(
            f"{str(read.path)!r} is a record of version {version}; this release reads version {FORMAT.version}"
        )
    try:
        started = started_of(header)
    except FAULTS as error:
        raise read.fault(1, repr(error)) from error
    events: list[Event] = []
    finished: dict[str, TokenizerFinished] = {}
    entries: dict[tuple[int, int], Entry] = {}
    for number, line in enumerate(read.lines[1:], 2):
        try:
            event = _event(line, entries)
            if isinstance(event, CausesSought):
                event = event.of(finished[event.tokenizer])
        except FAULTS as error:
            raise read.fault(number, repr(error)) from error
        match event:
            case None:
                continue
            case TokenizerFinished():
                finished[event.tokenizer] = event
            case EntriesInPlay():
                entries |= {(each.place.ledger, each.place.number): each for each in event.entries}
                events.append(event)
            case _:
                events.append(event)
    return RecordedRun(read, started, tuple(events), finished)


# The header ----------------------------------------------------------------------------------------------------------


def started_of(header: Json) -> RunStarted:
    """Return how the run with this ``header`` began. Raises one of :data:`FAULTS`."""
    return RunStarted(
        environment=environment_of(header["environment"]),
        baseline=header["baseline"],
        implementations=tuple(map(info_of, header["implementations"])),
        tokenizers=tuple(map(_tokenizer_file, header["tokenizers"])),
        inputs=header["inputs"]["count"],
        inputs_sha256=header["inputs"]["sha256"],
        stages=tuple(map(Stage, header["stages"])),
        fields=tuple(map(Field, header["fields"])),
        every_id=header["every_id"],
        seed=header["seed"],
        required=tuple(map(_requirement, header["required"])),
        ledgers=tuple(LedgerFile(each["name"], each["sha256"]) for each in header.get("ledgers", ())),
        optional=frozenset(header.get("optional", ())),
        options=dict(header.get("options", {})),
        shard=Shard(**header["shard"]) if header.get("shard") else None,
        repeats=LastFailed(**header["repeats"]) if header.get("repeats") else None,
        sources_sha256=tuple(header["inputs"].get("sources", ())),
    )


def _tokenizer_file(record: Json) -> TokenizerFile:
    snapshot = None
    if "repository" in record:
        snapshot = HubSnapshot(record["repository"], record["commit"], Path())
    return TokenizerFile(TokenizerSource(record["name"], record["name"]), record["sha256"], snapshot=snapshot)


def _requirement(word: str) -> Requirement:
    stage, _, field = word.partition(":")
    return Requirement(Stage(stage), Field(field) if field else None)


# The lines -----------------------------------------------------------------------------------------------------------


def _event(line: Json, entries: dict[tuple[int, int], Entry]) -> Event | None:
    match line["type"]:
        case "refused":
            return InputRefused(Rejected(line["what"], line["name"], line["reason"]))
        case "implementation_missing":
            return ImplementationMissing(Rejected("implementation", line["name"], line["reason"]), line["asked"])
        case "ledger_entries":
            return EntriesInPlay(*entries_in_play_of(line["entries"]))
        case "tokenizer" | "checkpoint":
            return _with_recorded_examples(recorded_tokenizer(line, entries), line)
        case "causes":
            return recorded_causes(line)
        case _:
            return _event_of_tokenizer(line)


def _event_of_tokenizer(line: Json) -> Event | None:
    match line["type"]:
        case "loaded":
            return TokenizerLoaded(line["tokenizer"], line["implementation"], line["seconds"])
        case "load_failed":
            return LoadFailed(line["tokenizer"], line["implementation"], line["reason"])
        case "failing":
            return InputsFailed(line["tokenizer"], line["implementation"], tuple(spelled_out(line["inputs"])))
        case "difference":
            example = {key: line[key] for key in EXAMPLE if key in line}
            return DifferenceFound(
                line["tokenizer"],
                line["implementation"],
                Stage(line["stage"]),
                _recorded(recorded_example(example), example),
            )
        case "resumed" | "footer":
            return None
        case other:
            raise ValueError(f"there is no line of type {other!r}")


EXAMPLE = ("input", "question", "difference", "differs_at", "consequence_of", "near", "reduced_from")
"""What a line about a difference has of the example."""


def _with_recorded_examples(finished: TokenizerFinished, line: Json) -> TokenizerFinished:
    """Return ``finished``, which ``line`` says, with examples that stand in a further record as they do here."""

    def kept(findings: tuple[Finding, ...], records: list[Json]) -> tuple[Finding, ...]:
        return tuple(
            replace(
                finding,
                first=_recorded(finding.first, record["first"]),
                smallest=_recorded(finding.smallest, record["smallest"]),
            )
            for finding, record in zip(findings, records, strict=True)
        )

    return replace(
        finished,
        findings=kept(finished.findings, line["findings"]),
        unstable=kept(finished.unstable, line["unstable"]),
        known=kept(finished.known, line.get("known", [])),
    )


def _recorded(example: Example, record: Json) -> RecordedExample:
    return RecordedExample(
        input=example.input,
        question=example.question,
        difference=example.difference,
        differs_at=example.differs_at,
        consequence_of=example.consequence_of,
        near=example.near,
        reduced_from=example.reduced_from,
        answers=example.answers,
        recorded=record,
    )
