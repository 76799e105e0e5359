"""Offsets in bytes and UTF-16 units come back as the code points they were made from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_adapters.contract import OffsetUnit
from tokenizer_conformance.comparing.offset_units import (
    Misplaced,
    MisplacedSpan,
    OffsetFault,
    offset_to_code_points,
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


@given(TEXTS, st.sampled_from(OffsetUnit))
def test_every_boundary_converts_back(text: str, unit: OffsetUnit) -> None:
    for index in range(len(text) + 1):
        assert offset_to_code_points(ENCODERS[unit](text[:index]), text, unit) == index


@given(TEXTS, st.sampled_from([OffsetUnit.UTF8_BYTES, OffsetUnit.UTF16_UNITS]))
def test_every_other_offset_is_inside_a_character_or_outside_the_text(text: str, unit: OffsetUnit) -> None:
    boundaries = {ENCODERS[unit](text[:index]) for index in range(len(text) + 1)}
    length = ENCODERS[unit](text)
    for offset in set(range(-2, length + 3)) - boundaries:
        fault = OffsetFault.INSIDE_CHARACTER if 0 < offset < length else OffsetFault.OUTSIDE_TEXT
        assert offset_to_code_points(offset, text, unit) == Misplaced(offset, fault)


@given(st.characters(exclude_categories=["Cs"]), st.sampled_from(OffsetUnit))
def test_the_width_of_a_character_is_that_of_its_encoding(character: str, unit: OffsetUnit) -> None:
    assert width(character, unit) == ENCODERS[unit](character)


@given(TEXTS, st.sampled_from(OffsetUnit), st.data())
def test_spans_convert_each_in_its_own_text(text: str, unit: OffsetUnit, data: st.DataObject) -> None:
    cut = st.integers(0, len(text))
    spans = data.draw(st.lists(st.tuples(cut, cut).map(lambda pair: (min(pair), max(pair)))))
    given_spans = [((ENCODERS[unit](text[:start]), ENCODERS[unit](text[:end])), text) for start, end in spans]
    assert spans_to_code_points(given_spans, unit) == tuple(spans)


@pytest.mark.parametrize("span", [(1, 2), (0, 1)])
def test_the_first_misplaced_span_is_named(span: tuple[int, int]) -> None:
    spans = [((0, 2), "é"), (span, "é"), ((0, 7), "é")]
    assert spans_to_code_points(spans, OffsetUnit.UTF8_BYTES) == MisplacedSpan(
        1, Misplaced(1, OffsetFault.INSIDE_CHARACTER)
    )


@pytest.mark.parametrize(
    "code_point", [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF], ids=hex
)
def test_a_character_is_as_wide_as_its_encoding(code_point: int) -> None:
    character = chr(code_point)
    assert width(character, OffsetUnit.UTF8_BYTES) == len(character.encode())
    assert width(character, OffsetUnit.UTF16_UNITS) == len(character.encode("utf-16-le")) // 2
    assert width(character, OffsetUnit.CODE_POINTS) == 1
