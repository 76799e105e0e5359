"""Two records opened to be compared: of what kind, who is who in them, and what they do not have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.events import RecordSide
from tokenizer_conformance.releases.diff.records.kinds.table import KINDS, OTHERS
from tokenizer_conformance.releases.diff.records.matching import Matching, matched
from tokenizer_conformance.results.records.ending import Ending
from tokenizer_conformance.results.records.lines import opened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenizer_conformance.releases.diff.records.kinds.kind import Kind
    from tokenizer_conformance.releases.diff.records.outcome import ReadRecord
    from tokenizer_conformance.results.records.headers import Header
    from tokenizer_conformance.results.records.lines import Opening


@dataclass(frozen=True, slots=True)
class RecordDiffPlan:
    """Two records to be compared, with their sides read.

    ``records`` say what each is, ``remarks`` what they do not have in common; ``command`` is the command line.
    """

    kind: Kind[Any]
    records: tuple[RecordSide, RecordSide]
    then: ReadRecord
    now: ReadRecord
    matching: Matching
    remarks: tuple[str, ...]
    command: tuple[str, ...]


def record_diff_plan(old: Path, new: Path, matches: Sequence[str], command: Sequence[str]) -> RecordDiffPlan:
    """Read the records at ``old`` and ``new``; ``matches`` are words ``OLDNAME=NEWNAME``.

    Raises :class:`BadInputError` where one is no record, is altered, or they are of two kinds.
    """
    then, now = opened(old), opened(new)
    kinds = [_kind(each) for each in (then, now)]
    if kinds[0] is not kinds[1]:
        raise BadInputError(
            f"{then.name} is the record of a {kinds[0].noun}, and {now.name} that of a {kinds[1].noun}: give two "
            "records of one command"
        )
    kind = kinds[0]
    headers = [each.header(kind.format) for each in (then, now)]
    olds, news = (each.made_of_header(kind.parties, each.header(kind.format)) for each in (then, now))
    matching = matched(olds, news, matches)
    remarks = kind.remarks(headers[0], headers[1], matching)
    endings = (Ending(), Ending())
    sides = (_read(kind, then, endings[0], matching), _read(kind, now, endings[1], Matching()))
    told = (_told(then, headers[0], endings[0]), _told(now, headers[1], endings[1]))
    return RecordDiffPlan(kind, told, *sides, matching, tuple(remarks), tuple(command))


def _told(opening: Opening, header: Header, ending: Ending) -> RecordSide:
    made_by = header.environment
    return RecordSide(
        str(opening.path), made_by.started, made_by.tokconf, made_by.command, ending.words, ending.is_whole
    )


def _read(kind: Kind[Any], opening: Opening, ending: Ending, matching: Matching) -> ReadRecord:
    side: ReadRecord = opening.made_of_header(kind.read, opening, ending, matching)
    return side


def _kind(opening: Opening) -> Kind[Any]:
    kind = KINDS.get(opening.schema)
    if kind is None:
        what = OTHERS.get(opening.schema, f"of another kind ({one_line(opening.schema, 80)})")
        raise BadInputError(
            f"{opening.name} is the record {what}; records that can be compared are those of "
            f"{', '.join(f'a {kind.noun}' for kind in KINDS.values())}"
        )
    return kind
