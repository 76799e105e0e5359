"""Records of ``tokconf suite run``: the result of each requirement and each of its cases."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, ClassVar

from tokenizer_conformance.comparison.record_forms import difference_of
from tokenizer_conformance.comparison.wording import window
from tokenizer_conformance.escape import one_line
from tokenizer_conformance.releases.diff.records.changes import Aspect, Key, Outcome, State
from tokenizer_conformance.releases.diff.records.read_record import ReadRecord, parties_in, shard_remarks, shown
from tokenizer_conformance.results.recorded_page import without_reports
from tokenizer_conformance.results.records import suite_run
from tokenizer_conformance.results.records.format import json_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenizer_conformance.releases.diff.records.matching import Party
    from tokenizer_conformance.results.records.value import Value

STATES: Mapping[str, tuple[State, int]] = {
    "passed": (State.SOUND, 0),
    "known": (State.KNOWN, 0),
    "failed": (State.FAILS, 0),
    "error": (State.FAILS, 1),
    "unsupported": (State.NOT_COMPARED, 0),
}
"""What a verdict is to a comparison, and how grave."""

MOST_FAILURES = 2
"""How many failures of a case are shown."""

MOST_LINES = 12
"""How many lines of a failure are shown."""


class ReadSuite(ReadRecord[suite_run.Header]):
    """A record of a run of the suite."""

    noun = "run of the suite"
    format = suite_run.FORMAT
    options: ClassVar = {
        "selection": "-k",
        "features": "--features",
        "importances": "--importance",
        "fields": "--field",
    }

    def _begin(self) -> None:
        self._suite = "" if self.header.suite is None else self.header.suite.sha256
        self._complete: dict[str, bool] = {}
        self.cases: dict[tuple[str, str], tuple[str, ...]] = {}

    @staticmethod
    def parties(header: suite_run.Header) -> list[Party]:
        """Return who was asked."""
        return parties_in(header.implementations)

    def remarks(self, then: ReadSuite) -> Iterator[str]:
        """Say what the two do not have in common."""
        yield from super().remarks(then)
        yield from shard_remarks(then.header.shard, self.header.shard, "the suite")

    def _further_remarks(self, then: ReadSuite) -> Iterator[str]:
        if then._suite != self._suite:
            told = (_told_suite(each.header) for each in (then, self))
            yield "another suite: {} then, {} now; cases that both have are compared".format(*told)

    def _take(self, line: Value) -> None:
        match line:
            case suite_run.Requirement():
                self._requirement(line)
            case suite_run.ImplementationJudged():
                self._implementation(line)
            case suite_run.ImplementationMissing():
                self.refuse(line.name, line.reason)

    def _implementation(self, line: suite_run.ImplementationJudged) -> None:
        name = self.name(line.implementation)
        self._complete[name] = line.complete
        for what, counts in (("requirements", line.requirements), ("cases", line.cases)):
            for verdict, count in counts.items():
                self.figure(f"{what} {verdict}", count, name)
        self.figure("seconds", line.seconds, name)

    def _requirement(self, line: suite_run.Requirement) -> None:
        name, id_ = self.name(line.implementation), line.requirement
        state, gravity = STATES[line.verdict]
        key = Key(Aspect.REQUIREMENT, name, id_)
        why = _why_not(line.verdict, "")
        self.add(Outcome(key, state, one_line(id_), line.verdict, gravity=gravity, why=why))
        for case in line.cases:
            self.add(self._case(name, id_, line.importance, case))
        self.cases[name, id_] = tuple(each.case for each in line.cases)

    def _case(self, name: str, id_: str, importance: str, case: suite_run.Case) -> Outcome:
        state, gravity = STATES[case.verdict]
        which, failures, reason = case.case, case.failures, case.reason
        lines = [line for each in failures[:MOST_FAILURES] for line in _failure_lines(each, name)]
        if state is State.KNOWN:
            lines.append(f"known: {shown(list(case.known))}")
        is_wrong = state in (State.FAILS, State.KNOWN)
        return Outcome(
            Key(Aspect.CASE, name, id_, (which,)),
            state,
            f"{one_line(name)}: {one_line(id_)} ({one_line(importance)}), {one_line(which)}: {case.verdict}",
            case.verdict,
            {"failures": len(failures)},
            gravity,
            manner="; ".join(map(_manner, failures)) if is_wrong else "",
            lines=tuple(lines or ([one_line(reason)] if reason else [])),
            repeat=self._repeat(id_) if is_wrong else "",
            why=_why_not(case.verdict, reason),
        )

    def _repeat(self, id_: str) -> str:
        """Return the command of the record for this requirement alone, where it was one of the command line."""
        words = self.header.environment.command
        if words[:3] != ("tokconf", "suite", "run"):
            return ""
        return one_line(shlex.join([*without_reports(words), "-k", id_]), 2000)

    def _lacks(self, other: ReadSuite, outcome: Outcome) -> str:
        key = outcome.key
        if key in self.outcomes:
            return self._lacks_fields(other) or self._lacks_cases(other, key)
        if not self._complete.get(key.implementation, False):
            return f"the run was cut short before {one_line(key.implementation)} was asked that"
        if self.header.shard != other.header.shard:
            return "only a part of the suite was asked (--shard)"
        if self.asked != other.asked:
            return "it was left out (-k, --features, --importance or --field)"
        is_other = self._suite != other._suite
        return "the suite of that record has no such case" if is_other else "the record does not have it"

    def _lacks_fields(self, other: ReadSuite) -> str:
        """Say that fewer fields were judged: what passed by these has not passed by all."""
        own, others = self.header.fields, other.header.fields
        is_less = own is not None and (others is None or not set(others) <= set(own))
        return "fewer fields were judged (--field)" if is_less else ""

    def _lacks_cases(self, other: ReadSuite, key: Key) -> str:
        own, others = (each.cases.get((key.implementation, key.subject)) for each in (self, other))
        is_other = key.aspect is Aspect.REQUIREMENT and None not in (own, others) and own != others
        return "the requirement has other cases" if is_other else ""


def _told_suite(header: suite_run.Header) -> str:
    if header.suite is None:
        return "one of which nothing is said"
    return f"{one_line(header.suite.version, 40)} ({header.suite.sha256[:7]})"


def _why_not(verdict: str, reason: str) -> str:
    if verdict != "unsupported":
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
