"""The oddities of each pre-tokenizer, case by case."""

from __future__ import annotations

import pytest
from both_sides import PRE_TOKENIZERS, PreTokenizerOnBothSides, metaspace, split

Pieces = list[tuple[str, tuple[int, int]]]

CASES: list[tuple[str, str, str, Pieces]] = [
    ("U+001C is no white space", "WhitespaceSplit", "a\x1cb\x85c", [("a\x1cb", (0, 3)), ("c", (4, 5))]),
    (
        "marks and joiners are word characters",
        "Whitespace",
        "e\u0301\u200d!",
        [("e\u0301\u200d", (0, 3)), ("!", (3, 4))],
    ),
    ("superscripts are none", "Whitespace", "a²", [("a", (0, 1)), ("²", (1, 2))]),
    ("punctuation of 9.0 is none", "BertPreTokenizer", "a\u2e43b.", [("a\u2e43b", (0, 3)), (".", (3, 4))]),
    ("what was punctuation in 8.0 is", "Punctuation, Isolated", "a\u166d", [("a", (0, 1)), ("\u166d", (1, 2))]),
    (
        "only ASCII symbols are punctuation",
        "Punctuation, Isolated",
        "a$€",
        [("a", (0, 1)), ("$", (1, 2)), ("€", (2, 3))],
    ),
    ("numbers of 17.0 are split", "Digits", "a\U00011de0½二", [("a", (0, 1)), ("\U00011de0½", (1, 3)), ("二", (3, 4))]),
    ("leading spaces are lost", "UnicodeScripts", "  hello 京", [("hello ", (2, 8)), ("京", (8, 9))]),
    ("text without a script is lost", "UnicodeScripts", "   \u0378", []),
    ("Japanese scripts are one", "UnicodeScripts", "京ひカーa1", [("京ひカー", (0, 4)), ("a", (4, 5)), ("1", (5, 6))]),
    ("a mark has a script of its own", "UnicodeScripts", "e\u0301", [("e", (0, 1)), ("\u0301", (1, 2))]),
    ("code points are counted", "FixedLength, 3", "🙂e\u0301🙂", [("🙂e\u0301", (0, 3)), ("🙂", (3, 4))]),
    ("bytes of a character share its range", "ByteLevel, no prefix", "né", [("nÃ©", (0, 2))]),
    ("a space is put before a line feed too", "ByteLevel", "\na", [("Ġ", (0, 1)), ("Ċ", (0, 1)), ("a", (1, 2))]),
    (
        "contractions are in small letters",
        "ByteLevel, no prefix",
        "I's'S",
        [("I", (0, 1)), ("'s", (1, 3)), ("'", (3, 4)), ("S", (4, 5))],
    ),
    (
        "the last blank goes with the word",
        "ByteLevel, no prefix",
        "a   b",
        [("a", (0, 1)), ("ĠĠ", (1, 3)), ("Ġb", (3, 5))],
    ),
    ("only U+0020 is replaced", "Metaspace", "a\u00a0b c", [("▁a\u00a0b", (0, 3)), ("▁c", (3, 5))]),
    ("a replacement in the text splits too", "Metaspace", "▁a▁b", [("▁a", (0, 2)), ("▁b", (2, 4))]),
    (
        "a run of spaces is split before each",
        "Metaspace, never",
        "a  b",
        [("a", (0, 1)), ("▁", (1, 2)), ("▁b", (2, 4))],
    ),
    ("the first piece only", "Sequence, first", " a b", [("a", (1, 2)), ("b", (3, 4))]),
    ("where it starts the text", "Sequence, first", "a b", [("▁a", (0, 1)), ("b", (2, 3))]),
    ("a text may be empty", "FixedLength, 3", "", []),
]


@pytest.mark.parametrize(("name", "text", "pieces"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_pieces(name: str, text: str, pieces: Pieces) -> None:
    pre_tokenizer = PreTokenizerOnBothSides(PRE_TOKENIZERS[name])
    assert pre_tokenizer.reference_answer(text) == pieces
    assert pre_tokenizer.target_answer(text) == pieces


@pytest.mark.parametrize(
    ("behavior", "pieces"),
    [
        ("Removed", ["the", "final", "countdown"]),
        ("Isolated", ["the", "-", "final", "-", "-", "countdown"]),
        ("MergedWithPrevious", ["the-", "final-", "-", "countdown"]),
        ("MergedWithNext", ["the", "-final", "-", "-countdown"]),
        ("Contiguous", ["the", "-", "final", "--", "countdown"]),
    ],
)
@pytest.mark.parametrize("kind", ["String", "Regex"])
def test_split_behaviors(kind: str, behavior: str, pieces: list[str]) -> None:
    both = PreTokenizerOnBothSides(split(kind, "-", behavior))
    answers = (both.reference_answer("the-final--countdown"), both.target_answer("the-final--countdown"))
    assert [[piece for piece, _ in answer] for answer in answers] == [pieces, pieces]


def test_an_inverted_split_keeps_what_matches() -> None:
    both = PreTokenizerOnBothSides(split("Regex", r"\d+", "Removed", invert=True))
    assert both.reference_answer("a12b3") == both.target_answer("a12b3") == [("12", (1, 3)), ("3", (4, 5))]


def test_pieces_of_length_zero_panic_there_and_are_an_error_here() -> None:
    both = PreTokenizerOnBothSides({"type": "FixedLength", "length": 0})
    assert both.reference_answer("a") == both.target_answer("a") == "panic"
    assert both.reference_answer("") == both.target_answer("") == []


@pytest.mark.parametrize("scheme", ["always", "first", "never"])
@pytest.mark.parametrize("replacement", ["_", "é", "🙂"])
def test_metaspace_with_other_replacements(scheme: str, replacement: str) -> None:
    both = PreTokenizerOnBothSides(metaspace(scheme, replacement=replacement))
    for text in ("a b", " a", f"{replacement}a", f"a{replacement}{replacement} b", "   ", replacement):
        assert both.reference_answer(text) == both.target_answer(text)
