"""What is a word: the definitions that measures by the word can be asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_adapters.contract import Span

PRE_TOKENS = "pre-tokens"
"""The definition by which the caller says what the words are: the tokenizer's own pre-tokens."""

_WHITE_SPACE = re.compile(r"\S+")
_LINES = re.compile(r"[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
# Breaks where UAX #29 has word boundaries; the part up to the next one is a word if a letter or a digit is in it.
_UNICODE = regex.compile(r"(?w)\b(?=\w).+?\b", regex.DOTALL)
_HAS_LETTER_OR_DIGIT = regex.compile(r"[\p{Alphabetic}\p{N}]")
_GRAPHEMES = regex.compile(r"\X")

_UNSPACED = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}"
    r"\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]+"
)


def unspaced_characters(text: str) -> int:
    """Return how many characters of ``text`` are of scripts that put no spaces between words.

    >>> unspaced_characters("吾輩は cat"), unspaced_characters("이름은 고양이")
    (3, 0)
    """
    return 0 if text.isascii() else sum(end - start for start, end in unspaced_spans(text))


def unspaced_spans(text: str) -> Iterator[Span]:
    """Yield where the runs of these characters are."""
    return (match.span() for match in _UNSPACED.finditer(text))


@dataclass(frozen=True, slots=True)
class WordDefinition:
    """A definition of words: its ``id``, what it says in one sentence, and what finds the spans of words in a text.

    Spans are in code points, end exclusive, ascending, and none is empty.
    """

    id: str
    definition: str
    find: Callable[[str], tuple[Span, ...]] | None


def _by_white_space(text: str) -> tuple[Span, ...]:
    return tuple([match.span() for match in _WHITE_SPACE.finditer(text)])


def _by_unicode(text: str) -> tuple[Span, ...]:
    has_word = _HAS_LETTER_OR_DIGIT.search
    return tuple([match.span() for match in _UNICODE.finditer(text) if has_word(text, *match.span())])


def _by_characters(text: str) -> tuple[Span, ...]:
    return tuple([match.span() for match in _GRAPHEMES.finditer(text) if not match.group().isspace()])


def _by_lines(text: str) -> tuple[Span, ...]:
    return tuple([match.span() for match in _LINES.finditer(text) if not match.group().isspace()])


WORD_DEFINITIONS = (
    WordDefinition(
        "whitespace",
        "A word is a longest run of characters that are not white space (str.isspace); punctuation belongs to the word "
        "that it touches. For languages without spaces between words this gives phrases.",
        _by_white_space,
    ),
    WordDefinition(
        "unicode",
        "A word is a segment between two default word boundaries of Unicode (UAX #29) that has a letter or a number "
        "in it; punctuation and white space are no words. Han and Hiragana characters are a word each, and so are "
        "those of Thai, Lao and Khmer: the rules have no dictionary.",
        _by_unicode,
    ),
    WordDefinition(
        "characters",
        "A word is a user-perceived character (extended grapheme cluster, UAX #29) that is not white space: for "
        "languages without spaces between words.",
        _by_characters,
    ),
    WordDefinition(
        "lines",
        "A word is a line that is not blank: for parallel lines, where what is said is the unit.",
        _by_lines,
    ),
    WordDefinition(
        PRE_TOKENS,
        "A word is a piece into which the tokenizer itself cuts a text before its model sees it, so that tokenizers "
        "are not measured by the same words.",
        None,
    ),
)
"""The definitions, the default first."""

DEFINITION_BY_ID = {each.id: each for each in WORD_DEFINITIONS}
