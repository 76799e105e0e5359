"""Whitespace, which separates words and symbols, and WhitespaceSplit, which splits at white space only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Splitter, Words, without_blanks
from tokenizer_reference.text import characters
from tokenizer_reference.text.character_pattern import CharacterPattern, pieces_between
from tokenizer_reference.text.code_point_sets import Ranges, complement, from_characters, union

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString


def _white_space() -> Ranges:
    return from_characters(characters.WHITE_SPACE)


_WORDS_AND_SYMBOLS: Final = CharacterPattern(
    "[{word}]+|[{symbol}]+",
    word=characters.word_characters_16,
    symbol=lambda: complement(union(characters.word_characters_16(), _white_space())),
)
_WORDS: Final = pieces_between(_white_space, "removed")

_TILES: Final = CharacterPattern(
    "[{blank}]*[{word}]+|[{blank}]*[{symbol}]+|[{blank}]+",
    word=characters.word_characters_16,
    symbol=lambda: complement(union(characters.word_characters_16(), _white_space())),
    blank=_white_space,
)
_TILES_OF_WORDS: Final = CharacterPattern(
    "[{blank}]*[{other}]+|[{blank}]+", other=lambda: complement(_white_space()), blank=_white_space
)


@PRE_TOKENIZER.component()
class Whitespace(Splitter):
    r"""Keeps what ``\w+|[^\w\s]+`` matches, with the ``\w`` of Unicode 16.0: marks and joiners are word characters.

    >>> Whitespace().pre_tokenize_str("It's 3½!")
    [('It', (0, 2)), ("'", (2, 3)), ('s', (3, 4)), ('3', (5, 6)), ('½!', (6, 8))]
    """

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        return text.cut(_WORDS_AND_SYMBOLS.spans(text.normalized))

    def _words(self) -> Words:
        return Words(_TILES.cut, without_blanks, drops_white_space=True)


@PRE_TOKENIZER.component()
class WhitespaceSplit(Splitter):
    r"""Splits at white space (Unicode's White_Space), which is removed.

    >>> WhitespaceSplit().pre_tokenize_str("It's\u3000good")
    [("It's", (0, 4)), ('good', (5, 9))]
    """

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        return text.cut(_WORDS.spans(text.normalized))

    def _words(self) -> Words:
        return Words(_TILES_OF_WORDS.cut, without_blanks, drops_white_space=True)
