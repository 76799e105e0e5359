"""Token: one token of a piece of text, with its id and its offsets."""

from __future__ import annotations

from tokenizer_reference.arguments import string, unsigned_32, unsigned_64
from tokenizer_reference.uncopyable import Uncopyable


class Token(Uncopyable):
    """A token as a model gives it: ``offsets`` is a half-open range of **UTF-8 bytes** of the piece (as in the target).

    Its attributes cannot be set, and it is equal only to itself.
    """

    __slots__ = ("_id", "_offsets", "_value")

    def __init__(self, id: int, value: str, offsets: tuple[int, int]) -> None:
        self._id = unsigned_32("id", id)
        self._value = string("value", value)
        if not isinstance(offsets, tuple):
            raise TypeError(f"offsets: expected a tuple of start and end, got {type(offsets).__name__!r} object")
        if len(offsets) != 2:
            raise ValueError(f"offsets: expected a tuple of length 2, but got a tuple of length {len(offsets)}")
        start, end = offsets
        self._offsets = unsigned_64("offsets[0]", start), unsigned_64("offsets[1]", end)

    @property
    def id(self) -> int:
        """The id of the token."""
        return self._id

    @property
    def value(self) -> str:
        """The text of the token, as the vocabulary writes it."""
        return self._value

    @property
    def offsets(self) -> tuple[int, int]:
        """The UTF-8 bytes of the piece that the token stands for, end exclusive."""
        return self._offsets

    def as_tuple(self) -> tuple[int, str, tuple[int, int]]:
        """Return ``(id, value, offsets)``."""
        return self._id, self._value, self._offsets

    def __repr__(self) -> str:
        return f"Token(id={self._id!r}, value={self._value!r}, offsets={self._offsets!r})"
