"""Tokenization: what a model makes of one piece of text, in the form that the pipeline consumes.

The target's models count in UTF-8 bytes, and a few of their rules give offsets that fit no character (a BPE model
without an unknown token drops characters and lets later offsets slide left). So the byte ranges are kept as they are,
and next to them the character ranges that they fall on, computed once per distinct piece.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from tokenizer_reference.text.utf8 import byte_positions, chars_up_to_byte
from tokenizer_reference.values.token import Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Span = tuple[int, int]


class Tokenization:
    """The tokens of one piece, in columns of equal length; treat as immutable, since models cache it.

    :attr:`spans` are UTF-8 byte ranges of the piece; :attr:`char_spans` are the characters that these bytes lie in,
    ``None`` where a range is empty or runs off the piece. Where the tokens follow each other without gaps and stand for
    whole characters, ``bounds`` are the characters at which the first begins and each ends, and the spans are found
    when they are asked for.
    """

    __slots__ = ("_char_spans", "_spans", "_text", "bounds", "ids", "values")

    bounds: Sequence[int] | None
    _spans: tuple[Span, ...] | None
    _char_spans: tuple[Span | None, ...] | None

    def __init__(self, text: str, ids: Sequence[int], values: Sequence[str], spans: Sequence[Span]) -> None:
        self._text = text
        self.ids = tuple(ids)
        self.values = tuple(values)
        self.bounds = None
        self._spans = tuple(spans)
        self._char_spans = _char_spans(text, self._spans)

    @classmethod
    def by_bounds(cls, text: str, ids: Iterable[int], values: Iterable[str], bounds: Sequence[int]) -> Tokenization:
        """Return the columns of tokens that follow each other, each of one or more whole characters.

        >>> made = Tokenization.by_bounds("éa", [5, 6], ["é", "a"], [0, 1, 2])
        >>> made.spans, made.char_spans
        (((0, 2), (2, 3)), ((0, 1), (1, 2)))
        """
        made = cls.__new__(cls)
        made._text = text
        made.ids = tuple(ids)
        made.values = tuple(values)
        made.bounds = bounds
        made._spans = made._char_spans = None
        return made

    @property
    def spans(self) -> tuple[Span, ...]:
        """The UTF-8 byte range of each token in its piece."""
        if self._spans is None:
            positions = byte_positions(self._text)
            self._spans = tuple(pairwise([positions[bound] for bound in self.bounds or ()]))
        return self._spans

    @property
    def char_spans(self) -> tuple[Span | None, ...]:
        """The range of the characters that the bytes of each token lie in."""
        if self._char_spans is None:
            self._char_spans = tuple(pairwise(self.bounds or ()))
        return self._char_spans

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
