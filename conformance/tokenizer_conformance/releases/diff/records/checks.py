"""A comparison of two records as checks: what is new or worse fails, what cannot be told is skipped with its reason.

Checks are called as those of the command whose records are compared, where it has such: an implementation on a
tokenizer, that it loads and each stage; a requirement. All outcomes of one check are told by it: it fails where one of
them is new or worse, is skipped where one was not compared, and passes where all are the same or fixed.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.releases.diff.checks import TITLE
from tokenizer_conformance.releases.diff.records.changes import FAILING, Change
from tokenizer_conformance.releases.diff.records.events import (
    ChangeFound,
    RecordDiffFinished,
    RecordsOpened,
    SoundFound,
)
from tokenizer_conformance.releases.diff.records.outcome import Aspect, State
from tokenizer_conformance.releases.diff.records.wording import command_of, entry_of, gathered_entry, side_line, summary
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import located
from tokenizer_conformance.results.ci_results.rules import LOAD, group_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.releases.diff.records.changes import Changed
    from tokenizer_conformance.releases.diff.records.events import RecordDiffEvent
    from tokenizer_conformance.releases.diff.records.outcome import Key
    from tokenizer_conformance.results.ci_results.check import Location, Rule

RULES: Mapping[Change, Rule] = {
    Change.NEW: plain_rule(
        "new-since-record",
        "Something fails that did not fail in the old record",
        "Both records have compared it. The lines are those of the new record.",
    ),
    Change.WORSE: plain_rule(
        "worse-than-record",
        "Something fails more gravely, or more often, than in the old record",
        "It failed in both records; the message says what it was then and is now.",
    ),
    Change.NO_LONGER_KNOWN: plain_rule(
        "no-longer-known",
        "Something fails that a ledger knew when the old record was made",
        "The difference may be the same: what is missing is the entry of the ledger.",
    ),
}
"""The rule that is broken by each change for which the command fails."""

WORST_FIRST = (CheckOutcome.FAILED, CheckOutcome.SKIPPED, CheckOutcome.KNOWN, CheckOutcome.PASSED)
"""The outcome of a check of which several outcomes are told: the first of these that one of them has."""

KNOWN = (Change.NEW_AND_KNOWN, Change.NOW_KNOWN)
"""The changes that would fail if no ledger knew them."""

NAMES: Mapping[Aspect, str] = {
    Aspect.CAUSE: "causes",
    Aspect.INPUT: "inputs",
    Aspect.TRAINING: "training",
    Aspect.RULES: "rules of the algorithm",
    Aspect.REPEATED: "repeated training",
    Aspect.MODEL: "model",
    Aspect.WORDS: "words",
}
"""What the check of all outcomes of an aspect is called; of other aspects there are several checks."""

ANSWERS = "answers"
"""The name of the check of answers that are not told by stage."""

RANDOM = "random tokenizers"
"""What stands in the name of a check for the tokenizers that fuzzing makes."""

LISTED = 25
"""How many of the outcomes that fail nothing are named in a check."""


class RecordDiffChecks:
    """Tells ``write`` in the end what a comparison of two records has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._opened: RecordsOpened | None = None
        self._found: dict[tuple[str, str], list[Changed]] = {}

    def handle(self, event: RecordDiffEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case RecordsOpened():
                self._opened = event
            case ChangeFound(changed) | SoundFound(changed):
                self._found.setdefault(check_of(changed.key), []).append(changed)
            case RecordDiffFinished() if self._opened is not None:
                self._write(self._checked(self._opened, event))
            case _:
                pass

    def _checked(self, opened: RecordsOpened, finished: RecordDiffFinished) -> CheckedRun:
        place = located(opened.now.path)
        return CheckedRun.of(
            finished,
            title=TITLE,
            environment=opened.environment,
            checks=(_check(group, name, found, place) for (group, name), found in self._found.items()),
            conclusion=summary(finished),
            notes=(
                f"two records of a {opened.noun}",
                f"old: {side_line(opened.then)}",
                f"new: {side_line(opened.now)}",
                f"the command of the new one: {command_of(opened.now)}",
                *opened.matches,
                *opened.remarks,
            ),
        )


def check_of(key: Key) -> tuple[str, str]:
    """Return group and name of the check that tells the outcome with ``key``."""
    who, part = key.implementation, key.parts[0] if key.parts else ""
    on_subject = group_of(who, key.subject) if who and key.subject else who or key.subject
    match key.aspect:
        case Aspect.REQUIREMENT | Aspect.CASE:
            return who, key.subject
        case Aspect.LOADING:
            return on_subject, part or LOAD
        case Aspect.STAGE | Aspect.FINDING | Aspect.SHORTFALL:
            return (on_subject, part or ANSWERS) if key.subject else (group_of(who, RANDOM), ANSWERS)
        case Aspect.LEVEL:
            return group_of(f"{who} beside {key.against}", key.subject), f"level: {part}"
        case _:
            return on_subject, NAMES[key.aspect]


def _check(group: str, name: str, found: Sequence[Changed], place: Location) -> Check:
    by_outcome: dict[CheckOutcome, list[Changed]] = {}
    for changed in found:
        by_outcome.setdefault(_outcome(changed), []).append(changed)
    outcome = next(each for each in WORST_FIRST if each in by_outcome)
    problems = tuple(_problems(by_outcome.pop(CheckOutcome.FAILED, ())))
    lines = list(_lines(each for which in WORST_FIRST for each in by_outcome.get(which, ())))
    return Check(
        group=group,
        name=name,
        outcome=outcome,
        message="" if problems else next(iter(lines), ""),
        details=tuple(lines if problems else lines[1:]),
        problems=problems,
        location=place,
    )


def _outcome(changed: Changed) -> CheckOutcome:
    """Return the outcome that a check of ``changed`` alone would have."""
    if changed.change in FAILING:
        return CheckOutcome.FAILED
    if not changed.is_compared:
        return CheckOutcome.SKIPPED
    is_known = changed.change is Change.SAME and changed.outcome.state is State.KNOWN
    return CheckOutcome.KNOWN if is_known or changed.change in KNOWN else CheckOutcome.PASSED


def _lines(found: Iterable[Changed]) -> Iterator[str]:
    """Yield lines about what fails nothing; of what is sound there is nothing to say."""
    is_sound = (Change.SAME, State.SOUND)
    told = dict.fromkeys(_line(each) for each in found if (each.change, each.outcome.state) != is_sound)
    yield from islice(told, LISTED)
    if len(told) > LISTED:
        yield f"… and {len(told) - LISTED:,} more: --json FILE has all"


def _line(changed: Changed) -> str:
    """Say on one line what became of an outcome that fails nothing."""
    if not changed.is_compared:
        return f"{changed.change}: {changed.outcome.title}: {changed.why or 'nobody can tell'}"
    is_wrong = changed.change is Change.SAME and changed.outcome.state is State.FAILS
    what = "fails as then" if is_wrong else str(changed.change)
    return f"{what}: {entry_of(changed).title}"


def _problems(failing: Sequence[Changed]) -> Iterator[Problem]:
    """Yield the problems of one check; a requirement is told by its cases, where these are there."""
    cases = [each for each in failing if each.key.aspect is not Aspect.REQUIREMENT]
    inputs: dict[Change, list[Changed]] = {}
    for changed in cases or failing:
        if changed.key.aspect is Aspect.INPUT:
            inputs.setdefault(changed.change, []).append(changed)
        else:
            entry = entry_of(changed)
            yield Problem(
                rule=RULES[changed.change],
                message=entry.title,
                details=entry.lines,
                repeat=entry.repeat,
                identity="; ".join((changed.key.aspect, *changed.key.parts)),
            )
    for change, found in inputs.items():
        key = found[0].key
        titles = [each.outcome.title for each in found]
        yield Problem(
            rule=RULES[change],
            message=gathered_entry(Aspect.INPUT, change, key.implementation, key.subject, titles).title,
        )
