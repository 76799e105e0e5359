"""Merging the records of the parts of one run of ``tokconf metrics`` into the record of the whole run.

Parts have counts, which are whole numbers; so the whole is computed of their sums as it would have been. A source that
several parts have some of, and one of them could not read to its end, counts for nothing in any of them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from tokenizer_adapters.contract import TokenizerSource
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.parts import merged_parts, missing
from tokenizer_conformance.command_io.recorded_header import environment_of as environment_in
from tokenizer_conformance.command_io.recorded_header import info_of
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.inputs.tokenizer_files import TokenizerFile
from tokenizer_conformance.research.metrics.concluding import Course, finished
from tokenizer_conformance.research.metrics.counts import Counted, Counts
from tokenizer_conformance.research.metrics.estimating import estimated
from tokenizer_conformance.research.metrics.events import Measured, MetricsEvent
from tokenizer_conformance.research.metrics.measures.intervals import Resampling
from tokenizer_conformance.research.metrics.packing import WRONG, Unpacked, unpacked
from tokenizer_conformance.research.metrics.plan import Estimating, ToEstimate
from tokenizer_conformance.research.metrics.record import result_lines
from tokenizer_conformance.research.metrics.results import Row
from tokenizer_conformance.results.records import headers
from tokenizer_conformance.results.records import metrics as lines
from tokenizer_conformance.results.records.lines import MALFORMED, wrong_line
from tokenizer_conformance.results.records.making import environment_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_conformance.command_io.recorded_lines import RecordedLines
    from tokenizer_conformance.results.records.value import Value

Json = dict[str, Any]

COMMON = {
    "tokenizers": "tokenizers",
    "implementations": "implementations",
    "inputs": "inputs",
    "by": "--by",
    "parallel": "--parallel",
    "base": "--base",
    "base_language": "--base-language",
    "words": "--words",
    "measures": "--measure",
    "round_trip": "--no-round-trip",
    "longest": "--longest",
    "alpha": "--alpha",
    "gold_words": "--gold",
    "gold_sha256": "--gold",
    "confidence": "--confidence",
    "replicates": "--replicates",
    "seed": "--seed",
}
"""What the headers of all parts have in common, and what it is called."""


def changes_of_metrics(one: Json, other: Json) -> list[str]:
    """Return what is not the same in the headers of two parts of a run, a phrase for each."""
    told = [f"other {words}" for key, words in COMMON.items() if one.get(key) != other.get(key)]
    versions = [each["environment"]["tokconf"] for each in (one, other)]
    if versions[0] != versions[1]:
        told.insert(0, f"tokconf {versions[0]} there, {versions[1]} here")
    return list(dict.fromkeys(told))


@dataclass(frozen=True, slots=True)
class RecordedPart:
    """The record of a part: its header, its lines that are not results, and what it has counted."""

    read: RecordedLines
    header: lines.Header
    lines: tuple[Value, ...]
    unpacked: Unpacked

    def of(self, kind: type[Value]) -> Iterator[Any]:
        """Yield its lines of one kind."""
        return (line for line in self.lines if isinstance(line, kind))


def part_of_metrics(read: RecordedLines) -> RecordedPart:
    """Return the part of which the lines were ``read``. Raises :class:`BadInputError`, with the line at fault."""
    found: list[Value] = []
    for number, line in enumerate(read.lines, 1):
        try:
            found.append(msgspec.convert(line, lines.FORMAT.lines))
        except MALFORMED as error:
            raise wrong_line(read.path, number, error) from error
    # Of a record that is cut, some counts may be there: without the others they are wrong.
    parts = [line for line in found if isinstance(line, lines.Part)] if read.footer is not None else []
    try:
        header = found[0]
        if not isinstance(header, lines.Header):
            raise ValueError("it is no header")  # noqa: TRY004 - a record that is wrong
        return RecordedPart(read, header, tuple(found), unpacked(parts))
    except WRONG as error:
        raise read.fault(len(read.lines), f"its counts are not as they were written ({error})") from error


def merged_metrics(parts: Sequence[RecordedPart], *, partial: bool) -> Generator[MetricsEvent]:
    """Yield what the whole run of the ``parts``, in their order, would have told.

    They belong together, and none is there twice (:mod:`tokenizer_conformance.command_io.parts`). With ``partial`` the
    conclusion is that of what is there, where parts or their ends are missing.
    """
    first = next((part for part in parts if part.unpacked.rows), parts[0])  # one that was killed has nothing
    lacks = missing([part.read for part in parts])
    yield msgspec.structs.replace(
        first.header,
        environment=environment_of(current_environment(("tokconf", *sys.argv[1:]))),
        shard=None,
        merged=tuple(_merged_parts(parts)),
    )
    counted = _counted(first, parts)
    late = {bad.reason for bad in counted.bad.values()}
    yield from dict.fromkeys(line for part in parts for line in part.of(headers.Refused) if line.reason not in late)
    for kind in (headers.ImplementationMissing, lines.NotLoaded):
        yield from dict.fromkeys(line for part in parts for line in part.of(kind))
    names = [each.name for each in first.header.inputs.sources]
    for bad in counted.bad.values():
        yield headers.Refused(what="inputs file", name=names[bad.source], reason=bad.reason)
    total = counted.total
    gold = next((part.unpacked.gold for part in parts if part.unpacked.gold), {})
    reasons = [line.reason for part in parts for line in part.of(lines.Footer) if line.reason is not None]
    reason = "; ".join(lacks) or next(iter(reasons), None)
    if total.read:
        results = estimated(_estimated(first), total, gold, partial=reason is not None)
        yield Measured(results)
        yield from result_lines(results)
    conclusions = {line.conclusion for part in parts for line in part.of(lines.Footer)}
    course = Course(
        total=total,
        gold=gold,
        refused=bool(counted.bad) or any(True for part in parts for _ in part.of(headers.Refused)),
        failed=Conclusion.IMPLEMENTATION_FAILED in conclusions,
        seconds=sum(line.seconds for part in parts for line in part.of(lines.Footer)),
        reason=reason,
        stopped=Conclusion.INTERNAL_ERROR if Conclusion.INTERNAL_ERROR in conclusions else None,
        incomplete=bool(lacks) and not partial,
        names=names,
        longest=first.header.longest,
    )
    yield finished(course)


def _merged_parts(parts: Sequence[RecordedPart]) -> Iterator[headers.MergedPart]:
    told = [(part.read, _shard(part), environment_in(part.read.header["environment"])) for part in parts]
    for each in merged_parts(told):
        yield headers.MergedPart(
            name=each.name,
            shard=headers.Shard(part=each.shard.part, of=each.shard.of),
            environment=environment_of(each.environment),
            state=each.state,
        )


def _shard(part: RecordedPart) -> Shard | None:
    shard = part.header.shard
    return None if shard is None else Shard(shard.part, shard.of)


def _counted(first: RecordedPart, parts: Sequence[RecordedPart]) -> Counted:
    """Return what all ``parts`` have counted, in order, without what is of sources that one of them could not read."""
    unknown_ids = tuple(row.vocabulary.unknown_ids for row in first.unpacked.rows)
    found = Counted(unknown_ids)
    for part in parts:
        for number, bad in part.unpacked.counted.bad.items():
            found.bad.setdefault(number, bad)
    found.bad = dict(sorted(found.bad.items()))
    whole = Counts(unknown_ids)
    for part in parts:
        if not part.unpacked.rows:
            continue
        for source, counts in part.unpacked.counted.in_order():
            if source not in found.bad:
                whole.merge(counts)
    found.whole = whole
    return found


def _estimated(part: RecordedPart) -> ToEstimate:
    header = part.header
    infos = {each["name"]: info_of(each) for each in part.read.header["implementations"]}
    tokenizers = {each.name: each for each in header.tokenizers}
    rows = tuple(
        Row(
            each.name,
            _tokenizer(tokenizers[each.tokenizer]),
            infos[each.implementation],
            each.vocabulary,
        )
        for each in part.unpacked.rows
    )
    estimating = Estimating(
        chosen=header.measures,
        base=header.base or "",
        base_language=header.base_language or "",
        alpha=header.alpha,
        resampling=Resampling(header.replicates, header.confidence, header.seed),
    )
    return ToEstimate(rows=rows, estimating=estimating, parallel=header.parallel, round_trip=header.round_trip)


def _tokenizer(told: lines.Tokenizer) -> TokenizerFile:
    return TokenizerFile(TokenizerSource(told.name, ""), told.sha256, told.size, told.model)
