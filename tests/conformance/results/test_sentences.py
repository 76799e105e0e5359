"""Sentences and states of pages: what holds for several is said once, and what differs is seen whatever else failed."""

from __future__ import annotations

import pytest

from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.results.outcomes import Outcome, Outcomes, Result
from tokenizer_conformance.results.page import State
from tokenizer_conformance.results.recorded_page import page_state
from tokenizer_conformance.results.records.ending import Ended
from tokenizer_conformance.results.sentences import said_once


def test_the_same_of_several_is_one_sentence_and_of_each_it_is_its_own() -> None:
    first, other = said_once([("a", "alike."), ("b", "otherwise."), ("c", "alike.")])
    assert (first.text, first.about) == ("a and c: alike.", ("a", "c"))
    assert [first.of(name) for name in first.about] == ["a: alike.", "c: alike."]
    assert (other.text, other.of("b")) == ("b: otherwise.", "b: otherwise.")


FAILED = Conclusion.IMPLEMENTATION_FAILED


@pytest.mark.parametrize(
    ("conclusion", "results", "state"),
    [
        (FAILED, (Result.NOT_LOADED, Result.DIFFERS, Result.CONFORMS), State.DIFFER),
        (FAILED, (Result.NOT_LOADED, Result.DIFFERS, Result.NO_ANSWER), State.ERROR),
        (FAILED, (Result.NOT_LOADED, Result.UNSTABLE), State.UNSTABLE),
        (FAILED, (Result.NOT_LOADED, Result.CONFORMS), State.ERROR),
        (FAILED, (Result.NOT_LOADED, Result.KNOWN), State.ERROR),
        (Conclusion.NOTHING_COMPARED, (Result.NOT_SHOWN, Result.DIFFERS), State.DIFFER),
        (Conclusion.NOTHING_COMPARED, (Result.NOT_SHOWN,), State.NOT_COMPARED),
        (Conclusion.TOO_LITTLE, (Result.TOO_LITTLE, Result.DIFFERS), State.DIFFER),
        (Conclusion.TOO_LITTLE, (Result.TOO_LITTLE, Result.CONFORMS), State.NOT_COMPARED),
        (Conclusion.INTERRUPTED, (Result.DIFFERS,), State.NOT_COMPARED),
        (Conclusion.DIFFERENCES, (Result.DIFFERS,), State.DIFFER),
        (Conclusion.CONFORM, (Result.CONFORMS,), State.AGREE),
    ],
)
def test_a_page_is_in_the_state_of_what_was_compared(
    conclusion: Conclusion, results: tuple[Result, ...], state: State
) -> None:
    outcomes = Outcomes(tuple(Outcome(str(who), "toy", result) for who, result in enumerate(results)))
    assert page_state(Ended(finished=True, conclusion=conclusion), outcomes=outcomes) is state
