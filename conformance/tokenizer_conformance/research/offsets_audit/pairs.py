"""Invariants of several texts: a pair is its texts one after the other, and a batch is what each of its texts is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tokenizer_adapters.contract import ENCODING_FIELDS, Encode, EncodeBatch, Encoded, EncodedBatch, Field
from tokenizer_conformance.research.offsets_audit.case import TOKEN_FIELDS, first_other, picked
from tokenizer_conformance.research.offsets_audit.invariant import Checked, Invariant, Topic, Unchecked, Violation

if TYPE_CHECKING:
    from tokenizer_conformance.research.offsets_audit.case import Case
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict

PARTS = Invariant(
    "pairs.parts",
    Topic.PAIRS,
    "Without special tokens, a pair is its texts one after the other, in the order of the post-processor's template, "
    "each with the tokens, spans and word ids that it has alone.",
    frozenset({Field.IDS}),
)
BATCH = Invariant(
    "batches.single",
    Topic.PAIRS,
    "Each encoding of a batch is what its input gives alone, in all lists, where nothing is padded.",
    frozenset({Field.IDS}),
)

NOT_LAID_OUT = Unchecked(
    "it does not encode the texts alone, or its post-processor is none of which the layout is known"
)
NOT_ALONE = Unchecked("it does not encode the texts alone")


def parts(case: Case) -> Verdict:
    """Check :data:`PARTS`."""
    question, encoded = case.question, case.answer
    if not isinstance(question, Encode) or not isinstance(encoded, Encoded):
        return NOT_LAID_OUT
    laid_out, sides = case.laid_out(question), case.sides(question)
    if laid_out is None or sides is None:
        return NOT_LAID_OUT
    if len(laid_out) != len(encoded.ids):
        detail = f"{len(encoded.ids)} tokens, and alone {len(laid_out)}"
        return Checked(len(laid_out), (Violation("another number of tokens than both texts have", detail),))
    wrong = []
    for sequence, alone in enumerate(sides):
        places = [at for at, each in enumerate(laid_out) if each == sequence]
        other = first_other(TOKEN_FIELDS, picked(encoded, places), alone)
        if other is not None:
            field, at = other
            shown = case.seen[0].shown(places[at]) if at < len(places) else "nothing"
            detail = f"text {sequence + 1}, token {at}: {shown}, and alone {getattr(alone, field)[at : at + 1]!r}"
            wrong.append(Violation(f"other {field} than alone", detail))
    return Checked(len(laid_out), tuple(wrong))


def batch(case: Case) -> Verdict:
    """Check :data:`BATCH`."""
    question, answer = case.question, case.answer
    if not isinstance(question, EncodeBatch) or not isinstance(answer, EncodedBatch):
        return NOT_ALONE
    if len(answer.encodings) != len(question.inputs):
        detail = f"{len(answer.encodings)} encodings of {len(question.inputs)} inputs"
        return Checked(1, (Violation("another number of encodings", detail),))
    wrong, count = [], 0
    for number, (each, encoded) in enumerate(zip(question.inputs, answer.encodings, strict=True)):
        alone = case.view.ask(each)
        if not isinstance(alone, Encoded):
            continue
        count += 1
        other = first_other(ENCODING_FIELDS, replace(encoded), alone)
        if other is not None:
            field, at = other
            ours, theirs = getattr(encoded, field), getattr(alone, field)
            detail = f"input {number + 1}, {field}[{at}]: {ours[at : at + 1]!r}, and alone {theirs[at : at + 1]!r}"
            wrong.append(Violation(f"other {field} than alone", detail))
    return Checked(count, tuple(wrong)) if count else NOT_ALONE
