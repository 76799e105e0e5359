"""What is counted of comparisons, and of the impact of differences: each counter by itself, and of parts together."""

from __future__ import annotations

from typing import Any

import pytest

from tokenizer_adapters.contract import Encode, Encoded, Field, Stage, Unsupported
from tokenizer_conformance.comparison.differences import (
    Comparison,
    Difference,
    DifferenceKind,
    Excerpt,
    OutcomeInUnit,
    compare,
)
from tokenizer_conformance.comparison.differences import KnownDifference as Known
from tokenizer_conformance.comparison.impact import InputImpact
from tokenizer_conformance.comparison.verdicts import Verdict
from tokenizer_conformance.ledger.entry import Entry, Place
from tokenizer_conformance.results.records.run import Impact, ResultStage, Share
from tokenizer_conformance.validation.running import tally as tallies
from tokenizer_conformance.validation.running.tally import ImpactTally, Kind, Tally, impact_of_parts

# Impact --------------------------------------------------------------------------------------------------------------

LONGER = InputImpact(2, 3, {"LATIN": 1, "HAN": 2})
SHORTER = InputImpact(5, 4, {"LATIN": 1})
AS_LONG = InputImpact(2, 2, {})
NO_WORDS = InputImpact(1, 2, None)


def impact(*inputs: tuple[str, int, InputImpact | None]) -> Impact:
    tally = ImpactTally()
    for each in inputs:
        tally.count(*each)
    return tally.impact()


def test_impact_is_counted_by_input_word_and_source() -> None:
    found = impact(("a", 4, LONGER), ("b", 5, None), ("a", 3, SHORTER), ("a", 1, AS_LONG))
    assert found == Impact(
        documents=Share(changed=3, total=4),
        words=Share(changed=4, total=13),
        tokens_before=9,
        tokens=9,
        longer=1,
        shorter=1,
        scripts={"HAN": 2, "LATIN": 2},
        sources={"a": Share(changed=3, total=3), "b": Share(changed=0, total=1)},
    )


@pytest.mark.parametrize("place", [0, 1])
def test_words_are_known_where_they_are_of_every_input_and_part(place: int) -> None:
    given = [("a", 1, LONGER), ("a", 1, SHORTER)]
    given.insert(place, ("a", 1, NO_WORDS))
    assert impact(*given).words is None
    parts = [impact(each) for each in given]
    together = impact_of_parts(parts)
    assert together
    assert together.words is None
    assert (together.tokens, together.longer, together.documents) == (9, 2, Share(changed=3, total=3))


@pytest.mark.parametrize("cut", [0, 1, 2, 3, 4])
def test_parts_have_the_impact_of_the_whole(cut: int) -> None:
    given = [("a", 4, LONGER), ("b", 5, None), ("a", 3, SHORTER), ("c", 1, AS_LONG)]
    assert impact_of_parts([impact(*given[:cut]), None, impact(*given[cut:])]) == impact(*given)
    assert impact_of_parts([None, None]) is None


# Comparisons ---------------------------------------------------------------------------------------------------------

PLAIN, EXTRA, PAIR = Kind(Stage.MODEL, False, False), Kind(Stage.MODEL, True, False), Kind(Stage.MODEL, False, True)
ONE = Encoded((1, 2), ("a", "b"))


def against(**members: Any) -> Comparison:
    actual = Encoded(**({"ids": (1, 2), "tokens": ("a", "b")} | members))
    return compare(Encode("ab"), OutcomeInUnit(ONE), OutcomeInUnit(actual), frozenset({Field.IDS, Field.TOKENS}))


SAME, OTHER_IDS, NO_TOKENS = against(), against(ids=(1, 3)), against(tokens=None)
HIDDEN = compare(
    Encode("a"), OutcomeInUnit(ONE), OutcomeInUnit(Unsupported("no")), frozenset({Field.IDS, Field.TOKENS})
)
SHOWN = Excerpt(0, 1, (1,))
ENTRY = Entry(implementation="a", reason="so", place=Place("ledger.toml", 1))


def known(verdict: Verdict) -> Known:
    return Known(Difference(verdict, DifferenceKind.VALUES, Field.IDS, SHOWN, SHOWN), ENTRY)


KNOWN = Comparison(agreed=(Field.TOKENS,), known=(known(Verdict.DIFFER), known(Verdict.ERROR)))


def counted(*shapes: tuple[Any, ...], times: int = 1) -> ResultStage:
    tally = Tally([Stage.MODEL])
    for shape in shapes:
        tally.count(shape, times)
    return tally.stage_counts()[Stage.MODEL]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    ("shape", "counts"),
    [
        (
            ((PLAIN, SAME),),
            {"inputs": {Verdict.AGREE: 1}, "values": {Verdict.AGREE: 2}, "questions": 1, "answerable": 1},
        ),
        (
            ((PLAIN, OTHER_IDS),),
            {
                "inputs": {Verdict.DIFFER: 1},
                "values": {Verdict.DIFFER: 1, Verdict.AGREE: 1},
                "differing_fields": {Field.IDS: 1},
                "differing_pairs": {},
            },
        ),
        (((PAIR, OTHER_IDS),), {"differing_fields": {}, "differing_pairs": {Field.IDS: 1}}),
        (((EXTRA, OTHER_IDS),), {"differing_fields": {}, "questions": 0, "inputs": {Verdict.DIFFER: 1}}),
        (((PLAIN, SAME), (PLAIN, OTHER_IDS)), {"inputs": {Verdict.DIFFER: 1}, "questions": 2}),
        (((PLAIN, OTHER_IDS), (PLAIN, SAME)), {"inputs": {Verdict.DIFFER: 1}, "questions": 2}),
        (((PLAIN, OTHER_IDS), (PLAIN, OTHER_IDS)), {"differing_fields": {Field.IDS: 1}}),
        (
            ((PLAIN, NO_TOKENS),),
            {"unsupported_fields": {Field.TOKENS: 1}, "unanswered_fields": {Field.TOKENS: 1}, "answerable": 1},
        ),
        (
            ((EXTRA, HIDDEN),),
            {"extra_answerable": 1, "extra_unanswered": 1, "inputs": {}, "values": {}, "questions": 0},
        ),
        (((EXTRA, SAME),), {"extra_answerable": 1, "extra_unanswered": 0, "inputs": {Verdict.AGREE: 1}}),
        (
            ((PLAIN, KNOWN),),
            {
                "values": {Verdict.KNOWN: 2, Verdict.AGREE: 1},
                "known_without_value": 1,
                "differing_fields": {Field.IDS: 1},
            },
        ),
    ],
)
def test_each_counter_counts_its_own(shape: tuple[Any, ...], counts: dict[str, Any], times: int) -> None:
    found = counted(shape, times=times)

    def so_often(count: Any) -> Any:
        return {key: each * times for key, each in count.items()} if isinstance(count, dict) else count * times

    assert {name: getattr(found, name) for name in counts} == {name: so_often(count) for name, count in counts.items()}


def test_shapes_that_are_alike_are_counted_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies, "MOST_SHAPES", 2)
    shapes = [((PLAIN, each),) for each in (SAME, OTHER_IDS, NO_TOKENS, KNOWN)]
    order = [0, 1, 0, 2, 3, 0, 1, 1]
    alike = Tally([Stage.MODEL])
    for number in order:
        alike.count_alike(shapes[number])
    assert len(alike._alike) <= 2
    assert alike.stage_counts()[Stage.MODEL] == counted(*(shapes[number] for number in order))


def test_an_answer_that_changes_later_is_unstable_and_agrees_no_more() -> None:
    tally = Tally([Stage.MODEL])
    for _ in range(3):
        tally.count_alike(((PLAIN, SAME),))
    tally.count_unstable(Stage.MODEL)
    tally.count_unstable(Stage.MODEL)
    found = tally.stage_counts()[Stage.MODEL]
    assert found.inputs == {Verdict.UNSTABLE: 1, Verdict.AGREE: 2}
    assert found.values == {Verdict.UNSTABLE: 2, Verdict.AGREE: 6}
