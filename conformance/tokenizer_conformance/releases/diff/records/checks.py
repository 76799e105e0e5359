"""A comparison of two records as checks: what is new or worse fails, what cannot be told is skipped with its reason.

Checks are called as those of the command whose records are compared, where it has such: an implementation on a
tokenizer, that it loads and each stage; a requirement. All outcomes of one check are told by it: it fails where one of
them is new or worse, is skipped where one was not compared, and passes where all are the same or fixed.
"""

from __future__ import annotations

import shlex
from itertools import islice
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.checks import TITLE
from tokenizer_conformance.releases.diff.records.changes import FAILING, Aspect, Change, Changed, State
from tokenizer_conformance.releases.diff.records.engine import RecordDiffFinished
from tokenizer_conformance.releases.diff.records.plan import KINDS
from tokenizer_conformance.results.ci_results.check import Check, CheckedRun, CheckOutcome, Problem, plain_rule
from tokenizer_conformance.results.ci_results.location import located
from tokenizer_conformance.results.ci_results.rules import LOAD, group_of
from tokenizer_conformance.results.records.record_diff import Header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tokenizer_conformance.releases.diff.records.changes import Key, Outcome
    from tokenizer_conformance.releases.diff.records.engine import RecordDiffEvent
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


NAMED_INPUTS = 8
"""How many inputs are named that are told on one line."""

SHOWN_LINES = 14
"""How many lines of an example are shown."""

BECAME: Mapping[Change, str] = {
    Change.NEW: "failing now, and not then",
    Change.NO_LONGER_KNOWN: "failing, which no ledger knows any more",
}
"""What inputs are that became one of the changes that fail."""

COUNTED: tuple[tuple[str, tuple[Change, ...]], ...] = (
    ("new", (Change.NEW,)),
    ("worse", (Change.WORSE, Change.NO_LONGER_KNOWN)),
    ("fixed", (Change.FIXED, Change.FIXED_AND_KNOWN)),
    ("changed", (Change.BETTER, Change.NOW_KNOWN, Change.CHANGED, Change.NEW_AND_KNOWN)),
    ("not compared now", (Change.NOT_COMPARED_NOW,)),
    ("not compared then", (Change.NOT_COMPARED_THEN,)),
    ("not comparable", (Change.NOT_COMPARABLE,)),
)
"""What the last line counts, in this order, with the changes that belong to each."""

ALWAYS_TOLD = ("new", "fixed")
"""What is told in the last line even where there is none."""

SHORT: Mapping[Conclusion, str] = {
    Conclusion.INCOMPLETE: "a record did not finish, so that more may be new; ",
    Conclusion.TOO_LITTLE: "of a tokenizer that both records have, no stage could be compared; ",
}
"""Why nothing new is not enough, at the beginning of the last line."""


class RecordDiffChecks:
    """Tells ``write`` in the end what a comparison of two records has checked."""

    def __init__(self, write: Callable[[CheckedRun], None]) -> None:
        self._write = write
        self._header: Header | None = None
        self._found: dict[tuple[str, str], list[Changed]] = {}

    def handle(self, event: RecordDiffEvent) -> None:
        """Take in ``event``; at the end, tell. Raises ``OSError`` where that cannot be written."""
        match event:
            case Header():
                self._header = event
            case Changed():
                self._found.setdefault(check_of(event.key), []).append(event)
            case RecordDiffFinished() if self._header is not None:
                self._write(self._checked(self._header, event))
            case _:
                pass

    def _checked(self, header: Header, finished: RecordDiffFinished) -> CheckedRun:
        place = located(header.new.path)
        return CheckedRun.of(
            finished,
            title=TITLE,
            environment=header.environment,
            checks=(_check(group, name, found, place) for (group, name), found in self._found.items()),
            conclusion=summary(finished),
            notes=(
                f"two records of a {KINDS[header.of].noun if header.of else 'command'}",
                *(
                    f"{name}: {one_line(side.path)}: {one_line(side.started, 40)}, {side.ended}"
                    for name, side in (("old", header.old), ("new", header.new))
                ),
                f"the command of the new one: {one_line(shlex.join(header.new.command), 2000)}",
                *header.matches,
                *header.remarks,
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
    ranked = sorted(found, key=lambda each: WORST_FIRST.index(_outcome(each)))
    outcome = _outcome(ranked[0])
    problems = tuple(_problems([each for each in ranked if each.change in FAILING]))
    lines = list(_lines(each for each in ranked if each.change not in FAILING))
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
    told = dict.fromkeys(_line(each) for each in found if not each.is_sound)
    yield from islice(told, LISTED)
    if len(told) > LISTED:
        yield f"… and {len(told) - LISTED:,} more: --json FILE has all"


def _line(changed: Changed) -> str:
    """Say on one line what became of an outcome that fails nothing."""
    if not changed.is_compared:
        return f"{changed.change}: {changed.outcome.title}: {changed.why or 'nobody can tell'}"
    is_wrong = changed.change is Change.SAME and changed.outcome.state is State.FAILS
    what = "fails as then" if is_wrong else str(changed.change)
    return f"{what}: {_title(changed)}"


def _problems(failing: Sequence[Changed]) -> Iterator[Problem]:
    """Yield the problems of one check; a requirement is told by its cases, where these are there."""
    cases = [each for each in failing if each.key.aspect is not Aspect.REQUIREMENT]
    inputs: dict[Change, list[Changed]] = {}
    for changed in cases or failing:
        if changed.key.aspect is Aspect.INPUT:
            inputs.setdefault(changed.change, []).append(changed)
        else:
            yield Problem(
                rule=RULES[changed.change],
                message=_title(changed),
                details=_example(changed.outcome.lines),
                repeat=changed.outcome.repeat,
                identity="; ".join((changed.key.aspect, *changed.key.parts)),
            )
    for change, found in inputs.items():
        yield Problem(rule=RULES[change], message=_inputs_line(change, found))


def _inputs_line(change: Change, found: Sequence[Changed]) -> str:
    """Name on one line the inputs that became one thing, of one implementation on one tokenizer."""
    key, more = found[0].key, len(found) - NAMED_INPUTS
    named = ", ".join(each.outcome.title for each in found[:NAMED_INPUTS]) + (f" and {more:,} more" if more > 0 else "")
    on = f" on {one_line(key.subject)}" if key.subject else ""
    return f"{one_line(key.implementation)}{on}: {counted(len(found), 'input')} {BECAME[change]}: {named}"


def _example(lines: tuple[str, ...]) -> tuple[str, ...]:
    left = len(lines) - SHOWN_LINES
    return (*lines[:SHOWN_LINES], *((f"… {left:,} more lines",) if left > 0 else ()))


def _title(changed: Changed) -> str:
    """Say what it is about, and what changed in counts and verdicts."""
    then, now = changed.then, changed.now
    parts = [] if changed.change in (Change.NEW, Change.FIXED, Change.CHANGED) else [changed.change.value]
    if then is not None and now is not None:
        if then.verdict != now.verdict:
            parts.append(f"{then.verdict or then.state} then, {now.verdict or now.state} now")
        parts += _counts(then, now)
    elif changed.outcome.counts:
        parts += [f"{name} {count:,}" for name, count in changed.outcome.counts.items() if count]
    if changed.why:
        parts.append(f"neither worse nor better: {changed.why}")
    note = ", ".join(one_line(part) for part in parts)
    return f"{changed.outcome.title}{f' ({note})' if note else ''}"


def _counts(then: Outcome, now: Outcome) -> list[str]:
    return [
        f"{name} {then.counts.get(name, 0):,} then, {now.counts.get(name, 0):,} now"
        for name in now.counts
        if then.counts.get(name, 0) != now.counts.get(name, 0)
    ]


def summary(finished: RecordDiffFinished) -> str:
    """Return the last line."""
    if not finished.finished:
        what = "interrupted"
    elif finished.conclusion is Conclusion.NOTHING_COMPARED:
        what = "nothing could be compared"
    else:
        counts = {heading: sum(finished.counts.get(each, 0) for each in changes) for heading, changes in COUNTED}
        told = [f"{count:,} {heading}" for heading, count in counts.items() if count or heading in ALWAYS_TOLD]
        short = SHORT.get(finished.conclusion, "")
        what = f"{short}{', '.join(told)}, {finished.counts.get(Change.SAME, 0):,} the same"
    return f"{what}; exit status {finished.exit_status}"
