"""Where two tokenizers cut a text differently: every token is counted once, and alike is what is alike to a reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizer_conformance.research.cuts.regions import PlacedText, Region, placed, regions_between
from tokenizer_conformance.research.segmentation.segmented import Segmented

Spans = tuple[tuple[int, int], ...]


def cut(text: str, spans: Spans, unknown: int | None = None) -> PlacedText:
    found = placed(Segmented(text, tuple(range(len(spans))), tuple(text[a:b] for a, b in spans), spans), unknown)
    assert found is not None
    return found


def between(text: str, first: Spans, second: Spans) -> list[Region]:
    return list(regions_between(cut(text, first), cut(text, second)))


@st.composite
def two_cuts(draw: st.DrawFn) -> tuple[str, Spans, Spans]:
    """A text with two lists of spans in it: overlapping, empty, out of order, whatever an implementation may give."""
    text = draw(st.text("ab1 \n.日é\u0301😀", max_size=12))
    place = st.integers(0, len(text))
    spans = st.lists(st.tuples(place, place).map(lambda pair: (min(pair), max(pair))), max_size=8).map(tuple)
    return text, draw(spans), draw(spans)


@given(two_cuts())
def test_the_regions_sum_to_the_whole_difference(case: tuple[str, Spans, Spans]) -> None:
    text, first, second = case
    assert sum(each.difference for each in between(text, first, second)) == len(second) - len(first)


@given(two_cuts())
def test_no_region_overlaps_another_and_all_its_tokens_are_inside(case: tuple[str, Spans, Spans]) -> None:
    text, first, second = case
    at = 0
    for region in between(text, first, second):
        assert at <= region.start <= region.end <= len(text)
        at = region.end
        for token in (*region.first, *region.second):
            assert region.start <= token.core[0] <= token.core[1] <= region.end


@given(two_cuts())
def test_the_other_way_round_the_same_regions_have_the_opposite_difference(case: tuple[str, Spans, Spans]) -> None:
    text, first, second = case
    there, back = between(text, first, second), between(text, second, first)
    assert [(each.start, each.end, each.difference) for each in there] == [
        (each.start, each.end, -each.difference) for each in back
    ]


@given(two_cuts())
def test_a_cut_is_like_itself(case: tuple[str, Spans, Spans]) -> None:
    text, first, _ = case
    assert between(text, first, first) == []


ALIKE: list[tuple[str, Spans, Spans]] = [
    ("new art", ((0, 3), (3, 7)), ((0, 3), (4, 7))),  # the space belongs to a token, or to none
    ("new art", ((0, 3), (3, 7)), ((0, 4), (4, 7))),  # to the one, or to the other
    ("a \n b", ((0, 1), (1, 5)), ((0, 4), (4, 5))),
    ("", (), ()),
    ("é", ((0, 1), (0, 1)), ((0, 1), (0, 1))),  # two bytes of one character
]


@pytest.mark.parametrize(("text", "first", "second"), ALIKE)
def test_who_has_the_space_is_no_difference(text: str, first: Spans, second: Spans) -> None:
    assert between(text, first, second) == []


DIFFERENT: list[tuple[str, Spans, Spans, list[str]]] = [
    ("undo it", ((0, 2), (2, 4), (5, 7)), ((0, 4), (5, 7)), ["undo"]),
    # A word is shown whole, though both have a boundary inside it.
    ("undone", ((0, 2), (2, 6)), ((0, 2), (2, 4), (4, 6)), ["undone"]),
    ("x=12345", ((0, 1), (1, 2), (2, 5), (5, 7)), ((0, 1), (1, 2), (2, 4), (4, 5), (5, 7)), ["12345"]),
    # Scripts without spaces have no such words.
    ("日本語", ((0, 1), (1, 3)), ((0, 1), (1, 2), (2, 3)), ["本語"]),
    ("it's", ((0, 2), (2, 4)), ((0, 2), (2, 3), (3, 4)), ["'s"]),
    ("a  b", ((0, 1), (1, 2), (2, 4)), ((0, 1), (3, 4)), ["  "]),
    ("ab, cd", ((0, 1), (1, 2), (2, 3), (4, 6)), ((0, 2), (2, 3), (4, 5), (5, 6)), ["ab", "cd"]),
    ("é", ((0, 1), (0, 1)), ((0, 1),), ["é"]),
    ("a\u200bb", ((0, 1), (1, 2), (2, 3)), ((0, 1), (2, 3)), ["\u200b"]),
    ("", ((0, 0),), (), [""]),
]


@pytest.mark.parametrize(("text", "first", "second", "regions"), DIFFERENT)
def test_a_region_is_what_a_reader_takes_for_one(text: str, first: Spans, second: Spans, regions: list[str]) -> None:
    assert [text[each.start : each.end] for each in between(text, first, second)] == regions


def test_an_unknown_token_is_not_like_another_on_the_same_characters() -> None:
    first, second = cut("a☃", ((0, 1), (1, 2))), cut("a☃", ((0, 1), (1, 2)), unknown=1)
    assert [(each.start, each.end) for each in regions_between(first, second)] == [(1, 2)]


def test_without_offsets_there_is_no_place() -> None:
    assert placed(Segmented("ab", (1,))) is None


def test_where_no_core_goes_on_a_text_is_cut() -> None:
    found = cut("abcd", ((0, 3), (3, 4)))
    assert found.crossed == bytes((0, 1, 1, 0, 0))
    assert [found.is_cut_at(place) for place in range(5)] == [True, False, False, True, True]
    assert cut("", ()).crossed == bytes(1)
