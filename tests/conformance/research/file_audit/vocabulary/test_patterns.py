"""What is read from patterns, held against what the implementation cuts."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.research.file_audit.vocabulary.components import CharacterClasses, cutting
from tokenizer_conformance.research.file_audit.vocabulary.cuts import GPT2_PATTERN
from tokenizer_conformance.research.file_audit.vocabulary.patterns import Pattern, UnreadPatternError

if TYPE_CHECKING:
    from tokenizer_conformance.comparison.loaded_documents import Documents


CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
PATTERNS = {
    "gpt2": GPT2_PATTERN,
    "cl100k": CL100K,
    "cl100k, possessive": CL100K.replace(r"\p{L}+|", r"\p{L}++|").replace("]?", "]?+"),
    "digits one by one": r"\d|[^\d]+",
    "words and marks": r"\w+|[^\w\s]+",
    "capitals": r"\p{Lu}?\p{Ll}+|\p{Lu}+|[^\p{L}]",
    "lookarounds": r"(?<=a)b|a(?=b)|\s+$|.",
    "nested": r"(?:a(?:b|1)*)+|(?>\s\s)|[[a-b]&&[^b]]?1".replace("[[a-b]&&[^b]]?", "b?"),
    "nothing else": r"ab",
}
ALPHABET = "aZ1 '\n!\u00e9"
LONGEST = 4


@pytest.mark.long_but(1)
@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=list(PATTERNS))
def test_what_no_match_can_hold_is_cut_in_every_text(documents: Documents, pattern: str) -> None:
    read = Pattern(pattern, CharacterClasses(documents))
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True}
    matches = cutting(documents, split)
    gaps = cutting(documents, split | {"invert": False})
    pairs = {"".join(pair) for pair in product(ALPHABET, repeat=2)}
    never = {pair for pair in pairs if not read.can_hold(pair)}
    always = set(filter(read.always_matches, ALPHABET))
    assert never
    for size in range(1, LONGEST + 1):
        for text in map("".join, product(ALPHABET, repeat=size)):
            for piece in matches(text):
                assert read.can_hold(piece), (text, piece)
            for piece in gaps(text):
                assert not always.intersection(piece), (text, piece)


def test_the_pattern_of_gpt2_leaves_no_gaps_and_joins_what_it_should(documents: Documents) -> None:
    read = Pattern(GPT2_PATTERN, CharacterClasses(documents))
    assert all(map(read.always_matches, ALPHABET))
    held = {pair for pair in map("".join, product("a1! \n'", repeat=2)) if read.can_hold(pair)}
    # Contractions join an apostrophe to the letters s, t, r, v, m, l, d alone.
    letters = {"aa", " a"}
    others = {"11", " 1", "!!", " !", "''", " '", "!'", "'!"}
    assert held == letters | others | {"  ", " \n", "\n ", "\n\n"}
    assert read.can_hold("'s")


@pytest.mark.parametrize(
    ("pattern", "longest", "always"),
    [
        ("a", 1, True),
        ("a?", 1, True),
        ("a{1}", 1, True),
        ("a{1}?", 1, True),
        ("a{1}+", 4, True),  # the interval, again and again
        ("a+", 4, True),
        ("a{2}", 4, False),  # from two on it is as good as for ever
        ("a{2}|a", 4, True),
        ("a{2}+", 4, False),
        ("a{0,1}", 1, True),
        ("a{1,}", 4, True),
        ("ab?", 1, True),
        ("ab", 1, False),
        ("b?+a", 1, True),
        ("a?+a", 2, False),  # what is possessive keeps it
    ],
)
def test_how_many_a_match_can_hold_and_whether_one_is_always_matched(
    documents: Documents, pattern: str, longest: int, always: bool
) -> None:
    read = Pattern(pattern, CharacterClasses(documents))
    assert [read.can_hold("a" * size) for size in range(1, 5)] == [size <= longest for size in range(1, 5)]
    assert read.always_matches("a") is always


@pytest.mark.parametrize(
    "pattern",
    [
        r"a(?<name>b)",
        r"\1",
        r"a**",
        "(",
        "a)",
        "[a",
        r"[[:alpha:]]",
        r"[a&&b]",
        "(?i:ss)",
        "(?i:\u00df)",
        r"\X",
        "*a",
        "(?~a)",
    ],
)
def test_what_is_not_read_is_refused(documents: Documents, pattern: str) -> None:
    with pytest.raises(UnreadPatternError):
        Pattern(pattern, CharacterClasses(documents)).can_hold("a")


@pytest.mark.parametrize("length", [1, 256, 257, 1_000])
def test_a_pattern_of_any_length_is_read_to_its_end(documents: Documents, length: int) -> None:
    classes = CharacterClasses(documents)
    assert Pattern("a" * length, classes).can_hold("a" * length)
    with pytest.raises(UnreadPatternError, match="a parenthesis is closed that was not opened"):
        Pattern("a" * length + ")", classes)
