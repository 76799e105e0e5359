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


def test_without_offsets_it_is_not_known_which_words_are_changed() -> None:
    for sides in ((side([1], None), side([2], [(0, 2)])), (side([1], [(0, 2)]), side([2], [(0, 99)]))):
        found = input_impact("ab", *sides)
        assert found is not None
        assert found.words in (None, {"LATIN": 1})


def test_words_are_of_the_script_of_their_first_letter() -> None:
    found = [script_of(word) for word in ("«дом»", "3rd", "日本", "…", "\U000f0000", "é")]
    other = "digits, punctuation and symbols"
    assert found == ["CYRILLIC", "LATIN", "CJK", other, other, "LATIN"]


def test_with_an_offset_too_few_it_is_not_known_which_words_are_changed() -> None:
    assert input_impact(TEXT, side([1, 2, 3], WHOLE), side([1, 2, 3, 4], WHOLE)) == InputImpact(3, 4, None)
