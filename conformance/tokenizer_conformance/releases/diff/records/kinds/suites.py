"""Records of ``tokconf suite run``: the result of each requirement and each of its cases."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.record_forms import difference_of
from tokenizer_conformance.comparison.wording import window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.kinds.kind import (
    Kind,
    environment_remarks,
    parties_in,
    shown,
    value_remarks,
)
from tokenizer_conformance.releases.diff.records.outcome import Aspect, Figure, Key, Outcome, State
from tokenizer_conformance.results.recorded_page import without_reports
from tokenizer_conformance.results.records import suite_run
from tokenizer_conformance.results.records.format import json_of
from tokenizer_conformance.results.records.lines import Opening, ShapeError, read_lines
from tokenizer_conformance.validation.suite.judging import CaseVerdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_conformance.releases.diff.records.matching import Matching, Party
    from tokenizer_conformance.results.records.ending import Ending
    from tokenizer_conformance.results.records.value import Value

STATES: Mapping[CaseVerdict, tuple[State, int]] = {
    CaseVerdict.PASSED: (State.SOUND, 0),
    CaseVerdict.KNOWN: (State.KNOWN, 0),
    CaseVerdict.FAILED: (State.FAILS, 0),
    CaseVerdict.ERROR: (State.FAILS, 1),
    CaseVerdict.UNSUPPORTED: (State.NOT_COMPARED, 0),
}
"""What a verdict is to a comparison, and how grave."""

OPTIONS = {"selection": "-k", "features": "--features", "importances": "--importance", "fields": "--field"}

MOST_FAILURES = 2
"""How many failures of a case are shown."""

MOST_LINES = 12
"""How many lines of a failure are shown."""


@dataclass(slots=True)
class SuiteSide:
    """A record of a run of the suite, read. ``complete`` has who was asked everything, with whether that is so."""

    names: dict[str, str]
    suite: str
    options: dict[str, object]
    fields: frozenset[str] | None
    shard: object
    words: tuple[str, ...]
    outcomes: dict[Key, Outcome] = field(default_factory=dict)
    figures: dict[Figure, float] = field(default_factory=dict)
    complete: dict[str, bool] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    cases: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


def parties(header: suite_run.Header) -> list[Party]:
    """Return who was asked."""
    return parties_in(header.implementations)


def remarks(then: suite_run.Header, now: suite_run.Header, _matching: Matching) -> list[str]:
    """Say what two headers do not have in common."""
    found = environment_remarks(then, now)
    was, is_ = (_suite(each) for each in (then, now))
    if was != is_:
        told = (_told_suite(each) for each in (then, now))
        found.append("another suite: {} then, {} now; cases that both have are compared".format(*told))
    found += value_remarks(then, now, OPTIONS)
    for when, side in (("then", then), ("now", now)):
        if side.shard is not None:
            found.append(f"a part of the suite {when} (--shard {shown(json_of(side.shard))})")
    return found


def _suite(header: suite_run.Header) -> str:
    return "" if header.suite is None else header.suite.sha256


def _told_suite(header: suite_run.Header) -> str:
    if header.suite is None:
        return "one of which nothing is said"
    return f"{one_line(header.suite.version, 40)} ({header.suite.sha256[:7]})"


def read(opening: Opening, ending: Ending, matching: Matching) -> SuiteSide:
    """Read the record. Raises :class:`BadInputError`."""
    header: suite_run.Header = opening.header(suite_run.FORMAT)
    side = SuiteSide(
        names={each.name: matching.name(each.name) for each in parties(header)},
        suite=_suite(header),
        options={key: getattr(header, key) for key in OPTIONS},
        fields=None if header.fields is None else frozenset(header.fields),
        shard=header.shard,
        words=header.environment.command,
    )
    read_lines(opening, suite_run.FORMAT, ending, _Reading(side).take)
    return side


class _Reading:
    def __init__(self, side: SuiteSide) -> None:
        self._side = side

    def take(self, line: Value) -> None:
        match line:
            case suite_run.Requirement():
                self._requirement(line)
            case suite_run.ImplementationJudged():
                self._implementation(line)
            case suite_run.ImplementationMissing():
                self._side.refused[self._side.names.get(line.name, line.name)] = line.reason
            case suite_run.Footer():
                self._side.figures[Figure("", "", "seconds")] = line.seconds

    def _name(self, name: str) -> str:
        if name not in self._side.names:
            raise ShapeError(f"{one_line(name, 60)!r} is no implementation of the header")
        return self._side.names[name]

    def _implementation(self, line: suite_run.ImplementationJudged) -> None:
        name = self._name(line.implementation)
        self._side.complete[name] = line.complete
        for what, counts in (("requirements", line.requirements), ("cases", line.cases)):
            for verdict, count in counts.items():
                self._side.figures[Figure(name, "", f"{what} {verdict}")] = count
        self._side.figures[Figure(name, "", "seconds")] = line.seconds

    def _requirement(self, line: suite_run.Requirement) -> None:
        name, id_ = self._name(line.implementation), line.requirement
        key = Key(Aspect.REQUIREMENT, name, id_)
        if key in self._side.outcomes:
            raise ShapeError(f"requirement {one_line(id_, 80)!r} of {one_line(name, 60)!r} stands there twice")
        verdict = CaseVerdict(line.verdict)
        state, gravity = STATES[verdict]
        why = _why_not(verdict, "")
        self._side.outcomes[key] = Outcome(key, state, one_line(id_), verdict.value, gravity=gravity, why=why)
        names = []
        for case in line.cases:
            outcome = self._case(name, id_, line.importance, case)
            if outcome.key in self._side.outcomes:
                raise ShapeError(f"case {one_line(outcome.key.parts[0], 80)!r} stands there twice")
            self._side.outcomes[outcome.key] = outcome
            names.append(outcome.key.parts[0])
        self._side.cases[name, id_] = tuple(names)

    def _case(self, name: str, id_: str, importance: str, case: suite_run.Case) -> Outcome:
        verdict = CaseVerdict(case.verdict)
        state, gravity = STATES[verdict]
        which, failures, reason = case.case, case.failures, case.reason
        lines = [line for each in failures[:MOST_FAILURES] for line in _failure_lines(each, name)]
        if state is State.KNOWN:
            lines.append(f"known: {shown(list(case.known))}")
        is_wrong = state in (State.FAILS, State.KNOWN)
        return Outcome(
            Key(Aspect.CASE, name, id_, (which,)),
            state,
            f"{one_line(name)}: {one_line(id_)} ({one_line(importance)}), {one_line(which)}: {verdict.value}",
            verdict.value,
            {"failures": len(failures)},
            gravity,
            manner="; ".join(map(_manner, failures)) if is_wrong else "",
            lines=tuple(lines or ([one_line(reason)] if reason else [])),
            repeat=self._repeat(id_) if is_wrong else "",
            why=_why_not(verdict, reason),
        )

    def _repeat(self, id_: str) -> str:
        """Return the command of the record for this requirement alone, where it was one of the command line."""
        words = self._side.words
        if words[:3] != ("tokconf", "suite", "run"):
            return ""
        return one_line(shlex.join([*without_reports(words), "-k", id_]), 2000)


def _why_not(verdict: CaseVerdict, reason: str) -> str:
    if verdict is not CaseVerdict.UNSUPPORTED:
        return ""
    return f"it was not shown (unsupported){f': {one_line(reason, 120)}' if reason else ''}"


def _manner(failure: suite_run.Failure) -> str:
    """Return what is wrong, without the values: two failures of one manner are the same."""
    difference = failure.difference
    what = failure.wrong if difference is None else f"{difference.field} {difference.kind}"
    step = "loading" if failure.step is None else str(failure.step)
    return f"step {step}, {failure.place}: {what}"


def _failure_lines(failure: suite_run.Failure, implementation: str) -> list[str]:
    where = "loading" if failure.step is None else f"step {failure.step + 1}"
    if failure.difference is None:
        return [f"{where}: {one_line(failure.wrong)}"]
    found = difference_of(json_of(failure.difference))
    shown_ones = window(found, "expected", one_line(implementation, 60))[:MOST_LINES]
    return [f"{where}: {found.field or ''} {found.kind}".replace(":  ", ": "), *shown_ones]


# What was not compared ------------------------------------------------------------------------------------------------


def lacks(side: SuiteSide, other: SuiteSide, outcome: Outcome) -> str:
    """Say why ``side`` could not have found ``outcome``, which ``other`` may have; empty where it would have."""
    key = outcome.key
    name = one_line(key.implementation)
    if key.implementation in side.refused:
        return one_line(side.refused[key.implementation])
    if key.implementation not in side.names.values():
        return f"{name} was not asked"
    if key in side.outcomes:
        return _lacks_fields(side, other) or _lacks_cases(side, other, key)
    if not side.complete.get(key.implementation, False):
        return f"the run was cut short before {name} was asked that"
    if side.shard != other.shard:
        return "only a part of the suite was asked (--shard)"
    if side.options != other.options:
        return "it was left out (-k, --features, --importance or --field)"
    return "the suite of that record has no such case" if side.suite != other.suite else "the record does not have it"


def _lacks_fields(side: SuiteSide, other: SuiteSide) -> str:
    """Say that fewer fields were judged: what passed by these has not passed by all."""
    is_less = side.fields is not None and (other.fields is None or not other.fields <= side.fields)
    return "fewer fields were judged (--field)" if is_less else ""


def _lacks_cases(side: SuiteSide, other: SuiteSide, key: Key) -> str:
    own, others = (each.cases.get((key.implementation, key.subject)) for each in (side, other))
    if key.aspect is Aspect.REQUIREMENT and own is not None and others is not None and own != others:
        return "the requirement has other cases"
    return ""


SUITES: Kind[SuiteSide] = Kind("run of the suite", suite_run.FORMAT, parties, remarks, read, lacks)
