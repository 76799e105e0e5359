"""What is a word, by each definition."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tokenizer_conformance.research.metrics.measures.words import DEFINITION_BY_ID, PRE_TOKENS, WORD_DEFINITIONS

TEXTS = Path(__file__).parents[6] / "shared" / "texts"

# The text, and its words by white space, by UAX #29, by characters, and by lines.
CASES = [
    ("", [], [], [], []),
    (" \t\n", [], [], [], []),
    ("a", ["a"], ["a"], ["a"], ["a"]),
    ("no, 3.14!", ["no,", "3.14!"], ["no", "3.14"], list("no,3.14!"), ["no, 3.14!"]),
    # An apostrophe between letters does not end a word, a dash does; an underscore joins, and alone is none.
    ("don't—go _ a_b", ["don't—go", "_", "a_b"], ["don't", "go", "a_b"], list("don't—go_a_b"), ["don't—go _ a_b"]),
    # A base character with its mark is one character, and so is a flag.
    ("e\u0301 🇫🇷", ["e\u0301", "🇫🇷"], ["e\u0301"], ["e\u0301", "🇫🇷"], ["e\u0301 🇫🇷"]),
    # Ideographs are a word each, Katakana go together, and the ideographic full stop is none.
    ("日本テスト。", ["日本テスト。"], ["日", "本", "テスト"], list("日本テスト。"), ["日本テスト。"]),
    ("a\u3000b\u00a0c", ["a", "b", "c"], ["a", "b", "c"], ["a", "b", "c"], ["a\u3000b\u00a0c"]),
    ("one\r\n\n two\u2028", ["one", "two"], ["one", "two"], list("onetwo"), ["one", " two"]),
]


@pytest.mark.parametrize(("place", "name"), [(1, "whitespace"), (2, "unicode"), (3, "characters"), (4, "lines")])
@pytest.mark.parametrize("case", CASES, ids=[repr(case[0]) for case in CASES])
def test_words_of_a_text(case: tuple[str, ...], place: int, name: str) -> None:
    find = DEFINITION_BY_ID[name].find
    assert find is not None
    spans = find(case[0])
    assert [case[0][start:end] for start, end in spans] == case[place]
    assert list(spans) == sorted(spans)


def test_the_tokenizer_says_what_its_pre_tokens_are() -> None:
    assert [each.id for each in WORD_DEFINITIONS if each.find is None] == [PRE_TOKENS]


def test_white_space_is_what_splitting_takes_for_it() -> None:
    text = "".join(chr(code_point) + "a" for code_point in range(0x110000) if not 0xD800 <= code_point < 0xE000)
    find = DEFINITION_BY_ID["whitespace"].find
    assert find is not None
    assert [text[start:end] for start, end in find(text)] == text.split()


def books() -> list[str]:
    return sorted(str(path) for path in TEXTS.glob("*.txt"))


@pytest.mark.skipif(not books(), reason="the books are not here")
@pytest.mark.parametrize("book", books(), ids=lambda book: Path(book).stem)
def test_unicode_words_are_those_of_uniseg(book: str) -> None:
    """An independent reading of UAX #29, whose segments with a letter or a digit are the words."""
    wordbreak = pytest.importorskip("uniseg.wordbreak")
    find = DEFINITION_BY_ID["unicode"].find
    assert find is not None
    text = Path(book).read_text(encoding="utf-8")[3000:33000]
    expected = [word for word in wordbreak.words(text) if re.search(r"[^\W_]", word)]
    assert len(expected) > 1000
    assert [text[start:end] for start, end in find(text)] == expected
