"""Merging the snapshots of the parts of one snapshot into the whole one: its lines are theirs, as they stand there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import UNSET
from msgspec.structs import replace

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import InputRefused
from tokenizer_conformance.command_io.parts import changes_of_headers, in_order, missing
from tokenizer_conformance.command_io.recorded_lines import RecordedLines
from tokenizer_conformance.command_io.status import STATUS, Place
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.snapshot.asking import WITHOUT_VALUE
from tokenizer_conformance.releases.snapshot.engine import INTERRUPTED, conclusion_of
from tokenizer_conformance.releases.snapshot.events import Event, PartMade, SnapshotFinished, TokenizerAsked
from tokenizer_conformance.releases.snapshot_file.lines import Written
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.making import environment_of, made
from tokenizer_conformance.results.records.snapshot import AskedAbout

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_conformance.releases.snapshot_file.parts import LoadedTokenizer
    from tokenizer_conformance.releases.snapshot_file.reader import Line, Snapshot
    from tokenizer_conformance.results.records.snapshot import Footer, Header


def parts_in_order(parts: Sequence[Snapshot]) -> tuple[list[Snapshot], list[str]]:
    """Return the ``parts`` of one snapshot in their order, and what is said of those that are missing.

    Raises :class:`BadInputError` where one is no part of a snapshot, is not whole, is of another snapshot, or is there
    twice.
    """
    by_path = {part.path: part for part in parts}
    read = [RecordedLines(part.path, (json_of(part.header),), None, "") for part in parts]
    ordered = in_order(read, changes_of_headers)
    found = [by_path[each.path] for each in ordered]
    for part in found:
        if not part.is_whole:
            reason = None if part.footer is None else part.footer.reason
            part.refuse(f"is not whole ({reason or 'it was cut off'}): make this part again")
    absent = missing(ordered)
    if not absent:
        _refuse_what_does_not_fit(found)
    return found, absent


def _refuse_what_does_not_fit(parts: Sequence[Snapshot]) -> None:
    first = parts[0]
    inputs = sum(part.count for part in parts)
    if inputs != first.header.inputs.count:
        raise BadInputError(
            f"the parts have {inputs:,} inputs together, and the snapshot has {first.header.inputs.count:,}"
        )
    for part in parts:
        for mine, other in zip(first.tokenizers, part.tokenizers, strict=True):
            if _loading(mine) != _loading(other):
                part.refuse(
                    f"says that {mine.name!r} was loaded in another way than {str(first.path)!r} says: make one of "
                    "them again, with the files and the version of the other"
                )


def _loading(loaded: LoadedTokenizer) -> tuple[object, ...]:
    """Return what two machines say alike of a tokenizer; why one refuses it may name a folder."""
    return loaded.name, loaded.error is None, loaded.files, loaded.shows, loaded.saved, loaded.vocabulary


def merged_snapshot(parts: Sequence[Snapshot], command: tuple[str, ...]) -> Generator[Event]:
    """Yield what the making of the whole snapshot of ``parts`` would have told, all of them, in their order."""
    return _Merging(parts, command).events()


class _Merging:
    def __init__(self, parts: Sequence[Snapshot], command: tuple[str, ...]) -> None:
        self._parts = parts
        self._command = command
        self._total = parts[0].header.inputs.count
        self._footers = [part.footer for part in parts if part.footer is not None]
        self._done: list[TokenizerAsked] = []

    def events(self) -> Generator[Event]:
        reason, conclusion = None, None
        try:
            yield self._header()
            yield from self._lines()
        except KeyboardInterrupt:
            reason, conclusion = INTERRUPTED, Conclusion.INTERRUPTED
        except BadInputError as error:  # it was whole when it was looked through
            reason, conclusion = str(error), Conclusion.BAD_INPUT
            yield InputRefused(Rejected("snapshot", "", reason))
        yield SnapshotFinished(
            finished=reason is None,
            reason=reason,
            conclusion=conclusion or conclusion_of(self._done),
            tokenizers=len(self._done),
            inputs=sum(done.inputs for done in self._done),
            questions=sum(done.questions for done in self._done),
            seconds=sum(footer.seconds for footer in self._footers),
            asking=sum(footer.asking for footer in self._footers),
            asked=tuple(made(AskedAbout, each) for each in self._done),
        )

    def _header(self) -> Header:
        return replace(
            self._parts[0].header,
            environment=environment_of(current_environment(self._command)),
            shard=UNSET,
            merged=tuple(
                headers.MergedPart(
                    name=part.path.name, shard=part.header.part, environment=part.header.environment, state=None
                )
                for part in self._parts
                if part.header.part is not None
            ),
        )

    def _lines(self) -> Iterator[Event]:
        readings = [_Reading(part) for part in self._parts]
        yield from self._told("inputs", readings, "input")
        for loaded in self._parts[0].tokenizers:
            STATUS.begin(loaded.name, "merging")
            first, *_ = [next(reading.of_kind("tokenizer")) for reading in readings]
            yield PartMade(Written(first), Place(loaded.name, 0, self._total))
            yield from self._told(loaded.name, readings, "answers")
            self._done.append(self._asked(loaded))
            yield self._done[-1]

    def _told(self, name: str, readings: Sequence[_Reading], kind: str) -> Iterator[Event]:
        lines = (line for reading in readings for line in reading.of_kind(kind))
        for number, line in enumerate(lines, 1):
            yield PartMade(Written(line), Place(name, number, self._total))

    def _asked(self, loaded: LoadedTokenizer) -> TokenizerAsked:
        counts = [each for footer in self._footers for each in _asked_in(footer) if each.tokenizer == loaded.name]
        without: Counter[str] = Counter()
        for each in counts:
            without.update(each.without_value)
        return TokenizerAsked(
            loaded.name,
            loaded.error,
            sum(each.inputs for each in counts),
            sum(each.questions for each in counts),
            {kind: without[kind] for kind in WITHOUT_VALUE.values() if without[kind]},
            seconds=None,
        )


def _asked_in(footer: Footer) -> tuple[AskedAbout, ...]:
    return () if footer.asked is UNSET else footer.asked


class _Reading:
    """The lines of ``part``, one after the other."""

    def __init__(self, part: Snapshot) -> None:
        self._lines = part.between()
        self._next: Line | None = next(self._lines, None)

    def of_kind(self, kind: str) -> Iterator[bytes]:
        """Yield the lines of ``kind`` that stand next. Raises :class:`BadInputError`."""
        while (line := self._next) is not None and line.kind == kind:
            self._next = next(self._lines, None)
            yield line.content
