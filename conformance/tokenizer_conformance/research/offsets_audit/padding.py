"""Invariants of padding: as long as declared, on the declared side, with masks that tell it from all else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import ENCODING_FIELDS, Encode, EncodeBatch, Encoded, EncodedBatch, Field
from tokenizer_conformance.research.offsets_audit.case import first_other, picked
from tokenizer_conformance.research.offsets_audit.invariant import Checked, Invariant, Topic, Unchecked, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.offsets_audit.case import Case
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict

LENGTH = Invariant(
    "padding.length",
    Topic.PADDING,
    "A padded encoding is as long as the file says: a number of tokens, or as many as the longest of its batch has; "
    "one that is longer without padding stays as it is.",
    frozenset({Field.IDS}),
)
REST = Invariant(
    "padding.rest",
    Topic.PADDING,
    "Without the padding, a padded encoding is what it is unpadded, in all lists.",
    frozenset({Field.IDS}),
)
PADS = Invariant(
    "padding.pads",
    Topic.PADDING,
    "What is padded with has the declared id, token and type id, the attention mask 0 and the special tokens mask 1, "
    "an empty span, and belongs to no word and no sequence.",
    frozenset({Field.IDS}),
)
MASK = Invariant(
    "padding.attention",
    Topic.PADDING,
    "The attention mask is 0 exactly on the padding.",
    frozenset({Field.IDS, Field.ATTENTION_MASK}),
)

NOT_ALONE = Unchecked("it does not encode the texts alone")


def _padded(case: Case) -> Iterator[tuple[int, Encoded, Encoded, int]]:
    """Yield the number of each encoding, itself, the same unpadded, and how long it has to be."""
    padding = case.setting.padding
    match case.question, case.answer:
        case Encode() as question, Encoded() as encoded:
            pairs = [(question, encoded)]
        case EncodeBatch(inputs), EncodedBatch(encodings):
            pairs = list(zip(inputs, encodings, strict=False))
        case _:
            pairs = []
    alone = [case.view.ask(question) for question, _ in pairs]
    known = [each for each in alone if isinstance(each, Encoded)]
    if padding is None or len(known) != len(pairs):
        return
    longest = max((len(each.ids) for each in known), default=0)
    for number, ((_, encoded), single) in enumerate(zip(pairs, known, strict=True)):
        yield number, encoded, single, max(len(single.ids), longest if padding.length is None else padding.length)


def length(case: Case) -> Verdict:
    """Check :data:`LENGTH`."""
    found = list(_padded(case))
    wrong = tuple(
        Violation("another length than declared", f"input {number + 1}: {len(encoded.ids)} tokens, not {wanted}")
        for number, encoded, _, wanted in found
        if len(encoded.ids) != wanted
    )
    return Checked(len(found), wrong) if found else NOT_ALONE


def _split(case: Case, encoded: Encoded, single: Encoded) -> tuple[range, range]:
    """Return where the encoding itself is, and where its padding, by the declared side."""
    count, size = len(encoded.ids), min(len(single.ids), len(encoded.ids))
    if case.setting.padding is not None and case.setting.padding.direction == "Left":
        return range(count - size, count), range(count - size)
    return range(size), range(size, count)


def rest(case: Case) -> Verdict:
    """Check :data:`REST`."""
    wrong, count = [], 0
    for number, encoded, single, _ in _padded(case):
        own, _pads = _split(case, encoded, single)
        count += 1
        fields = tuple(field for field in ENCODING_FIELDS if field is not Field.OVERFLOWING)
        other = first_other(fields, picked(encoded, own), single)
        if other is not None:
            field, at = other
            ours, theirs = getattr(picked(encoded, own), field), getattr(single, field)
            detail = f"input {number + 1}, token {at}: {ours[at : at + 1]!r}, and unpadded {theirs[at : at + 1]!r}"
            wrong.append(Violation(f"other {field} than unpadded", detail))
    return Checked(count, tuple(wrong)) if count else NOT_ALONE


def pads(case: Case) -> Verdict:
    """Check :data:`PADS`."""
    pad, wrong, count = case.pad, [], 0
    wanted = {
        Field.IDS: pad.id,
        Field.TOKENS: pad.token,
        Field.TYPE_IDS: pad.type_id,
        Field.SPECIAL_TOKENS_MASK: 1,
        Field.WORD_IDS: None,
        Field.SEQUENCE_IDS: None,
    }
    for number, encoded, single, _ in _padded(case):
        _own, places = _split(case, encoded, single)
        count += len(places)
        padding = picked(encoded, places)
        for field, value in wanted.items():
            values = getattr(padding, field)
            odd = next((each for each in values or () if each != value), value)
            if values is not None and odd != value:
                wrong.append(Violation(f"{field} of padding", f"input {number + 1}: {odd!r}, not {value!r}"))
        for start, end in padding.offsets or ():
            if start != end:
                wrong.append(Violation("padding with a span", f"input {number + 1}: {start}..{end}"))
                break
    return Checked(count, tuple(wrong)) if count else Unchecked("nothing was padded")


def attention(case: Case) -> Verdict:
    """Check :data:`MASK`."""
    wrong, count = [], 0
    for number, encoded, single, _ in _padded(case):
        own, places = _split(case, encoded, single)
        values = encoded.attention_mask or ()
        if len(values) != len(encoded.ids):
            continue
        count += len(values)
        if any(values[at] for at in places):
            wrong.append(Violation("1 on padding", f"input {number + 1}: {values!r}"[:200]))
        if not all(values[at] for at in own):
            wrong.append(Violation("0 on a token", f"input {number + 1}: {values!r}"[:200]))
    return Checked(count, tuple(wrong)) if count else NOT_ALONE
