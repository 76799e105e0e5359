"""The engine of a comparison of two records: yields the lines of its record, and what became of each outcome.

It begins with the header, then come changes and numbers; :class:`RecordDiffFinished` is the last.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.command_io.events import Finished
from tokenizer_conformance.releases.diff.records.changes import FAILING, Aspect, Change, Changed, changes_between
from tokenizer_conformance.results.records import record_diff as lines
from tokenizer_conformance.results.records.making import footer_of, header_of, made

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from tokenizer_conformance.releases.diff.records.plan import RecordDiffPlan
    from tokenizer_conformance.results.records.value import Value

NOT_READ = "not read: the comparison was interrupted before"
"""How a record is described of which nothing is known yet."""

BESIDE_ANSWERS = frozenset({Aspect.LOADING, Aspect.SHORTFALL})
"""The aspects that say nothing about answers: where only these are compared, and the same, nothing was compared."""


@dataclass(frozen=True, slots=True)
class RecordDiffFinished(Finished):
    """All is compared: how many outcomes became what, ``sound`` of the same ones without a difference."""

    counts: Mapping[Change, int]
    sound: int


RecordDiffEvent = lines.Header | Changed | lines.Figure | RecordDiffFinished


def lines_of(event: RecordDiffEvent) -> Iterator[Value]:
    """Yield the line of the record for ``event``; what is sound on both sides is only counted, in the footer."""
    match event:
        case Changed():
            if not event.is_sound:
                told = {"title": event.outcome.title, "why": event.why, "then": event.then, "now": event.now}
                yield made(lines.ChangeFound, event.key, change=event.change, **told)
        case RecordDiffFinished():
            yield made(lines.Footer, event, **footer_of(event))
        case _:
            yield event


def record_diff(plan: RecordDiffPlan) -> Generator[RecordDiffEvent]:
    """Carry out ``plan`` and yield what happens; an interrupt ends it early."""
    began = time.perf_counter()
    counts: Counter[Change] = Counter()
    sound = answers = 0
    stages: dict[tuple[str, str], bool] = {}
    conclusion = Conclusion.INTERRUPTED
    then, now = plan.then, plan.now
    try:
        yield _header(
            plan.command,
            of=plan.kind.format.name,
            old=then.described(),
            new=now.described(),
            names=plan.matching.names,
            matches=plan.matching.said,
            remarks=plan.remarks,
        )
        lacks = partial(then.lacks, now), partial(now.lacks, then)
        for changed in changes_between(then.outcomes, now.outcomes, *lacks):
            counts[changed.change] += 1
            sound += changed.is_sound
            says_something = changed.key.aspect not in BESIDE_ANSWERS or changed.change is not Change.SAME
            answers += changed.is_compared and says_something
            _note_stage(changed, stages)
            yield changed
        for figure in dict.fromkeys((*now.figures, *then.figures)):
            yield made(lines.Figure, figure, then=then.figures.get(figure), now=now.figures.get(figure))
        conclusion = _conclusion(plan, counts, answers, is_enough=all(stages.values()))
    except KeyboardInterrupt:
        pass
    yield RecordDiffFinished(
        finished=conclusion is not Conclusion.INTERRUPTED,
        conclusion=conclusion,
        counts=counts,
        sound=sound,
        seconds=time.perf_counter() - began,
    )


def cut_short_record_diff(old: str, new: str, command: Sequence[str], seconds: float) -> Generator[RecordDiffEvent]:
    """Yield what happens where an interrupt comes before the records at ``old`` and ``new`` have been read."""
    unread = [
        lines.ComparedRecord(path=path, started="", tokconf="", command=(), ended=NOT_READ, is_whole=False)
        for path in (old, new)
    ]
    yield _header(command, of="", old=unread[0], new=unread[1], names={}, matches=(), remarks=())
    yield RecordDiffFinished(finished=False, conclusion=Conclusion.INTERRUPTED, counts={}, sound=0, seconds=seconds)


def _header(command: Sequence[str], **members: Any) -> lines.Header:
    return made(lines.Header, None, **header_of(lines.FORMAT, current_environment(tuple(command))), **members)


def _note_stage(changed: Changed, stages: dict[tuple[str, str], bool]) -> None:
    """Note in ``stages`` whether any was compared, of each implementation and tokenizer that both records have.

    That one loads again is said as such, and needs no stages.
    """
    key = changed.key
    whose = (key.implementation, key.subject)
    if key.aspect is Aspect.STAGE and changed.then is not None and changed.now is not None:
        stages[whose] = stages.get(whose, False) or changed.is_compared
    elif key.aspect is Aspect.LOADING and changed.is_compared and changed.change is not Change.SAME:
        stages[whose] = True


def _conclusion(plan: RecordDiffPlan, counts: Counter[Change], answers: int, *, is_enough: bool) -> Conclusion:
    """Return the conclusion: that nothing is new can be said of whole records alone, and of what was compared."""
    failing = any(counts[change] for change in FAILING)
    return conclusion_from(
        {
            Conclusion.INCOMPLETE: not all(each.ending.is_whole for each in (plan.then, plan.now)),
            Conclusion.NOTHING_COMPARED: not answers and not failing,
            Conclusion.TOO_LITTLE: not is_enough,
            Conclusion.DIFFERENCES: failing,
        }
    )
