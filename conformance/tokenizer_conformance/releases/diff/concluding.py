"""The end of a diff: that of the run of both sides, with what the comparison of loading adds to it.

The parts of a diff, merged, come to their end in the same way.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.environments.words import known_as
from tokenizer_conformance.causes.collecting import merged
from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.ledger.names import names_in
from tokenizer_conformance.ledger.staleness import holds_for
from tokenizer_conformance.releases.diff.sides import plain_name
from tokenizer_conformance.results.records.run import LOST_ANSWERS
from tokenizer_conformance.validation.running.concluding import lost_answers
from tokenizer_conformance.validation.running.loading_finding import further_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_adapters.contract import Field, ImplementationInfo
    from tokenizer_conformance.ledger.entry import Entry
    from tokenizer_conformance.releases.diff.events import LoadingChanged, LoadingCompared
    from tokenizer_conformance.results.records.run import Shortfall
    from tokenizer_conformance.validation.running.events import RunFinished, TokenizerFinished


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffCourse:
    """How a diff from ``old`` to ``new`` went: the tokenizers that are ``done``, and how they are loaded.

    ``fields`` were compared. ``entries`` are those of the ledgers; which of them are stale cannot be known of a part
    of a diff (``is_part``).
    """

    old: ImplementationInfo
    new: ImplementationInfo
    fields: frozenset[Field]
    entries: Sequence[Entry]
    done: Sequence[TokenizerFinished]
    changes: Sequence[LoadingChanged]
    compared: Sequence[LoadingCompared]
    is_part: bool = False


def concluded(last: RunFinished, course: DiffCourse) -> RunFinished:
    """Return the end of the diff in which the run of both sides came to its end ``last``."""
    changes, done = course.changes, course.done
    new = Counter(change.change.what for change in changes if change.entry is None)
    lost = tuple(_lost(course))
    stale = _stale(course) if last.finished and not course.is_part else ()
    short = tuple(_others_than(lost, last.shortfalls))
    conclusion = last.conclusion
    if conclusion is Conclusion.NOTHING_COMPARED and changes:  # facts were
        conclusion = Conclusion.CONFORM
    if conclusion is Conclusion.TOO_LITTLE and last.shortfalls and not short:  # what is lost is a difference
        conclusion = Conclusion.CONFORM
    conclusion = conclusion_from(
        {
            Conclusion.IMPLEMENTATION_FAILED: any(each.unstable for each in done),
            Conclusion.DIFFERENCES: last.differences or new or lost,
            Conclusion.STALE: stale,
        }
        | {conclusion: True}
    )
    return replace(
        last,
        conclusion=conclusion,
        shortfalls=(*short, *lost),
        further=tuple(further_words(new, lost)),
        stale=(*last.stale, *stale),
        known=last.known + sum(change.entry is not None for change in changes),
        causes=merged(cause for each in done for cause in each.causes),
        uncounted=sum(each.uncounted for each in done),
    )


def _lost(course: DiffCourse) -> Iterator[Shortfall]:
    """Yield what the new side does not show any more, where both sides are one implementation."""
    if plain_name(course.old) == plain_name(course.new):
        for done in course.done:
            for row in done.results:
                yield from lost_answers(done.tokenizer, row, course.fields)


def _others_than(lost: Sequence[Shortfall], told: Sequence[Shortfall]) -> Iterator[Shortfall]:
    """Yield those that were ``told`` and are not among the ``lost`` answers in other words."""
    places = {(each.tokenizer, each.stage, each.field) for each in lost if each.lost == LOST_ANSWERS}
    return (each for each in told if each.required or (each.tokenizer, each.stage, each.field) not in places)


def _stale(course: DiffCourse) -> tuple[Entry, ...]:
    """Return the entries about loading that no change has, although all that they are about was compared."""
    matched = {change.entry for change in course.changes}
    return tuple(
        entry
        for entry in course.entries
        if entry.stages
        and not entry.inputs  # those are about answers, or entries of a vocabulary that runs compare one by one
        and entry not in matched
        and entry.implementation == known_as(course.new.name)
        and holds_for(entry, course.new.version, known_as(course.old.name), course.old.version)
        and _was_compared(entry, course.compared)
    )


def _was_compared(entry: Entry, compared: Iterable[LoadingCompared]) -> bool:
    shown = {each.tokenizer.source.name: each.shown for each in compared}
    names, patterns = names_in(entry.tokenizers)
    return (
        bool(names) and not patterns and all(frozenset(shown.get(name, ())).issuperset(entry.stages) for name in names)
    )
