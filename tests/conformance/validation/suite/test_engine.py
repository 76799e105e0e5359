"""The suite from beginning to end: what is asked, what it comes to, and how it ends, whatever happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import fake_implementations as fakes
import pytest
from small_suites import Scripted, case, plan_of, requirement, step, suite_with, toy_suite

from tokenizer_adapters.contract import Encode, Encoded, Field, Normalize, Stage, Text
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.events import ImplementationMissing
from tokenizer_conformance.command_io.internal_error import InternalError
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.validation.suite.engine import run_suite
from tokenizer_conformance.validation.suite.events import (
    CaseJudged,
    ImplementationJudged,
    SuiteFinished,
    SuiteStarted,
    is_ending,
)
from tokenizer_conformance.validation.suite.judging import CaseResult, CaseVerdict
from tokenizer_conformance.validation.suite.results import GRAVITY, RequirementResult, by_requirement, score_of

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Shows
    from tokenizer_conformance.validation.suite.events import SuiteEvent

CASES = len(list(toy_suite().cases()))


def events_of(*implementations: Any, **changes: Any) -> list[SuiteEvent | InternalError]:
    return list(run_suite(plan_of(toy_suite(), *implementations, **changes)))


def judged_in(events: list[SuiteEvent | InternalError]) -> list[ImplementationJudged]:
    return [event for event in events if isinstance(event, ImplementationJudged)]


def ending_of(events: list[SuiteEvent | InternalError]) -> SuiteFinished:
    ending = events[-1]
    assert isinstance(ending, SuiteFinished)
    return ending


def verdicts_in(judged: ImplementationJudged) -> dict[str, CaseVerdict]:
    return {result.requirement.id: result.verdict for result in judged.results}


def test_a_run_that_conforms() -> None:
    events = events_of(fakes.Toy())
    assert [type(event) for event in events] == [
        SuiteStarted,
        *[CaseJudged] * CASES,
        ImplementationJudged,
        SuiteFinished,
    ]
    (judged,) = judged_in(events)
    assert judged.complete
    assert set(verdicts_in(judged).values()) == {CaseVerdict.PASSED}
    assert [event.done for event in events if isinstance(event, CaseJudged)] == list(range(1, CASES + 1))
    ending = ending_of(events)
    assert (ending.finished, ending.conclusion, ending.exit_status) == (True, Conclusion.CONFORM, 0)


def test_every_implementation_is_asked_everything() -> None:
    events = events_of(fakes.Toy(), fakes.WrongNormalization(), fakes.SwappedMerge())
    right, wrong, swapped = judged_in(events)
    assert score_of(right.results).passed == 4
    assert verdicts_in(wrong) == {
        "TOY-LOWERCASE": CaseVerdict.FAILED,
        "TOY-OTHER-LETTERS": CaseVerdict.PASSED,
        "TOY-MERGES": CaseVerdict.PASSED,
        "TOY-SPECIAL": CaseVerdict.PASSED,
    }
    assert [result.blame for result in wrong.results if result.wrong] == ["normalize"]
    assert verdicts_in(swapped)["TOY-MERGES"] is CaseVerdict.FAILED
    assert ending_of(events).exit_status == 1


@pytest.mark.parametrize(
    ("implementation", "conclusion", "status"),
    [
        (fakes.Crashing, Conclusion.IMPLEMENTATION_FAILED, 3),
        (fakes.Hanging, Conclusion.IMPLEMENTATION_FAILED, 3),
        (fakes.Garbling, Conclusion.IMPLEMENTATION_FAILED, 3),
        (fakes.Raising, Conclusion.DIFFERENCES, 1),
        (fakes.CannotLoad, Conclusion.DIFFERENCES, 1),
        (fakes.Mute, Conclusion.NOTHING_COMPARED, 3),
    ],
)
def test_conclusions(implementation: Any, conclusion: Conclusion, status: int) -> None:
    ending = ending_of(events_of(fakes.Toy(), implementation()))
    assert (ending.finished, ending.conclusion, ending.exit_status) == (True, conclusion, status)


def test_who_does_not_show_what_it_declares_does_not_conform() -> None:
    normalize = Normalize("A")
    encode = Encode("A", None, add_special_tokens=False)
    suite = suite_with(
        requirement("R", case(step(normalize, {"text": "a"}), step(encode, {"ids": [1]}))), stage="normalize"
    )
    for answers, conclusion in (
        ({normalize: Text("a")}, Conclusion.TOO_LITTLE),
        ({normalize: Text("a"), encode: Encoded((1,))}, Conclusion.CONFORM),
    ):
        assert list(run_suite(plan_of(suite, Scripted(answers))))[-1].conclusion is conclusion


@pytest.mark.parametrize(
    ("shows", "conclusion"),
    [
        ({Stage.NORMALIZE: frozenset({Field.TEXT})}, Conclusion.CONFORM),
        ({Stage.NORMALIZE: frozenset({Field.TEXT}), Stage.MODEL: frozenset()}, Conclusion.CONFORM),
        ({Stage.NORMALIZE: frozenset({Field.TEXT}), Stage.MODEL: frozenset({Field.IDS})}, Conclusion.TOO_LITTLE),
        ({}, Conclusion.CONFORM),
        (None, Conclusion.TOO_LITTLE),
    ],
)
def test_who_says_what_it_shows_of_a_tokenizer_is_held_to_that(shows: Shows | None, conclusion: Conclusion) -> None:
    normalize = Normalize("A")
    encode = Encode("A", None, add_special_tokens=False)
    suite = suite_with(
        requirement("R", case(step(normalize, {"text": "a"}), step(encode, {"ids": [1]}))), stage="normalize"
    )
    scripted = Scripted({normalize: Text("a")}, shows=shows)
    assert list(run_suite(plan_of(suite, scripted)))[-1].conclusion is conclusion


def test_to_ask_nobody_shows_nothing() -> None:
    assert ending_of(events_of()).conclusion is Conclusion.NOTHING_COMPARED


def test_an_implementation_that_is_missing_is_said_and_no_run_without_it_conforms() -> None:
    missing = Rejected("implementation", "gone", "gone is not installed")
    events = events_of(fakes.Toy(), unavailable=(missing,))
    assert ImplementationMissing(missing) in events
    assert ending_of(events).conclusion is Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.parametrize(("max_fail", "done"), [(0, CASES), (1, 2), (2, 3)])
def test_max_fail_leaves_an_implementation_after_so_many_requirements(max_fail: int, done: int) -> None:
    class Wrong(fakes.Toy):
        class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
            def observe(self, observation: Any) -> Any:
                if observation == fakes.Normalize("aB"):
                    return super().observe(observation)
                return fakes.Failed("ValueError", "no")

    events = events_of(Wrong(), fakes.Toy(), max_fail=max_fail)
    wrong, right = judged_in(events)
    assert sum(len(result.results) for result in wrong.results) == done
    assert wrong.complete is (max_fail == 0)
    assert right.complete
    assert ending_of(events).conclusion is Conclusion.DIFFERENCES


class Stopping(fakes.Toy):
    """Ends the run, in one way or another, at the third question that it is asked."""

    error: BaseException = KeyboardInterrupt()

    class subject(fakes.ToySubject):  # noqa: N801 - stands for the attribute
        def observe(self, observation: Any) -> Any:
            if observation == fakes.Encode("aBc", None, add_special_tokens=False):
                raise Stopping.error
            return super().observe(observation)


@pytest.mark.parametrize(
    ("error", "conclusion", "status"),
    [
        (KeyboardInterrupt(), Conclusion.INTERRUPTED, 130),
        (ZeroDivisionError("a bug"), Conclusion.INTERNAL_ERROR, 3),
    ],
)
def test_what_was_done_is_reported_where_the_run_is_broken_off(
    monkeypatch: pytest.MonkeyPatch, error: BaseException, conclusion: Conclusion, status: int
) -> None:
    monkeypatch.setattr(Stopping, "error", error)
    events = events_of(Stopping(), fakes.Toy())
    (judged,) = judged_in(events)
    assert not judged.complete
    assert is_ending(judged)
    assert [result.judged.id for each in judged.results for result in each.results] == ["TOY-LOWERCASE/1"]
    ending = ending_of(events)
    assert (ending.finished, ending.conclusion, ending.exit_status) == (False, conclusion, status)
    assert sum(isinstance(event, InternalError) for event in events) == (conclusion is Conclusion.INTERNAL_ERROR)


@pytest.mark.parametrize("after", range(CASES + 3))
def test_an_interrupt_between_any_two_events_ends_the_run_once(after: int) -> None:
    at_work = run_suite(plan_of(toy_suite(), fakes.Toy()))
    events = [next(at_work) for _ in range(after)]
    try:
        events.append(at_work.throw(KeyboardInterrupt) if after else next(at_work))
    except KeyboardInterrupt:
        pytest.fail("the interrupt is not heard")
    events += at_work
    assert len(judged_in(events)) <= 1
    ending = ending_of(events)
    assert [isinstance(event, SuiteFinished) for event in events].count(True) == 1
    assert ending.conclusion is (Conclusion.INTERRUPTED if after else Conclusion.CONFORM)


# Results -------------------------------------------------------------------------------------------------------------


def test_the_gravest_verdict_decides() -> None:
    asked = next(toy_suite().cases())
    for grave, verdict in enumerate(GRAVITY):
        for other in GRAVITY[grave:]:
            results = (CaseResult(asked, other), CaseResult(asked, verdict))
            assert RequirementResult(asked.area, asked.requirement, results).verdict is verdict


def test_cases_are_gathered_by_requirement_and_counted() -> None:
    results = [CaseResult(asked, CaseVerdict.PASSED) for asked in toy_suite().cases()]
    gathered = by_requirement(results)
    assert [(each.requirement.id, len(each.results)) for each in gathered] == [
        ("TOY-LOWERCASE", 2),
        ("TOY-OTHER-LETTERS", 1),
        ("TOY-MERGES", 1),
        ("TOY-SPECIAL", 1),
    ]
    score = score_of(gathered)
    assert (score.passed, score.asked, score.cases[CaseVerdict.PASSED]) == (4, 4, CASES)
