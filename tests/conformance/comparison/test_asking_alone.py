"""The shortest sequence of questions that shows what a question does not show alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import fake_implementations as fakes
import pytest

from tokenizer_adapters.contract import Normalize, Text, TokenizerSource
from tokenizer_conformance.comparison.asking_alone import InOrder
from tokenizer_conformance.comparison.reduction import BudgetSpentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Observation, Outcome
    from tokenizer_conformance.comparison.asking import Asked


class Seeing(fakes.ToySubject):
    """Notes the texts that it is asked about."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def observe(self, observation: Observation) -> Outcome:
        assert isinstance(observation, Normalize)
        self.seen.append(observation.text)
        return Text(observation.text)


class SeesAll(fakes.Toy):
    closed = 0

    def load(self, _source: TokenizerSource) -> Seeing:
        return Seeing()

    def close(self) -> None:
        self.closed += 1


def in_order(shows: Callable[[list[str], str], bool], seconds: float = 60.0, *, anew: bool = False) -> InOrder:
    """Return who asks; a text differs where it ``shows`` that after those that were seen."""

    def differs(asked: Asked, question: Observation) -> bool:
        assert isinstance(question, Normalize)
        return shows(cast("Seeing", asked.subject).seen, question.text)

    return InOrder(SeesAll(), TokenizerSource("any", "no file"), differs, seconds, anew)


def questions(*texts: str) -> tuple[Normalize, ...]:
    return tuple(map(Normalize, texts))


def after_k(seen: list[str], text: str) -> bool:
    """Differ alone without an a, and after a text with k where there is an x."""
    return "x" in text if any("k" in each for each in seen) else "a" not in text


def test_a_smaller_question_that_shows_alone_is_none_of_the_sequence() -> None:
    histories = [questions("n"), questions("n", "mkm", "n"), questions("k")]
    assert in_order(after_k).shortest(Normalize("xab"), histories) == questions("k", "xa")


def test_there_is_no_sequence_where_no_history_shows_it() -> None:
    assert in_order(after_k).shortest(Normalize("xab"), [questions("n"), ()]) is None
    assert in_order(after_k).shortest(Normalize("ab"), [questions("k")]) is None


def test_a_question_always_shows_where_it_shows_first_and_once_more() -> None:
    always, first = in_order(lambda _seen, _text: True), in_order(lambda seen, _text: not seen)
    again, never = in_order(lambda seen, text: text in seen), in_order(lambda _seen, _text: False)
    question = Normalize("a")
    assert [each.shows_alone(question) for each in (always, first, again, never)] == [True, True, False, False]
    assert [each.always_shows(question) for each in (always, first, again, never)] == [True, False, False, False]


def test_nothing_shows_once_the_time_is_over() -> None:
    late = in_order(lambda _seen, _text: True, -1.0)
    assert late.shows_in_time(questions("a")) is False
    assert late.shortest(Normalize("a"), [questions("b")]) is None
    with pytest.raises(BudgetSpentError):
        late.shows_alone(Normalize("a"))


@pytest.mark.parametrize("anew", [False, True])
def test_a_process_is_started_anew_for_each_sequence_where_that_is_wanted(*, anew: bool) -> None:
    asking = in_order(after_k, anew=anew)
    assert asking.shows(questions("k", "x"))
    assert not asking.shows(questions("a"))
    assert cast("SeesAll", asking.implementation).closed == (2 if anew else 0)
