"""The nodes of the syntax tree of a regular expression, each with what it matches.

The parser makes all of these nodes but ``Nowhere``; ``Call`` and folded ``Text`` are gone after
:mod:`~tokenizer_reference.text.oniguruma.resolution`. Positions are code points of the pattern, for messages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tokenizer_reference.text.code_point_sets import Ranges


@dataclass(frozen=True, slots=True)
class Text:
    """The characters of ``characters``, one after the other.

    With ``fold``, any text that is equal to it without case.
    """

    characters: str
    fold: bool = False


@dataclass(frozen=True, slots=True)
class CharacterSet:
    """One character of the set."""

    members: Ranges


@dataclass(frozen=True, slots=True)
class Sequence:
    """All items, one after the other."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """The first branch with which the whole expression matches."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The body, from ``lower`` to ``upper`` times; ``None`` is without end. ``greedy`` prefers more, else less.

    A round that matches nothing ends the repetition, unless it changes the text of a capture of ``watched``.
    """

    body: Node
    lower: int
    upper: int | None
    greedy: bool = True
    watched: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Atomic:
    """The first match of the body, and no other."""

    body: Node


class Direction(Enum):
    """Where a look-around looks."""

    AHEAD = auto()
    BEHIND = auto()


@dataclass(frozen=True, slots=True)
class Look:
    """A place before or behind which the body matches, or with ``negative`` does not."""

    body: Node
    direction: Direction
    negative: bool
    position: int = -1


class Place(Enum):
    """A kind of place between characters."""

    TEXT_START = auto()
    TEXT_END = auto()
    TEXT_END_OR_LAST_NEWLINE = auto()
    LINE_START = auto()
    LINE_END = auto()
    SEARCH_START = auto()
    GRAPHEME_BOUNDARY = auto()
    NO_GRAPHEME_BOUNDARY = auto()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place of the given kind."""

    place: Place


@dataclass(frozen=True, slots=True)
class WordBoundary:
    """A place with a member of ``word`` on exactly one side; with ``negative``, a place without."""

    word: Ranges
    negative: bool


@dataclass(frozen=True, slots=True)
class Group:
    """The body, on its own: letters inside and outside are not one text.

    ``whole``: has options of the whole pattern.
    """

    body: Node
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Capture:
    """The body, remembered under a number."""

    number: int
    body: Node
    named: bool = False


@dataclass(frozen=True, slots=True)
class Backreference:
    """The text of the first capture of ``numbers`` that took part and whose text is here."""

    numbers: tuple[int, ...]
    fold: bool
    by_name: bool
    position: int


@dataclass(frozen=True, slots=True)
class Captured:
    """A check that one of the captures took part."""

    numbers: tuple[int, ...]
    by_name: bool
    position: int


@dataclass(frozen=True, slots=True)
class Conditional:
    """The first match of ``condition`` and then ``then``; ``otherwise``, where the condition does not match.

    With ``one_sided`` the pattern says nothing of the other case, which then matches as nothing.
    """

    condition: Node
    then: Node
    otherwise: Node
    one_sided: bool = False
    position: int = -1


@dataclass(frozen=True, slots=True)
class Keep:
    r"""A reset of the start of the match to here: ``\K``."""


@dataclass(frozen=True, slots=True)
class Nowhere:
    """No place at all."""


@dataclass(frozen=True, slots=True)
class Call:
    r"""The body of a capture, again: ``\g<…>``."""

    target: int | str
    position: int


Node = (
    Text
    | CharacterSet
    | Sequence
    | Alternation
    | Repeat
    | Atomic
    | Look
    | Anchor
    | WordBoundary
    | Group
    | Capture
    | Backreference
    | Captured
    | Conditional
    | Keep
    | Nowhere
    | Call
)

EMPTY_TEXT: Final = Text("")


# Walking --------------------------------------------------------------------------------------------------------------


def mapped(node: Node, function: Callable[[Node], Node]) -> Node:
    """Return ``node`` with each node directly inside replaced by what ``function`` returns for it."""
    match node:
        case Sequence(items):
            return Sequence(tuple(map(function, items)))
        case Alternation(branches):
            return Alternation(tuple(map(function, branches)))
        case Repeat() | Atomic() | Look() | Group() | Capture():
            return replace(node, body=function(node.body))
        case Conditional(condition, then, otherwise):
            return replace(node, condition=function(condition), then=function(then), otherwise=function(otherwise))
    return node


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly inside."""
    match node:
        case Sequence(items):
            return items
        case Alternation(branches):
            return branches
        case Repeat() | Atomic() | Look() | Group() | Capture():
            return (node.body,)
        case Conditional(condition, then, otherwise):
            return (condition, then, otherwise)
    return ()


def nodes(node: Node) -> Iterator[Node]:
    """Give ``node`` and all nodes inside, in the order of the pattern."""
    yield node
    for child in children(node):
        yield from nodes(child)


# Lengths --------------------------------------------------------------------------------------------------------------

Length = tuple[int, int | None]
"""The fewest and the most characters of a match; ``None`` is without limit."""


def length(node: Node) -> Length:
    """Return how many characters ``node`` can match. A backreference can match any number."""
    match node:
        case Text(characters):
            return len(characters), len(characters)
        case CharacterSet():
            return 1, 1
        case Sequence(items):
            return _together(map(length, items))
        case Alternation(branches):
            return _either(map(length, branches))
        case Repeat(body, lower, upper):
            return _repeated(length(body), lower, upper)
        case Atomic() | Group() | Capture():
            return length(node.body)
        case Conditional(condition, then, otherwise):
            return _either([_together([length(condition), length(then)]), length(otherwise)])
        case Backreference():
            return 0, None
    return 0, 0


def has_one_length(node: Node) -> bool:
    """Return whether all matches of ``node`` have the same number of characters."""
    shortest, longest = length(node)
    return shortest == longest


def _together(lengths: Iterable[Length]) -> Length:
    shortest = 0
    longest: int | None = 0
    for least, most in lengths:
        shortest += least
        longest = None if longest is None or most is None else longest + most
    return shortest, longest


def _either(lengths: Iterable[Length]) -> Length:
    least, most = zip(*lengths, strict=True)
    return min(least), None if None in most else max(most)


def _repeated(once: Length, lower: int, upper: int | None) -> Length:
    least, most = once
    if most == 0 or upper == 0:
        return 0, 0
    return least * lower, None if most is None or upper is None else most * upper
