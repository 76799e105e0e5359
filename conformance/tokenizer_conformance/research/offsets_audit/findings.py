"""What is found of one implementation on one tokenizer: of each invariant what was checked, and what is violated."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tokenizer_conformance.comparison.findings import length_of
from tokenizer_conformance.comparison.question_reduction import reduced_question
from tokenizer_conformance.comparison.reduction import BudgetSpentError
from tokenizer_conformance.research.offsets_audit.judge import Asking
from tokenizer_conformance.research.offsets_audit.table import INVARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.research.offsets_audit.case import Violation
    from tokenizer_conformance.research.offsets_audit.judge import Judge
    from tokenizer_conformance.research.offsets_audit.table import Invariant, Verdict

MOST_CHECKS = 400
"""How many smaller questions are tried for one finding."""

MOST_SECONDS = 60.0
"""How long a smaller example is looked for, for one finding, and :data:`ALL_SECONDS` for all of an implementation on a
tokenizer: brakes for one that hardly answers. Any other is limited by the number of questions alone, so that its
example is the same on a busy machine."""

ALL_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class ViolationGroup:
    """Violations of one invariant in one manner: ``answers`` have it, at ``places`` places.

    ``asking`` is the smallest question that shows it, made smaller where ``reduced_from`` says how long it was, and
    ``detail`` the place. ``input`` is the id of the input that it comes from.
    """

    invariant: Invariant
    manner: str
    answers: int
    places: int
    asking: Asking
    detail: str
    input: str
    reduced_from: int | None = None

    @property
    def name(self) -> str:
        """The name by which a ledger knows it: the invariant and the manner."""
        return f"{self.invariant.id}: {self.manner}"


@dataclass(slots=True)
class Tally:
    """How much of one invariant was checked: ``things`` of ``answers``; ``unchecked`` answers by reason."""

    answers: int = 0
    things: int = 0
    violated: int = 0
    unchecked: Counter[str] = field(default_factory=Counter)


class FindingCollector:
    """Takes in what the invariants make of answers."""

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {each.id: Tally() for each in INVARIANTS}
        self._findings: dict[tuple[str, str], ViolationGroup] = {}

    def take(self, judged: list[Verdict], asking: Asking, input_id: str) -> None:
        """Take in what the invariants make of the answer to ``asking``."""
        for verdict in judged:
            tally = self.tallies[verdict.invariant.id]
            if verdict.why_not:
                tally.unchecked[verdict.why_not] += 1
                continue
            tally.things += verdict.things
            tally.answers += bool(verdict.things)
            tally.violated += bool(verdict.violations)
            by_manner: dict[str, list[Violation]] = {}
            for violation in verdict.violations:
                by_manner.setdefault(violation.manner, []).append(violation)
            for manner, violations in by_manner.items():
                self._add(
                    ViolationGroup(
                        verdict.invariant, manner, 1, len(violations), asking, violations[0].detail, input_id
                    )
                )

    def add(self, other: FindingCollector) -> None:
        """Take in what another collector has of later answers."""
        for id, tally in other.tallies.items():
            own = self.tallies[id]
            own.answers += tally.answers
            own.things += tally.things
            own.violated += tally.violated
            own.unchecked.update(tally.unchecked)
        for found in other.findings():
            self._add(found)

    def _add(self, new: ViolationGroup) -> None:
        key = new.invariant.id, new.manner
        found = self._findings.get(key)
        if found is not None:
            smaller = new if length_of(new.asking.question) < length_of(found.asking.question) else found
            new = replace(smaller, answers=found.answers + new.answers, places=found.places + new.places)
        self._findings[key] = new

    def findings(self) -> list[ViolationGroup]:
        """Return the findings, in the order of the invariants."""
        order = [each.id for each in INVARIANTS]
        return sorted(self._findings.values(), key=lambda each: (order.index(each.invariant.id), each.manner))

    def shrunk(self, judge: Judge) -> Iterator[ViolationGroup]:
        """Yield the findings, each with the smallest example that is found in time."""
        end = time.monotonic() + ALL_SECONDS
        for finding in self.findings():
            until = min(end, time.monotonic() + MOST_SECONDS)
            yield _shrunk(finding, judge, until)


def _shrunk(finding: ViolationGroup, judge: Judge, until: float) -> ViolationGroup:
    """Return ``finding`` with a smaller example that shows the same, where one is found in time."""
    setting = finding.asking.setting
    shown: dict[Observation, str] = {}

    def shows_the_same(question: Observation) -> bool:
        if time.monotonic() > until:
            raise BudgetSpentError
        detail = _detail_of(finding, judge, Asking(setting, question))
        if detail is not None:
            shown[question] = detail
        return detail is not None

    question = reduced_question(finding.asking.question, shows_the_same, MOST_CHECKS)
    if question == finding.asking.question or question not in shown:
        return finding
    return replace(
        finding,
        asking=Asking(setting, question),
        detail=shown[question],
        reduced_from=length_of(finding.asking.question),
    )


def _detail_of(finding: ViolationGroup, judge: Judge, asking: Asking) -> str | None:
    judged = judge.judged(asking, finding.invariant.id)
    violations = [each for verdict in judged for each in verdict.violations] if isinstance(judged, list) else []
    return next((each.detail for each in violations if each.manner == finding.manner), None)
