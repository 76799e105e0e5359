"""What was seen of one behaviour over all code points, or over all pairs that it was asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokenizer_conformance.research.unicode_audit.code_point_sets import CodePoints

if TYPE_CHECKING:
    from collections.abc import Mapping


NOTHING: Final = CodePoints()


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
    asked: CodePoints


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


def differing(one: Seen, other: Seen) -> CodePoints | tuple[str, ...]:
    """Return the code points, or the texts, that two sightings of one kind tell differently.

    Raises :class:`TypeError` where they are of two kinds.
    """
    match one, other:
        case SetSeen(), SetSeen():
            return one.members ^ other.members
        case MappingSeen(), MappingSeen():
            keys = one.values.keys() | other.values.keys()
            return CodePoints.of(at for at in keys if one.values.get(at) != other.values.get(at))
        case ClassesSeen(), ClassesSeen():
            return classes_differing(one.members, other.members) & one.asked & other.asked
        case TextsSeen(), TextsSeen():
            asked = set(other.asked)
            told = (text for text in one.asked if text in asked)
            return tuple(text for text in told if one.values.get(text, text) != other.values.get(text, text))
    raise TypeError(f"{type(one).__name__} and {type(other).__name__} are of two kinds")


def classes_differing(one: Mapping[str, CodePoints], other: Mapping[str, CodePoints]) -> CodePoints:
    """Return the code points that are in other classes there than here."""
    found = CodePoints()
    for name in one.keys() | other.keys():
        found |= one.get(name, CodePoints()) ^ other.get(name, CodePoints())
    return found
