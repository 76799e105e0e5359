r"""Streams of inference engines, by other rules than :class:`~tokenizer_reference.decoders.stream.DecodeStream`.

What each gives for the tokens ``Hel lo \n wor ld``, and at the end::

    OffsetStream   "Hel"  "lo"  "\n"         " wor"  "ld"
    WordStream     None   None  "Hello\n"    None    None   "world"

None of them looks whether the text of more ids begins with the text of fewer, so each can lose text or give it twice
where a decoder does not keep to that. Both take ``step(tokenizer, ids)`` as ``DecodeStream`` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_reference import arguments
from tokenizer_reference.decoders.stream import REPLACEMENT, ids_of_step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenizer_reference.decoders.stream import DecodesIds

CONTEXT = 5
"""How many ids of a prompt are decoded again with the first ones that come after it."""

IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)
"""Blocks whose characters no space need follow: a text that ends in one is given out whole."""


class OffsetStream:
    """The classical rule: two offsets into the ids, of which the text between them was given out.

    ::

        ids        0 … prefix … read … end
        given               ~~~~~~          decoded for context
        text                ~~~~~~~~~~~~~   what is longer than ``given`` is new

    Nothing is given out while ``text`` ends in U+FFFD, since a following id may complete the character. Else both
    offsets move on: what was new becomes the context of what comes.
    """

    def __init__(self, ids: Sequence[int] | None = None, skip_special_tokens: bool = False) -> None:
        self._skip_special_tokens = skip_special_tokens
        self._ids = [] if ids is None else list(arguments.ids("ids", ids))
        self._read = len(self._ids)
        self._prefix = max(self._read - CONTEXT, 0)

    def step(self, tokenizer: DecodesIds, id: int | Sequence[int]) -> str | None:
        """Return the text that ``id`` (or several ids) adds, or ``None`` where there is none yet."""
        self._ids += ids_of_step(id)
        given = tokenizer.decode(self._ids[self._prefix : self._read], self._skip_special_tokens)
        text = tokenizer.decode(self._ids[self._prefix :], self._skip_special_tokens)
        if len(text) <= len(given) or text.endswith(REPLACEMENT):
            return None
        self._prefix, self._read = self._read, len(self._ids)
        return text[len(given) :]


class WordStream:
    """The rule of ``transformers``' streamers: whole words, lines, and ideographs (observed, 4.57 and 5.23).

    Of the text of all ids since the last line, it gives out what it has not given: after a newline all, and the ids are
    forgotten; after an ideograph all; else what stands before the last space, that included. ``end`` gives the rest.
    The ids of a prompt are no context: the text begins with the first id that is not of it.
    """

    def __init__(self, ids: Sequence[int] | None = None, skip_special_tokens: bool = False) -> None:
        self._skip_special_tokens = skip_special_tokens
        if ids is not None:
            arguments.ids("ids", ids)
        self._ids: list[int] = []
        self._given = 0

    def step(self, tokenizer: DecodesIds, id: int | Sequence[int]) -> str | None:
        """Return the text that ``id`` (or several ids) adds, or ``None`` where there is none yet."""
        self._ids += ids_of_step(id)
        text = tokenizer.decode(self._ids, self._skip_special_tokens)
        if text.endswith("\n"):
            return self._rest(text)
        end = len(text) if text and _is_ideograph(text[-1]) else text.rfind(" ") + 1
        added = text[self._given : end]
        self._given += len(added)
        return added or None

    def end(self, tokenizer: DecodesIds) -> str | None:
        """Return what was held back."""
        return self._rest(tokenizer.decode(self._ids, self._skip_special_tokens)) if self._ids else None

    def _rest(self, text: str) -> str | None:
        """Return what of ``text`` was not given out; what comes is decoded without what came."""
        added = text[self._given :]
        self._ids, self._given = [], 0
        return added or None


def _is_ideograph(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in IDEOGRAPHS)
