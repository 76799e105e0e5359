"""What the cases of a requirement, and the implementations of a run of the suite, come to: one of them decides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import fake_implementations as fakes
import pytest
from small_suites import case, plan_of, requirement, suite_with, toy_step

from tokenizer_adapters.contract import Normalize, Stage
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.validation.suite.engine import conclusion_of
from tokenizer_conformance.validation.suite.events import ImplementationJudged
from tokenizer_conformance.validation.suite.judging import CaseResult, CaseVerdict
from tokenizer_conformance.validation.suite.requirement import Place
from tokenizer_conformance.validation.suite.results import by_requirement, score_of, shortfalls

STEP = toy_step(Normalize("aB"))
SUITE = suite_with(
    requirement("A", case(STEP), case(STEP, name="2"), case(STEP, name="3")), requirement("B", case(STEP))
)
A1, A2, A3, B1 = SUITE.cases()

PASSED, FAILED, ERROR, KNOWN, UNSUPPORTED = (
    CaseVerdict.PASSED,
    CaseVerdict.FAILED,
    CaseVerdict.ERROR,
    CaseVerdict.KNOWN,
    CaseVerdict.UNSUPPORTED,
)


def result(judged: Any, verdict: CaseVerdict, blame: Place | None = None, **given: Any) -> CaseResult:
    nothing = {"failures": (), "reason": "", "entries": (), "asked": frozenset(), "unanswered": frozenset()}
    return CaseResult(**{"judged": judged, "verdict": verdict, "blame": blame, **nothing, **given})


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ((PASSED, PASSED, PASSED), PASSED),
        ((PASSED, UNSUPPORTED, UNSUPPORTED), PASSED),
        ((UNSUPPORTED, UNSUPPORTED, UNSUPPORTED), UNSUPPORTED),
        ((PASSED, PASSED, KNOWN), KNOWN),
        ((KNOWN, PASSED, FAILED), FAILED),
        ((FAILED, ERROR, PASSED), ERROR),
        ((ERROR, FAILED, KNOWN), ERROR),
    ],
)
def test_the_gravest_case_decides_about_a_requirement(verdicts: tuple[CaseVerdict, ...], verdict: CaseVerdict) -> None:
    results = [result(each, its) for each, its in zip((A1, A2, A3), verdicts, strict=True)]
    (found,) = by_requirement(results)
    assert found.verdict is verdict
    assert [each.verdict for each in found.wrong] == [each for each in verdicts if each in {FAILED, ERROR}]
    score = score_of([found])
    assert (score.passed, score.asked) == (int(verdict is PASSED), 1)
    assert score.cases.total() == 3


def test_the_place_that_most_cases_blame_is_blamed() -> None:
    results = [
        result(A1, FAILED, Place.NORMALIZE),
        result(A2, FAILED, Place.MODEL),
        result(A3, ERROR, Place.MODEL),
    ]
    assert by_requirement(results)[0].blame is Place.MODEL
    assert by_requirement(results[:2])[0].blame is Place.NORMALIZE
    assert by_requirement([result(A1, PASSED), result(A2, FAILED)])[0].blame is None


def test_cases_are_put_together_by_their_requirement() -> None:
    found = by_requirement([result(A1, PASSED), result(B1, PASSED), result(A2, PASSED)])
    assert [(each.requirement.id, len(each.results)) for each in found] == [("A", 2), ("B", 1)]


@pytest.mark.parametrize(
    ("asked", "unanswered", "short"), [(100, 1, False), (100, 2, True), (99, 1, True), (0, 0, False)]
)
def test_one_in_a_hundred_cases_may_be_unanswered(asked: int, unanswered: int, short: bool) -> None:
    stages = frozenset({Stage.NORMALIZE})
    results = [
        result(A1, PASSED, asked=stages, unanswered=stages if number < unanswered else frozenset())
        for number in range(asked)
    ]
    found = shortfalls(fakes.Toy().info, by_requirement(results))
    assert [(each.stage, each.unanswered, each.asked) for each in found] == (
        [(Stage.NORMALIZE, unanswered, asked)] if short else []
    )
    info = replace(fakes.Toy().info, stages=frozenset({Stage.DECODE}))
    assert shortfalls(info, by_requirement(results)) == ()


# The conclusion ------------------------------------------------------------------------------------------------------

SHORT = {"asked": frozenset({Stage.NORMALIZE}), "unanswered": frozenset({Stage.NORMALIZE})}


def judged(*verdicts: CaseVerdict, **given: Any) -> ImplementationJudged:
    results = [result(each, its, **given) for each, its in zip((A1, A2, A3), verdicts, strict=False)]
    return ImplementationJudged(fakes.Toy().info, by_requirement(results), 1.0, complete=True)


GOOD = judged(PASSED, PASSED)


@pytest.mark.parametrize(
    ("found", "changes", "is_stale", "conclusion"),
    [
        ([GOOD, GOOD], {}, False, Conclusion.CONFORM),
        ([GOOD, GOOD], {}, True, Conclusion.STALE),
        ([], {}, False, Conclusion.NOTHING_COMPARED),
        ([judged(UNSUPPORTED), GOOD], {}, False, Conclusion.NOTHING_COMPARED),
        ([GOOD, judged(UNSUPPORTED)], {}, False, Conclusion.NOTHING_COMPARED),
        ([GOOD, judged()], {}, False, Conclusion.NOTHING_COMPARED),
        ([GOOD, judged(UNSUPPORTED)], {"shard": Shard(1, 2)}, False, Conclusion.CONFORM),
        ([GOOD, judged(KNOWN, UNSUPPORTED)], {}, False, Conclusion.CONFORM),
        ([GOOD, judged(PASSED, FAILED)], {}, True, Conclusion.DIFFERENCES),
        ([judged(PASSED, FAILED), GOOD], {}, False, Conclusion.DIFFERENCES),
        ([GOOD, judged(FAILED, PASSED, ERROR)], {}, False, Conclusion.IMPLEMENTATION_FAILED),
        ([GOOD, judged(PASSED, **SHORT)], {}, False, Conclusion.TOO_LITTLE),
        ([judged(PASSED, **SHORT), GOOD], {}, False, Conclusion.TOO_LITTLE),
        ([GOOD, judged(PASSED, **SHORT)], {"shard": Shard(1, 2)}, False, Conclusion.CONFORM),
        ([GOOD], {"unavailable": (Rejected("implementation", "a", "no"),)}, False, Conclusion.IMPLEMENTATION_FAILED),
    ],
)
def test_one_of_several_implementations_decides(
    found: list[ImplementationJudged], changes: dict[str, Any], is_stale: bool, conclusion: Conclusion
) -> None:
    plan = replace(plan_of(SUITE), **changes)
    assert conclusion_of(plan, found, is_stale=is_stale) is conclusion
