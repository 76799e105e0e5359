"""Remembered: what a function gives for short texts, kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST: Final = 100
"""How long a text may be, in characters, for what is found of it to be remembered."""

_MOST: Final = 100_000
"""Of how many texts that is remembered; all is forgotten when full."""

V = TypeVar("V")


class Remembered(dict[str, V]):
    """What ``find`` gives for a text, found when it is first asked for."""

    def __init__(self, find: Callable[[str], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, text: str) -> V:
        found = self._find(text)
        if len(text) <= _LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[text] = found
        return found
