"""What the lists of an encoding say: one length, ids of the vocabulary, one token for an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_adapters.contract import Field
from tokenizer_conformance.escape import quoted
from tokenizer_conformance.research.offsets_audit.case import LISTS, MOST_SHOWN, CannotCheckError, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_conformance.research.offsets_audit.case import Looked, SeenEncoding
    from tokenizer_conformance.research.offsets_audit.tokenizer_view import TokenizerView

MASKS = (Field.ATTENTION_MASK, Field.SPECIAL_TOKENS_MASK)
INDICES = (Field.TYPE_IDS, Field.WORD_IDS, Field.SEQUENCE_IDS)


def one_length(seen: SeenEncoding, _view: TokenizerView) -> Iterator[Looked]:
    """Check that all lists are as long as that of the ids."""
    shown = [field for field in LISTS if field is not Field.IDS and seen.shows(field)]
    if not shown:
        raise CannotCheckError("it shows nothing but ids")
    for field in shown:
        yield 1
        length = len(getattr(seen.encoded, field))
        if length != len(seen):
            detail = f"{seen.where}{length} {field} beside {len(seen)} ids"
            yield Violation(f"{field} has another length", detail)


def in_vocabulary(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that the vocabulary has every id."""
    for index, id in enumerate(seen.encoded.ids):
        yield 1
        if not view.tokens_of(id):
            yield Violation("an id that the vocabulary has not", f"{seen.where}token {index} has the id {id}")


def one_token(seen: SeenEncoding, view: TokenizerView) -> Iterator[Looked]:
    """Check that a token is the one that the vocabulary has for its id."""
    for id, token in zip(seen.encoded.ids, seen.encoded.tokens or (), strict=False):
        known = view.tokens_of(id)
        if not known:
            continue
        yield 1
        if token not in known and not _may_be_text(id, token, view):
            told = ", ".join(map(quoted, sorted(known)))
            detail = f"{seen.where}id {id} is {told}, and the token says {quoted(token[:MOST_SHOWN])}"
            yield Violation("another token than the id has", detail)


def _may_be_text(id: int, token: str, view: TokenizerView) -> bool:
    """Return whether a token may be the text that it stands for, as those of unknown and of added tokens are."""
    rules = view.rules
    if id == rules.unknown_id:
        return not view.has_token(token)
    added = rules.added.get(id)
    if added is None:
        return False
    forms = {added.content, added.content.strip(), view.normalized(added.content) or added.content}
    return token.strip() in {form.strip() for form in forms}


def mask_values(seen: SeenEncoding, _view: TokenizerView) -> Iterator[Looked]:
    """Check that masks are zeros and ones, and that no index is negative."""
    shown = [field for field in (*MASKS, *INDICES) if seen.shows(field)]
    if not shown:
        raise CannotCheckError("it shows no masks and no indices")
    for field in shown:
        yield len(seen)
        values = getattr(seen.encoded, field)
        odd = [value for value in values if value is not None and (value < 0 or (field in MASKS and value > 1))]
        if odd:
            yield Violation(f"{field} out of its range", f"{seen.where}{field} has {odd[0]}")
