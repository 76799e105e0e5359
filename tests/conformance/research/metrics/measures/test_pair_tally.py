"""Where two tokenizers cut alike: worked examples, and what holds of any two."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from segmentations import cut_of, sample, values

from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.sample import Cut
from tokenizer_conformance.research.segmentation.segmented import Segmented


@dataclass(frozen=True)
class Worked:
    """A text as two tokenizers cut it, with the values as they are computed by hand."""

    what: str
    text: str
    first: str
    second: str
    expected: dict[str, float | None]


WORKED = [
    Worked(
        "three places within words for abcd, one for ef; first cuts a|bc|d e|f, second ab|c|d ef",
        "abcd ef",
        "a|bc|d| e|f",
        "ab|c|d| ef",
        {
            "boundary_precision": 1 / 2,
            "boundary_recall": 1 / 3,
            "boundary_f1": 2 * 1 / (3 + 2),
            # Of 4 places both cut at 1 and neither at 0: p_o = 1/4, p_e = 3/4 · 2/4 + 1/4 · 2/4 = 1/2.
            "boundary_kappa": (1 / 4 - 1 / 2) / (1 - 1 / 2),
            "same_words": 0 / 2,
        },
    ),
    Worked(
        "the side of the boundary on which white space goes does not matter, nor whether it goes with anything",
        "new arts now",
        "new| art|s| now",
        "new |art|s|~now",
        {
            "boundary_precision": 1.0,
            "boundary_recall": 1.0,
            "boundary_f1": 1.0,
            "boundary_kappa": 1.0,
            "same_words": 1.0,
        },
    ),
    Worked(
        "one keeps words whole, the other cuts all",
        "ab cd",
        "ab| cd",
        "a|b| |c|d",
        {
            "boundary_precision": 0 / 2,
            "boundary_recall": None,
            "boundary_f1": 0 / 2,
            "boundary_kappa": 0.0,
            "same_words": 0 / 2,
        },
    ),
    Worked(
        "neither cuts: they agree, and nothing is said of boundaries",
        "ab cd",
        "ab| cd",
        "ab |cd",
        {"boundary_precision": None, "boundary_f1": None, "boundary_kappa": None, "same_words": 2 / 2},
    ),
    Worked(
        "beside a dropped character, and in a word that has one, nothing is compared: of ab\u200bcd places 1 and 4 are",
        "ab\u200bcd ef",
        "a|b~c|d| e|f",
        "a|b|\u200b|cd| e|f",
        {"boundary_precision": 2 / 2, "boundary_recall": 2 / 3, "boundary_f1": 4 / 5, "same_words": 1 / 1},
    ),
    Worked(
        "several tokens that stand for one character, its bytes, cut nothing",
        "né",
        "n|é",
        "n|é",
        {"boundary_precision": 1.0, "boundary_recall": 1.0, "same_words": 1.0},
    ),
    Worked("one character has no place inside", "a", "a", "a", {"boundary_f1": None, "same_words": 1.0}),
]


def pair_of(text: str, first: str, second: str) -> PairTally:
    pair = PairTally()
    of = sample(text)
    pair.add(cut_of(of, first), cut_of(of, second))
    return pair


@pytest.mark.parametrize("worked", WORKED, ids=[each.what for each in WORKED])
def test_worked_example(worked: Worked) -> None:
    found = values(estimates.of_pair(pair_of(worked.text, worked.first, worked.second), None))
    assert {name: found[name] for name in worked.expected} == pytest.approx(worked.expected)


def test_bytes_of_one_character_are_no_place() -> None:
    of = sample("né")
    whole = Cut(of, Segmented("né", (1, 2), None, ((0, 1), (1, 2))))
    in_bytes = Cut(of, Segmented("né", (1, 2, 3), None, ((0, 1), (1, 2), (1, 2))))
    pair = PairTally()
    pair.add(whole, in_bytes)
    assert (pair.totals.first, pair.totals.second, pair.totals.both, pair.totals.same_words) == (1, 1, 1, 1)


@st.composite
def two_cuts(draw: st.DrawFn) -> tuple[str, str, str]:
    text = draw(st.text("ab ", min_size=1, max_size=15))

    def marked() -> str:
        marks = [draw(st.sampled_from(["", "|"])) for _ in text]
        shown = [draw(st.sampled_from([character, character, character, "~"])) for character in text]
        return "".join(a + b for a, b in zip(shown, marks, strict=True)).removesuffix("|")

    return text, marked(), marked()


@given(two_cuts())
def test_swapped_precision_and_recall_are_swapped(case: tuple[str, str, str]) -> None:
    text, first, second = case
    found = values(estimates.of_pair(pair_of(text, first, second), None))
    swapped = values(estimates.of_pair(pair_of(text, second, first), None))
    assert found["boundary_precision"] == swapped["boundary_recall"]
    assert found["boundary_recall"] == swapped["boundary_precision"]
    assert found["boundary_f1"] == swapped["boundary_f1"]
    assert found["boundary_kappa"] == pytest.approx(swapped["boundary_kappa"])
    assert found["same_words"] == swapped["same_words"]


@given(two_cuts())
def test_counts_are_those_of_a_plain_count(case: tuple[str, str, str]) -> None:
    text, *both = case
    of = sample(text)
    cuts = [cut_of(of, marked) for marked in both]
    spans = [made.segmented.spans or () for made in cuts]
    covered = [{place for span in each for place in range(*span)} for each in spans]
    edges = [{place for span in each for place in span} for each in spans]
    visible = [not character.isspace() for character in text]
    compared = [place in covered[0] and place in covered[1] for place in range(len(text))]
    places = [
        place
        for place in range(1, len(text))
        if visible[place - 1] and visible[place] and compared[place - 1] and compared[place]
    ]
    words = [range(*word) for word in of.words if all(compared[place] for place in range(*word))]
    same = [
        word
        for word in words
        if all((place in edges[0]) == (place in edges[1]) for place in word if place > word.start)
    ]
    totals = pair_of(text, *both).totals
    assert totals.places == len(places)
    assert totals.first == sum(place in edges[0] for place in places)
    assert totals.second == sum(place in edges[1] for place in places)
    assert totals.both == sum(place in edges[0] and place in edges[1] for place in places)
    assert (totals.words, totals.same_words) == (len(words), len(same))


def test_without_spans_nothing_is_compared() -> None:
    of = sample("ab")
    pair = PairTally()
    pair.add(cut_of(of, "a|b"), Cut(of, Segmented("ab", (1,))))
    assert pair.totals.texts == 0


def test_cuts_of_two_texts_are_not_compared() -> None:
    with pytest.raises(ValueError, match="two different samples"):
        PairTally().add(cut_of(sample("ab"), "a|b"), cut_of(sample("ab"), "a|b"))


def test_parts_come_to_the_whole() -> None:
    parts = [pair_of(worked.text, worked.first, worked.second) for worked in WORKED]
    whole = PairTally()
    for part in parts:
        whole.merge(PairTally.from_json(json.loads(json.dumps(part.to_json()))))
    assert whole.totals.places == sum(part.totals.places for part in parts)
    assert whole.totals.texts == len(parts)
