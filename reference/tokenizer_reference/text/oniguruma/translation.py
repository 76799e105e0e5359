r"""From a tree to patterns of the standard library's `re`, which is some hundred times as fast as the `matcher`.

Both engines are backtracking ones: they try alternatives in order, greedy repeats from the most, lazy ones from the
least. Where that is the whole story, the translation is exact; every set is written out in code points, so none of
`re`'s own classes is used. What is not translated, because `re` has nothing equal:

=================================================  ================================================================
backreferences (but for sure ones in texts of the  an unset or open capture; case folding of several characters
basic plane), checks of captures
``\K``, ``\G``, ``\X``, ``\y``, ``\Y``             `re` has none of them
look-behind of varying length                      `re` needs one length
a repeat with bounds whose body can be empty       where an empty round ends it differs
=================================================  ================================================================

Sets are written for the text at hand: see :mod:`~tokenizer_reference.text.oniguruma.alphabets`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.code_point_sets import Ranges, character_class, difference, from_characters
from tokenizer_reference.text.oniguruma.syntax_tree import (
    Alternation,
    Anchor,
    Atomic,
    Backreference,
    Capture,
    Captured,
    CharacterSet,
    Conditional,
    Direction,
    Group,
    Keep,
    Look,
    Node,
    Nowhere,
    Place,
    Repeat,
    Sequence,
    Text,
    WordBoundary,
    has_one_length,
    length,
    nodes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenizer_reference.text.oniguruma.alphabets import Alphabet

_PLACES: Final = {
    Place.TEXT_START: r"\A",
    Place.TEXT_END: r"\Z",
    Place.TEXT_END_OR_LAST_NEWLINE: "$",
    Place.LINE_START: r"(?:\A|(?<=\n)(?!\Z))",
    Place.LINE_END: "(?m:$)",
}
"""A line starts after a newline, but not at the end of the text."""


# What can be translated -----------------------------------------------------------------------------------------------


def is_translatable(tree: Node) -> bool:
    """Return whether `re` can match ``tree`` in the same way."""
    return all(map(_is_translatable, nodes(tree)))


def is_translatable_for_basic_plane(tree: Node) -> bool:
    r"""Return whether `re` can match ``tree`` in the same way in texts of the basic plane.

    It also can where the captures that are referred to have all matched once by then: ``(a)\1``, not ``(?:(a)|\1)+``.
    (Not beyond the basic plane, where characters that the pattern does not tell apart have one stand-in.)
    """
    others = [node for node in nodes(tree) if not isinstance(node, Backreference)]
    numbers = [node.number for node in others if isinstance(node, Capture)]
    is_each_once = len(set(numbers)) == len(numbers)
    return is_each_once and all(map(_is_translatable, others)) and _sure(tree, frozenset()) is not None


def _sure(node: Node, sure: frozenset[int]) -> frozenset[int] | None:
    """Return the captures that have matched, once, after ``node`` where those of ``sure`` have before.

    ``None`` if it refers to others.
    """
    match node:
        case Backreference(numbers, fold):
            return sure if not fold and len(numbers) == 1 and sure.issuperset(numbers) else None
        case Sequence(items):
            for item in items:
                after = _sure(item, sure)
                if after is None:
                    return None
                sure = after
            return sure
        case Capture(number, body):
            inside = _sure(body, sure)
            return None if inside is None else inside | {number}
        case Group(body):
            return _sure(body, sure)
        case Alternation(branches):
            return None if any(_sure(branch, sure) is None for branch in branches) else sure
    references = (inner for inner in nodes(node) if isinstance(inner, Backreference))
    return sure if all(_sure(reference, sure) is not None for reference in references) else None


def _is_translatable(node: Node) -> bool:
    match node:
        case Backreference() | Captured() | Keep():
            return False
        case Anchor(place):
            return place in _PLACES
        case Look(direction=Direction.BEHIND):
            return has_one_length(node.body)
        case Repeat(body, lower, upper):
            return length(body)[0] > 0 or upper == 1 or (upper is None and lower <= 1)
    return True


# Translation ----------------------------------------------------------------------------------------------------------


def sets(tree: Node) -> Iterator[Ranges]:
    """Give the sets in ``tree``, its single characters among them."""
    for node in nodes(tree):
        match node:
            case CharacterSet(members) | WordBoundary(members):
                yield members
            case Text(characters):
                yield from map(from_characters, characters)


def translated(tree: Node, alphabet: Alphabet) -> str:
    r"""Return the pattern of `re` that matches as ``tree`` does in texts of the alphabet.

    >>> from tokenizer_reference.text.oniguruma.alphabets import Ascii
    >>> translated(Repeat(CharacterSet(((0x30, 0x39), (0x660, 0x669))), 1, None), Ascii())
    '[\\x30-\\x39]+'
    """
    return _Translation(alphabet, _referred(tree)).of(tree)


def _referred(tree: Node) -> frozenset[int]:
    return frozenset(number for node in nodes(tree) if isinstance(node, Backreference) for number in node.numbers)


class _Translation:
    """Writes each node of a tree as a pattern of `re`, for the texts of one alphabet."""

    def __init__(self, alphabet: Alphabet, referred: frozenset[int]) -> None:
        self._alphabet = alphabet
        self._referred = referred

    def of(self, node: Node) -> str:  # noqa: C901 - one case for each kind of node
        """Return the pattern for ``node``. Alternatives are not yet grouped."""
        match node:
            case Text(characters):
                return re.escape(self._alphabet.spelled(characters))
            case CharacterSet(members):
                return self._set(members)
            case Sequence(items):
                return "".join(
                    f"(?:{self.of(item)})" if isinstance(item, Alternation) else self.of(item) for item in items
                )
            case Alternation(branches):
                return "|".join(map(self.of, branches))
            case Repeat():
                return self._one(node.body) + _quantifier(node)
            case Atomic(Repeat(CharacterSet(), greedy=True) as repeat):
                return self.of(repeat) + "+"
            case Atomic(body):
                return f"(?>{self.of(body)})"
            case Capture(number, body) if number in self._referred:
                return f"(?P<_{number}>{self.of(body)})"
            case Capture(body=body) | Group(body):
                return f"(?:{self.of(body)})"
            case Backreference((number,)):
                return f"(?P=_{number})"
            case Conditional(condition, Text(""), CharacterSet() as otherwise):
                return f"(?>{self.of(condition)}|{self.of(otherwise)})"
            case Conditional(condition, then, otherwise):
                chosen, refused = self.of(condition), self.of(otherwise)
                return f"(?:(?>{chosen})(?:{self.of(then)})|(?!{chosen})(?:{refused}))"
            case Anchor(place):
                return _PLACES[place]
            case Nowhere():
                return "(?!)"
            case WordBoundary(word, negative):
                return self._word_boundary(word, negative=negative)
            case Look():
                return self._look(node)
        raise TypeError(f"not translatable: {node}")

    def _one(self, node: Node) -> str:
        """Return the pattern for ``node`` as one thing that a quantifier can follow."""
        is_one = isinstance(node, CharacterSet | Capture | Group) or (
            isinstance(node, Text) and len(node.characters) == 1
        )
        return self.of(node) if is_one else f"(?:{self.of(node)})"

    def _set(self, members: Ranges) -> str:
        """Return a class, the shorter of what is in the set and what is not."""
        inside = self._alphabet.restricted(members)
        outside = difference(self._alphabet.domain, inside)
        if inside and len(outside) < len(inside):
            return f"[^{character_class(outside)}]" if outside else r"[\x00-\U0010ffff]"
        return f"[{character_class(inside)}]"

    def _word_boundary(self, word: Ranges, *, negative: bool) -> str:
        inside = self._set(word)
        before, after, not_before, not_after = f"(?<={inside})", f"(?={inside})", f"(?<!{inside})", f"(?!{inside})"
        if negative:
            return f"(?:{before}{after}|{not_before}{not_after})"
        return f"(?:{before}{not_after}|{not_before}{after})"

    def _look(self, look: Look) -> str:
        sign = "!" if look.negative else "="
        return f"(?{'<' if look.direction is Direction.BEHIND else ''}{sign}{self.of(look.body)})"


_SIGNS: Final = {(0, 1): "?", (0, None): "*", (1, None): "+"}


def _quantifier(repeat: Repeat) -> str:
    lower, upper = repeat.lower, repeat.upper
    bounds = f"{{{lower}}}" if lower == upper else f"{{{lower},{'' if upper is None else upper}}}"
    return _SIGNS.get((lower, upper), bounds) + ("" if repeat.greedy else "?")
