"""Regular expressions of the standard library over explicit character classes.

The classes come from the generated tables, so a match does not depend on the host's Unicode version. `re` looks up a
character below U+10000 in a bitmap, but passes one by one through the ranges of a class above it; so the same pattern
is compiled for ASCII, for text below U+10000 and for all text, and the narrowest that will do is used.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.code_point_sets import MAX_CODE_POINT, Ranges, character_class, complement, intersection

if TYPE_CHECKING:
    from collections.abc import Callable

_ASCII: Final = 0x7F
BASIC_PLANE: Final = 0xFFFF


def highest_code_point(text: str) -> int:
    """Return a bound on the code points of ``text``: that of ASCII, of the Basic Multilingual Plane, or of Unicode."""
    if text.isascii():
        return _ASCII
    # In UTF-16 only the characters above U+FFFF take two units; encoding is the fastest way to find out.
    return BASIC_PLANE if len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text) else MAX_CODE_POINT


class CharacterPattern:
    r"""A pattern with named classes: ``{name}`` in ``template`` stands for the inside of a character class.

    A class is given by the function that makes its set, which is called when the pattern is first needed. It must have
    a member in ASCII, or be alone in its brackets.

    >>> from tokenizer_reference.text import characters
    >>> number = CharacterPattern("[{numeric}]+", numeric=characters.numeric_17)
    >>> number.spans("a12½")
    [(1, 4)]
    """

    def __init__(self, template: str, **classes: Callable[[], Ranges]) -> None:
        self._template = template
        self._classes = classes
        self._compiled: dict[int, re.Pattern[str]] = {}

    def for_text(self, text: str) -> re.Pattern[str]:
        """Return the compiled pattern, good for ``text`` only."""
        bound = highest_code_point(text)
        known = self._compiled.get(bound)
        if known is None:
            known = self._compiled[bound] = re.compile(self._template.format(**self._written_classes(bound)))
        return known

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the ranges of the matches in ``text``."""
        return [match.span() for match in self.for_text(text).finditer(text)]

    def cut(self, text: str) -> list[str]:
        """Return the matches in ``text``. The pattern has no groups."""
        return self.for_text(text).findall(text)

    def _written_classes(self, bound: int) -> dict[str, str]:
        within: Ranges = ((0, bound),)
        return {name: character_class(intersection(make(), within)) for name, make in self._classes.items()}


_PIECES: Final = {
    "removed": "[{other}]+",
    "isolated": "[{delimiter}]|[{other}]+",
    "contiguous": "[{delimiter}]+|[{other}]+",
    "merged_with_previous": "[{other}]+[{delimiter}]?|[{delimiter}]",
    "merged_with_next": "[{delimiter}]?[{other}]+|[{delimiter}]",
}
"""What a text is cut into at single characters, by split behaviour (see :mod:`.split_behavior`)."""


def pieces_between(delimiters: Callable[[], Ranges], behavior: str) -> CharacterPattern:
    """Return the pattern of the pieces of a text that is split at every character of a set.

    The fast form of finding the delimiters and applying the behaviour.

    >>> pieces_between(lambda: ((0x2D, 0x2D),), "merged_with_next").spans("the-final--countdown")
    [(0, 3), (3, 9), (9, 10), (10, 20)]
    """
    return CharacterPattern(_PIECES[behavior], delimiter=delimiters, other=lambda: complement(delimiters()))


@cache
def pieces_between_char(delimiter: str, behavior: str) -> CharacterPattern:
    """Return the pattern of the pieces of a text that is split at one character; see :func:`pieces_between`."""
    return pieces_between(lambda: ((ord(delimiter), ord(delimiter)),), behavior)
