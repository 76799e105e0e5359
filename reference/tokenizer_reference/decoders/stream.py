"""DecodeStream: text that grows token by token."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Protocol

from tokenizer_reference import arguments
from tokenizer_reference.arguments import boolean, optional, shown_type, unsigned_32
from tokenizer_reference.errors import DecodeStreamError
from tokenizer_reference.uncopyable import Uncopyable

if TYPE_CHECKING:
    from collections.abc import Sequence

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class DecodesIds(Protocol):
    """A tokenizer, as far as decoding goes."""

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """Return the text of ``ids``."""


class DecodeStream(Uncopyable):
    """Decodes ids as they come, and gives for each the text that it adds to what has been given.

    ``ids`` are the tokens before the first: decoded for context, not given out. Nothing is given out while the text
    ends in U+FFFD, since a following token may complete the character. It can be copied, but not pickled.
    """

    __slots__ = ("_ids", "_prefix", "_prefix_size", "_skip_special_tokens")

    def __init__(self, ids: Sequence[int] | None = None, skip_special_tokens: bool | None = False) -> None:
        self._skip_special_tokens = bool(optional(boolean)("skip_special_tokens", skip_special_tokens))
        self._ids = [] if ids is None else list(arguments.ids("ids", ids))
        self._prefix = ""
        self._prefix_size = 0

    def step(self, tokenizer: DecodesIds, id: int | Sequence[int]) -> str | None:
        """Return the text that ``id`` (or several ids) adds, or ``None`` where there is none yet.

        Of the ids so far, only those since the last text that was given out are kept. Raises
        :class:`DecodeStreamError` where their text does not start with what they gave before.
        """
        if not hasattr(tokenizer, "decode"):
            raise TypeError(f"tokenizer: expected a Tokenizer, got {shown_type(tokenizer)}")
        added_ids = ids_of_step(id)
        if self._ids and not self._prefix:
            self._read_context(tokenizer)
        self._ids += added_ids
        text = tokenizer.decode(self._ids, self._skip_special_tokens)
        if len(text.encode()) <= len(self._prefix.encode()) or text.endswith(REPLACEMENT):
            return None
        if not text.startswith(self._prefix):
            raise DecodeStreamError(
                f"Invalid prefix encountered while decoding stream. Token ID: {self._ids[-1]}, "
                f"Expected prefix: '{self._prefix}', Actual string: '{text}'"
            )
        added = text[len(self._prefix) :]
        self._ids = self._ids[self._prefix_size :]
        self._prefix = tokenizer.decode(self._ids, self._skip_special_tokens)
        self._prefix_size = len(self._ids)
        return added

    def _read_context(self, tokenizer: DecodesIds) -> None:
        """Take the ids before the first step as given out, unless they end within a character."""
        text = tokenizer.decode(self._ids, self._skip_special_tokens)
        if not text.endswith(REPLACEMENT):
            self._prefix = text
            self._prefix_size = len(self._ids)

    def __copy__(self) -> DecodeStream:
        stream = DecodeStream(self._ids, self._skip_special_tokens)
        stream._prefix = self._prefix
        stream._prefix_size = self._prefix_size
        return stream

    def __deepcopy__(self, memo: object) -> DecodeStream:
        return copy(self)


def ids_of_step(given: int | Sequence[int]) -> Sequence[int]:
    """Return one id, or several, as a list. Raises :class:`TypeError`, also for numbers out of range (observed)."""
    try:
        return [unsigned_32("id", given)]
    except (OverflowError, TypeError):
        pass
    try:
        return arguments.ids("id", given)
    except (OverflowError, TypeError):
        shown = repr(given) if isinstance(given, int) else shown_type(given)
        raise TypeError(
            f"id: expected a whole number from 0 to {2**32 - 1}, or a sequence of them, got {shown}"
        ) from None
