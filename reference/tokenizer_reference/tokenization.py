"""What a model makes of one piece of text, in the form that the pipeline consumes.

The target's models count in UTF-8 bytes, and a few of their rules give offsets that fit no character (a BPE model
without an unknown token drops characters and lets later offsets slide left). So the byte ranges are kept as they are,
and next to them the character ranges that they fall on, computed once per distinct piece.
"""

from __future__ import annotations

from itertools import accumulate, compress
from typing import TYPE_CHECKING

from tokenizer_reference.token import Token

if TYPE_CHECKING:
    from collections.abc import Sequence

Span = tuple[int, int]


class Tokenization:
    """The tokens of one piece, in columns of equal length; treat as immutable, since models cache it.

    ``spans`` are UTF-8 byte ranges of the piece; ``char_spans`` are the characters that these bytes lie in, ``None``
    where a range is empty or runs off the piece.
    """

    __slots__ = ("char_spans", "ids", "spans", "values")

    def __init__(self, text: str, ids: Sequence[int], values: Sequence[str], spans: Sequence[Span]) -> None:
        self.ids = tuple(ids)
        self.values = tuple(values)
        self.spans = tuple(spans)
        self.char_spans = _char_spans(text, self.spans)

    @classmethod
    def of_tokens(cls, text: str, tokens: Sequence[Token]) -> Tokenization:
        """Return the columns of ``tokens``, which a model gave for ``text``."""
        return cls(text, [t.id for t in tokens], [t.value for t in tokens], [t.offsets for t in tokens])

    def tokens(self) -> list[Token]:
        """Return the rows."""
        return [Token(*row) for row in zip(self.ids, self.values, self.spans, strict=True)]

    def __len__(self) -> int:
        return len(self.ids)


def _char_spans(text: str, spans: tuple[Span, ...]) -> tuple[Span | None, ...]:
    """Return for each byte range the range of the characters of ``text`` that its bytes belong to."""
    if text.isascii():
        size = len(text)
        return tuple([span if span[0] < span[1] <= size else None for span in spans])
    chars_up_to = _chars_up_to_byte(text)
    size = len(chars_up_to)
    return tuple(
        [(chars_up_to[start] - 1, chars_up_to[end - 1]) if start < end <= size else None for start, end in spans]
    )


def utf8_width(char: str) -> int:
    """Return how many UTF-8 bytes ``char`` takes."""
    code_point = ord(char)
    return 1 if code_point < 0x80 else 2 if code_point < 0x800 else 3 if code_point < 0x10000 else 4


def byte_positions(text: str) -> list[int]:
    """Return the UTF-8 byte position of every character of ``text``, and at the end the whole length.

    >>> byte_positions("aé€")
    [0, 1, 3, 6]
    """
    encoded = text.encode()
    return [*compress(range(len(encoded)), encoded.translate(_BEGINS_CHARACTER)), len(encoded)]


def _chars_up_to_byte(text: str) -> list[int]:
    """Return for every UTF-8 byte of ``text`` how many characters begin up to there, itself included."""
    return list(accumulate(text.encode().translate(_BEGINS_CHARACTER)))


_BEGINS_CHARACTER = bytes(byte & 0xC0 != 0x80 for byte in range(256))
"""Which bytes of UTF-8 begin a character: all but the continuation bytes."""
