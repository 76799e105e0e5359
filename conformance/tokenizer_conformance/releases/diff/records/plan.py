"""Two records opened to be compared: of what kind, who is who in them, and what they do not have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.events import RecordSide
from tokenizer_conformance.releases.diff.records.kinds.kind import is_later_minor
from tokenizer_conformance.releases.diff.records.kinds.table import KINDS, OTHERS
from tokenizer_conformance.releases.diff.records.matching import Matching, matched
from tokenizer_conformance.results.records.lines import MALFORMED, Ending, opened, wrong_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizer_conformance.releases.diff.records.kinds.kind import Kind
    from tokenizer_conformance.releases.diff.records.outcome import Side
    from tokenizer_conformance.results.records.lines import Opening
    from tokenizer_conformance.results.records.node import Node

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RecordDiffPlan:
    """Two records to be compared, with their sides read.

    ``records`` say what each is, ``remarks`` what they do not have in common; ``command`` is the command line.
    """

    kind: Kind[Any]
    records: tuple[RecordSide, RecordSide]
    then: Side
    now: Side
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
    matching = matched(_of_header(then, kind.parties), _of_header(now, kind.parties), matches)
    for each in (then, now):  # what is wrong with a header shows beside itself, and is that file's
        _of_header(each, lambda header: kind.remarks(header, header, Matching()))
    remarks = kind.remarks(then.header, now.header, matching)
    endings = (Ending(), Ending())
    sides = (_read(kind, then, endings[0], matching), _read(kind, now, endings[1], Matching()))
    told = (_told(then, endings[0]), _told(now, endings[1]))
    return RecordDiffPlan(kind, told, *sides, matching, tuple(remarks), tuple(command))


def _told(opening: Opening, ending: Ending) -> RecordSide:
    def told(header: Node) -> RecordSide:
        environment = header.node("environment")
        started, tokconf = (environment.text_or_none(key) or "" for key in ("started", "tokconf"))
        command = environment.texts("command")
        return RecordSide(str(opening.path), started, tokconf, command, ending.words, ending.is_whole)

    return _of_header(opening, told)


def _read(kind: Kind[Any], opening: Opening, ending: Ending, matching: Matching) -> Side:
    may_have_any = is_later_minor(opening.version, kind.format.version)
    typed = opening if may_have_any else replace(opening, types=kind.format.tags)
    side: Side = _of_header(opening, lambda _: kind.read(typed, ending, matching))
    return side


def _kind(opening: Opening) -> Kind[Any]:
    kind = KINDS.get(opening.schema)
    if kind is None:
        what = OTHERS.get(opening.schema, f"of another kind ({one_line(opening.schema, 80)})")
        raise BadInputError(
            f"{opening.name} is the record {what}; records that can be compared are those of "
            f"{', '.join(f'a {kind.noun}' for kind in KINDS.values())}"
        )
    if opening.version.partition(".")[0] != kind.format.version.partition(".")[0]:
        raise BadInputError(
            f"{opening.name} is a record of version {one_line(opening.version, 40)}; this release reads version "
            f"{kind.format.version}"
        )
    return kind


def _of_header(opening: Opening, take: Callable[[Node], T]) -> T:
    """Return what ``take`` makes of the header. Raises :class:`BadInputError` where it is none of a record."""
    try:
        return take(opening.header)
    except BadInputError:
        raise
    except MALFORMED as error:
        raise wrong_line(opening.path, 1, error) from error
