"""The end of a run: what it was about, and its conclusion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.research.metrics.counts import Read
from tokenizer_conformance.research.metrics.groups import ALL_TEXTS
from tokenizer_conformance.results.records import metrics as lines
from tokenizer_conformance.results.records.making import LastLine, last_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizer_conformance.research.metrics.counts import Counts
    from tokenizer_conformance.research.metrics.gold import GoldCut


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How a run went that counted ``total`` and cut words with morphemes (``gold``) in so many ``seconds``.

    ``refused``: something that was given cannot be used. ``failed``: an implementation is not there, or does not load a
    tokenizer. ``reason`` says why it did not finish, if not, and ``stopped`` what that means. ``incomplete``: parts are
    missing. A part (``is_part``) may have no texts. ``names`` are those of the sources, whose texts are cut if they are
    longer than ``longest``.
    """

    total: Counts
    gold: Mapping[int, GoldCut]
    refused: bool
    failed: bool
    seconds: float
    names: Sequence[str]
    longest: int
    reason: str | None = None
    stopped: Conclusion | None = None
    incomplete: bool = False
    is_part: bool = False


def finished(course: Course) -> LastLine:
    """Return the last event of the run."""
    read = course.total.read.get(ALL_TEXTS, Read())
    return last_line(
        lines.Footer,
        course.stopped or _conclusion(course),
        course.seconds,
        finished=course.reason is None,
        reason=course.reason,
        texts=read.texts,
        bytes=read.bytes,
        notes=tuple(_notes(course)),
    )


def _notes(course: Course) -> Iterator[str]:
    for number, reading in sorted(course.total.readings.items()):
        yield from reading.notes(course.names[number], course.longest)


def _conclusion(course: Course) -> Conclusion:
    total = course.total
    failures = [*total.failures, *total.decoding, *(each.failures for each in course.gold.values())]
    kinds = {kind for each in failures for kind in each.kinds}
    failed = kinds - {"unsupported"} or any(each.kinds for each in total.failures)
    return conclusion_from(
        {
            Conclusion.BAD_INPUT: course.refused,
            Conclusion.INCOMPLETE: course.incomplete,
            Conclusion.IMPLEMENTATION_FAILED: course.failed or failed,
            Conclusion.NOTHING_COMPARED: not total.tallies and not course.is_part,
        }
    )
