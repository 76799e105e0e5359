"""A reader of regexes as tokenizer files have them (Oniguruma's), which tells what could match, not what does.

Texts that match nearly are as good as those that match: so a reader of the parts is enough. What it does not know it
refuses with :class:`UnknownRegexError`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.code_points import (
    EVERYTHING,
    LAST,
    SURROGATES,
    WHITE_SPACE,
    Ranges,
    complement,
    intersection,
    named,
    union,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 40
"""Groups and classes inside each other; published patterns have five."""

MOST_TIMES = 1000
"""A repeat count beyond this is taken for this."""


class UnknownRegexError(ValueError):
    """A regex that this reader does not understand."""


@dataclass(frozen=True, slots=True)
class Literal:
    """One character; ``any_case`` where capitals count as small letters."""

    character: str
    any_case: bool = False


@dataclass(frozen=True, slots=True)
class Characters:
    """One character out of ``ranges``."""

    ranges: Ranges


@dataclass(frozen=True, slots=True)
class Sequence:
    """``parts`` one after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """One of ``branches``."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """``part`` from ``least`` to ``most`` times; ``None``: without end."""

    part: Node
    least: int
    most: int | None


Node = Literal | Characters | Sequence | Alternation | Repeat

NOTHING = Sequence(())


def read_regex(pattern: str) -> Node:
    """Return ``pattern`` in parts; what is looked at ahead or behind stands where it is looked for.

    Raises :class:`UnknownRegexError`.
    """
    reader = _Reader(pattern)
    node = reader.alternation(any_case=False)
    if not reader.at_end():
        raise UnknownRegexError(f"a group ends at character {reader.position} that did not begin")
    return node


def literal(text: str) -> Node:
    """Return ``text`` as it stands."""
    return Sequence(tuple(map(Literal, text)))


def classes_of(node: Node) -> Iterator[Ranges]:
    """Yield the sets of characters that stand in ``node``."""
    match node:
        case Characters(ranges):
            yield ranges
        case Sequence(parts) | Alternation(parts):
            for part in parts:
                yield from classes_of(part)
        case Repeat(part):
            yield from classes_of(part)
        case Literal(character):
            yield ((ord(character), ord(character)),)


_CLASS_ESCAPES: dict[str, Ranges] = {
    "h": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
    "s": WHITE_SPACE,
}

_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b", "0": "\0"}

_NO_WIDTH = frozenset("bBAzZGKyY")
"""Escapes that stand for a place, not for a character."""

_QUANTIFIER = re.compile(r"\{(\d*)(,?)(\d*)\}")
_GROUP = re.compile(r"\?(?:<?[=!]|:|>|<\w+>|P<\w+>|'\w+'|([imsx-]*)(:|\)))")
_NAMED_CLASS = re.compile(r"\[:(\^?)(\w+):\]")
_PROPERTY = re.compile(r"\{(\^?)([^{}]+)\}|(\w)")
_NUMBER = re.compile(r"\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{1,2})")
_NUMBER_OF_FOUR = re.compile(r"([0-9A-Fa-f]{4})")
_REFERENCE = re.compile(r"[1-9]\d*|k<\w+>|k'\w+'|g<\w+>")


class _Reader:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self.position = 0
        self._depth = 0

    def at_end(self) -> bool:
        return self.position >= len(self._pattern)

    def alternation(self, *, any_case: bool) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnknownRegexError("its groups stand too deep in each other")
        branches = [self._sequence(any_case=any_case)]
        while self._takes("|"):
            branches.append(self._sequence(any_case=any_case))
        self._depth -= 1
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches))

    def _sequence(self, *, any_case: bool) -> Node:
        parts: list[Node] = []
        while not self.at_end() and self._next() not in "|)":
            part = self._atom(any_case=any_case)
            if part is None:
                any_case = True
            else:
                parts.append(self._quantified(part))
        return Sequence(tuple(parts))

    def _atom(self, *, any_case: bool) -> Node | None:
        """Return the next part; ``None`` where it says that from here on capitals count as small letters."""
        character = self._take()
        match character:
            case "(":
                return self._group(any_case=any_case)
            case "[":
                return Characters(self._set())
            case ".":
                return Characters(complement(((0x0A, 0x0A),)))
            case "^" | "$":
                return NOTHING
            case "\\":
                return self._escape(any_case=any_case)
            case _:
                return Literal(character, any_case)

    def _group(self, *, any_case: bool) -> Node | None:
        if self._pattern.startswith("?#", self.position):
            self.position = self._pattern.find(")", self.position) + 1 or len(self._pattern)
            return NOTHING
        if self._next_is("?"):
            start = self._match(_GROUP)
            if start[1] is not None:
                switched = start[1].partition("-")
                any_case = "i" in switched[0] or (any_case and "i" not in switched[2])
                if start[2] == ")":
                    return None if any_case else NOTHING
        node = self.alternation(any_case=any_case)
        self._expect(")")
        return node

    def _quantified(self, part: Node) -> Node:
        while not self.at_end():
            counts = self._counts()
            if counts is None:
                return part
            # Lazy or possessive: that changes what is taken, not what could be.
            _ = self._takes("?") or self._takes("+")
            part = Repeat(part, *counts)
        return part

    def _counts(self) -> tuple[int, int | None] | None:
        for character, counts in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._takes(character):
                return counts
        found = _QUANTIFIER.match(self._pattern, self.position)
        if found is None or not (found[1] or found[3]):
            return None
        self.position = found.end()
        least = min(int(found[1] or 0), MOST_TIMES)
        if not found[2]:
            return least, least
        return least, min(int(found[3]), MOST_TIMES) if found[3] else None

    def _escape(self, *, any_case: bool) -> Node:
        reference = _REFERENCE.match(self._pattern, self.position)
        if reference is not None:
            self.position = reference.end()
            return NOTHING
        if self._next() in _NO_WIDTH:
            self.position += 1
            return NOTHING
        if self._takes("R"):
            return Alternation((literal("\r\n"), Characters(((0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029)))))
        if self._takes("X") or self._takes("O"):
            return Characters(EVERYTHING)
        if self._takes("N"):
            return Characters(complement(((0x0A, 0x0A),)))
        ranges = self._escaped()
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return Literal(chr(ranges[0][0]), any_case)
        return Characters(ranges)

    def _escaped(self) -> Ranges:
        """Return what an escape stands for inside and outside of a class."""
        character = self._take()
        if character in "pP":
            found = self._match(_PROPERTY)
            ranges = named(found[2] or found[3])
            if ranges is None:
                raise UnknownRegexError(f"the property {found[0]} is not known")
            return complement(ranges) if (character == "P") != bool(found[1]) else ranges
        lower = character.lower()
        if lower in "dswh":
            ranges = _CLASS_ESCAPES.get(lower) or named({"d": "Nd", "w": "word"}[lower]) or ()
            return ranges if character == lower else complement(ranges)
        if character in "xu":
            found = self._match(_NUMBER if character == "x" else _NUMBER_OF_FOUR)
            return self._one(int(next(group for group in found.groups() if group), 16))
        return self._one(ord(_CONTROLS.get(character, character)))

    def _one(self, number: int) -> Ranges:
        if number > LAST or SURROGATES[0] <= number <= SURROGATES[1]:
            raise UnknownRegexError(f"{number:X} is no character")
        return ((number, number),)

    def _set(self) -> Ranges:
        """Return what the class holds that began just now."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise UnknownRegexError("its classes stand too deep in each other")
        negated = self._takes("^")
        both: Ranges = EVERYTHING
        members: list[Ranges] = []
        is_first = True
        while is_first or not self._next_is("]"):
            if self._pattern.startswith("&&", self.position):
                self.position += 2
                both, members = intersection(both, union(*members)), []
            else:
                members.append(self._member())
            is_first = False
        self.position += 1
        self._depth -= 1
        ranges = intersection(both, union(*members))
        return complement(ranges) if negated else ranges

    def _member(self) -> Ranges:
        found = _NAMED_CLASS.match(self._pattern, self.position)
        if found is not None:
            self.position = found.end()
            ranges = named(found[2])
            if ranges is None:
                raise UnknownRegexError(f"the class {found[0]} is not known")
            return complement(ranges) if found[1] else ranges
        if self._takes("["):
            return self._set()
        first = self._one_member()
        is_range = self._next_is("-") and not self._pattern.startswith("-]", self.position)
        if not is_range or first[0][0] != first[-1][1]:
            return first
        self.position += 1
        last = self._one_member()
        if last[0][1] < first[0][0]:
            raise UnknownRegexError("a range of characters ends before it begins")
        return ((first[0][0], last[-1][1]),)

    def _one_member(self) -> Ranges:
        return self._escaped() if self._takes("\\") else self._one(ord(self._take()))

    def _next(self) -> str:
        if self.at_end():
            raise UnknownRegexError("it ends too early")
        return self._pattern[self.position]

    def _next_is(self, character: str) -> bool:
        return self._pattern.startswith(character, self.position)

    def _take(self) -> str:
        character = self._next()
        self.position += 1
        return character

    def _takes(self, character: str) -> bool:
        taken = self._next_is(character)
        self.position += taken
        return taken

    def _expect(self, character: str) -> None:
        if not self._takes(character):
            raise UnknownRegexError(f"{character} is missing at character {self.position}")

    def _match(self, expected: re.Pattern[str]) -> re.Match[str]:
        found = expected.match(self._pattern, self.position)
        if found is None:
            raise UnknownRegexError(f"what stands at character {self.position} is not known")
        self.position = found.end()
        return found
