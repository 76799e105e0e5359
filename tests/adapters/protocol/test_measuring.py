"""What a measurement counts: passes and seconds of the call that was timed, and nothing else."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    Clocked,
    Encode,
    Encoded,
    Failed,
    Field,
    Measured,
    OwnCall,
    OwnCalls,
    Spent,
    Unsupported,
)
from tokenizer_adapters.protocol.measuring import NO_TEXTS, Clocks, NoEncodingError, measured
from tokenizer_adapters.protocol.messages import Measure

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Observation, Outcome

TEXTS = ("a", "b")
MADE = frozenset({Field.IDS, Field.TOKENS})


class Plain:
    """Answers as an adapter does; ``asked`` has the texts in their order."""

    def __init__(self, answer: Outcome | None = None) -> None:
        self.asked: list[object] = []
        self._answer = answer or Encoded((1,), offsets=((0, 1),))

    def observe(self, observation: Observation) -> Outcome:
        assert isinstance(observation, Encode)
        assert not observation.add_special_tokens
        self.asked.append(observation.text)
        return self._answer

    def vocabulary(self) -> Unsupported:
        return Unsupported("none")


class Own(Plain):
    """Has calls of its own, for many texts where it ``has_many``."""

    def __init__(self, *, has_many: bool) -> None:
        super().__init__()
        many = OwnCall("all", self.asked.append, MADE) if has_many else None
        self._own = OwnCalls(OwnCall("one", self.asked.append), many)

    def own_calls(self) -> OwnCalls:
        return self._own


def clocks() -> Clocks:
    """A clock that goes on by 1 s, and processor time that goes on by 3 s, whenever either is looked at."""
    wall, processor = count(), count(step=3)
    return Clocks(lambda: next(wall), lambda: next(processor))


ONCE = ["a", "b"]


@pytest.mark.parametrize(
    ("subject", "batch", "asked", "call", "fields", "clocked"),
    [
        (Own(has_many=True), False, ONCE, "one", {Field.IDS}, Clocked.CALL),
        (Own(has_many=True), True, [ONCE], "all", MADE, Clocked.CALL),
        (Own(has_many=False), True, ONCE, "one", {Field.IDS}, Clocked.CALL),
        (Plain(), False, ONCE, "", {Field.IDS, Field.OFFSETS}, Clocked.ADAPTER),
        (Plain(), True, ONCE, "", {Field.IDS, Field.OFFSETS}, Clocked.ADAPTER),
    ],
)
def test_the_time_is_that_of_the_own_call_where_there_is_one(
    subject: Plain, batch: bool, asked: list[object], call: str, fields: frozenset[Field], clocked: Clocked
) -> None:
    found = measured(subject, Measure(TEXTS, 2.5, batch), clocks())
    assert found == Measured(call, frozenset(fields), clocked, Spent(1, 3), Spent(3, 9), 3)
    assert subject.asked[: 4 * len(asked)] == asked * 4


def test_there_is_one_more_pass_however_little_time_there_is() -> None:
    found = measured(Own(has_many=False), Measure(TEXTS, 0.0), clocks())
    assert isinstance(found, Measured)
    assert (found.passes, found.later) == (1, Spent(1, 3))


def test_without_texts_there_is_nothing_to_measure() -> None:
    assert measured(Own(has_many=True), Measure((), 1.0)) == NO_TEXTS


def test_an_error_is_not_taken_for_speed() -> None:
    with pytest.raises(NoEncodingError, match="Failed"):
        measured(Plain(Failed("ValueError", "no")), Measure(TEXTS, 0.0))


def test_by_the_clocks_of_this_machine_time_passes() -> None:
    spent = Clocks().spent(lambda: sum(range(100_000)))
    assert spent.wall > 0
    assert spent.processor is not None
    assert spent.processor > 0
