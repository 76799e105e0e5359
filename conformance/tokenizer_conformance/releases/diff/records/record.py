"""The lines of the record of a comparison of two records: a header, changes, numbers, a footer.

Outcomes that are the same and show no difference are only counted, in the footer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.releases.diff.records.events import (
    ChangeFound,
    FigureFound,
    RecordDiffEvent,
    RecordDiffFinished,
    RecordsOpened,
    SoundFound,
)
from tokenizer_conformance.results.records import record_diff as lines
from tokenizer_conformance.results.records.making import footer_of, header_of, made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.results.records.value import Value


def lines_of(event: RecordDiffEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``, where it has one."""
    match event:
        case RecordsOpened():
            header = header_of(lines.FORMAT, event.environment)
            yield made(lines.Header, event, **header, of=event.schema, old=event.then, new=event.now)
        case ChangeFound(changed):
            yield made(
                lines.ChangeFound,
                changed.key,
                change=changed.change,
                title=changed.outcome.title,
                why=changed.why,
                then=changed.then,
                now=changed.now,
            )
        case FigureFound(figure, then, now):
            yield made(lines.Figure, figure, then=then, now=now)
        case RecordDiffFinished():
            yield made(lines.Footer, event, **footer_of(event))
        case SoundFound():
            return
