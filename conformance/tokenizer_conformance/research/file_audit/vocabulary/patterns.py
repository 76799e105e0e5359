"""Which characters can stand in one match of a regular expression, and which are always in some match.

A pattern is read as far as it says which characters follow one another: alternatives, sequences, repetitions, classes.
Lookarounds and anchors are taken as always true, and possessive or lazy repetitions as greedy ones: so what is read
matches all that the pattern matches, and maybe more. What cannot stand in one match of that can stand in no match of
the pattern, whatever is around it. Which characters a class has is asked of the implementation.

The syntax is Oniguruma's (Ruby) as far as published tokenizers use it; for any other pattern there is no proof.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokenizer_conformance.research.file_audit.vocabulary.byte_alphabet import ANY

if TYPE_CHECKING:
    from collections.abc import Callable


class UnreadPatternError(Exception):
    """A pattern has something in it that is not read here."""


@dataclass(frozen=True, slots=True)
class One:
    """One character of a class, which is kept as it is written; ``ignores_case``: as under ``(?i)``."""

    source: str
    ignores_case: bool

    @property
    def pattern(self) -> str:
        """A pattern that matches such a character alone."""
        return f"(?i:{self.source})" if self.ignores_case else self.source


@dataclass(frozen=True, slots=True)
class Look:
    """A lookaround or an anchor: it takes no character."""


@dataclass(frozen=True, slots=True)
class Group:
    """One of some alternatives, each a sequence of items."""

    alternatives: tuple[tuple[Item, ...], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A node, at least ``least`` times and, where not ``many``, at most once. ``possessive``: it gives nothing back."""

    node: One | Look | Group
    least: int = 1
    many: bool = False
    possessive: bool = False


# Reading -------------------------------------------------------------------------------------------------------------

_CLASS_ESCAPE = re.compile(
    r"\\(?:[pP]\{\^?[A-Za-z_ =-]+\}|x[0-9A-Fa-f]{2}|x\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}|[sSdDwWhHnrtfvae]|[^A-Za-z0-9_])"
)
_ANCHOR = re.compile(r"\^|\$|\\[bBAzZG]")
_LOOK = re.compile(r"\(\?<?[=!]")
_GROUP = re.compile(r"\(\?:|\(\?i:|\(\?>|\((?!\?)")
_REPEAT = re.compile(r"[?*+]|\{(\d*)(,?)(\d*)\}")
_FOLDED = re.compile(r"ss|ff|fi|fl|st", re.IGNORECASE)
"""What ``(?i)`` lets one character stand for that is written as two."""


class _Reader:
    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0

    def whole(self) -> Group:
        ignores_case = self._pattern.startswith("(?i)")
        self._at = 4 * ignores_case
        found = self._group(ignores_case=ignores_case)
        if self._at < len(self._pattern):
            raise UnreadPatternError("a parenthesis is closed that was not opened")
        return found

    def _group(self, *, ignores_case: bool) -> Group:
        alternatives: list[tuple[Item, ...]] = []
        items: list[Item] = []
        begin = self._at
        while self._at < len(self._pattern) and self._pattern[self._at] != ")":
            if self._pattern[self._at] == "|":
                self._at += 1
                alternatives.append(tuple(items))
                items = []
            else:
                items.append(self._item(ignores_case=ignores_case))
        if ignores_case and _FOLDED.search(self._pattern[begin : self._at]):
            raise UnreadPatternError("without regard to case, one character may match two here")
        return Group((*alternatives, tuple(items)))

    def _item(self, *, ignores_case: bool) -> Item:
        node, is_atomic = self._node(ignores_case=ignores_case)
        found = _REPEAT.match(self._pattern, self._at)
        if found is None:
            return Item(node, possessive=is_atomic)
        self._at = found.end()
        least, many = _bounds(found)
        follower = self._pattern[self._at : self._at + 1]
        if follower in ("?", "+") and follower:
            self._at += 1
            # After an interval "+" is a repetition of its own in this syntax, and one of one is as much.
            is_possessive = follower == "+" and not found[0].startswith("{")
            if follower == "+" and not is_possessive:
                return Item(Group(((Item(node, least, many),),)), 1, many=True)
            return Item(node, least, many, is_possessive)
        return Item(node, least, many, is_atomic)

    def _node(self, *, ignores_case: bool) -> tuple[One | Look | Group, bool]:
        pattern, at = self._pattern, self._at
        if found := _LOOK.match(pattern, at):
            self._at = found.end()
            self._group(ignores_case=False)
            self._close()
            return Look(), False
        if found := _GROUP.match(pattern, at):
            self._at = found.end()
            inner = self._group(ignores_case=ignores_case or found[0] == "(?i:")
            self._close()
            return inner, found[0] == "(?>"
        if found := _ANCHOR.match(pattern, at):
            self._at = found.end()
            return Look(), False
        source = self._class_source()
        self._at += len(source)
        if ignores_case and not source.isascii():
            raise UnreadPatternError("without regard to case, one character may match two here")
        return One(source, ignores_case), False

    def _close(self) -> None:
        if self._pattern[self._at : self._at + 1] != ")":
            raise UnreadPatternError("a parenthesis is not closed")
        self._at += 1

    def _class_source(self) -> str:
        pattern, at = self._pattern, self._at
        if found := _CLASS_ESCAPE.match(pattern, at):
            return found[0]
        character = pattern[at]
        if character == "[":
            return pattern[at : self._end_of_class(at)]
        if character in "\\(?*+{":
            raise UnreadPatternError(f"{pattern[at : at + 3]!r} is not read")
        return character

    def _end_of_class(self, at: int) -> int:
        pattern, depth, begin = self._pattern, 0, at
        while at < len(pattern):
            if pattern[at] == "\\":
                at += 2
                continue
            depth += (pattern[at] == "[") - (pattern[at] == "]")
            at += 1
            if not depth:
                if "[:" in pattern[begin:at] or "&&" in pattern[begin:at]:
                    raise UnreadPatternError("a class of this form is not read")
                return at
        raise UnreadPatternError("a class is not closed")


def _bounds(found: re.Match[str]) -> tuple[int, bool]:
    if not found[0].startswith("{"):
        return int(found[0] == "+"), found[0] != "?"
    least = int(found[1] or 0)
    most = found[3] if found[2] else found[1]
    # More than once is as good as for ever: what is read may match more.
    return least, most == "" or int(most) > 1


# What can stand in a match -------------------------------------------------------------------------------------------


class Pattern:
    """A pattern in Oniguruma's syntax. ``contains(one, character)``: whether the pattern ``one`` matches a character.

    Raises :class:`UnreadPatternError`.
    """

    def __init__(self, pattern: str, contains: Callable[[str, str], bool]) -> None:
        self._contains = contains
        self._root = _Reader(pattern).whole()
        self._free: list[set[int]] = []
        self._steps: list[list[tuple[One, int]]] = []
        begin = self._state()
        self._end = self._build(self._root, begin)

    def can_hold(self, text: str) -> bool:
        """Return whether one match may hold ``text``, with anything before and after it in the match.

        :data:`ANY` in it is some character or other.
        """
        states = set(range(len(self._steps)))
        for character in text:
            if not states:
                return False
            steps = [step for state in states for step in self._steps[state]]
            states = self._closure({to for one, to in steps if self._takes(one, character)})
        return bool(states)

    def _takes(self, one: One, character: str) -> bool:
        return character == ANY or self._contains(one.pattern, character)

    def always_matches(self, character: str) -> bool:
        """Return whether a match begins at ``character`` wherever the search reaches it."""
        return self._surely(self._root, character)

    def _surely(self, node: One | Look | Group, character: str) -> bool:
        match node:
            case One():
                return self._contains(node.pattern, character)
            case Group(alternatives):
                return any(self._sequence(items, character) for items in alternatives)
        return False

    def _sequence(self, items: tuple[Item, ...], character: str) -> bool:
        """Return whether ``items`` match ``character``, with one of them that takes it and all others left out."""
        for index, item in enumerate(items):
            rest = items[index + 1 :]
            if item.least <= 1 and all(not each.least for each in rest) and self._surely(item.node, character):
                return True
            if item.least or (item.possessive and self._may_take(item.node, character)):
                return False
        return False

    def _may_take(self, node: One | Look | Group, character: str) -> bool:
        match node:
            case One():
                return self._contains(node.pattern, character)
            case Group(alternatives):
                return any(self._may_take(item.node, character) for items in alternatives for item in items)
        return False

    # States of an automaton without an order among its ways.

    def _state(self) -> int:
        self._free.append(set())
        self._steps.append([])
        return len(self._steps) - 1

    def _build(self, node: One | Look | Group, begin: int) -> int:
        end = self._state()
        match node:
            case One():
                self._steps[begin].append((node, end))
            case Look():
                self._free[begin].add(end)
            case Group(alternatives):
                for items in alternatives:
                    at = begin
                    for item in items:
                        at = self._build_item(item, at)
                    self._free[at].add(end)
        return end

    def _build_item(self, item: Item, begin: int) -> int:
        at = begin
        for _ in range(max(1, item.least)):
            before = at
            inner = self._state()
            self._free[at].add(inner)
            at = self._build(item.node, inner)
        if item.many:
            self._free[at].add(inner)
        end = self._state()
        self._free[at].add(end)
        if not item.least:
            self._free[before].add(end)
        return end

    def _closure(self, states: set[int]) -> set[int]:
        waiting, found = list(states), set(states)
        while waiting:
            for to in self._free[waiting.pop()]:
                if to not in found:
                    found.add(to)
                    waiting.append(to)
        return found
