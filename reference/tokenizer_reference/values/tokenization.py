"""Tokenization: what a model makes of one piece of text, in the form that the pipeline consumes.

The target's models count in UTF-8 bytes, and a few of their rules give offsets that fit no character (a BPE model
without an unknown token drops characters and lets later offsets slide left). So the byte ranges are kept as they are,
and next to them the character ranges that they fall on, computed once per distinct piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference.text.utf8 import chars_up_to_byte
from tokenizer_reference.values.token import Token

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
    chars_up_to = chars_up_to_byte(text)
    size = len(chars_up_to)
    return tuple(
        [(chars_up_to[start] - 1, chars_up_to[end - 1]) if start < end <= size else None for start, end in spans]
    )
