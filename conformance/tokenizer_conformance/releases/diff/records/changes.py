"""What became of each outcome from one record to the other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tokenizer_conformance.releases.diff.records.outcome import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokenizer_conformance.releases.diff.records.outcome import Key, Outcome

    Lacks = Callable[[Outcome], str]


class Change(StrEnum):
    """What became of an outcome. Each has its mirror image, which it is where the records are exchanged."""

    NEW = "new"
    WORSE = "worse"
    NO_LONGER_KNOWN = "no longer known"
    FIXED = "fixed"
    BETTER = "better"
    NOW_KNOWN = "known now"
    CHANGED = "changed"
    NEW_AND_KNOWN = "new and known"
    FIXED_AND_KNOWN = "fixed, known then"
    SAME = "same"
    NOT_COMPARED_NOW = "not compared now"
    NOT_COMPARED_THEN = "not compared then"
    NOT_COMPARABLE = "not comparable"


FAILING = (Change.NEW, Change.WORSE, Change.NO_LONGER_KNOWN)
"""The changes for which the exit status is 1."""

MIRRORED: Mapping[Change, Change] = {
    Change.NEW: Change.FIXED,
    Change.WORSE: Change.BETTER,
    Change.NO_LONGER_KNOWN: Change.NOW_KNOWN,
    Change.FIXED: Change.NEW,
    Change.BETTER: Change.WORSE,
    Change.NOW_KNOWN: Change.NO_LONGER_KNOWN,
    Change.CHANGED: Change.CHANGED,
    Change.NEW_AND_KNOWN: Change.FIXED_AND_KNOWN,
    Change.FIXED_AND_KNOWN: Change.NEW_AND_KNOWN,
    Change.SAME: Change.SAME,
    Change.NOT_COMPARED_NOW: Change.NOT_COMPARED_THEN,
    Change.NOT_COMPARED_THEN: Change.NOT_COMPARED_NOW,
    Change.NOT_COMPARABLE: Change.NOT_COMPARABLE,
}
"""What each change is where the old record is the new one."""

NOT_COMPARED = (Change.NOT_COMPARED_NOW, Change.NOT_COMPARED_THEN, Change.NOT_COMPARABLE)
"""The changes of which nobody can tell what they are."""

_BY_STATES: Mapping[tuple[State, State], Change] = {
    (State.SOUND, State.FAILS): Change.NEW,
    (State.FAILS, State.SOUND): Change.FIXED,
    (State.KNOWN, State.FAILS): Change.NO_LONGER_KNOWN,
    (State.FAILS, State.KNOWN): Change.NOW_KNOWN,
    (State.SOUND, State.KNOWN): Change.NEW_AND_KNOWN,
    (State.KNOWN, State.SOUND): Change.FIXED_AND_KNOWN,
}


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of an outcome: the ``change``, and what it was ``then`` and is ``now`` (``None``: not in the record).

    ``why`` says why it was not compared on one of the sides, or why counts that differ are neither worse nor better.
    """

    change: Change
    then: Outcome | None
    now: Outcome | None
    why: str = ""

    @property
    def outcome(self) -> Outcome:
        """What it is told by: what it is now, or was."""
        found = self.now if self.now is not None and self.change is not Change.NOT_COMPARED_NOW else self.then
        assert found is not None or self.now is not None  # noqa: S101 - one side has it
        return found if found is not None else self.now  # type: ignore[return-value]

    @property
    def key(self) -> Key:
        """Which outcome it is."""
        return self.outcome.key

    @property
    def is_compared(self) -> bool:
        """Whether both sides have compared it."""
        return self.change not in NOT_COMPARED


def changes_between(
    then: Mapping[Key, Outcome], now: Mapping[Key, Outcome], lacks_then: Lacks, lacks_now: Lacks
) -> Iterator[Changed]:
    """Yield what became of each outcome that one of the sides has, in the order of the new side.

    ``lacks_then`` and ``lacks_now`` say why an outcome of the other side could not have been found on this one, in
    words; empty where it would have been found. What no side has compared is left out.
    """
    for key, outcome in now.items():
        changed = _changed(then.get(key), outcome, lacks_then, lacks_now)
        if changed is not None:
            yield changed
    for key, outcome in then.items():
        if key not in now:
            changed = _changed(outcome, None, lacks_then, lacks_now)
            if changed is not None:
                yield changed


def _changed(then: Outcome | None, now: Outcome | None, lacks_then: Lacks, lacks_now: Lacks) -> Changed | None:
    was, why_not_then = _state(then, now, lacks_then)
    is_, why_not_now = _state(now, then, lacks_now)
    if State.NOT_COMPARED in (was, is_):
        if was is is_:
            return _not_comparable(then, now, why_not_then or why_not_now)
        if was is State.NOT_COMPARED:
            return Changed(Change.NOT_COMPARED_THEN, then, now, why_not_then)
        return Changed(Change.NOT_COMPARED_NOW, then, now, why_not_now)
    if was is not is_:
        return Changed(_BY_STATES[was, is_], then, now)
    if then is None or now is None:
        return None
    return _of_one_state(then, now, lacks_then(now) or lacks_now(then))


def _not_comparable(then: Outcome | None, now: Outcome | None, why: str) -> Changed | None:
    """Return what both sides may have compared, and not so that one could be held against the other."""
    is_seen = any(each is not None and each.state is not State.NOT_COMPARED for each in (then, now))
    return Changed(Change.NOT_COMPARABLE, then, now, why) if is_seen else None


def _state(own: Outcome | None, other: Outcome | None, lacks: Lacks) -> tuple[State, str]:
    """Return what is known of a side, and why nothing is: what seems sound has to have been compared."""
    if own is not None and own.state is not State.SOUND:
        return own.state, own.why
    asked = other if own is None else own
    why = "" if asked is None else lacks(asked)
    if not why and own is not None and other is not None:
        why = lacks(other)
    return (State.NOT_COMPARED, why) if why else (State.SOUND, "")


def _of_one_state(then: Outcome, now: Outcome, why: str) -> Changed:
    if then.state is State.SOUND:
        return Changed(Change.SAME if then.manner == now.manner else Change.CHANGED, then, now)
    was, is_ = ((each.gravity, *each.counts.values()) for each in (then, now))
    if was == is_:
        return Changed(Change.SAME if then.manner == now.manner else Change.CHANGED, then, now)
    if why:
        return Changed(Change.CHANGED, then, now, why)
    if then.state is State.KNOWN:
        return Changed(Change.CHANGED, then, now)
    return Changed(Change.WORSE if is_ > was else Change.BETTER, then, now)
