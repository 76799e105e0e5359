"""What an invariant looks at: an answer under one setting, and each encoding in it with the text of each token.

The text of a token is the one that its span points into: of a pair one of the two, of words the given word. A token
that was added by a post-processor or by padding has none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Encode,
    EncodeBatch,
    Encoded,
    EncodedBatch,
    Field,
    OffsetUnit,
    Pieces,
)
from tokenizer_conformance.comparison.offset_units import MisplacedSpan, OffsetFault, spans_to_code_points
from tokenizer_conformance.escape import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Observation, Span
    from tokenizer_conformance.research.offsets_audit.loading import PadToken, Setting
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView


@dataclass(frozen=True, slots=True)
class Violation:
    """One place where an invariant does not hold.

    ``manner`` says how, in words that are the same for all of a kind; ``detail`` shows the place, with all text quoted
    and escaped.
    """

    manner: str
    detail: str


class CannotCheckError(Exception):
    """An invariant could not be checked. The message says why, for people."""


Looked = int | Violation
"""What a check yields: on how many more things it has looked, and what is wrong with one."""

NOT_ALONE = "it does not encode the texts alone"
NO_TEXTS = "it does not say which token belongs to which text"

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
            is_inside = 0 <= span[0] <= span[1] <= len(text)
            spans[index] = span if is_inside or self.unit is not OffsetUnit.CODE_POINTS else None
        return tuple(spans), None

    @property
    def spans(self) -> tuple[Span | None, ...]:
        """The spans in code points that can be looked at: ``None`` for tokens without a text and for faulty spans."""
        return self._converted[0]

    @property
    def misplaced(self) -> MisplacedSpan | None:
        """The first span that has no counterpart in code points."""
        return self._converted[1]

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


FAULTS = {OffsetFault.INSIDE_CHARACTER: "inside a character", OffsetFault.OUTSIDE_TEXT: "outside the text"}
"""Faults of offsets as manners of a violation."""


# An answer ------------------------------------------------------------------------------------------------------------

LISTS = tuple(field for field in ENCODING_FIELDS if field is not Field.OVERFLOWING)
"""The fields that have an entry for each token."""

TOKEN_FIELDS = (Field.IDS, Field.TOKENS, Field.OFFSETS, Field.WORD_IDS)
"""What is a token's own, whatever stands beside it."""

MOST_PARTS = 400
"""How many encodings of what was cut off are looked at: of a pair there may be the product of those of both texts."""


class TemplatedToken(NamedTuple):
    """A token as the template has it: the text that it belongs to, if any, its id, and its type id."""

    sequence: int | None
    id: int
    type_id: int


@dataclass(frozen=True)
class Case:
    """The ``answer`` to ``question`` under ``setting``; ``view`` asks the tokenizer that is neither cut nor padded."""

    question: Observation
    answer: Encoded | EncodedBatch | Pieces
    setting: Setting
    view: TokenizerView
    pad: PadToken

    @property
    def one(self) -> tuple[Encode, Encoded]:
        """The question and its answer where it is about one input, and no batch. Raises :class:`CannotCheckError`."""
        if not isinstance(self.question, Encode) or not isinstance(self.answer, Encoded):
            raise CannotCheckError(NOT_ALONE)
        return self.question, self.answer

    @cached_property
    def pairs(self) -> tuple[tuple[Encode, Encoded], ...]:
        """The inputs of the question, each with its answer."""
        match self.question, self.answer:
            case Encode() as question, Encoded() as encoded:
                return ((question, encoded),)
            case EncodeBatch(inputs), EncodedBatch(encodings):
                return tuple(zip(inputs, encodings, strict=False))
        return ()

    @cached_property
    def seen(self) -> tuple[SeenEncoding, ...]:
        """The encodings of the answer: the first one, then what truncation cut off of it; of a batch those of all."""
        return tuple(seen for question, encoded in self.pairs for seen in self._parts(question, encoded))

    def _parts(self, question: Encode, encoded: Encoded) -> Iterator[SeenEncoding]:
        is_window = self.setting.truncation is not None
        templated = None if is_window or self.setting.padding else self.templated(question)
        for number, part in enumerate((encoded, *(encoded.overflowing or ())[:MOST_PARTS])):
            sequences = _sequences(question, part, templated)
            yield SeenEncoding(question, part, self.view.unit, sequences, number, is_window)

    def plain(self, side: str | tuple[str, ...]) -> Encoded | None:
        """Return the encoding of one text alone, without special tokens, ``None`` where there is none."""
        outcome = self.view.ask(Encode(side, add_special_tokens=False))
        return outcome if isinstance(outcome, Encoded) else None

    def templated(self, question: Encode) -> list[TemplatedToken] | None:
        """Return the tokens of ``question`` by the template and the texts alone.

        A template orders the texts also where no special tokens are added. ``None`` where these are not known, or say
        nothing, as a model that cuts at random cuts the texts in another way.
        """
        layout, sides = self.view.rules.layout, self.sides(question)
        if layout is None or sides is None or self.view.rules.is_random:
            return None
        return [
            TemplatedToken(part.sequence, id, part.type_id)
            for part in (layout.single if question.pair is None else layout.pair)
            if part.sequence is not None or question.add_special_tokens
            for id in (part.ids if part.sequence is None else sides[part.sequence].ids)
        ]

    def sides(self, question: Encode) -> list[Encoded] | None:
        """Return the encodings of both texts of ``question`` alone, ``None`` where there are none."""
        found = [self.plain(side) for side in (question.text, question.pair) if side is not None]
        known = [each for each in found if each is not None]
        return known if len(known) == len(found) else None


def _sequences(question: Encode, encoded: Encoded, templated: list[TemplatedToken] | None) -> tuple[int | None, ...]:
    """Return which text each token belongs to.

    That is what the template says, where there are as many tokens. Else all tokens of one text are its own but those
    that the mask calls special; of two, the encoding says it itself.
    """
    if templated is not None and len(templated) == len(encoded.ids):
        return tuple(each.sequence for each in templated)
    if question.pair is not None:
        return encoded.sequence_ids or ()
    mask = encoded.special_tokens_mask or ()
    return tuple(None if index < len(mask) and mask[index] else 0 for index in range(len(encoded.ids)))


def first_other(fields: Sequence[Field], ours: Encoded, theirs: Encoded) -> tuple[Field, int] | None:
    """Return the first field that is another one in two encodings, and where it is; ``None`` where all are the same."""
    for field in fields:
        here, there = getattr(ours, field), getattr(theirs, field)
        if here is not None and there is not None and here != there:
            return field, first_difference(here, there)
    return None


def first_difference(ours: Sequence[object], theirs: Sequence[object]) -> int:
    """Return where two lists begin to differ."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(ours), len(theirs)))


def picked(encoded: Encoded, places: Sequence[int]) -> Encoded:
    """Return ``encoded`` with the tokens at ``places`` alone; lists that are too short keep what they have."""
    changes = {
        field.value: tuple(values[place] for place in places if place < len(values))
        for field in LISTS
        if (values := getattr(encoded, field)) is not None
    }
    return replace(encoded, **changes, overflowing=None)
