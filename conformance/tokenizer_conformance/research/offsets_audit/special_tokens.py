"""Invariants of what a post-processor adds: where it stands, what masks, type ids and sequence ids say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Encode, Encoded, Field
from tokenizer_conformance.research.offsets_audit.case import TOKEN_FIELDS, first_other, picked
from tokenizer_conformance.research.offsets_audit.invariant import Checked, Invariant, Topic, Unchecked, Violation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_conformance.research.offsets_audit.case import Case
    from tokenizer_conformance.research.offsets_audit.encoding import SeenEncoding
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

TEMPLATE = Invariant(
    "special.template",
    Topic.SPECIAL,
    "With special tokens, ids are those of the texts without them, with the special tokens that the file's "
    "post-processor puts around and between.",
    frozenset({Field.IDS}),
)
REMAINDER = Invariant(
    "special.remainder",
    Topic.SPECIAL,
    "A token has the same text, span and word id with special tokens around it as without.",
    frozenset({Field.IDS}),
)
MASK = Invariant(
    "special.mask",
    Topic.SPECIAL,
    "The special tokens mask is 1 exactly on what the post-processor or padding has added, and 0 on special tokens "
    "that stand in the text.",
    frozenset({Field.IDS, Field.SPECIAL_TOKENS_MASK}),
)
TYPE_IDS = Invariant(
    "special.type-ids",
    Topic.SPECIAL,
    "Type ids are those of the post-processor's template; without special tokens they are 0 for the first text and 1 "
    "for the second, or those of the template.",
    frozenset({Field.IDS, Field.TYPE_IDS}),
)
SEQUENCE_IDS = Invariant(
    "special.sequence-ids",
    Topic.SPECIAL,
    "Sequence ids are 0 on tokens of the first text, 1 on those of the second, and none on what was added.",
    frozenset({Field.IDS, Field.SEQUENCE_IDS}),
)
ATTENTION = Invariant(
    "special.attention",
    Topic.SPECIAL,
    "Where nothing is padded, the attention mask is 1 on every token.",
    frozenset({Field.IDS, Field.ATTENTION_MASK}),
)

NO_TEMPLATE = Unchecked("its post-processor is none of which the layout is known")
NOT_ENCODED = Unchecked("it does not encode the texts alone")
OTHER_LENGTH = Unchecked("the tokens are not those of the texts and of the template")


def template(case: Case) -> Verdict:
    """Check :data:`TEMPLATE`."""
    question, encoded = case.question, case.answer
    if not isinstance(question, Encode) or not isinstance(encoded, Encoded):
        return NOT_ENCODED
    wanted = case.templated_ids(question)
    if wanted is None:
        return NO_TEMPLATE if case.layout(question) is None else NOT_ENCODED
    if encoded.ids == wanted:
        return Checked(len(wanted))
    at = next(
        (at for at, (one, other) in enumerate(zip(encoded.ids, wanted, strict=False)) if one != other),
        min(len(encoded.ids), len(wanted)),
    )
    detail = (
        f"at token {at}: {_id(encoded.ids, at)}; the template has {_id(wanted, at)} there "
        f"({len(encoded.ids)} ids, {len(wanted)} by the template)"
    )
    return Checked(len(wanted), (Violation("other ids than texts and template give", detail),))


def _id(ids: Sequence[int], at: int) -> str:
    return f"id {ids[at]}" if at < len(ids) else "nothing"


def remainder(case: Case) -> Verdict:
    """Check :data:`REMAINDER`."""
    question, encoded = case.question, case.answer
    if not isinstance(question, Encode) or not isinstance(encoded, Encoded):
        return NOT_ENCODED
    laid_out, sides = case.laid_out(question), case.sides(question)
    if laid_out is None or sides is None:
        return NO_TEMPLATE if laid_out is None else NOT_ENCODED
    if len(laid_out) != len(encoded.ids):
        return OTHER_LENGTH
    wrong, count = [], 0
    for sequence, alone in enumerate(sides):
        places = [at for at, each in enumerate(laid_out) if each == sequence]
        count += len(places)
        other = first_other(TOKEN_FIELDS, picked(encoded, places), alone)
        if other is not None and other[0] is not Field.IDS and other[1] < len(places):
            field, at = other
            values = getattr(alone, field)
            beside = values[at] if at < len(values) else "nothing"
            detail = f"{case.seen[0].shown(places[at])}; {field} alone: {beside!r}"
            wrong.append(Violation(f"other {field} than alone", detail))
    return Checked(count, tuple(wrong))


def mask(case: Case) -> Verdict:
    """Check :data:`MASK`."""
    question, encoded = case.question, case.answer
    if not isinstance(question, Encode) or not isinstance(encoded, Encoded):
        return NOT_ENCODED
    values = encoded.special_tokens_mask or ()
    laid_out = case.laid_out(question)
    if laid_out is None:
        return NO_TEMPLATE
    if len(laid_out) != len(values):
        return OTHER_LENGTH
    wrong = tuple(
        Violation(
            "0 on an added token" if sequence is None else "1 on a token of the text",
            f"{case.seen[0].shown(at)} has {values[at]}",
        )
        for at, sequence in enumerate(laid_out)
        if (values[at] == 1) != (sequence is None)
    )
    return Checked(len(values), wrong)


def type_ids(case: Case) -> Verdict:
    """Check :data:`TYPE_IDS`."""
    question, encoded = case.question, case.answer
    if not isinstance(question, Encode) or not isinstance(encoded, Encoded):
        return NOT_ENCODED
    values, laid_out, parts = encoded.type_ids or (), case.laid_out(question), case.layout(question)
    if laid_out is None or parts is None:
        return NO_TEMPLATE
    if len(laid_out) != len(values):
        return OTHER_LENGTH
    wanted = [
        part.type_id
        for part in parts
        for _ in range(len(part.ids) if part.sequence is None else laid_out.count(part.sequence))
    ]
    wrong = tuple(
        Violation("another type id than the template has", f"{case.seen[0].shown(at)} has {value}, not {wanted[at]}")
        for at, value in enumerate(values)
        if value != wanted[at] and (question.add_special_tokens or value != laid_out[at])
    )
    return Checked(len(values), wrong)


def sequence_ids(seen: SeenEncoding, _view: TokenizerView) -> Verdict:
    """Check :data:`SEQUENCE_IDS`."""
    values = seen.encoded.sequence_ids or ()
    if len(values) != len(seen) or (seen.question.pair is not None and len(seen.sequences) != len(seen)):
        return OTHER_LENGTH
    wrong, count = [], 0
    in_part = " in what was cut off" if seen.part else ""
    for index, value in enumerate(values):
        if seen.question.pair is not None and seen.sequences is values and not seen.encoded.special_tokens_mask:
            return Unchecked("nothing but the sequence ids says which token belongs to which text")
        count += 1
        wanted = None if seen.is_special(index) else seen.sequences[index] if index < len(seen.sequences) else None
        if value != wanted:
            manner = "an added token with a sequence" if wanted is None else "another sequence than that of the token"
            wrong.append(Violation(f"{manner}{in_part}", f"{seen.shown(index)} has {value}, not {wanted}"))
    return Checked(count, tuple(wrong))


def attention(seen: SeenEncoding, _view: TokenizerView) -> Verdict:
    """Check :data:`ATTENTION`."""
    values = seen.encoded.attention_mask or ()
    wrong = tuple(
        Violation("0 where nothing is padded", seen.shown(index))
        for index, value in enumerate(values[: len(seen)])
        if value != 1
    )
    return Checked(len(values), wrong)
