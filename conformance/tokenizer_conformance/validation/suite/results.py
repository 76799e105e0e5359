"""The result of an implementation, by requirement and by area."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import PIPELINE_STAGES, Stage
from tokenizer_conformance.comparison.verdicts import ENOUGH
from tokenizer_conformance.validation.suite.judging import WRONG, CaseVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenizer_adapters.contract import ImplementationInfo
    from tokenizer_conformance.validation.suite.judging import CaseResult
    from tokenizer_conformance.validation.suite.requirement import Area, Place, Requirement

GRAVITY = (CaseVerdict.ERROR, CaseVerdict.FAILED, CaseVerdict.KNOWN, CaseVerdict.PASSED, CaseVerdict.UNSUPPORTED)
"""The verdicts, the one first that decides about a requirement: one failed case fails it, one passed case that nothing
speaks against passes it."""


@dataclass(frozen=True, slots=True)
class RequirementResult:
    """The result of a requirement; ``results`` are those of its cases, all of which were asked."""

    area: Area
    requirement: Requirement
    results: tuple[CaseResult, ...]

    @property
    def verdict(self) -> CaseVerdict:
        """The gravest verdict on a case."""
        verdicts = {result.verdict for result in self.results}
        return next(verdict for verdict in GRAVITY if verdict in verdicts)

    @property
    def wrong(self) -> tuple[CaseResult, ...]:
        """The cases that failed, or were no answer."""
        return tuple(result for result in self.results if result.verdict in WRONG)

    @property
    def blame(self) -> Place | None:
        """The place that most of the wrong cases blame."""
        places = Counter(result.blame for result in self.wrong if result.blame is not None)
        return places.most_common(1)[0][0] if places else None


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of requirements and of cases by verdict."""

    requirements: Counter[CaseVerdict]
    cases: Counter[CaseVerdict]

    @property
    def passed(self) -> int:
        """How many requirements passed."""
        return self.requirements[CaseVerdict.PASSED]

    @property
    def asked(self) -> int:
        """How many requirements were asked."""
        return self.requirements.total()


def score_of(results: Iterable[RequirementResult]) -> Score:
    """Count ``results``."""
    found = tuple(results)
    return Score(
        Counter(result.verdict for result in found),
        Counter(case.verdict for result in found for case in result.results),
    )


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A stage that an implementation says it shows, and did not in ``unanswered`` of ``asked`` cases."""

    stage: Stage
    unanswered: int
    asked: int


def shortfalls(info: ImplementationInfo, results: Iterable[RequirementResult]) -> tuple[Shortfall, ...]:
    """Return the stages that ``info`` declares and of which less than 99 % of the cases were answered."""
    cases = [case for result in results for case in result.results]
    asked = Counter(stage for case in cases for stage in case.asked)
    unanswered = Counter(stage for case in cases for stage in case.unanswered)
    return tuple(
        Shortfall(stage, unanswered[stage], asked[stage])
        for stage in PIPELINE_STAGES
        if stage in info.stages and asked[stage] - unanswered[stage] < ENOUGH * asked[stage]
    )


def by_requirement(results: Iterable[CaseResult]) -> tuple[RequirementResult, ...]:
    """Return ``results`` by requirement, in the order in which these come first."""
    gathered: dict[str, list[CaseResult]] = {}
    for result in results:
        gathered.setdefault(result.judged.requirement.id, []).append(result)
    return tuple(
        RequirementResult(cases[0].judged.area, cases[0].judged.requirement, tuple(cases))
        for cases in gathered.values()
    )
