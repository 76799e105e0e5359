"""An encoding as the invariants see it: with its question, with spans in code points, and with the text of each token.

The text of a token is the one that its span points into: of a pair one of the two, of words the given word. A token
that was added by a post-processor or by padding has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import OffsetUnit
from tokenizer_conformance.comparison.offset_units import (
    MisplacedSpan,
    OffsetFault,
    spans_to_code_points,
)
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Encode, Encoded, Field, Span

MOST_SHOWN = 40
"""How many characters of a text or token are shown around a place."""


@dataclass(frozen=True)
class SeenEncoding:
    """The answer to ``question``, or what truncation cut off of it (``part`` from 1).

    ``unit`` is that of its offsets. ``sequences`` says for each token which text it belongs to, ``None`` for none; it
    is empty where that is not known. ``is_window``: the text was truncated, so a token at an end may share a character
    with one that is not there.
    """

    question: Encode
    encoded: Encoded
    unit: OffsetUnit
    sequences: tuple[int | None, ...]
    part: int = 0
    is_window: bool = False

    def __len__(self) -> int:
        return len(self.encoded.ids)

    def shows(self, field: Field) -> bool:
        """Return whether the encoding has this field."""
        return getattr(self.encoded, field) is not None

    @property
    def where(self) -> str:
        """Which encoding of the answer this is, to be put before a detail."""
        return f"overflow {self.part}: " if self.part else ""

    def is_special(self, index: int) -> bool:
        """Return whether the token belongs to no text: it was added by a post-processor, or it pads."""
        if index < len(self.sequences):
            return self.sequences[index] is None
        mask = self.encoded.special_tokens_mask
        return mask is not None and index < len(mask) and mask[index] == 1

    def text_of(self, index: int) -> str | None:
        """Return the text that the span of the token points into, ``None`` where there is none or it is not known."""
        return self._texts[index] if index < len(self._texts) else None

    def place_of(self, index: int) -> tuple[int, int | None] | None:
        """Return the number of the text of a token (0, 1), and of its word where the text came as words."""
        return self._places[index] if index < len(self._places) else None

    @cached_property
    def _places(self) -> tuple[tuple[int, int | None] | None, ...]:
        if not self.question.is_pretokenized:
            return tuple(None if sequence is None else (sequence, None) for sequence in self.sequences)
        words = self.encoded.word_ids or ()
        return tuple(
            None if sequence is None or word is None else (sequence, word)
            for sequence, word in zip(self.sequences, words, strict=False)
        )

    @cached_property
    def _texts(self) -> tuple[str | None, ...]:
        sides = (self.question.text, self.question.pair)
        return tuple(None if place is None else _side(sides[place[0] != 0], place[1]) for place in self._places)

    @cached_property
    def _converted(self) -> tuple[tuple[Span | None, ...], MisplacedSpan | None]:
        """The spans in code points, those of tokens without a text ``None``; and the first that is misplaced."""
        given = self.encoded.offsets or ()
        known = [(index, text) for index, text in enumerate(self._texts[: len(given)]) if text is not None]
        spans: list[Span | None] = [None] * len(given)
        converted = spans_to_code_points([(given[i], text) for i, text in known], self.unit)
        if isinstance(converted, MisplacedSpan):
            index, _ = known[converted.index]
            return tuple(spans), MisplacedSpan(index, converted.offset)
        for (index, text), span in zip(known, converted.spans, strict=True):
            spans[index] = _kept_inside(span, text) if self.unit is OffsetUnit.CODE_POINTS else span
        return tuple(spans), None

    @property
    def spans(self) -> tuple[Span | None, ...]:
        """The spans in code points that can be looked at: ``None`` for tokens without a text and for faulty spans."""
        return self._converted[0]

    @property
    def misplaced(self) -> MisplacedSpan | None:
        """The first span that has no counterpart in code points."""
        found = self._converted[1]
        if found is not None or self.unit is not OffsetUnit.CODE_POINTS:
            return found
        return None

    def tokens_of(self, index: int) -> str:
        """Return the token as it is shown, or its id where tokens are not."""
        tokens = self.encoded.tokens
        if tokens is None or index >= len(tokens):
            return f"id {self.encoded.ids[index]}"
        return quoted(tokens[index][:MOST_SHOWN])

    def shown(self, index: int) -> str:
        """Return the token with its span and what stands there, for people."""
        text = self.text_of(index)
        offsets = self.encoded.offsets
        span = offsets[index] if offsets is not None and index < len(offsets) else None
        where = f"{self.where}token {index} {self.tokens_of(index)}"
        if span is None:
            return where
        inside = self.spans[index] if index < len(self.spans) else None
        stands = f" = {quoted(text[slice(*inside)][:MOST_SHOWN])}" if inside is not None and text is not None else ""
        return f"{where} at {span[0]}..{span[1]}{stands}"


def _side(side: str | tuple[str, ...] | None, word: int | None) -> str | None:
    """Return a text, or one of its words where it came as words."""
    if isinstance(side, str) or side is None:
        return side
    return side[word] if word is not None and 0 <= word < len(side) else None


def _kept_inside(span: Span, text: str) -> Span | None:
    """Return ``span`` where it lies in ``text``, and begins before it ends."""
    return span if 0 <= span[0] <= span[1] <= len(text) else None


def sequences_of(question: Encode, encoded: Encoded, laid_out: Sequence[int | None] | None) -> tuple[int | None, ...]:
    """Return which text each token belongs to.

    That is what ``laid_out`` says, by the template and the lengths of the texts alone, where there are as many tokens.
    Else all tokens of one text are its own but those that the mask calls special; of two, the encoding says it itself.
    """
    count = len(encoded.ids)
    if laid_out is not None and len(laid_out) == count:
        return tuple(laid_out)
    if question.pair is not None:
        return encoded.sequence_ids or ()
    mask = encoded.special_tokens_mask or ()
    return tuple(None if index < len(mask) and mask[index] else 0 for index in range(count))


def in_words(fault: OffsetFault) -> str:
    """Return a fault as the manner of a violation."""
    return {OffsetFault.INSIDE_CHARACTER: "inside a character", OffsetFault.OUTSIDE_TEXT: "outside the text"}[fault]
