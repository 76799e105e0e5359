"""One token of a piece of text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """A token as a model gives it: ``offsets`` is a half-open range of **UTF-8 bytes** of the piece (as in the target)."""

    id: int
    value: str
    offsets: tuple[int, int]

    def as_tuple(self) -> tuple[int, str, tuple[int, int]]:
        """Return ``(id, value, offsets)``."""
        return self.id, self.value, self.offsets
