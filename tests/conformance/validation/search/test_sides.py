"""A question over which a side is lost is made shorter, as far as losses may cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tokenizer_adapters.contract import Normalize
from tokenizer_conformance.causes.minimizing import Budget
from tokenizer_conformance.validation.search.sides import MOST_IN_A_ROW, shortened

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation


class Lost:
    """A witness: the question, and in which manner a side is lost over it."""

    def __init__(self, question: Observation, manner: str) -> None:
        self.question = question
        self.manner = manner


class LosingSides:
    """Sides that are lost over an x, in another manner over a y, and answer alike otherwise.

    ``in_a_row`` is how often the same was shown without that the tokenizer was loaded, at the most.
    """

    def __init__(self) -> None:
        self.trial = self
        self.vocabulary: Any = dict
        self.loaded = self.asked = self.in_a_row = self._now = 0

    def load(self) -> None:
        self.loaded += 1
        self._now = 0

    def witness(self, question: Observation) -> Lost | None:
        assert isinstance(question, Normalize)
        self.asked += 1
        if "x" not in question.text:
            self._now = 0
            return Lost(question, "otherwise") if "y" in question.text else None
        self._now += 1
        self.in_a_row = max(self.in_a_row, self._now)
        return Lost(question, "lost")


@pytest.mark.parametrize(
    ("text", "budget", "shortest"),
    [
        ("a bxc yd" * 20, Budget(seconds=60.0, checks=1000), "x"),
        ("x", Budget(seconds=60.0, checks=1000), "x"),
        ("a bxc yd", Budget(seconds=-1.0, checks=1000), "a bxc yd"),
        ("a bxc yd", Budget(seconds=60.0, checks=0), "a bxc yd"),
    ],
)
def test_the_shortest_question_shows_the_same_and_all_is_loaded_anew(text: str, budget: Budget, shortest: str) -> None:
    sides: Any = LosingSides()
    found: Any = shortened(sides, Lost(Normalize(text), "lost"), budget)  # type: ignore[arg-type]  # it has what counts
    assert (found.question, found.manner) == (Normalize(shortest), "lost")
    assert sides.loaded >= 1
    assert sides.in_a_row <= MOST_IN_A_ROW
    assert sides.asked <= budget.checks
