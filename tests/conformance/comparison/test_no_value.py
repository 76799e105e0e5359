"""Answers without a value: what passes for known, and what is a difference all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import (
    BrokeProtocol,
    Crashed,
    Encoded,
    Failed,
    Pieces,
    Text,
    TimedOut,
    Unsupported,
)
from tokenizer_conformance.comparison.differences import Difference, DifferenceKind, Party
from tokenizer_conformance.comparison.no_value import (
    INTERNAL_ERRORS,
    LONGEST_PATTERN,
    NoValue,
    message_pattern,
    without_value,
)
from tokenizer_conformance.comparison.verdicts import Verdict

if TYPE_CHECKING:
    from tokenizer_adapters.contract import Outcome

ERROR = Failed("Exception", "no")
OTHER_ERROR = Failed("ModelError", "not in the vocabulary")
CRASH = Crashed("index out of bounds")
LATE = TimedOut(1)
ACCIDENT = Failed("IndexError", "list index out of range")
VALUES = (Text("a"), Text(""), Pieces(()), Encoded(()))

KNOWN: list[tuple[Outcome, Outcome]] = [
    (ERROR, ERROR),
    (ERROR, OTHER_ERROR),
    (CRASH, OTHER_ERROR),
    (LATE, OTHER_ERROR),
    (CRASH, CRASH),
    (LATE, LATE),
    (ACCIDENT, ACCIDENT),
    (ACCIDENT, OTHER_ERROR),
]


@pytest.mark.parametrize(("baseline", "implementation"), KNOWN)
def test_both_refuse(baseline: Outcome, implementation: Outcome) -> None:
    assert isinstance(without_value("model", baseline, implementation), NoValue)


TO_COMPARE: list[tuple[Outcome, Outcome]] = [
    *((value, refusal) for value in VALUES for refusal in (ERROR, CRASH, LATE, ACCIDENT)),
    *((refusal, value) for value in VALUES for refusal in (ERROR, CRASH, LATE, ACCIDENT)),
    *((value, value) for value in VALUES),
    # The implementation does worse.
    (ERROR, CRASH),
    (ERROR, LATE),
    (CRASH, LATE),
    (LATE, CRASH),
    # Not a refusal.
    (ERROR, Unsupported("no")),
    (Unsupported("no"), ERROR),
    (ERROR, BrokeProtocol("no")),
    (BrokeProtocol("no"), ERROR),
    (BrokeProtocol("no"), BrokeProtocol("no")),
]


@pytest.mark.parametrize(("baseline", "implementation"), TO_COMPARE)
def test_all_else_is_compared(baseline: Outcome, implementation: Outcome) -> None:
    assert without_value("model", baseline, implementation) is None


@pytest.mark.parametrize("kind", sorted(INTERNAL_ERRORS))
@pytest.mark.parametrize("baseline", [ERROR, CRASH, LATE, Failed("LookupError", "")])
def test_a_mistake_of_the_implementation_is_no_refusal(kind: str, baseline: Outcome) -> None:
    found = without_value("model", baseline, Failed(kind, "oh"))
    assert isinstance(found, Difference)
    assert (found.verdict, found.kind, found.party) == (Verdict.ERROR, DifferenceKind.RAISED, Party.IMPLEMENTATION)
    assert (found.baseline, found.implementation, found.detail) == (baseline, Failed(kind, "oh"), kind)


def test_errors_that_are_meant_are_no_internal_errors() -> None:
    assert INTERNAL_ERRORS.isdisjoint(
        {"Exception", "ValueError", "OSError", "RuntimeError", "UpstreamPanicError", "ModelError"}
    )


def test_what_each_did_is_kept() -> None:
    assert without_value(
        "decode", Crashed("byte 17 of `é` is bad"), Failed("E", "id 5: 'x' \n\n is\tunknown")
    ) == NoValue("decode", "crashes: byte N of … is bad", "raises E: id N: … is unknown")
    assert without_value("decode", TimedOut(2), Failed("E", "")) == NoValue(
        "decode", "gives no answer in time", "raises E: "
    )


def test_refusals_of_one_kind_are_told_alike_and_others_apart() -> None:
    for text in ("a", "it's", 'say "a"', 'it\'s "a"', "\\", "'", '"', "\\'\""):
        assert message_pattern(f"{text!r} is unknown, {'<unk>'!r} as well") == "… is unknown, … as well"
    assert message_pattern("token 'a' at 3") == message_pattern('token "it is" at 1234')
    assert message_pattern("token 'a' at 3") != message_pattern("token 'a' before 3")
    assert len(message_pattern("x" * 1000)) == LONGEST_PATTERN + 1
