"""Answers of records as pages show them: whole, and with the tokens marked that the other side has not."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenizer_conformance.results.answers import answer_of, marked, sides_of
from tokenizer_conformance.results.page import Answer, Token

ENCODED = {"ids": [5, 6], "tokens": ["a", None], "offsets": [[0, 1], None], "sequence_ids": [1, None]}
TOKENS = (Token("a", 5, 0, 1, subject=1), Token("", 6))

ANSWERS: list[tuple[str, dict[str, Any], Answer]] = [
    ("Text", {"text": "abc"}, Answer("mine", text="abc", total=3)),
    ("Rendered", {"text": "abc", "total": 900}, Answer("mine", text="abc", total=900)),
    ("Pieces", {"pieces": [["a", [0, 1]], ["b", None]]}, Answer("mine", (Token("a", None, 0, 1), Token("b")), total=2)),
    ("Pieces", {"pieces": [["a", [0, 1]]], "total": 7}, Answer("mine", (Token("a", None, 0, 1),), total=7)),
    ("Encoded", ENCODED, Answer("mine", TOKENS, total=2)),
    ("Encoded", ENCODED | {"total": 8}, Answer("mine", TOKENS, total=8)),
    ("Encoded", {"ids": [5]}, Answer("mine", (Token("", 5),), total=1)),
    ("Chunks", {"chunks": ["a", None]}, Answer("mine", (Token("a"), Token("")), total=2)),
    ("EncodedBatch", {"encodings": [ENCODED, {"ids": []}, ENCODED]}, Answer("mine", TOKENS * 2, total=4)),
]


@pytest.mark.parametrize(("kind", "answer", "shown"), ANSWERS)
def test_an_answer_is_shown_whole(kind: str, answer: dict[str, Any], shown: Answer) -> None:
    assert answer_of("mine", {"outcome": kind, "answer": answer}) == shown


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ({"outcome": "Failure", "error": "Panic", "message": "it fell"}, "Failure: Panic: it fell"),
        ({"outcome": "Failure", "answer": {"status": 3, "tail": ["x"]}}, "Failure: 3"),
        ({"outcome": "Unsupported"}, "Unsupported"),
    ],
)
def test_what_is_no_answer_is_told_in_words(outcome: dict[str, Any], told: str) -> None:
    assert answer_of("mine", outcome) == Answer("mine", trouble=told)
    other = {"outcome": "Text", "answer": {"text": "a"}}
    assert sides_of(("mine", "base"), (outcome, other)) == (
        Answer("mine", trouble=told),
        Answer("base", text="a", total=1),
    )
    assert sides_of(("mine", "base"), (outcome, None)) == ()


# What is marked ------------------------------------------------------------------------------------------------------


def side(texts: str, name: str = "mine") -> Answer:
    return Answer(name, tuple(Token(each) for each in texts), total=len(texts))


def marks(answer: Answer) -> str:
    """Return the tokens that are marked, and a dot for each that is not."""
    assert answer.tokens is not None
    return "".join(each.text if each.differs else "." for each in answer.tokens)


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("abc", "abc", ("...", "...")),
        ("abc", "axc", (".b.", ".x.")),
        ("abc", "ac", (".b.", "..")),
        ("ac", "abbc", ("..", ".bb.")),
        ("abcd", "xbcy", ("a..d", "x..y")),
        ("abcd", "zbyycz", ("a..d", "z.yy.z")),
        ("xabay", "zbabw", ("xa..y", "z..bw")),
        ("ab", "cd", ("ab", "cd")),
        ("", "a", ("", "a")),
        ("aa", "a", (".a", ".")),
    ],
)
def test_what_only_one_side_has_is_marked(one: str, other: str, shown: tuple[str, str]) -> None:
    first, second = marked(side(one), side(other))
    assert (marks(first), marks(second)) == shown


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
@settings(max_examples=100, deadline=None)
def test_as_little_as_can_be_is_marked(one: str, other: str) -> None:
    @cache
    def longest(at: int, to: int) -> int:
        if at == len(one) or to == len(other):
            return 0
        if one[at] == other[to]:
            return 1 + longest(at + 1, to + 1)
        return max(longest(at + 1, to), longest(at, to + 1))

    first, second = map(marks, marked(side(one), side(other)))
    assert first.count(".") == second.count(".") == longest(0, 0)
    pairs = (zip(one, first, strict=True), zip(other, second, strict=True))
    kept = [[each for each, mark in pair if mark == "."] for pair in pairs]
    assert kept[0] == kept[1]


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        (Token("a", 1, 0, 1), Token("a", 2, 0, 1), True),
        (Token("a", 1, 0, 1), Token("b", 1, 0, 1), True),
        (Token("a", 1, 0, 1), Token("a", 1, 0, 2), True),
        (Token("a", 1, 0, 1), Token("a", 1, 0, 1, subject=1), True),
        (Token("a", None, 0, 1), Token("a", 2, 0, 1), False),
        (Token("", 1, 0, 1), Token("b", 1, 0, 1), False),
        (Token("a", 1), Token("a", 1, 0, 2), False),
    ],
)
def test_only_what_both_sides_show_is_compared(one: Token, other: Token, differs: bool) -> None:
    for pair in ((one, other), (other, one)):
        found = marked(*(Answer("mine", (token,), total=1) for token in pair))
        assert [token.differs for each in found for token in each.tokens or ()] == [differs, differs]


def encoded(*windows: list[int]) -> dict[str, Any]:
    """Return an answer with the ids of its ``windows``, of which all but the first were cut off."""
    first, *cut = ({"ids": ids, "offsets": [[at, at + 1] for at in range(len(ids))]} for ids in windows)
    return {"outcome": "Encoded", "answer": {**first, "overflowing": cut}}


def test_what_was_cut_off_is_shown_where_it_alone_differs() -> None:
    sides = sides_of(("old", "new"), (encoded([1, 2], [3], [4, 5]), encoded([1, 2], [3], [4, 6], [7])))
    assert [each.side for each in sides] == ["old", "new", "old, cut off (2)", "new, cut off (2)"]
    assert [[(token.id, token.differs) for token in each.tokens or ()] for each in sides[2:]] == [
        [(4, False), (5, True)],
        [(4, False), (6, True)],
    ]
    (*_, without, more) = sides_of(("old", "new"), (encoded([1]), encoded([1], [2])))
    assert (without.tokens, [token.differs for token in more.tokens or ()]) == ((), [True])
    assert len(sides_of(("old", "new"), (encoded([1], [2]), encoded([3], [4])))) == 2, "what is left differs"
    assert len(sides_of(("old", "new"), (encoded([1], [2]), encoded([1], [2])))) == 2
