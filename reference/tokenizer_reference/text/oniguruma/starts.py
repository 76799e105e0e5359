r"""Where matches can start: what a search may pass over, told from the syntax tree.

A search that tries a pattern at every place takes quadratic time, or worse, where a repeat goes far and then fails:
``\S+@\S+`` in a text without an at sign. Three things keep it from that, none of which changes what is found:

===========  ==========================================================================================================
needs        What every match holds, at its start or later. No match starts behind the last place that has it:
             ``\S+@\S+`` needs an at sign. In ``a+x|b+y`` it is a set, ``[xy]``.
first        The characters that a match can start with.
run          The set that a pattern repeats first. If ``\d+\.`` fails where a run of digits starts, it fails in the rest
             of the run: what follows the repeat is the same, with fewer rounds before it.
===========  ==========================================================================================================

Oniguruma looks first for what a match needs, too; so here is where time has to be saved to grow as it does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.character_pattern import CharacterPattern
from tokenizer_reference.text.code_point_sets import EVERYTHING, Ranges, difference, from_characters, size, union
from tokenizer_reference.text.oniguruma.syntax_tree import (
    Alternation,
    Atomic,
    Backreference,
    Capture,
    Captured,
    CharacterSet,
    Conditional,
    Direction,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    length,
    nodes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

Span = tuple[int, int]

Attempt = Callable[[int, int], Span | None]
"""Returns the match that starts at the second place, if any, in a search that starts at the first."""

_MOST_ROUNDS: Final = 10
"""A repeat of more rounds can take long to fail."""

# What a tree tells ----------------------------------------------------------------------------------------------------

Need = Text | CharacterSet


def needs(tree: Node) -> tuple[Need, ...]:
    r"""Return texts and sets of which every match of ``tree`` holds a member, at its start or later.

    >>> needs(Sequence((Repeat(CharacterSet(((0x30, 0x39),)), 0, None), Text("."))))
    (Text(characters='.', fold=False),)
    """
    return tuple(need for need in dict.fromkeys(_needs(tree)) if size(_members(need)) <= size(EVERYTHING) // 2)


def _needs(node: Node) -> tuple[Need, ...]:
    """Return all needs in the order of the pattern."""
    match node:
        case Text(characters):
            return (node,) if characters else ()
        case CharacterSet():
            return (node,)
        case Sequence(items):
            return tuple(need for item in items for need in _needs(item))
        case Alternation(branches):
            return _needs_of_any(branches)
        case Conditional(condition, then, otherwise):
            return _needs_of_any([Sequence((condition, then)), otherwise])
        case Repeat(body, lower) if lower > 0 and node.upper != 0:
            return _needs(body)
        case Atomic(body) | Group(body) | Capture(body=body) | Look(body, Direction.AHEAD, negative=False):
            return _needs(body)
    return ()


def _needs_of_any(branches: Iterable[Node]) -> tuple[Need, ...]:
    """Return what all branches need, and a set that has the rarest need of each: the last of the smallest."""
    of_branches = [_needs(branch) for branch in branches]
    if not all(of_branches):
        return ()
    first, *others = of_branches
    common = tuple(need for need in first if all(need in other for other in others))
    rarest = (min(map(_members, reversed(of_branch)), key=size) for of_branch in of_branches)
    return *common, CharacterSet(union(*rarest))


def _members(need: Need) -> Ranges:
    """Return the characters of which ``need`` starts with one."""
    return from_characters(need.characters[0]) if isinstance(need, Text) else need.members


def first_characters(node: Node) -> Ranges:
    """Return the characters that a match of ``node`` which is not empty can start with."""
    match node:
        case Text(characters):
            return from_characters(characters[:1])
        case CharacterSet(members):
            return members
        case Sequence(items):
            sets = []
            for item in items:
                sets.append(first_characters(item))
                if length(item)[0] > 0:
                    break
            return union(*sets)
        case Alternation(branches):
            return union(*map(first_characters, branches))
        case Conditional(condition, then, otherwise):
            return union(first_characters(Sequence((condition, then))), first_characters(otherwise))
        case Repeat(body) | Atomic(body) | Group(body) | Capture(body=body):
            return first_characters(body)
        case Backreference():
            return EVERYTHING
    return ()


def leading_run(tree: Node) -> Ranges | None:
    """Return the set that ``tree`` repeats without end before anything else, if so."""
    is_referred_to = any(isinstance(node, Backreference | Captured) for node in nodes(tree))

    def run(node: Node, *, is_atomic: bool = False) -> Ranges | None:
        match node:
            case Sequence((first, *_)) | Group(first):
                return run(first, is_atomic=is_atomic)
            case Capture(body=first) if not is_referred_to:
                return run(first, is_atomic=is_atomic)
            case Atomic(Repeat() as first):
                return run(first, is_atomic=True)
            case Repeat(CharacterSet() | Text() as body, upper=None, greedy=greedy) if greedy or not is_atomic:
                return _members(body) if length(body) == (1, 1) else None
        return None

    return run(tree)


def long_parts(node: Node, *, is_last: bool = True) -> list[Node]:
    """Return the parts of ``node`` that can go far, or many ways, before it fails: their time has no small limit.

    ``is_last``: nothing follows that could fail.
    """
    match node:
        case Sequence((*others, last)):
            return [*_long_parts_of_any(others, is_last=False), *long_parts(last, is_last=is_last)]
        case Alternation(branches):
            return _long_parts_of_any(branches, is_last=is_last)
        case Atomic(body) | Group(body) | Capture(body=body):
            return long_parts(body, is_last=is_last)
        case Look(body):
            return long_parts(body)
        case Repeat(body, upper=upper) if upper is not None and upper <= 1:
            return long_parts(body, is_last=is_last)
        case Repeat(body, upper=upper):
            is_short = length(body) == (1, 1) and (is_last or (upper is not None and upper <= _MOST_ROUNDS))
            return [] if is_short else [node]
    return [node] if isinstance(node, Conditional | Backreference) else []


def _long_parts_of_any(items: Iterable[Node], *, is_last: bool) -> list[Node]:
    return [part for item in items for part in long_parts(item, is_last=is_last)]


def _has_rounds_without(part: Node, needed: Iterable[Need]) -> bool:
    """Return whether ``part`` can go far in a text that has no more of what is ``needed``, be it of one need only."""
    if not (isinstance(part, Repeat) and isinstance(part.body, CharacterSet)):
        return True
    members = part.body.members
    return any(not isinstance(need, CharacterSet) or difference(members, need.members) for need in needed)


# Searching ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Needed:
    """Finds the last place of a need."""

    text: str
    pattern: CharacterPattern

    @classmethod
    def of(cls, need: Need) -> _Needed:
        text = need.characters if isinstance(need, Text) else ""
        return cls(text, CharacterPattern("(?s:.*)[{members}]", members=lambda: _members(need)))

    def last_place(self, text: str) -> int:
        """Return where the last one in ``text`` starts; -1 where there is none."""
        if self.text:
            return text.rfind(self.text)
        found = self.pattern.for_text(text).match(text)
        return -1 if found is None else found.end() - 1


class Starts:
    """The places of texts at which a pattern needs to be tried."""

    def __init__(self, tree: Node) -> None:
        needed = needs(tree)
        run = leading_run(tree)
        first = EVERYTHING if length(tree)[0] == 0 else first_characters(tree)
        long = long_parts(tree)
        if run is None and first == EVERYTHING:  # places are passed over only behind what is needed
            long = [part for part in long if _has_rounds_without(part, needed)]
        self.save_time = bool(long) and (bool(needed) or run is not None)
        """Whether it is worth while to pass over places."""
        self.are_anywhere = first == EVERYTHING
        """Whether every character can be the first of a match."""
        self._needed = tuple(map(_Needed.of, needed))
        self._first = None if first == EVERYTHING else CharacterPattern("[{first}]", first=lambda: first)
        self._run = None if run is None else CharacterPattern("[{run}]*", run=lambda: run)

    def search(self, text: str, attempt: Attempt) -> Callable[[int], Span | None]:
        """Return a search of ``text`` that starts at a place and returns the first match."""
        last = min((need.last_place(text) for need in self._needed), default=len(text))
        first = None if self._first is None else self._first.for_text(text)
        run = None if self._run is None else self._run.for_text(text)

        def search(start: int) -> Span | None:
            at = start
            while at <= last:
                if first is not None:
                    found = first.search(text, at, last + 1)
                    if found is None:
                        return None
                    at = found.start()
                span = attempt(start, at)
                if span is not None:
                    return span
                at += 1
                if run is not None:
                    tried = run.match(text, at - 1)
                    at = at if tried is None else max(at, tried.end())
            return None

        return search
