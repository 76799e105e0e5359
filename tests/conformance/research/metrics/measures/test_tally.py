"""What is counted of texts, and what comes of it: worked examples, computed by hand."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import astuple, dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_one_test import in_one_test
from segmentations import cut, cut_of, id_of, sample, values

from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.sample import Cut
from tokenizer_conformance.research.metrics.measures.tally import Tally
from tokenizer_conformance.research.segmentation.segmented import Segmented

UNKNOWN = "?"


@dataclass(frozen=True)
class Worked:
    """Texts, as they are cut and decoded, with the values of measures as they are computed by hand."""

    what: str
    cuts: tuple[tuple[str, str, str | None], ...]
    expected: dict[str, float | None]
    words: str = "whitespace"


WORKED = [
    Worked(
        "two words, one of them cut in two; the space belongs to the token behind it",
        (("new arts", "new| art|s", None),),
        {
            "texts": 1,
            "words": 2,
            "characters": 8,
            "bytes": 8,
            "tokens": 3,
            "tokens_per_text": 3 / 1,
            "fertility": 3 / 2,
            "word_fertility": (1 + 2) / 2,
            "kept_words": 1 / 2,
            "continued_words": 1 / 2,
            "lost_words": 0 / 2,
            "characters_per_token": 8 / 3,
            "bytes_per_token": 8 / 3,
            "unknown_tokens": 0 / 3,
            "unknown_characters": 0 / 7,
            "lossless": None,
        },
    ),
    Worked(
        "a token of white space counts for fertility, and for no word",
        (("new  art", "new| | art", None),),
        {"fertility": 3 / 2, "word_fertility": (1 + 1) / 2, "kept_words": 2 / 2, "continued_words": 0 / 2},
    ),
    Worked(
        "a token that stands for two words counts once for fertility, and for each of the words",
        (("of the art", "of the| art", None),),
        {"fertility": 2 / 3, "word_fertility": (1 + 1 + 1) / 3, "kept_words": 3 / 3},
    ),
    Worked(
        "what is dropped belongs to no token; a word of which nothing is left is lost",
        (("a \u200b b", "a~~~b", None),),
        {"fertility": 2 / 3, "word_fertility": (1 + 0 + 1) / 3, "lost_words": 1 / 3, "kept_words": 2 / 3},
    ),
    Worked(
        "an unknown token keeps no word; characters are those that are not white space",
        (("a ? bc", "a| |?| bc", None),),
        {
            "fertility": 4 / 3,
            "kept_words": 2 / 3,
            "continued_words": 0 / 3,
            "lost_words": 0 / 3,
            "unknown_tokens": 1 / 4,
            "unknown_characters": 1 / 4,
        },
    ),
    Worked(
        "bytes are those of UTF-8",
        (("né日🎉", "né|日|🎉", None),),
        {"characters_per_token": 4 / 3, "bytes_per_token": (1 + 2 + 3 + 4) / 3},
    ),
    Worked(
        "sums over texts are divided, not averages of texts",
        (("a b c d", "a| b| c| d", None), ("ef", "e|f", None)),
        {"tokens_per_text": 6 / 2, "fertility": 6 / 5, "kept_words": 4 / 5, "characters_per_token": 9 / 6},
    ),
    Worked(
        "punctuation is no word to Unicode, and part of one by white space",
        (("so, no!", "so|,| no|!", None),),
        {"fertility": 4 / 2, "word_fertility": 2 / 2, "kept_words": 2 / 2},
        words="unicode",
    ),
    Worked(
        "by white space, the same",
        (("so, no!", "so|,| no|!", None),),
        {"fertility": 4 / 2, "word_fertility": 4 / 2, "kept_words": 0 / 2},
    ),
    Worked(
        "the round trip, and after what it would have been one",
        (
            ("same", "same", "same"),
            ("e\u0301", "e\u0301", "é"),
            ("ﬁn", "ﬁn", "fin"),
            ("so, no", "so|,| no", "so , no"),
            ("So", "So", "so"),
            ("naïve", "naïve", "naive"),
        ),
        {
            "lossless": 1 / 6,
            "lossless_nfc": 2 / 6,
            "lossless_nfkc": 3 / 6,
            "lossless_white_space": 4 / 6,
            "lossless_case": 5 / 6,
        },
    ),
    Worked(
        "no texts, no values",
        (),
        {"tokens_per_text": None, "fertility": None, "kept_words": None, "bytes_per_token": None, "lossless": None},
    ),
    Worked(
        "a text of white space has no words, is no text that comes back, and is not averaged",
        (("  ", " | ", "  "),),
        {
            "texts": 0,
            "blank_texts": 1,
            "tokens": 2,
            "tokens_per_text": None,
            "fertility": None,
            "kept_words": None,
            "unknown_characters": None,
            "lossless": None,
            "lossless_case": None,
        },
    ),
    Worked(
        "blank texts count in no share of texts; their characters, bytes and tokens are counted",
        (("ab c", "ab| c", "abc"), ("", "", ""), (" \n", " |\n", " \n"), ("d", "d", "d")),
        {
            "texts": 2,
            "blank_texts": 2,
            "characters": 7,
            "tokens": 5,
            "tokens_per_text": 3 / 2,
            "lossless": 1 / 2,
            "lossless_white_space": 2 / 2,
            "characters_per_token": 7 / 5,
        },
    ),
]


def tally_of(cuts: list[Cut]) -> Tally:
    tally = Tally(frozenset({id_of(UNKNOWN)}))
    for each in cuts:
        tally.add(each)
    return tally


@in_one_test("worked", WORKED)
def test_worked_example(worked: Worked) -> None:
    cuts = [
        cut(text, marked, number, decoded, worked.words) for number, (text, marked, decoded) in enumerate(worked.cuts)
    ]
    found = values(estimates.of_texts(tally_of(cuts), resampling=None))
    assert {name: found[name] for name in worked.expected} == pytest.approx(worked.expected, nan_ok=False)


def test_every_measure_of_texts_has_a_worked_example() -> None:
    shown = {name for worked in WORKED for name, value in worked.expected.items() if value}
    assert shown | {"lost_words"} >= {estimate.measure for estimate in estimates.of_texts(Tally(), None)}


def test_without_spans_nothing_is_said_of_words_alone() -> None:
    tally = Tally()
    tally.add(Cut(sample("new art"), Segmented("new art", (1, 2, 3))))
    found = values(estimates.of_texts(tally, None))
    assert found["fertility"] == 3 / 2
    assert {name for name, value in found.items() if value is None} >= {"word_fertility", "kept_words", "lost_words"}


LINES = ["new art", "a ? bc", "", "so, no! 日本", "the the the", "x" * 30]


def random_cut(number: int, seed: int) -> Cut:
    chance = random.Random(seed)
    of = sample(chance.choice(LINES), number)
    marked = "".join(character + chance.choice(["", "|"]) for character in of.text).removesuffix("|")
    return cut_of(of, marked, chance.choice([None, of.text, of.text.upper()])) if of.text else cut("", "", number)


@given(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 99)), max_size=12), st.randoms())
def test_parts_in_any_order_come_to_the_whole(texts: list[tuple[int, int]], chance: random.Random) -> None:
    cuts = [random_cut(number, seed) for number, seed in texts]
    whole = tally_of(cuts)
    chance.shuffle(cuts)
    middle = chance.randint(0, len(cuts))
    first, second = tally_of(cuts[:middle]), tally_of(cuts[middle:])
    # One part as another process or an earlier run has written it.
    first.merge(Tally.from_json(json.loads(json.dumps(second.to_json())), second.unknown_ids))
    assert first.to_json() == whole.to_json()
    assert astuple(first.totals) == astuple(whole.totals)


def test_what_another_process_gets_is_the_same_and_small() -> None:
    tally = tally_of([random_cut(number, number) for number in (3, 999, 4321)])
    written = pickle.dumps(tally)
    assert pickle.loads(written).to_json() == tally.to_json()
    assert len(written) < 10_000
    again = pickle.loads(written)
    again.add(random_cut(5, 5))
    assert again.totals.texts == 4


def test_what_an_other_release_wrote_is_refused() -> None:
    written = tally_of([cut("a", "a")]).to_json()
    written["sums"]["fields"][0] = "documents"
    with pytest.raises(ValueError, match=r"sums of documents, .* expected sums of texts, "):
        Tally.from_json(written)
