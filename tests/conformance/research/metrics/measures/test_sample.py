"""What is derived of a text and of how it is cut, in the quick way and in the plain one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from segmentations import cut, sample

from tokenizer_conformance.research.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.research.segmentation.segmented import Segmented, boundaries

SPANS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 12)).map(lambda both: (min(both), max(both))), max_size=12
)
TEXTS = st.text("ab \n\u3000", min_size=12, max_size=12)


def cut_at(text: str, spans: list[tuple[int, int]]) -> Cut:
    segmented = Segmented(text, tuple(range(len(spans))), None, tuple(spans))
    return Cut(sample(text), segmented)


@given(TEXTS, SPANS)
def test_tokens_of_words_are_those_that_share_a_character(text: str, spans: list[tuple[int, int]]) -> None:
    made = cut_at(text, spans)
    assert made.tokens_of_words == [
        sum(max(start, begin) < min(end, stop) for begin, stop in spans) for start, end in made.sample.words
    ]


@given(TEXTS, SPANS)
def test_boundaries_are_those_of_the_segmentation(text: str, spans: list[tuple[int, int]]) -> None:
    made = cut_at(text, spans)
    shown = boundaries(made.segmented)
    assert shown is not None
    assert made.boundaries - {0, len(text)} == shown
    visible = {place for place in range(1, len(text)) if not text[place - 1].isspace() and not text[place].isspace()}
    assert made.inner_boundaries == shown & visible


@given(TEXTS, SPANS)
def test_what_no_token_stands_for_is_dropped(text: str, spans: list[tuple[int, int]]) -> None:
    made = cut_at(text, spans)
    covered = {place for start, end in spans for place in range(start, end)}
    dropped = set(range(len(text))) - covered
    assert {place for stretch in made.dropped for place in range(*stretch)} == dropped
    assert made.dropped_characters == {place for place in dropped if not text[place].isspace()}


@given(TEXTS)
def test_places_beside_white_space(text: str) -> None:
    of = sample(text)
    ends = {0, len(text)}
    beside = {place for place in range(1, len(text)) if text[place - 1].isspace() or text[place].isspace()}
    assert of.beside_white_space == ends | beside
    assert of.visible == sum(not character.isspace() for character in text)


@given(TEXTS, st.frozensets(st.integers(0, 12)))
def test_words_that_have_places_inside_and_characters(text: str, places: frozenset[int]) -> None:
    of = sample(text)
    assert of.words_across(places) == {
        index for index, (start, end) in enumerate(of.words) if any(start < place < end for place in places)
    }
    assert of.words_with(places) == {
        index for index, (start, end) in enumerate(of.words) if any(start <= place < end for place in places)
    }


def test_lone_surrogates_have_a_length_in_bytes() -> None:
    assert Sample(0, "a\ud800é", ()).bytes == 1 + 3 + 2


def test_a_text_without_spans_has_no_boundaries() -> None:
    assert Cut(sample("ab"), Segmented("ab", (1, 2))).boundaries == frozenset()
    assert cut("", "").dropped == []
