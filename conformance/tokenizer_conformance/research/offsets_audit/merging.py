"""Merging the records of the parts of one audit of offsets: a stream of events, like that of an audit.

A part has a stretch of the inputs. Of violations in one manner the smallest example of all parts is that of the whole;
whether enough was looked at, and which entries of ledgers are stale, is said here.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.parts import changes_of_headers, merged_parts, missing
from tokenizer_conformance.command_io.record import merged_part_record
from tokenizer_conformance.command_io.recorded_header import environment_of, info_of
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.record_forms import question_of
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.ledger.matching import Ledger
from tokenizer_conformance.ledger.record_forms import entry_of
from tokenizer_conformance.research.offsets_audit.checks import Subjects
from tokenizer_conformance.research.offsets_audit.engine import conclusion_of, ending_of, unchecked_of
from tokenizer_conformance.research.offsets_audit.gathered import first_troubles
from tokenizer_conformance.research.offsets_audit.known import KnownViolations
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import offsets_audit as lines
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.lines import MALFORMED, wrong_line
from tokenizer_conformance.results.records.making import header_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from types import UnionType

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.results.records.making import LastLine
    from tokenizer_conformance.results.records.value import Value

Json = dict[str, Any]

COMMON = {
    "implementations": "implementations",
    "optional": "implementations that were not asked for",
    "inputs": "inputs",
    "ledgers": "ledgers",
    "repeated": "options",
    "invariants": "invariants",
}
"""What the headers of all parts have in common, and what it is called; files may lie in other places."""


def changes_of_audits(one: Json, other: Json) -> list[str]:
    """Return what is not the same in the headers of two parts of an audit, as :func:`changes_of_headers` does."""
    own, others = ({**each, "tokenizers": _without_places(each["tokenizers"])} for each in (one, other))
    return changes_of_headers(own, others, {"tokenizers": "tokenizers", **COMMON})


def _without_places(tokenizers: list[Json]) -> list[Json]:
    return [{name: value for name, value in each.items() if name != "file"} for each in tokenizers]


@dataclass(frozen=True, slots=True)
class RecordedAudit:
    """The record of a part of an audit of offsets: its ``lines`` between header and footer."""

    read: RecordedLines
    header: lines.Header
    lines: tuple[Value, ...]

    @property
    def shard(self) -> Shard | None:
        """Which part it is."""
        shard = self.header.shard
        return None if shard is None else Shard(shard.part, shard.of)


def audit_of(read: RecordedLines) -> RecordedAudit:
    """Return the part of an audit of which the lines were ``read``. Raises :class:`BadInputError`."""
    found: list[Value] = []
    for number, line in enumerate(read.lines, 1):
        try:
            found.append(lines.FORMAT.read(line))
        except MALFORMED as error:
            raise wrong_line(read.path, number, error) from error
    header, *others = found
    assert isinstance(header, lines.Header)  # noqa: S101 - a record begins with one
    return RecordedAudit(read, header, tuple(others))


def merged_audit(parts: Sequence[RecordedAudit], *, partial: bool) -> Generator[Value | LastLine]:
    """Yield what the whole audit of the ``parts``, in their order, would have told.

    They belong together, and none is there twice (:mod:`tokenizer_conformance.command_io.parts`). With ``partial`` the
    conclusion is that of what is there, where parts or their ends are missing.
    """
    return _Merging(parts, partial=partial).events()


def subjects_of(part: RecordedAudit) -> Subjects:
    """Return what was audited."""
    return Subjects(
        tuple(TokenizerFile(TokenizerSource(each.name, each.file), each.sha256) for each in part.header.tokenizers),
        tuple(map(info_of, part.read.header["implementations"])),
        frozenset(part.header.optional),
    )


def entries_of(parts: Iterable[RecordedAudit]) -> dict[str, Entry]:
    """Return the entries of the ledgers of ``parts``, by the names that lines have for them."""
    found = (line for part in parts for line in part.lines if isinstance(line, headers.LedgerEntries))
    return {str(each["called"]): entry_of(each) for line in found for each in line.entries}


class _Merging:
    def __init__(self, parts: Sequence[RecordedAudit], *, partial: bool) -> None:
        self._parts = parts
        self._partial = partial
        self._lacks = bool(missing([part.read for part in parts]))
        self._first = parts[0].header
        self._entries = {entry: called for called, entry in entries_of(parts).items()}
        self._by_place: dict[tuple[str, str], list[lines.NotLoaded | lines.Audited]] = {}
        for line in self._lines(lines.NotLoaded | lines.Audited):
            self._by_place.setdefault((line.tokenizer, line.implementation), []).append(line)
        self._known = KnownViolations(Ledger(tuple(self._entries)))

    def events(self) -> Generator[Value | LastLine]:
        yield self._header()
        refused = list(dict.fromkeys(self._lines(headers.Refused)))
        yield from refused
        yield from dict.fromkeys(self._lines(headers.ImplementationMissing))
        told = [each for place in self._places() for each in self._told_of(*place)]
        yield from told
        done = [each for each in told if isinstance(each, lines.Audited)]
        stale = () if self._lacks else tuple(map(self._named, self._known.stale()))
        footers = [part.read.footer for part in self._parts if part.read.footer is not None]
        yield ending_of(
            done,
            self._conclusion(done, footers, is_refused=bool(refused), is_stale=bool(stale)),
            sum(float(footer["seconds"]) for footer in footers),
            stale,
            finished=not self._lacks and all(footer["finished"] for footer in footers),
        )

    def _header(self) -> lines.Header:
        environments = [environment_of(part.read.header["environment"]) for part in self._parts]
        merged = merged_parts(
            [(part.read, part.shard, there) for part, there in zip(self._parts, environments, strict=True)]
        )
        return msgspec.structs.replace(
            self._first,
            **header_of(lines.FORMAT, current_environment(("tokconf", *sys.argv[1:]))),
            shard=None,
            merged=tuple(msgspec.convert(merged_part_record(each), headers.MergedPart) for each in merged),
        )

    def _lines(self, kind: type[Any] | UnionType) -> Iterator[Any]:
        return (line for part in self._parts for line in part.lines if isinstance(line, kind))

    def _places(self) -> Iterator[tuple[str, ImplementationInfo]]:
        subjects = subjects_of(self._parts[0])
        return ((each.source.name, info) for each in subjects.tokenizers for info in subjects.implementations)

    def _told_of(self, tokenizer: str, info: ImplementationInfo) -> Iterator[lines.NotLoaded | lines.Audited]:
        """Yield what the parts say of an implementation on a tokenizer."""
        told = self._by_place.get((tokenizer, info.name), ())
        audited = [line for line in told if isinstance(line, lines.Audited)]
        yield from dict.fromkeys(line for line in told if isinstance(line, lines.NotLoaded))
        if not audited:
            return
        whole = joined(audited, finished=len(audited) == len(self._parts) and not self._lacks)
        if whole.finished:
            self._known.audited(tokenizer, info, frozenset(each.id for each in whole.invariants if each.things))
        for each in whole.findings:  # so that it is known which entries were met
            self._known.of(tokenizer, info, f"{each.invariant}: {each.manner}", question_of(json_of(each.question)))
        yield whole

    def _named(self, entry: Entry) -> headers.NamedEntry:
        return headers.NamedEntry(entry=self._entries[entry], reason=entry.reason)

    def _conclusion(
        self, done: Sequence[lines.Audited], footers: Iterable[Json], *, is_refused: bool, is_stale: bool
    ) -> Conclusion:
        failed = any(not each.unsupported for each in self._lines(lines.NotLoaded))
        absent = any(each.name not in self._first.optional for each in self._lines(headers.ImplementationMissing))
        broken = any(footer["conclusion"] == Conclusion.INTERNAL_ERROR for footer in footers)
        return conclusion_from(
            {
                Conclusion.INTERNAL_ERROR: broken,
                Conclusion.BAD_INPUT: is_refused,
                Conclusion.INCOMPLETE: self._lacks and not self._partial,
                Conclusion.IMPLEMENTATION_FAILED: failed or absent,
                Conclusion.STALE: is_stale,
                conclusion_of(done, self._first.optional, is_whole=not self._lacks): True,
            }
        )


def joined(parts: Sequence[lines.Audited], *, finished: bool) -> lines.Audited:
    """Return what several ``parts`` of the inputs say of one implementation on one tokenizer together."""
    counts = ("inputs", "answers", "unsupported", "failed", "lost")
    return lines.Audited(
        tokenizer=parts[0].tokenizer,
        implementation=parts[0].implementation,
        implementation_version=parts[0].implementation_version,
        finished=finished and all(part.finished for part in parts),
        trouble=first_troubles([each for part in parts for each in part.trouble]),
        left_out=tuple(dict.fromkeys(each for part in parts for each in part.left_out)),
        invariants=tuple(map(_joined_tally, zip(*(part.invariants for part in parts), strict=True))),
        findings=tuple(_joined_findings(each for part in parts for each in part.findings)),
        **{name: sum(getattr(part, name) for part in parts) for name in counts},
    )


def _joined_tally(parts: Sequence[lines.AuditedInvariant]) -> lines.AuditedInvariant:
    unchecked: Counter[str] = Counter()
    for each in chain.from_iterable(part.unchecked for part in parts):
        unchecked[each.reason] += each.answers
    return lines.AuditedInvariant(
        id=parts[0].id,
        answers=sum(part.answers for part in parts),
        things=sum(part.things for part in parts),
        violated=sum(part.violated for part in parts),
        unchecked=unchecked_of(unchecked),
    )


def _joined_findings(found: Iterable[lines.Finding]) -> list[lines.Finding]:
    """Return the findings of parts in their order, those of one manner as one, with the smallest example."""
    by_manner: dict[tuple[str, str], list[lines.Finding]] = {}
    for each in found:
        by_manner.setdefault((each.invariant, each.manner), []).append(each)
    order = [each.id for each in INVARIANTS]
    together = [
        msgspec.structs.replace(
            min(same, key=_length_at_first),
            answers=sum(each.answers for each in same),
            places=sum(each.places for each in same),
        )
        for same in by_manner.values()
    ]
    return sorted(together, key=lambda each: (order.index(each.invariant), each.manner))


def _length_at_first(found: lines.Finding) -> int:
    """Return how long the smallest question was before it was made smaller."""
    return length_of(question_of(json_of(found.question))) if found.reduced_from is None else found.reduced_from
