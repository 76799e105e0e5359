"""Invariants of the lists of an encoding: one length, ids of the vocabulary, one token for an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import ENCODING_FIELDS, Field
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.offsets_audit.encoding import MOST_SHOWN
from tokenizer_conformance.research.offsets_audit.invariant import (
    Checked,
    Invariant,
    Severity,
    Topic,
    Unchecked,
    Violation,
)

if TYPE_CHECKING:
    from tokenizer_conformance.research.offsets_audit.encoding import SeenEncoding
    from tokenizer_conformance.research.offsets_audit.invariant import Verdict
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

ONE_LENGTH = Invariant(
    "lists.one-length",
    Topic.LISTS,
    "All lists of an encoding have as many entries as there are ids.",
    frozenset({Field.IDS}),
)
IN_VOCABULARY = Invariant(
    "ids.in-vocabulary",
    Topic.LISTS,
    "Every id is one of the vocabulary, added tokens included.",
    frozenset({Field.IDS}),
)
ONE_TOKEN = Invariant(
    "ids.one-token",
    Topic.LISTS,
    "A token is the one that the vocabulary has for its id. Of an added token it may be the text that it matched, "
    "with white space; of the unknown token it may be the text that it stands for.",
    frozenset({Field.IDS, Field.TOKENS}),
)
MASK_VALUES = Invariant(
    "masks.values",
    Topic.LISTS,
    "Masks consist of zeros and ones; type ids, word ids and sequence ids are not negative.",
    frozenset({Field.IDS}),
    Severity.ERROR,
)

LISTS = tuple(field for field in ENCODING_FIELDS if field not in (Field.IDS, Field.OVERFLOWING))
INDICES = (Field.TYPE_IDS, Field.WORD_IDS, Field.SEQUENCE_IDS)
MASKS = (Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK)


def one_length(seen: SeenEncoding, _view: TokenizerView) -> Verdict:
    """Check :data:`ONE_LENGTH`."""
    shown = [field for field in LISTS if seen.shows(field)]
    if not shown:
        return Unchecked("it shows nothing but ids")
    count = len(seen)
    found = [(field, len(getattr(seen.encoded, field))) for field in shown]
    wrong = tuple(
        Violation(f"{field} has another length", f"{seen.where}{length} {field} beside {count} ids")
        for field, length in found
        if length != count
    )
    return Checked(len(shown), wrong)


def in_vocabulary(seen: SeenEncoding, view: TokenizerView) -> Verdict:
    """Check :data:`IN_VOCABULARY`."""
    wrong = tuple(
        Violation("an id that the vocabulary has not", f"{seen.where}token {index} has the id {id}")
        for index, id in enumerate(seen.encoded.ids)
        if not view.tokens_of(id)
    )
    return Checked(len(seen), wrong)


def one_token(seen: SeenEncoding, view: TokenizerView) -> Verdict:
    """Check :data:`ONE_TOKEN`."""
    tokens = seen.encoded.tokens or ()
    count, wrong = 0, []
    for id, token in zip(seen.encoded.ids, tokens, strict=False):
        known = view.tokens_of(id)
        if not known:
            continue
        count += 1
        if token not in known and not _may_be_text(id, token, view):
            wrong.append(
                Violation(
                    "another token than the id has",
                    f"{seen.where}id {id} is {', '.join(map(quoted, sorted(known)))}, "
                    f"and the token says {quoted(token[:MOST_SHOWN])}",
                )
            )
    return Checked(count, tuple(wrong))


def _may_be_text(id: int, token: str, view: TokenizerView) -> bool:
    """Return whether a token may be the text that it stands for, as those of unknown and of added tokens are."""
    rules = view.rules
    if id == rules.unknown_id:
        return not any(token in view.tokens_of(other) for other in view.ids_of(token))
    added = rules.added.get(id)
    if added is None:
        return False
    forms = {added.content, added.content.strip(), view.normalized(added.content) or added.content}
    return token.strip() in {form.strip() for form in forms}


def mask_values(seen: SeenEncoding, _view: TokenizerView) -> Verdict:
    """Check :data:`MASK_VALUES`."""
    shown = [field for field in (*MASKS, *INDICES) if seen.shows(field)]
    if not shown:
        return Unchecked("it shows no masks and no indices")
    wrong = []
    for field in shown:
        values = getattr(seen.encoded, field)
        odd = [value for value in values if value is not None and (value < 0 or (field in MASKS and value > 1))]
        if odd:
            wrong.append(Violation(f"{field} out of its range", f"{seen.where}{field} has {odd[0]}"))
    return Checked(len(shown) * len(seen), tuple(wrong))
