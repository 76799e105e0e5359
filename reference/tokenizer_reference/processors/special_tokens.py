"""Special tokens in fixed places, as BERT and RoBERTa have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenizer_reference.arguments import string, unsigned_32
from tokenizer_reference.values.encoding import Encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.json_text.value import JsonValue

SpecialToken = tuple[str, int]
"""The text of a token, and its id."""


def special_token(name: str, value: Any) -> SpecialToken:
    """Return a tuple of text and id.

    Raises :class:`TypeError`, :class:`ValueError` for a tuple of another length, and :class:`OverflowError` for an id
    of more than 32 bits.
    """
    if not isinstance(value, tuple):
        raise TypeError(f"{name}: expected a tuple of token and id, such as ('[CLS]', 101), got {value!r}")
    if len(value) != 2:
        raise ValueError(f"{name}: expected a tuple of length 2, but got a tuple of length {len(value)}")
    token, id = value
    return string(f"{name}[0]", token), unsigned_32(f"{name}[1]", id)


def special_token_from_json(value: JsonValue) -> SpecialToken:
    """Read ``["[CLS]", 101]``."""
    token, id_ = value.items(2)
    return token.string(), id_.token_id()


def surround(
    encoding: Encoding, before: Sequence[SpecialToken], after: Sequence[SpecialToken], *, type_id: int, sequence: int
) -> Encoding:
    """Return ``encoding`` between special tokens of type ``type_id``; the range of ``sequence`` leaves them out.

    The same is done to overflow, while overflow of overflow is lost. Attention becomes 1 and the special mask 0 for all
    the tokens that were there (observed, tokenizers 0.23.3).
    """
    surrounded = _surround(encoding, before, after, type_id, sequence)
    surrounded._overflowing = [_surround(part, before, after, type_id, sequence) for part in encoding._overflowing]
    return surrounded


def _surround(
    encoding: Encoding, before: Sequence[SpecialToken], after: Sequence[SpecialToken], type_id: int, sequence: int
) -> Encoding:
    size, left, right = len(encoding), len(before), len(after)
    return Encoding._of(
        ids=[*(id_ for _, id_ in before), *encoding._ids, *(id_ for _, id_ in after)],
        type_ids=[type_id] * left + encoding._type_ids + [type_id] * right,
        tokens=[*(token for token, _ in before), *encoding._tokens, *(token for token, _ in after)],
        words=[None] * left + encoding._words + [None] * right,
        offsets=[(0, 0)] * left + encoding._offsets + [(0, 0)] * right,
        special_tokens_mask=[1] * left + [0] * size + [1] * right,
        sequence_ranges={sequence: (left, left + size)},
    )
