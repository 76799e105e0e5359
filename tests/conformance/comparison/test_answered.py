"""Digests of what was answered: the same for the same two answers, others for any others, however they are given."""

from __future__ import annotations

import pytest

from tokenizer_adapters.contract import (
    Chunks,
    Crashed,
    Encoded,
    EncodedBatch,
    Failed,
    OffsetUnit,
    Outcome,
    Pieces,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance.comparison.answered import answered
from tokenizer_conformance.comparison.differences import OutcomeInUnit

ONE = Encoded((1, 2), tokens=("a", "b"), offsets=((0, 1), (1, 2)))


def letters(one: Outcome, other: Outcome, *fields: str) -> str:
    return answered(OutcomeInUnit(one), OutcomeInUnit(other)).letters(fields)


PAIRS: tuple[tuple[Outcome, Outcome, Outcome], ...] = (
    (Text("a"), Text("b"), Text("c")),
    (Text("\ud800"), Text("\udc00"), Text("?")),
    (Chunks(("a", None)), Chunks(("a", "b")), Chunks(("ab", None))),
    (Pieces((("a", (0, 1)),)), Pieces((("b", (0, 1)),)), Pieces((("a", None),))),
    (ONE, Encoded((1, 3), tokens=("a", "b")), Encoded((1, 4), tokens=("a", "b"))),
    (ONE, Encoded((1, 2), offsets=((0, 1), (1, 3))), Encoded((1, 2), offsets=((0, 2), (1, 2)))),
    (Encoded((1,), overflowing=(ONE,)), Encoded((1,), overflowing=()), Encoded((1,), overflowing=(Encoded((9,)),))),
    (EncodedBatch((ONE, ONE)), EncodedBatch((ONE,)), EncodedBatch((ONE, Encoded((1, 2, 3))))),
    (ONE, Failed("KeyError", "'a'"), Failed("KeyError", "'b'")),
    (ONE, Failed("KeyError", "'a'"), Failed("ValueError", "'a'")),
    (ONE, Crashed("signal 6"), TimedOut(2.0)),
)


@pytest.mark.parametrize(("baseline", "one", "other"), PAIRS)
def test_another_answer_has_other_letters(baseline: Outcome, one: Outcome, other: Outcome) -> None:
    assert letters(baseline, one) == letters(baseline, one)
    assert len({letters(baseline, one), letters(baseline, other), letters(other, one), letters(one, baseline)}) == 4


def test_only_fields_in_which_both_differ_count() -> None:
    more = Encoded((1, 3), tokens=("a", "b"), offsets=((0, 1), (1, 2)), word_ids=(0, 0))
    assert letters(ONE, Encoded((1, 3))) == letters(ONE, more) == letters(ONE, more, "ids")
    assert letters(ONE, more, "tokens") == letters(ONE, ONE) == letters(Unsupported(""), ONE) == ""


def test_offsets_in_other_units_may_differ_though_they_look_alike() -> None:
    given = answered(OutcomeInUnit(ONE), OutcomeInUnit(ONE, OffsetUnit.UTF8_BYTES))
    assert set(given.digests) == {"offsets"}


def test_what_an_error_says_otherwise_each_time_does_not_count() -> None:
    one = Failed("OSError", "<T at 0x7f01> after 0.31 s in /tmp/ab_x/t.json")
    other = Failed("OSError", "<T at 0x7ffe> after 12.5 s in /tmp/k9/t.json")
    assert letters(ONE, one) == letters(ONE, other)
    assert letters(ONE, TimedOut(1.0)) == letters(ONE, TimedOut(2.0))
