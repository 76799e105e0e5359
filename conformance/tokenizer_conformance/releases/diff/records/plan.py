"""Two records opened to be compared: of what kind, who is who in them, and what they do not have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.matching import Matching, matched
from tokenizer_conformance.releases.diff.records.runs import ReadRun
from tokenizer_conformance.releases.diff.records.searches import ReadFuzzing, ReadSearch
from tokenizer_conformance.releases.diff.records.suites import ReadSuite
from tokenizer_conformance.releases.diff.records.trainings import ReadTraining
from tokenizer_conformance.results.records.lines import opened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tokenizer_conformance.releases.diff.records.read_record import ReadRecord
    from tokenizer_conformance.results.records.lines import Opening

KINDS: Mapping[str, type[ReadRecord[Any]]] = {
    kind.format.name: kind for kind in (ReadRun, ReadSuite, ReadTraining, ReadFuzzing, ReadSearch)
}
"""The kinds of records that can be compared, by the names of their formats."""

OTHERS: Mapping[str, str] = {
    "tokenizer-conformance-record-diff": "of a comparison of two records: give the records that it compares",
    "tokenizer-conformance-versions": 'of "tokconf versions", which compares releases itself: give it all of them',
    "tokenizer-conformance-audit": 'of "tokconf audit", which says itself what changed (--ledger names what is known)',
    "tokenizer-conformance-offsets-audit": 'of "tokconf audit offsets", which says itself what is violated',
    "tokenizer-conformance-file-audit": 'of "tokconf audit file", which says itself what is wrong with a file',
    "tokenizer-conformance-unicode-audit": 'of "tokconf audit unicode": give it both implementations or releases',
    "tokenizer-conformance-comparison": 'of "tokconf compare", which compares tokenizers itself: give it all of them',
    "tokenizer-conformance-metrics": 'of "tokconf metrics", which compares tokenizers itself: give it all of them',
    "tokenizer-conformance-vectors-check": 'of "tokconf vectors check", which fails itself where anything changed',
}
"""The records that two of are not compared, with what to do in place of that."""


@dataclass(frozen=True, slots=True)
class RecordDiffPlan:
    """Two records to be compared, both read; ``remarks`` say what they do not have in common."""

    kind: type[ReadRecord[Any]]
    then: ReadRecord[Any]
    now: ReadRecord[Any]
    matching: Matching
    remarks: tuple[str, ...]
    command: tuple[str, ...]


def record_diff_plan(old: Path, new: Path, matches: Sequence[str], command: Sequence[str]) -> RecordDiffPlan:
    """Read the records at ``old`` and ``new``; ``matches`` are words ``OLDNAME=NEWNAME``.

    Raises :class:`BadInputError` where one is no record, is altered, or they are of two kinds.
    """
    openings = then, now = opened(old), opened(new)
    kind, other = map(_kind, openings)
    if kind is not other:
        raise BadInputError(
            f"{then.name} is the record of a {kind.noun}, and {now.name} that of a {other.noun}: give two records of "
            "one command"
        )
    headers = [each.header(kind.format) for each in openings]
    olds, news = (each.made_of_header(kind.parties, header) for each, header in zip(openings, headers, strict=True))
    matching = matched(olds, news, matches)
    read_then = then.made_of_header(kind, then, headers[0], matching)
    read_now = now.made_of_header(kind, now, headers[1], Matching())
    remarks = tuple(read_now.remarks(read_then))
    for opening, side in ((then, read_then), (now, read_now)):
        opening.made_of_header(side.read)
    return RecordDiffPlan(kind, read_then, read_now, matching, remarks, tuple(command))


def _kind(opening: Opening) -> type[ReadRecord[Any]]:
    kind = KINDS.get(opening.schema)
    if kind is None:
        what = OTHERS.get(opening.schema, f"of another kind ({one_line(opening.schema, 80)})")
        raise BadInputError(
            f"{opening.name} is the record {what}; records that can be compared are those of "
            f"{', '.join(f'a {kind.noun}' for kind in KINDS.values())}"
        )
    return kind
