"""Offsets in bytes and UTF-16 units come back as the code points they were made from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import OffsetUnit
from tokenizer_conformance.comparison.offset_units import (
    ConvertedSpans,
    Misplaced,
    MisplacedSpan,
    OffsetFault,
    placed_spans,
    spans_to_code_points,
    width,
)

TEXTS = st.text(max_size=30)

ENCODERS = {
    OffsetUnit.CODE_POINTS: len,
    OffsetUnit.UTF8_BYTES: lambda text: len(text.encode()),
    OffsetUnit.UTF16_UNITS: lambda text: len(text.encode("utf-16-le")) // 2,
}
"""How long a text is in each unit, as its definition has it."""


def converted(text: str, unit: OffsetUnit, *spans: tuple[int, int]) -> ConvertedSpans | MisplacedSpan:
    return spans_to_code_points([(span, text) for span in spans], unit)


@given(TEXTS, st.sampled_from(OffsetUnit))
def test_every_boundary_converts_back(text: str, unit: OffsetUnit) -> None:
    for index in range(len(text) + 1):
        offset = ENCODERS[unit](text[:index])
        assert converted(text, unit, (offset, offset)) == ConvertedSpans(((index, index),))


@given(TEXTS, st.sampled_from([OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS]))
def test_every_other_offset_is_inside_a_character_or_outside_the_text(text: str, unit: OffsetUnit) -> None:
    boundaries = {ENCODERS[unit](text[:index]) for index in range(len(text) + 1)}
    length = ENCODERS[unit](text)
    for offset in set(range(-2, length + 3)) - boundaries:
        fault = OffsetFault.INSIDE_CHARACTER if 0 < offset < length else OffsetFault.OUTSIDE_TEXT
        assert converted(text, unit, (offset, offset)) == MisplacedSpan(0, Misplaced(offset, fault))


@given(TEXTS, st.sampled_from([OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS]))
def test_one_token_a_unit_is_finer_where_characters_have_several(text: str, unit: OffsetUnit) -> None:
    spans = [(offset, offset + 1) for offset in range(ENCODERS[unit](text))]
    widths = [ENCODERS[unit](character) for character in text]
    whole = tuple((index, index + 1) for index, width in enumerate(widths) for _ in range(width))
    assert converted(text, unit, *spans) == ConvertedSpans(whole, sum(width for width in widths if width > 1))


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        (((0, 3), (1, 2), (2, 3)), ConvertedSpans(((0, 1), (0, 1), (0, 1)), 2)),
        (((0, 1), (1, 4)), ConvertedSpans(((0, 1), (0, 2)), 2)),
        (((0, 0), (0, 2), (2, 3)), ConvertedSpans(((0, 0), (0, 1), (0, 1)), 2)),
        # One token ends too early, and none goes on from there: that is a mistake, and not finer.
        (((0, 2), (3, 4)), MisplacedSpan(0, Misplaced(2, OffsetFault.INSIDE_CHARACTER))),
        (((0, 0), (2, 4)), MisplacedSpan(1, Misplaced(2, OffsetFault.INSIDE_CHARACTER))),
        (((0, 3), (3, 5)), MisplacedSpan(1, Misplaced(5, OffsetFault.OUTSIDE_TEXT))),
    ],
)
def test_an_offset_inside_a_character_is_finer_where_tokens_share_it(
    spans: tuple[tuple[int, int], ...], expected: ConvertedSpans | MisplacedSpan
) -> None:
    assert converted("京b", OffsetUnit.UTF8_BYTES, *spans) == expected


@pytest.mark.parametrize(
    ("spans", "placed"),
    [
        ((), ()),
        (((0, 3), (3, 4)), ((0, 1), (1, 2))),
        (((0, 1), (1, 4)), ((0, 1), (0, 2))),
        (((0, 5), (0, 3), (3, 4)), (None, (0, 1), (1, 2))),
        (((-1, 3), (0, 3), (4, 4)), (None, (0, 1), (2, 2))),
        (((0, 2), (3, 4), (4, 5)), (None, (1, 2), None)),  # no token goes on inside the character
        (((0, 2), (1, 3), (9, 9)), ((0, 1), (0, 1), None)),
        (((1, 9), (0, 2), (3, 4)), (None, None, (1, 2))),  # what is outside the text shares no character
    ],
)
def test_spans_that_are_misplaced_have_no_place(
    spans: tuple[tuple[int, int], ...], placed: tuple[tuple[int, int] | None, ...]
) -> None:
    assert placed_spans([(span, "京b") for span in spans], OffsetUnit.UTF8_BYTES) == placed


def test_a_token_that_ends_inside_a_character_shares_it_with_the_next_one() -> None:
    spans = [((0, 2), "b京"), ((2, 4), "b京")]
    assert placed_spans(spans, OffsetUnit.UTF8_BYTES) == ((0, 2), (1, 2))
    assert placed_spans([*spans, ((0, 9), "b京")], OffsetUnit.UTF8_BYTES) == ((0, 2), (1, 2), None)
    assert placed_spans([((-1, 1), "b京")] * 2, OffsetUnit.UTF8_BYTES) == (None, None)


def test_offsets_in_code_points_pass_as_they_are() -> None:
    spans = ((0, 99), (5, 2), (-1, 0))
    given_spans = [(span, "京b") for span in spans]
    assert spans_to_code_points(given_spans, OffsetUnit.CODE_POINTS) == ConvertedSpans(spans)
    assert placed_spans(given_spans, OffsetUnit.CODE_POINTS) == spans


def test_a_character_is_shared_by_tokens_of_one_text() -> None:
    assert spans_to_code_points([((0, 1), "é"), ((1, 2), "ü")], OffsetUnit.UTF8_BYTES) == MisplacedSpan(
        0, Misplaced(1, OffsetFault.INSIDE_CHARACTER)
    )


@given(st.characters(exclude_categories=["Cs"]), st.sampled_from(OffsetUnit))
def test_the_width_of_a_character_is_that_of_its_encoding(character: str, unit: OffsetUnit) -> None:
    assert width(character, unit) == ENCODERS[unit](character)


@given(TEXTS, st.sampled_from(OffsetUnit), st.data())
def test_spans_convert_each_in_its_own_text(text: str, unit: OffsetUnit, data: st.DataObject) -> None:
    cut = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(cut, cut).map(lambda pair: (min(pair), max(pair)))))
    given_spans = [((ENCODERS[unit](text[:start]), ENCODERS[unit](text[:end])), text) for start, end in spans]
    assert spans_to_code_points(given_spans, unit) == ConvertedSpans(tuple(spans))


@pytest.mark.parametrize(
    "code_point", [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF], ids=hex
)
def test_a_character_is_as_wide_as_its_encoding(code_point: int) -> None:
    character = chr(code_point)
    assert width(character, OffsetUnit.UTF8_BYTES) == len(character.encode())
    assert width(character, OffsetUnit.UTF16_UNITS) == len(character.encode("utf-16-le")) // 2
    assert width(character, OffsetUnit.CODE_POINTS) == 1
