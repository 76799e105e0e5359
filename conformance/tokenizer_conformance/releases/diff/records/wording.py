"""The words in which terminal and Markdown tell what became of the outcomes of two records; all text is made safe."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.plural import counted
from tokenizer_conformance.releases.diff.records.changes import Change
from tokenizer_conformance.releases.diff.records.outcome import GATHERED, Aspect, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tokenizer_conformance.releases.diff.records.changes import Changed
    from tokenizer_conformance.releases.diff.records.events import FigureFound, RecordDiffFinished, RecordSide
    from tokenizer_conformance.releases.diff.records.outcome import Outcome

LISTED = 25
"""How many outcomes of one section are told; the record has all."""

GATHERED_NAMES = 8
"""How many of those that are told on one line are named."""

SHOWN_LINES = 14
"""How many lines of an example are shown."""

SECTIONS: tuple[tuple[str, tuple[Change, ...]], ...] = (
    ("new", (Change.NEW,)),
    ("worse", (Change.WORSE, Change.NO_LONGER_KNOWN)),
    ("fixed", (Change.FIXED, Change.FIXED_AND_KNOWN)),
    ("changed", (Change.BETTER, Change.NOW_KNOWN, Change.CHANGED, Change.NEW_AND_KNOWN)),
    ("not compared now", (Change.NOT_COMPARED_NOW,)),
    ("not compared then", (Change.NOT_COMPARED_THEN,)),
    ("not comparable", (Change.NOT_COMPARABLE,)),
)
"""What is told, in this order, with the changes that belong to each section."""

ALWAYS_TOLD = ("new", "fixed")
"""The sections that are told in the last line even where they are empty."""

VARYING = ("seconds", "peak memory")
"""How the names of numbers begin that are never the same twice; only the record has them all."""

SHORT: Mapping[Conclusion, str] = {
    Conclusion.INCOMPLETE: "a record did not finish, so that more may be new; ",
    Conclusion.TOO_LITTLE: "of a tokenizer that both records have, no stage could be compared; ",
}
"""Why nothing new is not enough, at the beginning of the last line."""

WITH_EXAMPLES = frozenset({Change.NEW, Change.WORSE, Change.NO_LONGER_KNOWN})
"""The changes of which the example is shown, and the command that repeats it."""

NOUNS: Mapping[Aspect, tuple[str, str]] = {
    Aspect.LOADING: ("loading", "loadings"),
    Aspect.STAGE: ("stage", "stages"),
    Aspect.FINDING: ("finding", "findings"),
    Aspect.CAUSE: ("cause", "causes"),
    Aspect.INPUT: ("input", "inputs"),
    Aspect.SHORTFALL: ("shortfall", "shortfalls"),
    Aspect.REQUIREMENT: ("requirement", "requirements"),
    Aspect.CASE: ("case", "cases"),
    Aspect.TRAINING: ("training", "trainings"),
    Aspect.RULES: ("verdict on rules", "verdicts on rules"),
    Aspect.REPEATED: ("repetition", "repetitions"),
    Aspect.MODEL: ("model", "models"),
    Aspect.LEVEL: ("level", "levels"),
    Aspect.WORDS: ("cutting into words", "cuttings into words"),
}
"""What one and several of an aspect are called."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a section: its ``title``, the ``lines`` that show it, and the command that repeats it."""

    title: str
    lines: tuple[str, ...] = ()
    repeat: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """What is told under one heading; ``left`` entries are only in the record."""

    title: str
    entries: tuple[Entry, ...]
    left: int = 0


def sections(found: Iterable[Changed]) -> list[Section]:
    """Return what is told of all that was ``found``, those that have something to tell."""
    by_change: dict[Change, list[Changed]] = {}
    order = list(Aspect)
    for changed in sorted(found, key=lambda each: order.index(each.key.aspect)):
        by_change.setdefault(changed.change, []).append(changed)
    told = []
    for heading, changes in SECTIONS:
        all_of_it = [each for change in changes for each in by_change.get(change, ())]
        if all_of_it:
            entries = [*_single(all_of_it), *_gathered(all_of_it)]
            title = f"{heading}: {_by_aspect(all_of_it)}"
            told.append(Section(title, tuple(entries[:LISTED]), max(0, len(entries) - LISTED)))
    return told


def _by_aspect(found: Sequence[Changed]) -> str:
    counts: dict[Aspect, int] = {}
    for each in found:
        counts[each.key.aspect] = counts.get(each.key.aspect, 0) + 1
    return ", ".join(f"{count:,} {NOUNS[aspect][count != 1]}" for aspect, count in counts.items())


def _single(found: Sequence[Changed]) -> list[Entry]:
    if found[0].is_compared:
        return [entry_of(each) for each in found if each.key.aspect not in GATHERED]
    return _by_reason(found)


def _by_reason(found: Sequence[Changed]) -> list[Entry]:
    """Return an entry for each reason why things were not compared, with the first of them that fail."""
    reasons: dict[str, list[Changed]] = {}
    for each in found:
        reasons.setdefault(each.why or "nobody can tell", []).append(each)
    entries = []
    for why, which in reasons.items():
        single = [each.outcome for each in which if each.key.aspect not in GATHERED]
        titles = [each.title for each in sorted(single, key=lambda outcome: outcome.state is not State.FAILS)]
        more = len(titles) - GATHERED_NAMES
        lines = (*titles[:GATHERED_NAMES], *((f"… and {more:,} more",) if more > 0 else ()))
        entries.append(Entry(f"{why}: {_by_aspect(which)}", lines))
    return entries


def _gathered(found: Sequence[Changed]) -> list[Entry]:
    """Return an entry for all inputs or requirements of one implementation on one tokenizer."""
    if not found[0].is_compared:
        return []
    groups: dict[tuple[Aspect, Change, str, str], list[str]] = {}
    for each in found:
        key = each.key
        if key.aspect in GATHERED:
            subject = key.subject if key.aspect is Aspect.INPUT else ""
            groups.setdefault((key.aspect, each.change, key.implementation, subject), []).append(each.outcome.title)
    return [
        gathered_entry(aspect, change, who, subject, titles)
        for (aspect, change, who, subject), titles in groups.items()
    ]


def gathered_entry(aspect: Aspect, change: Change, who: str, subject: str, titles: Sequence[str]) -> Entry:
    """Return the entry for all that became one thing: of ``who`` on ``subject``, named by their ``titles``."""
    more = len(titles) - GATHERED_NAMES
    named = ", ".join(titles[:GATHERED_NAMES]) + (f" and {more:,} more" if more > 0 else "")
    on = f" on {one_line(subject)}" if subject else ""
    return Entry(f"{one_line(who)}{on}: {counted(len(titles), GATHERED[aspect])} {_became(change)}: {named}")


def _became(change: Change) -> str:
    return {
        Change.NEW: "failing now, and not then",
        Change.WORSE: "failing more gravely",
        Change.NO_LONGER_KNOWN: "failing, which no ledger knows any more",
        Change.FIXED: "failing then, and not now",
        Change.FIXED_AND_KNOWN: "failing then, as a ledger knew, and not now",
        Change.BETTER: "failing less gravely",
        Change.NOW_KNOWN: "failing, which a ledger knows now",
        Change.NEW_AND_KNOWN: "failing now, which a ledger knows",
    }.get(change, "changed")


def entry_of(changed: Changed) -> Entry:
    """Return the entry for one outcome."""
    outcome = changed.outcome
    note = _note(changed)
    title = f"{outcome.title}{f' ({note})' if note else ''}"
    if changed.change not in WITH_EXAMPLES:
        lines = _then_and_now(changed) if changed.change is Change.CHANGED else ()
        return Entry(title, lines)
    left = len(outcome.lines) - SHOWN_LINES
    lines = (*outcome.lines[:SHOWN_LINES], *((f"… {left:,} more lines",) if left > 0 else ()))
    return Entry(title, lines, outcome.repeat)


def _then_and_now(changed: Changed) -> tuple[str, ...]:
    """Return the first line of both sides, where these are not the same."""
    then, now = changed.then, changed.now
    if then is None or now is None or then.lines[:1] == now.lines[:1]:
        return ()
    return (*(f"then  {line}" for line in then.lines[:1]), *(f"now   {line}" for line in now.lines[:1]))


def _note(changed: Changed) -> str:
    """Say what changed, in counts and verdicts."""
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
    return ", ".join(one_line(part) for part in parts)


def _counts(then: Outcome, now: Outcome) -> list[str]:
    return [
        f"{name} {then.counts.get(name, 0):,} then, {now.counts.get(name, 0):,} now"
        for name in now.counts
        if then.counts.get(name, 0) != now.counts.get(name, 0)
    ]


# Sides, numbers and the end -------------------------------------------------------------------------------------------


def side_line(side: RecordSide) -> str:
    """Return one line about a record."""
    return f"{one_line(side.path)}: {one_line(side.started, 40)}, {side.ended}"


def command_of(side: RecordSide) -> str:
    """Return the command line that wrote a record."""
    return one_line(shlex.join(side.command), 2000)


def _whose(found: FigureFound) -> str:
    figure = found.figure
    return ", ".join(one_line(part) for part in (figure.implementation, figure.subject) if part) or "all"


def number(value: float | None) -> str:
    """Return a number as it is shown.

    >>> number(None), number(1234.0), number(0.5)
    ('-', '1,234', '0.5')
    """
    if value is None:
        return "-"
    return f"{value:,.0f}" if value == int(value) else f"{value:,.3f}".rstrip("0")


def summary(finished: RecordDiffFinished) -> str:
    """Return the last line."""
    if not finished.finished:
        what = "interrupted"
    elif finished.conclusion is Conclusion.NOTHING_COMPARED:
        what = "nothing could be compared"
    else:
        counts = {heading: sum(finished.counts.get(each, 0) for each in changes) for heading, changes in SECTIONS}
        told = [f"{count:,} {heading}" for heading, count in counts.items() if count or heading in ALWAYS_TOLD]
        short = SHORT.get(finished.conclusion, "")
        what = f"{short}{', '.join(told)}, {finished.counts.get(Change.SAME, 0):,} the same"
    return f"{what}; exit status {finished.exit_status}"
