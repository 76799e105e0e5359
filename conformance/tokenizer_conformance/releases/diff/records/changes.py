"""What was found in a record, as *outcomes* with keys, and what became of each from one record to the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Lacks = Callable[["Outcome"], str]


class State(StrEnum):
    """What was found. ``FAILS``: a difference or a failure that nobody knew of; ``KNOWN``: a ledger knows it.

    ``SOUND``: it was compared, and nothing is wrong. ``NOT_COMPARED``: nobody can tell.
    """

    FAILS = "fails"
    KNOWN = "known"
    SOUND = "sound"
    NOT_COMPARED = "not compared"


class Aspect(StrEnum):
    """What an outcome is about."""

    LOADING = "loading"
    STAGE = "stage"
    FINDING = "finding"
    CAUSE = "cause"
    INPUT = "input"
    SHORTFALL = "shortfall"
    REQUIREMENT = "requirement"
    CASE = "case"
    TRAINING = "training"
    RULES = "rules of the algorithm"
    REPEATED = "repeated training"
    MODEL = "model"
    LEVEL = "level"
    WORDS = "words"


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
class Key:
    """Which outcome it is, in either record: of what ``aspect``, ``implementation`` and ``subject``.

    The subject is a tokenizer, an algorithm, a requirement; ``parts`` tell the outcomes of one subject apart.
    ``against`` is the baseline, where it is about answers beside those of one. Names are those of the new record.
    """

    aspect: Aspect
    implementation: str
    subject: str
    parts: tuple[str, ...] = ()
    against: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found under ``key``.

    ``title`` says on one line what it is about, ``lines`` show it (both made safe), and ``repeat`` is the command that
    shows it again. ``verdict`` is the word of the record for it. ``counts`` are by what they count, what decides first;
    more is worse, and so is a greater ``gravity``. Two with another ``manner`` are not the same. ``why`` says why it
    was not compared. ``places`` are the pairs of a stage and a field that have to be compared to find it again, on each
    of ``tokenizers``, where its key names none.
    """

    key: Key
    state: State
    title: str
    verdict: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    gravity: int = 0
    manner: str = ""
    lines: tuple[str, ...] = ()
    repeat: str = ""
    why: str = ""
    places: tuple[tuple[str, str | None], ...] = ()
    tokenizers: tuple[str, ...] = ()


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
        sides = (self.then, self.now) if self.change is Change.NOT_COMPARED_NOW else (self.now, self.then)
        return next(each for each in sides if each is not None)

    @property
    def key(self) -> Key:
        """Which outcome it is."""
        return self.outcome.key

    @property
    def is_compared(self) -> bool:
        """Whether both sides have compared it."""
        return self.change not in NOT_COMPARED

    @property
    def is_sound(self) -> bool:
        """Whether both sides have compared it, and neither found anything wrong. Such are only counted."""
        return self.change is Change.SAME and self.outcome.state is State.SOUND


def changes_between(
    then: Mapping[Key, Outcome], now: Mapping[Key, Outcome], lacks_then: Lacks, lacks_now: Lacks
) -> Iterator[Changed]:
    """Yield what became of each outcome that one of the sides has, in the order of the new side.

    ``lacks_then`` and ``lacks_now`` say why an outcome of the other side could not have been found on this one, in
    words; empty where it would have been found. What no side has compared is left out.
    """
    for key in dict.fromkeys((*now, *then)):
        changed = _changed(then.get(key), now.get(key), lacks_then, lacks_now)
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
    why = next(filter(None, (lacks(each) for each in (own, other) if each is not None)), "")
    return (State.NOT_COMPARED, why) if why else (State.SOUND, "")


def _of_one_state(then: Outcome, now: Outcome, why: str) -> Changed:
    was, is_ = ((each.gravity, *each.counts.values()) for each in (then, now))
    if then.state is State.SOUND or was == is_:
        return Changed(Change.SAME if then.manner == now.manner else Change.CHANGED, then, now)
    if why or then.state is State.KNOWN:
        return Changed(Change.CHANGED, then, now, why)
    return Changed(Change.WORSE if is_ > was else Change.BETTER, then, now)
