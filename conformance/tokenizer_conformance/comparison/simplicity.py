"""Which of two characters is the simpler one, and which are like one, from coarse to fine.

Texts that show one fault differ in what does not matter. It is replaced by the simplest characters of the coarsest
class that does not matter, so that all of them end in one text. The order begins with the letters a to z; then come
capital letters, digits, the space, other characters of ASCII, and all others by the bytes that they take in UTF-8,
small and capital letters that are not decomposed first, then other letters. Marks, and what nobody sees, stand after
these, and what is assigned to no character stands last.

Categories and decompositions are those of the interpreter. They only say what is tried, never what is right.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

ASCII_RANKS: tuple[tuple[str, str], ...] = (("a", "z"), ("A", "Z"), ("0", "9"), (" ", " "), ("!", "~"))
"""The ranges of the simplest characters, in their order."""

UNIVERSE: tuple[tuple[int, int, int], ...] = (
    (0x0, 0x3100, 1),
    (0x3100, 0xD800, 29),
    (0xE000, 0xF900, 401),
    (0xF900, 0x10000, 1),
    (0x10000, 0x10500, 1),
    (0x10500, 0x20000, 7),
    (0x20000, 0x323B0, 997),
    (0xE0000, 0xE01F0, 16),
    (0xF0000, 0x10FFFE, 20011),
)
"""The code points that stand for all: first, end and step of each range. Where many are alike, a few are enough."""

LARGE_BLOCKS: tuple[tuple[int, int], ...] = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xE000, 0xF8FF),
    (0x20000, 0x3FFFF),
    (0xF0000, 0x10FFFF),
)
"""The first and the last code point of blocks in which all characters are alike."""

SAMPLES = 5
"""How many members of a class have to bear out that the class does not matter, beside the simplest."""


def simplicity(character: str) -> tuple[int, int]:
    """Return the place of ``character`` in the order of simplicity; a simpler one has a smaller place.

    >>> sorted(" é7Zaz", key=simplicity)
    ['a', 'z', 'Z', '7', ' ', 'é']
    """
    number = ord(character)
    for rank, (first, last) in enumerate(ASCII_RANKS):
        if first <= character <= last:
            return rank, number
    category = unicodedata.category(character)
    if category in {"Cn", "Cs", "Co"}:
        return 50, number
    if category[0] in "CZM":
        return 40 + utf8_width(character), number
    kind = 0 if category in {"Lu", "Ll"} and not unicodedata.decomposition(character) else 1 + (category[0] != "L")
    return 10 * utf8_width(character) + kind - 5, number


def utf8_width(character: str) -> int:
    """Return how many bytes ``character`` takes in UTF-8.

    >>> [utf8_width(character) for character in "aé€😀"]
    [1, 2, 3, 4]
    """
    number = ord(character)
    return 1 + (number > 0x7F) + (number > 0x7FF) + (number > 0xFFFF)


# Classes -------------------------------------------------------------------------------------------------------------


def _major(character: str) -> str:
    return unicodedata.category(character)[0]


def _is_seen(character: str) -> bool:
    return _major(character) not in "CZ"


def _decomposition(character: str) -> str:
    """Return how ``character`` is decomposed: not at all, canonically, or in the way that its tag names."""
    mapping = unicodedata.decomposition(character)
    if not mapping:
        return ""
    return mapping.split()[0] if mapping.startswith("<") else f"canonical {len(mapping.split())}"


def _case(character: str) -> tuple[object, ...]:
    """Return what case mappings do to ``character``."""
    lower, upper = character.lower(), character.upper()
    return lower != character, upper != character, len(lower), len(upper)


def _script(character: str) -> str:
    """Return the first word of the name, which is the script of most letters."""
    return unicodedata.name(character, "").partition(" ")[0]


def _block(character: str) -> int:
    """Return where the large block that ``character`` is in begins, else where its 256 code points do."""
    number = ord(character)
    return next((first for first, last in LARGE_BLOCKS if first <= number <= last), number >> 8 << 8)


CLASSES: tuple[Callable[[str], Hashable], ...] = (
    lambda _: "any",
    _is_seen,
    lambda character: _major(character) in "LN",
    str.isascii,
    lambda character: (character.isascii(), _is_seen(character)),
    utf8_width,
    _major,
    str.isspace,
    unicodedata.category,
    _decomposition,
    lambda character: (_major(character), unicodedata.combining(character) > 0),
    lambda character: (character.isascii(), _major(character)),
    lambda character: (utf8_width(character), _major(character)),
    lambda character: (character.isascii(), unicodedata.category(character)),
    lambda character: (utf8_width(character), unicodedata.category(character)),
    lambda character: (_major(character), _decomposition(character)),
    lambda character: (_major(character), unicodedata.combining(character)),
    lambda character: (unicodedata.category(character), _decomposition(character)),
    lambda character: (unicodedata.category(character), unicodedata.east_asian_width(character)),
    lambda character: (unicodedata.category(character), unicodedata.bidirectional(character)),
    _case,
    lambda character: (character.isascii(), unicodedata.category(character), _case(character)),
    lambda character: (_major(character), _script(character)),
    lambda character: (unicodedata.category(character), _script(character)),
    lambda character: (unicodedata.category(character), _script(character), _decomposition(character)),
    lambda character: (_major(character), _block(character)),
)
"""What the members of a class have in common, for each kind of class, coarse ones first."""


@cache
def _universe() -> tuple[str, ...]:
    characters = (chr(number) for first, end, step in UNIVERSE for number in range(first, end, step))
    return tuple(sorted(characters, key=simplicity))


@cache
def _members(kind: int) -> dict[Hashable, tuple[str, ...]]:
    classes: dict[Hashable, list[str]] = {}
    key = CLASSES[kind]
    for character in _universe():
        classes.setdefault(key(character), []).append(character)
    return {common: tuple(members) for common, members in classes.items()}


def characters_like(character: str) -> Iterator[tuple[str, ...]]:
    """Yield the classes that ``character`` is in, coarse ones first; of each its members, the simplest first.

    They only serve to replace it: what a difference is about is told by the classes of `causes.character_classes`.
    """
    if "\ud800" <= character <= "\udfff":
        return
    seen: set[tuple[str, ...]] = set()
    for kind, key in enumerate(CLASSES):
        members = _members(kind).get(key(character), ())
        if len(members) > 1 and members not in seen:
            seen.add(members)
            yield members
