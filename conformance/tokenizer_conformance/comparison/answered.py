"""The digests of what two sides answered to a question (:mod:`tokenizer_conformance.ledger.answers`)."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.contract import (
    ENCODING_FIELDS,
    Chunks,
    Encoded,
    EncodedBatch,
    Failed,
    Fault,
    Field,
    Pieces,
    Rendered,
    Text,
)
from tokenizer_conformance.ledger.answers import Answered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Outcome
    from tokenizer_conformance.comparison.differences import OutcomeInUnit

_PASSING = re.compile(r"\S*[/\\]\S*|0x[0-9a-fA-F]+|\d+")
"""What an error may say otherwise the next time: a path, an address, a time."""


def answered(baseline: OutcomeInUnit, implementation: OutcomeInUnit) -> Answered:
    """Return the digests of two answers to one question, of the values in which they differ.

    >>> from tokenizer_conformance.comparison.differences import OutcomeInUnit
    >>> sorted(answered(OutcomeInUnit(Text("a")), OutcomeInUnit(Text("b"))).digests)
    [<Field.TEXT: 'text'>]
    """
    sides = [_values(baseline.outcome), _values(implementation.outcome)]
    if any("" in side for side in sides):
        return Answered({"": _digest([side.get("") for side in sides])})
    in_other_units = {Field.OFFSETS, Field.OVERFLOWING} if baseline.unit is not implementation.unit else set()
    pairs = {field: (sides[0][field], sides[1][field]) for field in sides[0].keys() & sides[1].keys()}
    return Answered(
        {field: _digest([*pair]) for field, pair in pairs.items() if pair[0] != pair[1] or field in in_other_units}
    )


def _values(outcome: Outcome) -> Mapping[str, Any]:
    """Return what ``outcome`` shows, by the fields; the words of an error under ``""``."""
    match outcome:
        case Encoded():
            values = {field: getattr(outcome, field) for field in ENCODING_FIELDS}
            return {field: value for field, value in values.items() if value is not None}
        case EncodedBatch(encodings):
            every = [_values(each) for each in encodings]
            return {field: [each.get(field) for each in every] for field in ENCODING_FIELDS if every}
        case Text(text):
            return {Field.TEXT: text}
        case Chunks(chunks):
            return {Field.TEXT: chunks}
        case Rendered(text, ids):
            return {Field.TEXT: text, **({} if ids is None else {Field.IDS: ids})}
        case Pieces(pieces):
            return {Field.PIECES: [piece for piece, _ in pieces], Field.OFFSETS: [span for _, span in pieces]}
        case Failed(kind, message):
            return {"": (kind, _PASSING.sub("*", message))}
        case _:
            return {"": type(outcome).__name__} if isinstance(outcome, Fault) else {}


def _digest(values: list[Any]) -> bytes:
    return hashlib.blake2b(json.dumps(values, default=_values).encode("ascii"), digest_size=8).digest()
