"""Counting in columns gives what counting text by text does."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from segmentations import spans_of

from tokenizer_conformance.research.metrics.measures.columns import Texts, Tokens, Words, pair_rows
from tokenizer_conformance.research.metrics.measures.id_counts import MOST_DENSE
from tokenizer_conformance.research.metrics.measures.pair_tally import PairTally
from tokenizer_conformance.research.metrics.measures.sample import Cut, Sample
from tokenizer_conformance.research.metrics.measures.sums import bucket_of, buckets_of
from tokenizer_conformance.research.metrics.measures.tally import Tally
from tokenizer_conformance.research.metrics.measures.words import DEFINITION_BY_ID, unspaced_characters
from tokenizer_conformance.research.segmentation.segmented import Segmented

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Span

UNKNOWN = frozenset({0, MOST_DENSE + 5})
TEXTS = st.text(st.sampled_from("ab \t\u3000\u2028\x1c\x85é猫กＡ😀\u0301\ud800\n"), max_size=12)
IDS = st.sampled_from([0, 1, 2, 7, MOST_DENSE + 5, 1 << 60])


@dataclass(frozen=True)
class Given:
    """A text with its number, and what two tokenizers make of it; ``None`` where one does not cut it."""

    number: int
    text: str
    cuts: tuple[Segmented | None, ...]
    decoded: str | None


@st.composite
def given_texts(draw: st.DrawFn) -> Given:
    text = draw(TEXTS)
    places = st.integers(0, len(text))
    span = st.tuples(places, places).map(sorted).map(tuple)
    cuts: list[Segmented | None] = []
    for _ in range(2):
        spans: Sequence[Span] = draw(st.lists(span, max_size=6))
        ids = tuple(draw(st.lists(IDS, min_size=len(spans), max_size=len(spans))))
        shown = None if draw(st.integers(0, 7)) == 0 else tuple(spans)
        cuts.append(None if draw(st.integers(0, 7)) == 0 else Segmented(text, ids, None, shown))
    return Given(
        draw(st.integers(0, 3) | st.integers(0, 10**12)),
        text,
        tuple(cuts),
        draw(st.sampled_from([None, text, text.upper(), text.replace(" ", ""), "\u00e9"])),
    )


def tokens_of(texts: Texts, all_of: Sequence[Given], row: int) -> Tokens:
    cuts = [each.cuts[row] for each in all_of]
    given = [each or Segmented("", ()) for each in cuts]
    spans = [each.spans or ((0, 0),) * len(each.ids) for each in given]
    flat = np.array(list(chain.from_iterable(chain.from_iterable(spans))), np.int64)
    return Tokens(
        texts,
        np.array([len(each.ids) for each in given], np.int64),
        np.array(list(chain.from_iterable(each.ids for each in given)), np.int64),
        (flat[::2], flat[1::2]),
        np.array([each is not None for each in cuts], np.bool_),
        np.array([each is not None and each.spans is not None for each in cuts], np.bool_),
        [each.decoded for each in all_of],
    )


@given(st.lists(given_texts(), min_size=1, max_size=8), st.sampled_from(["whitespace", "unicode", "lines"]))
def test_columns_count_what_one_text_after_the_other_does(all_of: list[Given], definition: str) -> None:
    find = DEFINITION_BY_ID[definition].find
    assert find is not None
    samples = [Sample(each.number, each.text, find(each.text)) for each in all_of]
    texts = Texts([each.number for each in all_of], [each.text for each in all_of])
    words = texts.words_at(sample.words for sample in samples)
    if definition == "whitespace":
        by_white_space = texts.words_by_white_space()
        for ours, theirs in ((words.starts, by_white_space.starts), (words.ends, by_white_space.ends)):
            assert ours.tolist() == theirs.tolist()
        assert words.offsets.tolist() == by_white_space.offsets.tolist()
    assert texts.bytes.tolist() == [sample.bytes for sample in samples]
    assert texts.is_blank.tolist() == [sample.is_blank for sample in samples]
    assert texts.unspaced.tolist() == [unspaced_characters(each.text) for each in all_of]
    rows = [tokens_of(texts, all_of, row) for row in range(2)]
    for row, tokens in enumerate(rows):
        plain, fast = Tally(UNKNOWN), Tally(UNKNOWN)
        for sample, each in zip(samples, all_of, strict=True):
            segmented = each.cuts[row]
            if segmented is not None:
                plain.add(Cut(sample, segmented, each.decoded))
        fast.add_texts(tokens, tokens.rows(words, UNKNOWN), np.flatnonzero(tokens.is_cut))
        assert fast.to_json() == plain.to_json()
    plain_pair, fast_pair = PairTally(), PairTally()
    for sample, each in zip(samples, all_of, strict=True):
        first, second = each.cuts
        if first is not None and second is not None:
            plain_pair.add(Cut(sample, first), Cut(sample, second))
    counted, numbers = pair_rows(words, *rows)
    fast_pair.add_texts(texts, numbers, np.flatnonzero(counted))
    assert fast_pair.to_json() == plain_pair.to_json()


# Of "abcd ef" the places within words are 1, 2, 3 and 6.
PAIRS = [
    ("a|bc|d| e|f", "ab|c|d| ef", (4, 3, 2, 1, 2, 0)),
    ("a|b~|d| e|f", "a|b|c|d| ef", (2, 2, 1, 1, 1, 0)),
    ("a|b|c|d| ef", "a|b~|d| e|f", (2, 1, 2, 1, 1, 0)),
    ("a|b~|d| ef", "a|b~|d| e|f", (2, 1, 2, 1, 1, 0)),
    ("a|b|c|~ e|f", "ab|c|d| e|f", (3, 3, 2, 2, 1, 1)),
    ("~|b|c|d| ef", "a|b|cd| e|~", (2, 2, 1, 1, 0, 0)),
    ("~~~~ ef", "abcd| ~~", (0, 0, 0, 0, 0, 0)),
    ("abcd| e|f", "ab|cd| e|f", (4, 1, 2, 1, 2, 1)),
]
"""How two tokenizers cut it, with places, cuts of the first, of the second and of both, words, and those cut alike."""


@pytest.mark.parametrize("pairs", [PAIRS, *([each] for each in PAIRS)])
def test_beside_what_is_dropped_nothing_is_compared(pairs: list[tuple[str, str, tuple[int, ...]]]) -> None:
    text = "abcd ef"
    cuts = [[Segmented(text, (1,) * len(spans_of(each)), None, spans_of(each)) for each in pair[:2]] for pair in pairs]
    all_of = [Given(number, text, tuple(each), None) for number, each in enumerate(cuts)]
    texts = Texts([each.number for each in all_of], [text] * len(all_of))
    counted, rows = pair_rows(texts.words_by_white_space(), *(tokens_of(texts, all_of, row) for row in range(2)))
    assert counted.tolist() == [True] * len(pairs)
    assert rows.tolist() == [[1, *numbers] for *_, numbers in pairs]


def test_of_a_pair_a_text_counts_that_is_not_blank_and_has_spans_on_both_sides() -> None:
    shown, hidden, not_cut = Segmented("ab", (1,), None, ((0, 2),)), Segmented("ab", (1,)), None
    pairs = [(shown, shown), (shown, hidden), (hidden, shown), (not_cut, shown), (shown, not_cut)]
    blank = Segmented(" ", (1,), None, ((0, 1),))
    all_of = [
        *(Given(number, "ab", pair, None) for number, pair in enumerate(pairs)),
        Given(9, " ", (blank,) * 2, None),
    ]
    texts = Texts([each.number for each in all_of], [each.text for each in all_of])
    counted, _ = pair_rows(texts.words_by_white_space(), *(tokens_of(texts, all_of, row) for row in range(2)))
    assert counted.tolist() == [True, *[False] * 5]


@pytest.mark.parametrize(
    ("character", "length"),
    [("\x7f", 1), ("\x80", 2), ("\u07ff", 2), ("\u0800", 3), ("\uffff", 3), ("\U00010000", 4), ("\U0010ffff", 4)],
)
def test_where_utf8_takes_one_byte_more(character: str, length: int) -> None:
    texts = Texts([0, 1, 2], [character, "a" + character, "\U0010ffff"])
    assert texts.bytes.tolist() == [length, 1 + length, 4]
    assert texts.unspaced.tolist() == [0, 0, 0]


@pytest.mark.parametrize("place", range(6))
def test_the_ends_of_a_word_are_not_inside_it(place: int) -> None:
    words = Words(np.array([1]), np.array([4]), np.array([0, 1]))
    flags = np.arange(6) == place
    assert words.inside(flags).tolist() == [place in (2, 3)]
    assert words.within(flags).tolist() == [place in (1, 2, 3)]


@given(st.lists(st.integers(0, 2_000) | st.integers(0, 2**63 - 1), max_size=20))
def test_buckets_are_the_same_for_many_numbers_at_once(numbers: list[int]) -> None:
    assert buckets_of(np.array(numbers, np.int64)).tolist() == [bucket_of(number) for number in numbers]
