"""What padding says, and batches: as long as declared, on the declared side, with masks that tell it from all else."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import ENCODING_FIELDS, EncodeBatch, Encoded, EncodedBatch, Field
from tokenizer_conformance.research.offsets_audit.case import (
    LISTS,
    NOT_ALONE,
    CannotCheckError,
    Violation,
    first_other,
    picked,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.offsets_audit.case import Case, Looked


def batch(case: Case) -> Iterator[Looked]:
    """Check that each encoding of a batch is what its input gives alone."""
    question, answer = case.question, case.answer
    if not isinstance(question, EncodeBatch) or not isinstance(answer, EncodedBatch):
        raise CannotCheckError(NOT_ALONE)
    if len(answer.encodings) != len(question.inputs):
        yield 1
        detail = f"{len(answer.encodings)} encodings of {len(question.inputs)} inputs"
        yield Violation("another number of encodings", detail)
        return
    singles = [case.view.ask(each) for each in question.inputs]
    if not any(isinstance(each, Encoded) for each in singles):
        raise CannotCheckError(NOT_ALONE)
    for number, (encoded, alone) in enumerate(zip(answer.encodings, singles, strict=True)):
        if not isinstance(alone, Encoded):
            continue
        yield 1
        other = first_other(ENCODING_FIELDS, encoded, alone)
        if other is not None:
            field, at = other
            ours, theirs = getattr(encoded, field), getattr(alone, field)
            detail = f"input {number + 1}, {field}[{at}]: {ours[at : at + 1]!r}, and alone {theirs[at : at + 1]!r}"
            yield Violation(f"other {field} than alone", detail)


Padded = list[tuple[int, Encoded, Encoded]]
"""The number of each encoding, from 1, itself, and the same unpadded."""


def _padded(case: Case) -> Padded:
    """Return the encodings; none where any text is not encoded alone."""
    alone = [case.view.ask(question) for question, _ in case.pairs]
    known = [each for each in alone if isinstance(each, Encoded)]
    if len(known) != len(case.pairs):
        return []
    return [(number, encoded, each) for number, (_, encoded), each in zip(count(1), case.pairs, known, strict=False)]


def _some(padded: Padded) -> Padded:
    """Return what there is. Raises :class:`CannotCheckError` where there is nothing."""
    if not padded:
        raise CannotCheckError(NOT_ALONE)
    return padded


def length(case: Case) -> Iterator[Looked]:
    """Check that a padded encoding is as long as the file says."""
    padded, padding = _some(_padded(case)), case.setting.padding
    declared = None if padding is None else padding.length
    longest = max(len(single.ids) for _, _, single in padded) if declared is None else declared
    for number, encoded, single in padded:
        yield 1
        wanted = max(len(single.ids), longest)
        if len(encoded.ids) != wanted:
            yield Violation("another length than declared", f"input {number}: {len(encoded.ids)} tokens, not {wanted}")


def _split(case: Case, encoded: Encoded, single: Encoded) -> tuple[range, range]:
    """Return where the encoding itself is, and where its padding, by the declared side."""
    whole, size = len(encoded.ids), min(len(single.ids), len(encoded.ids))
    if case.setting.padding is not None and case.setting.padding.direction == "Left":
        return range(whole - size, whole), range(whole - size)
    return range(size), range(size, whole)


def rest(case: Case) -> Iterator[Looked]:
    """Check that an encoding without its padding is what it is unpadded."""
    for number, encoded, single in _some(_padded(case)):
        yield 1
        own = picked(encoded, _split(case, encoded, single)[0])
        other = first_other(LISTS, own, single)
        if other is not None:
            field, at = other
            ours, theirs = getattr(own, field), getattr(single, field)
            detail = f"input {number}, token {at}: {ours[at : at + 1]!r}, and unpadded {theirs[at : at + 1]!r}"
            yield Violation(f"other {field} than unpadded", detail)


def pads(case: Case) -> Iterator[Looked]:
    """Check that padding has what the file declares, and belongs to nothing."""
    pad = case.pad
    wanted = {
        Field.IDS: pad.id,
        Field.TOKENS: pad.token,
        Field.TYPE_IDS: pad.type_id,
        Field.SPECIAL_TOKENS_MASK: 1,
        Field.WORD_IDS: None,
        Field.SEQUENCE_IDS: None,
    }
    padded = [(number, picked(encoded, _split(case, encoded, single)[1])) for number, encoded, single in _padded(case)]
    if not any(padding.ids for _, padding in padded):
        raise CannotCheckError("nothing was padded")
    for number, padding in padded:
        yield len(padding.ids)
        for field, value in wanted.items():
            odd = [each for each in getattr(padding, field) or () if each != value]
            if odd:
                yield Violation(f"{field} of padding", f"input {number}: {odd[0]!r}, not {value!r}")
        spans = [f"{start}..{end}" for start, end in padding.offsets or () if start != end]
        if spans:
            yield Violation("padding with a span", f"input {number}: {spans[0]}")


def attention(case: Case) -> Iterator[Looked]:
    """Check that the attention mask is 0 exactly on the padding."""
    padded = [each for each in _padded(case) if len(each[1].attention_mask or ()) == len(each[1].ids)]
    if not any(encoded.ids for _, encoded, _ in padded):
        raise CannotCheckError(NOT_ALONE)
    for number, encoded, single in padded:
        own, places = _split(case, encoded, single)
        values = encoded.attention_mask or ()
        yield len(values)
        detail = f"input {number}: {values!r}"[:200]
        if any(values[at] for at in places):
            yield Violation("1 on padding", detail)
        if not all(values[at] for at in own):
            yield Violation("0 on a token", detail)
