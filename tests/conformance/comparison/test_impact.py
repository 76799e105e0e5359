"""How much of the inputs has other ids: documents, words by script, tokens; what is not known is not made up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenizer_adapters.contract import Encoded, Failed, OffsetUnit
from tokenizer_conformance.comparison.differences import OutcomeInUnit
from tokenizer_conformance.comparison.impact import InputImpact, input_impact, script_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Outcome, Span


def side(ids: Sequence[int], spans: Sequence[Span] | None, unit: OffsetUnit = OffsetUnit.CODE_POINTS) -> OutcomeInUnit:
    return OutcomeInUnit(Encoded(tuple(ids), offsets=None if spans is None else tuple(spans)), unit)


TEXT = "ab слово 12"
WHOLE = [(0, 2), (3, 8), (9, 11)]
SPLIT = [(0, 2), (3, 5), (5, 8), (9, 11)]


def test_the_words_whose_ids_are_others_are_counted_by_script() -> None:
    assert input_impact(TEXT, side([1, 2, 3], WHOLE), side([1, 4, 5, 3], SPLIT)) == InputImpact(3, 4, {"CYRILLIC": 1})


def test_offsets_of_other_units_are_the_same_words() -> None:
    in_bytes = side([1, 4, 5, 3], [(0, 2), (3, 7), (7, 13), (14, 16)], OffsetUnit.UTF8_BYTES)
    assert input_impact(TEXT, side([1, 2, 3], WHOLE), in_bytes) == InputImpact(3, 4, {"CYRILLIC": 1})


NOTHING: list[tuple[Outcome, Outcome]] = [
    (Encoded((1,)), Encoded((1,))),
    (Encoded((1,)), Failed("E", "no")),
    (Failed("E", "no"), Encoded((1,))),
]


@pytest.mark.parametrize(("old", "new"), NOTHING)
def test_without_other_ids_there_is_no_impact(old: Outcome, new: Outcome) -> None:
    unit = OffsetUnit.CODE_POINTS
    assert input_impact("a", OutcomeInUnit(old, unit), OutcomeInUnit(new, unit)) is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (side([1], None), side([2], [(0, 2)]), None),
        (side([1], [(0, 2)]), side([2], None), None),
        (side([1], [(0, 2)]), side([2], [(0, 99)]), {"LATIN": 1}),
        (side([1], [(0, 2)]), side([2], [(0, 99)], OffsetUnit.UTF8_BYTES), None),
    ],
)
def test_without_offsets_it_is_not_known_which_words_are_changed(
    old: OutcomeInUnit, new: OutcomeInUnit, words: dict[str, int] | None
) -> None:
    assert input_impact("ab", old, new) == InputImpact(1, 1, words)


def test_a_token_belongs_to_each_word_that_it_overlaps_and_to_no_neighbour() -> None:
    text = "a b c d"
    spans = [(0, 1), (1, 3), (3, 3), (3, 5), (5, 7)]
    for other, changed, words in ((o, *rest) for o in (0, 9) for rest in ((0, 1), (1, 1), (2, 0), (3, 1), (4, 1))):
        ids = [1, 2, 3, 4, 5]
        ids[changed] = other
        assert input_impact(text, side([1, 2, 3, 4, 5], spans), side(ids, spans)) == InputImpact(
            5, 5, {"LATIN": words} if words else {}
        )
    both = [(0, 3), (3, 7)]
    assert input_impact(text, side([1, 2], both), side([1, 3], both)) == InputImpact(2, 2, {"LATIN": 2})


@pytest.mark.parametrize("text", ["a b", "a b c"])
def test_words_behind_the_last_token_are_not_changed(text: str) -> None:
    assert input_impact(text, side([1], [(0, 1)]), side([2], [(0, 1)])) == InputImpact(1, 1, {"LATIN": 1})
    assert input_impact(text, side([], []), side([2], [(2, 3)])) == InputImpact(0, 1, {"LATIN": 1})


def test_words_are_of_the_script_of_their_first_letter() -> None:
    found = [script_of(word) for word in ("«дом»", "3rd", "日本", "…", "\U000f0000", "é")]
    other = "digits, punctuation and symbols"
    assert found == ["CYRILLIC", "LATIN", "CJK", other, other, "LATIN"]


def test_with_an_offset_too_few_it_is_not_known_which_words_are_changed() -> None:
    assert input_impact(TEXT, side([1, 2, 3], WHOLE), side([1, 2, 3, 4], WHOLE)) == InputImpact(3, 4, None)
