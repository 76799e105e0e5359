"""Tokens and morphemes: worked examples, and the files of words."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest
from segmentations import cut, cut_of, sample, values

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.research.metrics.measures import estimates
from tokenizer_conformance.research.metrics.measures.morphemes import (
    MorphemeTally,
    SegmentedWord,
    words_with_morphemes,
)
from tokenizer_conformance.research.metrics.measures.sample import Cut
from tokenizer_conformance.research.segmentation.segmented import Segmented


@dataclass(frozen=True)
class Worked:
    """Words with their morphemes, as they are cut, with the values as they are computed by hand."""

    what: str
    words: tuple[tuple[str, str], ...]
    expected: dict[str, float | None]


WORKED = [
    Worked(
        "one boundary of two is found, and one is cut that is none",
        (("un happi ness", "un|hap|piness"),),
        {
            "morpheme_precision": 1 / 2,
            "morpheme_recall": 1 / 2,
            "morpheme_f1": 1 / 2,
            "morpheme_precision_by_word": 1 / 2,
            "morpheme_recall_by_word": 1 / 2,
            "morpheme_f1_by_word": 1 / 2,
            "exact_words": 0 / 1,
            "morph_score": 1 / 2,
        },
    ),
    Worked(
        "all boundaries together, and by word: book|s (1 of 1), do|g|s (1 of 1, one too many), cats (0 of 1), a (none)",
        (("book s", "book|s"), ("dog s", "do|g|s"), ("cat s", "cats"), ("a", "a")),
        {
            "morpheme_precision": 2 / 3,
            "morpheme_recall": 2 / 3,
            "morpheme_f1": 2 * 2 / (3 + 3),
            "morpheme_precision_by_word": (1 + 1 / 2 + 0) / 3,
            "morpheme_recall_by_word": (1 + 1 + 0) / 3,
            "morpheme_f1_by_word": (1 + 2 / 3 + 0) / 3,
            "exact_words": 2 / 4,
            # Of the words with a boundary, book|s and do|g|s are cut.
            "morph_score": (1 + 1) / 2,
        },
    ),
    Worked(
        "a cut of a word of one morpheme counts against precision, and for no word",
        (("walk", "wa|lk"),),
        {
            "morpheme_precision": 0 / 1,
            "morpheme_recall": None,
            "morpheme_f1": 0 / 1,
            "morpheme_precision_by_word": None,
            "exact_words": 0 / 1,
            "morph_score": None,
        },
    ),
    Worked("no words, no values", (), {"morpheme_f1": None, "exact_words": None, "morph_score": None}),
]


def segmented_word(morphemes: str) -> SegmentedWord:
    (word,) = words_with_morphemes([f"{morphemes.replace(' ', '')}\t{morphemes}\n"], "words.tsv")
    return word


def tally_of(words: tuple[tuple[str, str], ...]) -> MorphemeTally:
    tally = MorphemeTally()
    for number, (morphemes, marked) in enumerate(words):
        word = segmented_word(morphemes)
        tally.add(word, cut(word.word, marked, number))
    return tally


@pytest.mark.parametrize("worked", WORKED, ids=[each.what for each in WORKED])
def test_worked_example(worked: Worked) -> None:
    found = values(estimates.of_morphemes(tally_of(worked.words), None))
    assert {name: found[name] for name in worked.expected} == pytest.approx(worked.expected)


def test_a_space_before_the_word_moves_no_boundary() -> None:
    word = segmented_word("cat s")
    alone, behind_space = MorphemeTally(), MorphemeTally()
    alone.add(word, cut("cats", "ca|t|s"))
    behind_space.add(word, cut(" cats", " ca|t|s"))
    assert alone.totals == behind_space.totals
    assert (alone.totals.cut, alone.totals.both) == (2, 1)


def test_nothing_is_counted_of_tokens_without_spans() -> None:
    tally = MorphemeTally()
    tally.add(segmented_word("book s"), Cut(sample("books"), Segmented("books", (1, 2))))
    assert tally.totals.words == 0


def test_a_text_that_is_not_the_word_is_refused() -> None:
    with pytest.raises(ValueError, match="'book' does not end with the word 'books'"):
        MorphemeTally().add(segmented_word("book s"), cut_of(sample("book"), "book"))


def test_parts_come_to_the_whole() -> None:
    words = WORKED[1].words
    whole = tally_of(words)
    part = tally_of(words[:2])
    rest = MorphemeTally()
    for number, (morphemes, marked) in list(enumerate(words))[2:]:
        rest.add(segmented_word(morphemes), cut(morphemes.replace(" ", ""), marked, number))
    part.merge(MorphemeTally.from_json(json.loads(json.dumps(rest.to_json()))))
    assert part.to_json() == whole.to_json()


def test_a_file_of_words() -> None:
    lines = ["# English\n", "\n", "books\tbook s\r\n", "né\tn é\n", "a\ta"]
    assert list(words_with_morphemes(lines, "words.tsv")) == [
        SegmentedWord("books", frozenset({4})),
        SegmentedWord("né", frozenset({1})),
        SegmentedWord("a", frozenset()),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("books book s", "words.tsv, line 2: expected a word, a tab, and its morphemes separated by spaces"),
        ("books\t ", "words.tsv, line 2: expected a word, a tab"),
        ("\tbook s", "words.tsv, line 2: expected a word, a tab"),
        (
            "happiness\thappy ness",
            r"words.tsv, line 2: the morphemes happy \+ ness make up 'happyness', not .* 'happiness'",
        ),
    ],
)
def test_a_line_that_says_something_else_is_refused(line: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        list(words_with_morphemes(["a\ta", line], "words.tsv"))
