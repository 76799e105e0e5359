r"""What ``(?i)`` matches: case folding of Unicode 16.0, with foldings of one character to two or three.

Characters whose foldings are equal match each other, and they match the folding's own characters, each in any case:

>>> folded_text("k") == CharacterSet(from_characters("kK\u212a"))
True

Text is read from the left, in units of the longest folding that starts there, as Oniguruma does
(doc/RE, option ``i``, and observed, tokenizers 0.23.3): in ``(?i)ffi`` there is one unit, so it matches U+FB03 and not
U+FB00 followed by ``i``.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.characters import full_case_folding_16
from tokenizer_reference.text.code_point_sets import (
    Ranges,
    contains,
    from_characters,
    intersection,
    union,
)
from tokenizer_reference.text.oniguruma.syntax_tree import Alternation, CharacterSet, Node, Sequence, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST_FOLDING: Final = 3
_ASCII_LETTERS: Final[Ranges] = ((0x41, 0x5A), (0x61, 0x7A))


@cache
def _characters_by_folding() -> dict[str, str]:
    """Return the characters that fold to a text, by that text; among them the text itself if it is one character."""
    by_folding: dict[str, str] = {}
    for code_point, folding in full_case_folding_16().items():
        by_folding[folding] = by_folding.get(folding, folding if len(folding) == 1 else "") + chr(code_point)
    return by_folding


def _simple(character: str) -> str:
    """Return the folding of ``character`` if it is one character, else ``character`` itself."""
    folding = full_case_folding_16().get(ord(character), character)
    return folding if len(folding) == 1 else character


def _same_simple(character: str) -> str:
    """Return the characters that equal ``character`` without case, one character with one character."""
    return _characters_by_folding().get(_simple(character), character)


def _one_of(characters: str) -> Node:
    return Text(characters) if len(characters) == 1 else CharacterSet(from_characters(characters))


def _in_row(items: Iterable[Node]) -> Node:
    """Return the items, one after the other, neighbouring texts as one text."""
    row: list[Node] = []
    for item in items:
        if row and isinstance(item, Text) and isinstance(row[-1], Text):
            row[-1] = Text(row[-1].characters + item.characters)
        else:
            row.append(item)
    return row[0] if len(row) == 1 else Sequence(tuple(row))


# Text -----------------------------------------------------------------------------------------------------------------


def _unit(text: str, at: int) -> str | None:
    """Return the folding of several characters that the text at ``at`` is a case of, the longest if there are more."""
    for length in range(_LONGEST_FOLDING, 1, -1):
        folded = "".join(map(_simple, text[at : at + length]))
        if len(folded) == length and folded in _characters_by_folding():
            return folded
    return None


def _spelled_out(folding: str) -> Node:
    """Return the characters of ``folding``, each in any case."""
    return _in_row(_one_of(_same_simple(character)) for character in folding)


def _folded_unit(folding: str) -> Node:
    """Return all that equals a folding of several characters: what folds to it, and the folding itself."""
    return Alternation((_one_of(_characters_by_folding()[folding]), _spelled_out(folding)))


def _folded_units(text: str) -> Iterator[Node]:
    at = 0
    while at < len(text):
        folding = _unit(text, at)
        own_folding = full_case_folding_16().get(ord(text[at]), "")
        if folding is not None:
            yield _folded_unit(folding)
        elif len(own_folding) > 1:
            yield _folded_unit(own_folding)
        else:
            yield _one_of(_same_simple(text[at]))
        at += 1 if folding is None else len(folding)


def folded_text(text: str) -> Node:
    """Return what ``text`` matches without case."""
    return _in_row(_folded_units(text)) if text else Text("")


def folded_text_behind(text: str) -> Node:
    """Return what ``text`` matches without case inside a look-behind: there one character stands for one character."""
    return _in_row(_one_of(_same_character(character)) for character in text)


def _same_character(character: str) -> str:
    """Return the characters that equal ``character`` without case.

    Those that fold to the same longer text are among them.
    """
    folding = full_case_folding_16().get(ord(character), character)
    return _characters_by_folding().get(folding, character)


def ascii_folded_text(text: str) -> Node:
    """Return what ``text`` matches if only ASCII letters have cases: option ``I``."""
    return _in_row(_one_of(_same_ascii(character)) for character in text)


def _same_ascii(character: str) -> str:
    return character.lower() + character.upper() if character.isascii() and character.isalpha() else character


# Sets -----------------------------------------------------------------------------------------------------------------


@cache
def _cases() -> tuple[Ranges, ...]:
    """Return the sets of characters that equal each other without case."""
    return tuple(from_characters(same) for same in _characters_by_folding().values() if len(same) > 1)


def _meets(members: Ranges, others: Ranges) -> bool:
    return any(contains(members, code_point) for first, last in others for code_point in range(first, last + 1))


def closed_over_case(members: Ranges) -> Ranges:
    """Return ``members`` and every character that equals one of them without case."""
    return union(members, *(same for same in _cases() if _meets(members, same)))


def closed_over_ascii_case(members: Ranges) -> Ranges:
    """Return ``members`` and the other case of each ASCII letter among them."""
    letters = intersection(members, _ASCII_LETTERS)
    return union(members, *(((first ^ 0x20, last ^ 0x20),) for first, last in letters))


def longer_cases(members: Ranges) -> list[Node]:
    """Return the texts of two or three characters that equal a member without case, the shorter first."""
    found = {
        folding
        for folding, same in _characters_by_folding().items()
        if len(folding) > 1 and _meets(members, from_characters(same))
    }
    return [_spelled_out(folding) for folding in sorted(found, key=lambda folding: (len(folding), folding))]


def folded_set(members: Ranges) -> Node:
    """Return what a set matches without case: a character, or a longer text that a member folds to."""
    closed = CharacterSet(closed_over_case(members))
    longer = longer_cases(members)
    return Alternation((closed, *longer)) if longer else closed
