"""ByteLevel: cuts the text by GPT-2's pattern and writes its bytes in GPT-2's byte alphabet."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tokenizer_reference.arguments import boolean
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Piece, Splitter, Words, whole
from tokenizer_reference.stage import BYTE_LEVEL
from tokenizer_reference.text.byte_level import BYTE_TO_CHAR, spell_ascii, spell_bytes, spell_run
from tokenizer_reference.text.pattern import matches
from tokenizer_reference.text.regex import Regex
from tokenizer_reference.text.split_behavior import pieces
from tokenizer_reference.text.utf8 import chars_up_to_byte

if TYPE_CHECKING:
    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import NormalizedString

GPT2_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
"""Source: GPT-2's encoder. Words, numbers and symbols, each with the space before it; contractions; other blanks."""


@cache
def _gpt2_regex() -> Regex:
    return Regex(GPT2_PATTERN)


@PRE_TOKENIZER.component(BYTE_LEVEL)
class ByteLevel(Splitter):
    """Cuts the text as GPT-2 does, and writes every byte of its UTF-8 form as a character of GPT-2's byte alphabet.

    ``add_prefix_space`` puts a space before a text that does not start with U+0020. ``use_regex=False`` cuts nothing.
    ``trim_offsets`` is for the post-processor of the same name. Other keyword arguments are ignored, as in the target.

    >>> ByteLevel(add_prefix_space=False).pre_tokenize_str("né it's")
    [('nÃ©', (0, 2)), ('Ġit', (2, 5)), ("'s", (5, 7))]
    """

    _OPTIONS: ClassVar = {"add_prefix_space": boolean, "trim_offsets": boolean, "use_regex": boolean}

    def __init__(
        self,
        add_prefix_space: bool = True,
        trim_offsets: bool = True,
        use_regex: bool = True,
        **_kwargs: object,
    ) -> None:
        self.add_prefix_space = add_prefix_space
        self.trim_offsets = trim_offsets
        self.use_regex = use_regex

    @staticmethod
    def alphabet() -> list[str]:
        """Return the 256 characters of the byte alphabet, in the order of the bytes (the target's order is random)."""
        return list(BYTE_TO_CHAR)

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        if self.add_prefix_space and not text.normalized.startswith(" "):
            text.prepend(" ")
        if not self.use_regex:
            spell_bytes(text)
            return [text]
        spans = pieces(matches(_gpt2_regex(), text.normalized), "isolated")
        return _spelled_pieces(text, spans) if text.is_regular else _spelled_plainly(text, spans)

    def _words(self) -> Words | None:
        if self.add_prefix_space:
            return None
        return Words(_gpt2_regex().cut if self.use_regex else whole, _spelled_word, are_bytes=True)

    def _to_json(self) -> dict[str, Any]:
        return {
            "type": "ByteLevel",
            "add_prefix_space": self.add_prefix_space,
            "trim_offsets": self.trim_offsets,
            "use_regex": self.use_regex,
        }

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        return cls(
            add_prefix_space=value["add_prefix_space"].boolean(),
            trim_offsets=value["trim_offsets"].boolean(),
            use_regex=value.get("use_regex", default=True).boolean(),
        )


def _spelled_word(word: str) -> list[Piece]:
    """Return the one piece of a word, its bytes as characters."""
    if word.isascii():
        return [Piece(spell_ascii(word), 0)]
    ends = chars_up_to_byte(word)
    return [Piece("".join([BYTE_TO_CHAR[byte] for byte in word.encode()]), 0, [end - 1 for end in ends], ends)]


def _spelled_plainly(text: NormalizedString, spans: list[tuple[int, int]]) -> list[NormalizedString]:
    """Return the pieces at ``spans``, each with its bytes as characters."""
    cut = text.cut(spans)
    for piece in cut:
        spell_bytes(piece)
    return cut


def _spelled_pieces(text: NormalizedString, spans: list[tuple[int, int]]) -> list[NormalizedString]:
    """Return the same for a text that :attr:`is_regular`: ASCII for all pieces at once, other pieces from a cache."""
    old = text.normalized
    text.set_one_to_one(spell_ascii(old))
    cut = text.cut(spans)
    if not old.isascii():
        for piece, (start, end) in zip(cut, spans, strict=True):
            word = old[start:end]
            if not word.isascii():
                piece.rewrite([(0, end - start, *spell_run(word))])
    return cut
