"""The engine of a comparison of two records: reads both, and yields what became of each outcome."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion, conclusion_from
from tokenizer_conformance.command_io.environment import current_environment
from tokenizer_conformance.releases.diff.records.changes import FAILING, Change, changes_between
from tokenizer_conformance.releases.diff.records.events import (
    ChangeFound,
    FigureFound,
    RecordDiffEvent,
    RecordDiffFinished,
    RecordSide,
    RecordsOpened,
    SoundFound,
)
from tokenizer_conformance.releases.diff.records.outcome import BESIDE_ANSWERS, Aspect, State

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from tokenizer_conformance.releases.diff.records.changes import Changed
    from tokenizer_conformance.releases.diff.records.outcome import Outcome
    from tokenizer_conformance.releases.diff.records.plan import RecordDiffPlan

NOT_READ = "not read: the comparison was interrupted before"
"""How a record is described of which nothing is known yet."""


def record_diff(plan: RecordDiffPlan) -> Generator[RecordDiffEvent]:
    """Carry out ``plan`` and yield what happens; an interrupt ends it early."""
    began = time.perf_counter()
    counts: Counter[Change] = Counter()
    sound = answers = 0
    stages: dict[tuple[str, str], bool] = {}
    conclusion = Conclusion.INTERRUPTED
    try:
        yield _opened(plan)
        for changed in _changes(plan):
            counts[changed.change] += 1
            is_sound = changed.change is Change.SAME and changed.outcome.state is State.SOUND
            sound += is_sound
            says_something = changed.key.aspect not in BESIDE_ANSWERS or changed.change is not Change.SAME
            answers += changed.is_compared and says_something
            _note_stage(changed, stages)
            yield SoundFound(changed) if is_sound else ChangeFound(changed)
        for figure in dict.fromkeys((*plan.now.figures, *plan.then.figures)):
            yield FigureFound(figure, plan.then.figures.get(figure), plan.now.figures.get(figure))
        conclusion = _conclusion(plan, counts, answers, is_enough=all(stages.values()))
    except KeyboardInterrupt:
        pass
    finished = conclusion is not Conclusion.INTERRUPTED
    yield RecordDiffFinished(
        finished=finished, conclusion=conclusion, counts=counts, sound=sound, seconds=time.perf_counter() - began
    )


def cut_short_record_diff(old: str, new: str, command: Sequence[str], seconds: float) -> Generator[RecordDiffEvent]:
    """Yield what happens where an interrupt comes before the records at ``old`` and ``new`` have been read."""
    then, now = (RecordSide(path, "", "", (), NOT_READ, is_whole=False) for path in (old, new))
    yield RecordsOpened(current_environment(tuple(command)), "command", "", then, now, {}, (), ())
    yield RecordDiffFinished(finished=False, conclusion=Conclusion.INTERRUPTED, counts={}, sound=0, seconds=seconds)


def _opened(plan: RecordDiffPlan) -> RecordsOpened:
    return RecordsOpened(
        current_environment(plan.command),
        plan.kind.noun,
        plan.kind.format.name,
        *plan.records,
        plan.matching.names,
        plan.matching.said,
        plan.remarks,
    )


def _changes(plan: RecordDiffPlan) -> Iterator[Changed]:
    def lacks_then(outcome: Outcome) -> str:
        return plan.kind.lacks(plan.then, plan.now, outcome)

    def lacks_now(outcome: Outcome) -> str:
        return plan.kind.lacks(plan.now, plan.then, outcome)

    return changes_between(plan.then.outcomes, plan.now.outcomes, lacks_then, lacks_now)


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
            Conclusion.INCOMPLETE: not all(record.is_whole for record in plan.records),
            Conclusion.NOTHING_COMPARED: not answers and not failing,
            Conclusion.TOO_LITTLE: not is_enough,
            Conclusion.DIFFERENCES: failing,
        }
    )
