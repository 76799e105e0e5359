"""What tests of adapters ask and answer in a word, and the types of their fixtures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tokenizer_adapters.contract import Decode, Encode, Encoded, Implementation, TokenizerSource

Document = dict[str, Any]
"""A tokenizer.json, as JSON has it."""

Lay = Callable[[Document], TokenizerSource]
LayPieces = Callable[..., TokenizerSource]
Peer = Callable[[str], Implementation]
Source = Callable[[str], TokenizerSource]
Template = Callable[..., Document]


def plain(text: str | tuple[str, ...]) -> Encode:
    """Ask for the encoding of a text, or of words, without special tokens."""
    return Encode(text, add_special_tokens=False)


def kept(ids: tuple[int, ...]) -> Decode:
    """Ask for the text of ``ids`` with the special tokens among them."""
    return Decode(ids, skip_special_tokens=False)


def encoding(
    ids: tuple[int, ...],
    tokens: tuple[str, ...] | None,
    special: tuple[int, ...],
    *,
    types: tuple[int, ...] | None = None,
    attention: tuple[int, ...] | None = None,
    **others: Any,
) -> Encoded:
    """Return an answer whose type ids are 0 and whose attention is 1 where nothing is said."""
    return Encoded(
        ids=ids,
        tokens=tokens,
        type_ids=types or (0,) * len(ids),
        attention_mask=attention or (1,) * len(ids),
        special_tokens_mask=special,
        **others,
    )
