"""What was seen of one behaviour over all code points, or over all pairs that it was asked about."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from tokenizer_conformance.research.unicode_audit.code_point_sets import NOTHING, SCALARS, CodePoints, union
from tokenizer_conformance.results.records.unicode_audit import Residual, ResidualExample

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_EXAMPLES: Final = 12

MOST_TEXTS: Final = 1000
"""How many texts of a residual or a difference are written; their number is written always."""


@dataclass(frozen=True, slots=True)
class SetSeen:
    """The characters that are treated so: deleted, split off, joined, whatever the behaviour is about."""

    members: CodePoints


@dataclass(frozen=True, slots=True)
class MappingSeen:
    """What became of the characters that are not left as they are."""

    values: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class ClassesSeen:
    """The characters of each class, by its name; ``asked`` are those whose class could be seen at all."""

    members: Mapping[str, CodePoints]
    asked: CodePoints = SCALARS


@dataclass(frozen=True, slots=True)
class TextsSeen:
    """What became of each text that was ``asked`` about, where it is not left as it is."""

    asked: tuple[str, ...]
    values: Mapping[str, str]


Seen = SetSeen | MappingSeen | ClassesSeen | TextsSeen


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was ``seen``, in which ``way``.

    Over the ``unanswered`` characters there was no answer. Of the ``alone`` characters that were asked about once more,
    alone, the ``contradicted`` ones answered otherwise than among others.
    """

    seen: Seen
    way: str
    unanswered: CodePoints = NOTHING
    contradicted: CodePoints = NOTHING
    alone: int = 0


def size_of(seen: Seen) -> int:
    """Return how many characters or texts are treated so."""
    match seen:
        case SetSeen(members):
            return len(members)
        case ClassesSeen(classes):
            return sum(map(len, classes.values()))
    return len(seen.values)


def written(seen: Seen) -> str:
    """Return all of it in one way of writing."""
    match seen:
        case SetSeen(members):
            return str(members)
        case MappingSeen(values):
            lines = {f"{at:04X}": value for at, value in values.items()}
        case ClassesSeen(classes):
            lines = {name: str(found) for name, found in classes.items() if found}
        case TextsSeen(_, values_of_texts):
            lines = dict(values_of_texts)
    return "\n".join(f"{key} {lines[key]}" for key in sorted(lines))


def value_of(seen: Seen, text: str) -> str:
    """Return what is said of a character or a text."""
    match seen:
        case SetSeen(members):
            return "yes" if ord(text) in members else "no"
        case MappingSeen(values):
            return values.get(ord(text), text)
        case ClassesSeen(classes):
            return " ".join(sorted(name for name, found in classes.items() if ord(text) in found)) or "none"
        case TextsSeen(_, values_of_texts):
            return values_of_texts.get(text, text)


def differing(one: Seen, other: Seen) -> CodePoints | tuple[str, ...]:
    """Return the code points, or the texts that ``one`` was asked about, of which two of one kind tell other things.

    Raises :class:`TypeError` where they are of two kinds.
    """
    match one, other:
        case SetSeen(), SetSeen():
            return one.members ^ other.members
        case MappingSeen(), MappingSeen():
            keys = one.values.keys() | other.values.keys()
            return CodePoints.of(at for at in keys if one.values.get(at) != other.values.get(at))
        case ClassesSeen(), ClassesSeen():
            names = one.members.keys() | other.members.keys()
            moved = (one.members.get(name, NOTHING) ^ other.members.get(name, NOTHING) for name in names)
            return union(moved) & one.asked & other.asked
        case TextsSeen(), TextsSeen():
            return tuple(text for text in one.asked if one.values.get(text) != other.values.get(text))
    raise TypeError(f"{type(one).__name__} and {type(other).__name__} are of two kinds")


def residual_of(seen: Seen, expected: Seen) -> Residual:
    """Return in what ``seen`` differs from what was ``expected``, both of one kind."""
    found = differing(seen, expected)
    points, texts = (found, ()) if isinstance(found, CodePoints) else (NOTHING, found)
    more, fewer = NOTHING, NOTHING
    if isinstance(seen, SetSeen):
        more, fewer, points = points & seen.members, points - seen.members, NOTHING
    return Residual(
        count=len(found),
        more=str(more),
        fewer=str(fewer),
        other=str(points),
        texts=texts[:MOST_TEXTS],
        examples=tuple(
            ResidualExample(text=text, expected=value_of(expected, text), seen=value_of(seen, text))
            for text in islice(texts or map(chr, points), MOST_EXAMPLES)
        ),
    )
