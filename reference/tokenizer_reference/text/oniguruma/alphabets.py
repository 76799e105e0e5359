"""Alphabets of texts: what a translated pattern can meet, and how it writes its sets.

`re` looks up the first 65,536 characters of a set in a bitmap, and goes through the ranges beyond one by one, which
takes several times as long. So patterns are compiled for two kinds of texts: of ASCII, and of the basic plane. In a
text with characters beyond, each is replaced by a stand-in, one for all characters that the pattern does not tell
apart. Surrogates are the stand-ins: no text has them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final, Protocol

from tokenizer_reference.text.code_point_sets import (
    Ranges,
    contains,
    difference,
    from_code_points,
    intersection,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

_FIRST_STAND_IN: Final = 0xD800
_NO_CHARACTER: Final = "\udfff"
"""In a pattern, what no text has."""

_MOST_STAND_INS: Final = ord(_NO_CHARACTER) - _FIRST_STAND_IN
_SURROGATES: Final[Ranges] = ((0xD800, 0xDFFF),)
_BASIC_PLANE: Final[Ranges] = ((0, 0xFFFF),)
_BEYOND: Final[Ranges] = ((0x10000, 0x10FFFF),)
_CHARACTER_BEYOND: Final = re.compile("[\U00010000-\U0010ffff]")


class Alphabet(Protocol):
    """The characters that a text can have, and how sets and literals of a pattern are written for such texts."""

    domain: Ranges
    """All that a text can have."""

    def restricted(self, members: Ranges) -> Ranges:
        """Return the characters that stand for ``members`` in a text."""

    def spelled(self, characters: str) -> str:
        """Return what stands for ``characters`` in a text."""


class Ascii:
    """The alphabet of ASCII texts: a set keeps only its ASCII characters."""

    domain: Ranges = ((0, 0x7F),)

    def restricted(self, members: Ranges) -> Ranges:
        """Return the members that are ASCII."""
        return intersection(members, self.domain)

    def spelled(self, characters: str) -> str:
        """Return ``characters``."""
        return characters


class TooManyStandInsError(Exception):
    """A pattern tells apart more kinds of characters beyond the basic plane than there are stand-ins."""


class BasicPlane:
    r"""Texts in which stand-ins have replaced what is beyond the basic plane.

    ``sets`` are all sets that a pattern has, its single characters among them.

    >>> letters = ((0x61, 0x7A), (0x10400, 0x1044F))
    >>> alphabet = BasicPlane([letters])
    >>> alphabet.replaced("a𐐀😀") == "a\ud801\ud800"
    True
    >>> alphabet.restricted(letters)
    ((97, 122), (55297, 55297))

    :raises TooManyStandInsError: the sets tell apart too many kinds of characters.
    """

    domain: Ranges = _BASIC_PLANE

    def __init__(self, sets: Iterable[Ranges]) -> None:
        beyond = {intersection(members, _BEYOND) for members in sets}
        ends = {end for members in beyond for first, last in members for end in (first, last + 1)}
        self._starts = sorted({_BEYOND[0][0], *ends} - {_BEYOND[0][1] + 1})
        kinds: list[list[int]] = [[] for _ in self._starts]
        """Which sets have the characters from each start to the next."""
        for number, members in enumerate(beyond):
            for first, last in members:
                for index in range(bisect_left(self._starts, first), bisect_right(self._starts, last)):
                    kinds[index].append(number)
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(map(tuple, kinds)))}
        if len(numbers) > _MOST_STAND_INS:
            raise TooManyStandInsError
        self._stand_ins = [_FIRST_STAND_IN + numbers[tuple(kind)] for kind in kinds]
        """The stand-in of the characters from each start to the next."""

    def _stand_in(self, code_point: int) -> int:
        return self._stand_ins[bisect_right(self._starts, code_point) - 1]

    def restricted(self, members: Ranges) -> Ranges:
        """Return the members that are in the basic plane, and the stand-ins of those beyond."""
        stand_ins = {
            stand_in for start, stand_in in zip(self._starts, self._stand_ins, strict=True) if contains(members, start)
        }
        return union(difference(intersection(members, self.domain), _SURROGATES), from_code_points(stand_ins))

    def spelled(self, characters: str) -> str:
        """Return ``characters`` with the stand-ins of those beyond the basic plane."""
        without_surrogates = "".join(
            _NO_CHARACTER if contains(_SURROGATES, ord(character)) else character for character in characters
        )
        return self.replaced(without_surrogates)

    def replaced(self, text: str) -> str:
        """Return ``text`` with the stand-ins of the characters beyond the basic plane; as many characters as before."""
        if len(text.encode("utf-16-le", errors="surrogatepass")) == 2 * len(text):
            return text
        return _CHARACTER_BEYOND.sub(lambda found: chr(self._stand_in(ord(found[0]))), text)
