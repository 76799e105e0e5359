"""BertPreTokenizer: splits at white space and around every punctuation character."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Splitter, Words, without_blanks
from tokenizer_reference.text import characters
from tokenizer_reference.text.character_pattern import CharacterPattern
from tokenizer_reference.text.code_point_sets import complement, from_characters, union

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString

_PIECES: Final = CharacterPattern(
    "[{punctuation}]|[{other}]+",
    punctuation=characters.punctuation,
    other=lambda: complement(union(characters.punctuation(), from_characters(characters.WHITE_SPACE))),
)


_WORDS: Final = CharacterPattern(
    "[{blank}]*[{other}]+|[{blank}]*[{punctuation}]|[{blank}]+",
    punctuation=characters.punctuation,
    blank=lambda: from_characters(characters.WHITE_SPACE),
    other=lambda: complement(union(characters.punctuation(), from_characters(characters.WHITE_SPACE))),
)


@PRE_TOKENIZER.component()
class BertPreTokenizer(Splitter):
    """Splits at white space, which is removed, and sets every punctuation character (as Punctuation has them) apart.

    >>> BertPreTokenizer().pre_tokenize_str("Hi, you!")
    [('Hi', (0, 2)), (',', (2, 3)), ('you', (4, 7)), ('!', (7, 8))]
    """

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        return text.cut(_PIECES.spans(text.normalized))

    def _words(self) -> Words:
        return Words(_WORDS.cut, without_blanks, drops_white_space=True)
