"""What special tokens say: those of the template and no others, with masks, type ids and sequence ids that fit.

Without special tokens, a pair is its texts one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field
from tokenizer_conformance.research.offsets_audit.case import (
    NOT_ALONE,
    TOKEN_FIELDS,
    CannotCheckError,
    Violation,
    first_difference,
    first_other,
    picked,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenizer_adapters.contract import Encoded
    from tokenizer_conformance.research.offsets_audit.case import Case, Looked, SeenEncoding, TemplatedToken
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

NO_TEMPLATE = "its post-processor is none of which the layout is known"
NOT_LAID_OUT = f"{NOT_ALONE}, or {NO_TEMPLATE}"
OTHER_LENGTH = "the tokens are not those of the texts and of the template"


def _templated(case: Case, why_not: str = NO_TEMPLATE) -> list[TemplatedToken]:
    found = case.templated(case.one[0])
    if found is None:
        raise CannotCheckError(why_not)
    return found


def _of_tokens(case: Case, values: Sequence[object]) -> list[TemplatedToken]:
    """Return the tokens of the template, where there are as many ``values``."""
    found = _templated(case)
    if len(found) != len(values):
        raise CannotCheckError(OTHER_LENGTH)
    return found


def template(case: Case) -> Iterator[Looked]:
    """Check that ids are those of the texts and of the template."""
    ids = case.one[1].ids
    wanted = tuple(each.id for each in _templated(case, NO_TEMPLATE if case.view.rules.layout is None else NOT_ALONE))
    yield len(wanted)
    if ids != wanted:
        at = first_difference(ids, wanted)
        detail = (
            f"at token {at}: {_id(ids, at)}; the template has {_id(wanted, at)} there "
            f"({len(ids)} ids, {len(wanted)} by the template)"
        )
        yield Violation("other ids than texts and template give", detail)


def _id(ids: Sequence[int], at: int) -> str:
    return f"id {ids[at]}" if at < len(ids) else "nothing"


def _others(case: Case, templated: list[TemplatedToken]) -> Iterator[tuple[int, list[int], Encoded, Field, int]]:
    """Yield each text that has other tokens than alone, where these are, itself alone, and the first difference."""
    question, encoded = case.one
    for sequence, alone in enumerate(case.sides(question) or ()):
        places = [at for at, each in enumerate(templated) if each.sequence == sequence]
        other = first_other(TOKEN_FIELDS, picked(encoded, places), alone)
        if other is not None:
            yield sequence, places, alone, *other


def remainder(case: Case) -> Iterator[Looked]:
    """Check that a token is with special tokens around it what it is without."""
    templated = _of_tokens(case, case.one[1].ids)
    yield sum(each.sequence is not None for each in templated)
    for _, places, alone, field, at in _others(case, templated):
        if field is not Field.IDS and at < len(places):
            beside = (*getattr(alone, field)[at : at + 1], "nothing")[0]
            yield Violation(f"other {field} than alone", f"{case.seen[0].shown(places[at])}; {field} alone: {beside!r}")


def pair_parts(case: Case) -> Iterator[Looked]:
    """Check that a pair without special tokens is its texts one after the other."""
    templated, count = _templated(case, NOT_LAID_OUT), len(case.one[1].ids)
    yield len(templated)
    if len(templated) != count:
        detail = f"{count} tokens, and alone {len(templated)}"
        yield Violation("another number of tokens than both texts have", detail)
        return
    for sequence, places, alone, field, at in _others(case, templated):
        shown = case.seen[0].shown(places[at]) if at < len(places) else "nothing"
        detail = f"text {sequence + 1}, token {at}: {shown}, and alone {getattr(alone, field)[at : at + 1]!r}"
        yield Violation(f"other {field} than alone", detail)


def mask(case: Case) -> Iterator[Looked]:
    """Check that the special tokens mask is 1 exactly on what was added."""
    values = case.one[1].special_tokens_mask or ()
    for at, (wanted, value) in enumerate(zip(_of_tokens(case, values), values, strict=True)):
        yield 1
        if (value == 1) != (wanted.sequence is None):
            manner = "0 on an added token" if wanted.sequence is None else "1 on a token of the text"
            yield Violation(manner, f"{case.seen[0].shown(at)} has {value}")


def type_ids(case: Case) -> Iterator[Looked]:
    """Check that type ids are those of the template."""
    question, encoded = case.one
    values = encoded.type_ids or ()
    for at, (wanted, value) in enumerate(zip(_of_tokens(case, values), values, strict=True)):
        yield 1
        if value != wanted.type_id and (question.add_special_tokens or value != wanted.sequence):
            detail = f"{case.seen[0].shown(at)} has {value}, not {wanted.type_id}"
            yield Violation("another type id than the template has", detail)


def sequence_ids(seen: SeenEncoding, _view: TokenizerView) -> Iterator[Looked]:
    """Check that sequence ids are those of the texts, and none on what was added."""
    values, is_pair = seen.encoded.sequence_ids or (), seen.question.pair is not None
    if len(values) != len(seen) or (is_pair and len(seen.sequences) != len(seen)):
        raise CannotCheckError(OTHER_LENGTH)
    if values and is_pair and seen.sequences is values and not seen.encoded.special_tokens_mask:
        raise CannotCheckError("nothing but the sequence ids says which token belongs to which text")
    in_part = " in what was cut off" if seen.part else ""
    for index, value in enumerate(values):
        yield 1
        wanted = None if seen.is_special(index) else seen.sequences[index] if index < len(seen.sequences) else None
        if value != wanted:
            manner = "an added token with a sequence" if wanted is None else "another sequence than that of the token"
            yield Violation(f"{manner}{in_part}", f"{seen.shown(index)} has {value}, not {wanted}")


def attention(seen: SeenEncoding, _view: TokenizerView) -> Iterator[Looked]:
    """Check that the attention mask is 1 on every token."""
    values = seen.encoded.attention_mask or ()
    yield len(values)
    for index, value in enumerate(values[: len(seen)]):
        if value != 1:
            yield Violation("0 where nothing is padded", seen.shown(index))
