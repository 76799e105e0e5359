"""One answer of an implementation under one setting, with all that it is judged by."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, EncodeBatch, Encoded, EncodedBatch, Field, Pieces
from tokenizer_conformance.research.offsets_audit.encoding import SeenEncoding, sequences_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_adapters.contract import Observation
    from tokenizer_conformance.research.offsets_audit.settings import PadToken, Setting
    from tokenizer_conformance.research.offsets_audit.tokenizer_rules import LayoutPart
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

TOKEN_FIELDS = (Field.IDS, Field.TOKENS, Field.OFFSETS, Field.WORD_IDS)
"""What is a token's own, whatever stands beside it."""


MOST_PARTS = 400
"""How many encodings of what was cut off are looked at: of a pair there may be the product of those of both texts."""


@dataclass(frozen=True)
class Case:
    """The ``answer`` to ``question`` under ``setting``; ``view`` asks the tokenizer that is neither cut nor padded."""

    question: Observation
    answer: Encoded | EncodedBatch | Pieces
    setting: Setting
    view: TokenizerView
    pad: PadToken

    @cached_property
    def seen(self) -> tuple[SeenEncoding, ...]:
        """The encodings of the answer: the first one, then what truncation cut off of it; of a batch those of all."""
        match self.question, self.answer:
            case Encode() as question, Encoded() as encoded:
                return tuple(self._parts(question, encoded))
            case EncodeBatch(inputs), EncodedBatch(encodings):
                return tuple(
                    seen for each, one in zip(inputs, encodings, strict=False) for seen in self._parts(each, one)
                )
        return ()

    def _parts(self, question: Encode, encoded: Encoded) -> list[SeenEncoding]:
        found, is_window = [], self.setting.truncation is not None
        for number, part in enumerate((encoded, *(encoded.overflowing or ())[:MOST_PARTS])):
            laid_out = None if self.setting.truncation or self.setting.padding else self.laid_out(question)
            sequences = sequences_of(question, part, laid_out)
            found.append(SeenEncoding(question, part, self.view.unit, sequences, number, is_window))
        return found

    def plain(self, side: str | tuple[str, ...]) -> Encoded | None:
        """Return the encoding of one text alone, without special tokens, ``None`` where there is none."""
        outcome = self.view.ask(Encode(side, add_special_tokens=False))
        return outcome if isinstance(outcome, Encoded) else None

    def layout(self, question: Encode) -> tuple[LayoutPart, ...] | None:
        """Return what stands around and between the texts of ``question``, ``None`` where that is not known.

        A template orders the texts also where no special tokens are added.
        """
        layout = self.view.rules.layout
        if layout is None:
            return None
        parts = layout.of(is_pair=question.pair is not None)
        return parts if question.add_special_tokens else tuple(part for part in parts if part.sequence is not None)

    def laid_out(self, question: Encode) -> list[int | None] | None:
        """Return which text each token of ``question`` belongs to, by the template and the texts alone.

        ``None`` where these are not known, or say nothing, as a model that cuts at random cuts them in another way.
        """
        parts, sides = self.layout(question), self.sides(question)
        if parts is None or sides is None or self.view.rules.is_random:
            return None
        return [
            part.sequence
            for part in parts
            for _ in range(len(part.ids) if part.sequence is None else len(sides[part.sequence].ids))
        ]

    def templated_ids(self, question: Encode) -> tuple[int, ...] | None:
        """Return the ids of ``question`` by the template and the texts alone, ``None`` where these are not known."""
        parts, sides = self.layout(question), self.sides(question)
        if parts is None or sides is None:
            return None
        return tuple(id for part in parts for id in (part.ids if part.sequence is None else sides[part.sequence].ids))

    def sides(self, question: Encode) -> list[Encoded] | None:
        """Return the encodings of both texts of ``question`` alone, ``None`` where there are none."""
        found = [self.plain(side) for side in (question.text, question.pair) if side is not None]
        known = [each for each in found if each is not None]
        return known if len(known) == len(found) else None


def shown_fields(fields: Sequence[Field], *encodings: Encoded) -> list[Field]:
    """Return those of ``fields`` that all ``encodings`` have."""
    return [field for field in fields if all(getattr(each, field) is not None for each in encodings)]


def first_other(fields: Sequence[Field], ours: Encoded, theirs: Encoded) -> tuple[Field, int] | None:
    """Return the first field that is another one in two encodings, and where it is; ``None`` where all are the same."""
    for field in shown_fields(fields, ours, theirs):
        here, there = getattr(ours, field), getattr(theirs, field)
        if here != there:
            pairs = zip(here, there, strict=False)
            at = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(here), len(there)))
            return field, at
    return None


def picked(encoded: Encoded, places: Sequence[int]) -> Encoded:
    """Return ``encoded`` with the tokens at ``places`` alone; lists that are too short keep what they have."""
    changes = {
        field.value: tuple(values[place] for place in places if place < len(values))
        for field in (
            *TOKEN_FIELDS,
            Field.TYPE_IDS,
            Field.ATTENTION_MASK,
            Field.SPECIAL_TOKENS_MASK,
            Field.SEQUENCE_IDS,
        )
        if (values := getattr(encoded, field)) is not None
    }
    return replace(encoded, **changes, overflowing=None)
