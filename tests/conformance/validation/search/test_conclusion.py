"""What a search with random tokenizers comes to: one of several implementations decides."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from searching import here

from tokenizer_adapters.contract import Crashed, Failed, Normalize, Text, TimedOut
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.command_io.shard import Shard
from tokenizer_conformance.comparison.differences import OutcomeInUnit, compare
from tokenizer_conformance.comparison.reduction import Case
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.validation.search.engine import GivenTokenizers, conclusion_of
from tokenizer_conformance.validation.search.random_results import AnswerDifference, FuzzDifference, FuzzResult, Kinds

if TYPE_CHECKING:
    from collections.abc import Callable

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.validation.search.plan import SearchPlan


@dataclass(frozen=True)
class Plan:
    """As much of a plan as decides."""

    unavailable: tuple[Rejected, ...] = ()
    shard: Shard | None = None


def differing(*outcomes: Outcome) -> Kinds:
    """Return the kinds of differences of ``outcomes`` from the text "a"."""
    kinds = Kinds()
    for number, outcome in enumerate(outcomes):
        (found,) = compare(Normalize("a"), OutcomeInUnit(Text("a")), OutcomeInUnit(outcome)).differences
        kinds.take(FuzzDifference(number, Case({}, Normalize("a")), AnswerDifference(Normalize("a"), found)))
    return kinds


ENTRY = Entry(implementation="a", reason="so", place=Place("ledger.toml", 1))


def done(*outcomes: Outcome, known: int = 0, **counts: int) -> tuple[FuzzResult, Kinds]:
    result = FuzzResult(**counts)
    if known:
        result.known[ENTRY] = known
    return result, differing(*outcomes)


GOOD = done(values=3)


@pytest.mark.parametrize(
    ("found", "conclusion", "of_a_part"),
    [
        ([GOOD, GOOD], Conclusion.CONFORM, Conclusion.CONFORM),
        ([], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([GOOD, done()], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([done(cases=9), GOOD], Conclusion.NOTHING_COMPARED, Conclusion.CONFORM),
        ([GOOD, done(known=1)], Conclusion.CONFORM, Conclusion.CONFORM),
        ([GOOD, done(Text("b"))], Conclusion.DIFFERENCES, Conclusion.DIFFERENCES),
        ([done(Text("b"), values=1), GOOD], Conclusion.DIFFERENCES, Conclusion.DIFFERENCES),
        ([GOOD, done(Failed("ValueError", "no"))], Conclusion.DIFFERENCES, Conclusion.DIFFERENCES),
        ([GOOD, done(values=1, unstable=1)], Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED),
        ([done(values=1, unstable=1), GOOD], Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED),
        *(
            (found, Conclusion.IMPLEMENTATION_FAILED, Conclusion.IMPLEMENTATION_FAILED)
            for lost in (Crashed("signal 11"), TimedOut(1.0))
            for found in ([GOOD, done(Text("b"), lost)], [done(lost, Text("b")), GOOD])
        ),
    ],
)
def test_one_of_several_decides(found: list[Any], conclusion: Conclusion, of_a_part: Conclusion) -> None:
    assert conclusion_of(Plan(), found) is conclusion  # type: ignore[arg-type]  # it has what decides
    assert conclusion_of(Plan(shard=Shard(1, 2)), found) is of_a_part  # type: ignore[arg-type]  # as above


def test_one_that_is_not_there_fails() -> None:
    absent = Plan((Rejected("implementation", "a", "no"),))
    assert conclusion_of(absent, [GOOD]) is Conclusion.IMPLEMENTATION_FAILED  # type: ignore[arg-type]  # as above


def searched(**given: int) -> SimpleNamespace:
    """Return what decides of the result of a tokenizer and an implementation."""
    return SimpleNamespace(**{"values": 0, "known": (), "unexamined": 0, "unstable": 0, **given})


@pytest.mark.parametrize(
    ("results", "conclusion"),
    [
        ([searched(values=1), searched(values=1)], Conclusion.CONFORM),
        ([], Conclusion.NOTHING_COMPARED),
        ([searched(values=1), searched()], Conclusion.NOTHING_COMPARED),
        ([searched(), searched(values=1)], Conclusion.NOTHING_COMPARED),
        ([searched(values=1), searched(known=(1,))], Conclusion.CONFORM),
        ([searched(values=1), searched(unexamined=1)], Conclusion.DIFFERENCES),
        ([searched(unexamined=1), searched(values=1)], Conclusion.DIFFERENCES),
        ([searched(values=1), searched(values=1, unstable=1)], Conclusion.IMPLEMENTATION_FAILED),
        ([searched(values=1, unstable=1), searched(values=1)], Conclusion.IMPLEMENTATION_FAILED),
    ],
)
def test_one_of_several_given_tokenizers_decides(
    plan_of: Callable[..., SearchPlan], results: list[SimpleNamespace], conclusion: Conclusion
) -> None:
    search = GivenTokenizers(plan_of(), here)
    search._done += results
    assert search._conclusion([]) is conclusion
