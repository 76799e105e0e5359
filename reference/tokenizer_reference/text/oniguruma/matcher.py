r"""A backtracking machine that matches every tree: the definition of what a pattern means.

A tree becomes a program, a list of instructions. A *thread* is a place in the program, a place in the text, and slots
that remember captures and rounds. The machine follows one thread, and puts the other choice of each `_Choose` on a
stack to come back to when the thread fails. Look-arounds, atomic groups and conditions have programs of their own, of
which the first match counts.

Source of the rules: Oniguruma's doc/RE and its machine, as observed in tokenizers 0.23.3. Where the machine shows:

* A round that matched nothing ends a repeat even if more rounds are due, unless a watched capture changed.
* A bounded repeat of a small body is written out round by round, and has no such end. Small is counted in operations of
  that machine, which `_operations` counts as it does.
* A look-behind of varying length tries its starts from the nearest to the farthest. Inside it the text ends where the
  look-behind stands, so that ``\b`` at the start of the text is not seen there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from tokenizer_reference.text.character_pattern import CharacterPattern
from tokenizer_reference.text.characters import full_case_folding_16
from tokenizer_reference.text.code_point_sets import complement, contains, size
from tokenizer_reference.text.oniguruma.grapheme_boundaries import is_grapheme_boundary
from tokenizer_reference.text.oniguruma.starts import first_characters
from tokenizer_reference.text.oniguruma.syntax_tree import (
    Alternation,
    Anchor,
    Atomic,
    Backreference,
    Call,
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
    from tokenizer_reference.text.code_point_sets import Ranges

_MOST_WRITTEN_OUT: Final = 10

# Programs -------------------------------------------------------------------------------------------------------------

Slots = tuple[int | None, ...]
"""What a thread remembers: where the match starts (slot 0), start and end of each capture, counts and starts of
rounds.
"""


@dataclass(frozen=True, slots=True)
class _Match:
    """Go past these characters."""

    characters: str


@dataclass(frozen=True, slots=True)
class _MatchMember:
    """Go past one character of the set."""

    members: Ranges


@dataclass(frozen=True, slots=True)
class _Choose:
    """Go on at ``first``; if that fails, at ``second``."""

    first: int
    second: int


@dataclass(frozen=True, slots=True)
class _Jump:
    """Go on at ``target``."""

    target: int


@dataclass(frozen=True, slots=True)
class _Remember:
    """Put the place in the text into the slot."""

    slot: int


@dataclass(frozen=True, slots=True)
class _Assign:
    """Put ``value`` into the slot."""

    slot: int
    value: int | None


@dataclass(frozen=True, slots=True)
class _StartRound:
    """Put the place in the text into the slot, and start and end of the watched captures into those after it."""

    slot: int
    watched: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _EndRound:
    """Go on at ``end`` if the round matched nothing and changed no watched capture."""

    slot: int
    watched: tuple[int, ...]
    end: int


@dataclass(frozen=True, slots=True)
class _CountRound:
    """Count a round, and go on at ``again`` or after this."""

    slot: int
    lower: int
    upper: int | None
    greedy: bool
    again: int


@dataclass(frozen=True, slots=True)
class _Stand:
    """Be at a place of this kind."""

    condition: Anchor | WordBoundary | Captured | Nowhere


@dataclass(frozen=True, slots=True)
class _BeAtLimit:
    """Be where the text ends for this program."""


@dataclass(frozen=True, slots=True)
class _MatchCapture:
    """Go past the text of a capture."""

    reference: Backreference


@dataclass(frozen=True, slots=True)
class _LookAhead:
    """Check that the program matches from here on, or with ``negative`` that it does not."""

    program: Program
    negative: bool


@dataclass(frozen=True, slots=True)
class _LookBehind:
    """Check that the program matches some text that ends here, or with ``negative`` that it matches none."""

    program: Program
    negative: bool
    shortest: int
    longest: int | None
    starts: CharacterPattern | None
    """What ends with the last character that the text can start with; ``None`` where all places are to be tried."""


@dataclass(frozen=True, slots=True)
class _Once:
    """Go past the first match of the program."""

    program: Program


@dataclass(frozen=True, slots=True)
class _Decide:
    """Go past the first match of the program; if there is none, go on at ``otherwise``."""

    program: Program
    otherwise: int


@dataclass(frozen=True, slots=True)
class _Done:
    """The end of a program."""


_RareInstruction = (
    _Remember
    | _Assign
    | _StartRound
    | _EndRound
    | _CountRound
    | _Stand
    | _BeAtLimit
    | _MatchCapture
    | _LookAhead
    | _LookBehind
    | _Once
    | _Decide
)
_Instruction = _Match | _MatchMember | _Choose | _Jump | _RareInstruction | _Done
Program = tuple[_Instruction, ...]


def _start_slot(capture: int) -> int:
    return 2 * capture - 1


def _end_slot(capture: int) -> int:
    return 2 * capture


# From a tree to a program ---------------------------------------------------------------------------------------------


class _Compiler:
    """Makes programs; ``slots`` is how many slots they use."""

    def __init__(self, captures: int) -> None:
        self.slots = 1 + 2 * captures

    def program(self, node: Node) -> Program:
        """Return the program that matches ``node``."""
        instructions: list[_Instruction] = []
        self._add(node, instructions)
        return (*instructions, _Done())

    def _new_slots(self, count: int) -> int:
        self.slots += count
        return self.slots - count

    def _add(self, node: Node, to: list[_Instruction]) -> None:  # noqa: C901 - one case for each kind of node
        match node:
            case Text(characters=text):
                to.append(_Match(text))
            case CharacterSet(members):
                to.append(_MatchMember(members))
            case Sequence(items):
                for item in items:
                    self._add(item, to)
            case Alternation(branches):
                self._add_alternation(branches, to)
            case Repeat():
                self._add_repeat(node, to)
            case Capture(number, body):
                to.extend((_Remember(_start_slot(number)), _Assign(_end_slot(number), None)))
                self._add(body, to)
                to.append(_Remember(_end_slot(number)))
            case Anchor() | WordBoundary() | Captured() | Nowhere():
                to.append(_Stand(node))
            case Backreference():
                to.append(_MatchCapture(node))
            case Keep():
                to.append(_Remember(0))
            case Atomic(body):
                to.append(_Once(self.program(body)))
            case Look(body, Direction.AHEAD, negative):
                to.append(_LookAhead(self.program(body), negative))
            case Look(body, Direction.BEHIND, negative):
                program = self.program(body)
                if not has_one_length(body):
                    program = (*program[:-1], _BeAtLimit(), _Done())
                to.append(_LookBehind(program, negative, *length(body), _starts_behind(body)))
            case Conditional(condition, then, otherwise):
                self._add_conditional(condition, then, otherwise, to)
            case Group(body):
                self._add(body, to)
            case Call():
                raise TypeError(f"not resolved: {node}")

    def _add_alternation(self, branches: tuple[Node, ...], to: list[_Instruction]) -> None:
        ends = []
        for branch in branches[:-1]:
            choice = _reserve(to)
            self._add(branch, to)
            ends.append(_reserve(to))
            to[choice] = _Choose(choice + 1, len(to))
        self._add(branches[-1], to)
        for end in ends:
            to[end] = _Jump(len(to))

    def _add_conditional(self, condition: Node, then: Node, otherwise: Node, to: list[_Instruction]) -> None:
        decision = _reserve(to)
        self._add(then, to)
        end = _reserve(to)
        to[decision] = _Decide(self.program(condition), len(to))
        self._add(otherwise, to)
        to[end] = _Jump(len(to))

    # Repeats ----------------------------------------------------------------------------------------------------------

    def _add_repeat(self, repeat: Repeat, to: list[_Instruction]) -> None:
        operations = _operations(repeat.body)
        lower, upper = repeat.lower, repeat.upper
        if operations == 0 or upper == 0:
            return
        if upper is None and (lower <= 1 or operations * lower <= _MOST_WRITTEN_OUT):
            self._add_endless(repeat, operations, to)
        elif upper is not None and _is_written_out(repeat, operations):
            self._add_written_out(repeat, upper, to)
        else:
            self._add_counted(repeat, to)

    def _add_endless(self, repeat: Repeat, operations: int, to: list[_Instruction]) -> None:
        if repeat.lower == 1 and operations > _MOST_WRITTEN_OUT:
            to.append(_Jump(len(to) + 2))
        else:
            for _ in range(repeat.lower):
                self._add(repeat.body, to)
        choice = _reserve(to)
        self._add_round(repeat, to)
        to.append(_Jump(choice))
        self._close(to, choice, repeat)

    def _close(self, to: list[_Instruction], choice: int, repeat: Repeat) -> None:
        inside, after = choice + 1, len(to)
        to[choice] = _Choose(inside, after) if repeat.greedy else _Choose(after, inside)

    def _add_round(self, repeat: Repeat, to: list[_Instruction]) -> None:
        """Add the body.

        If it can match nothing, a check for that follows, which goes past the one instruction after it.
        """
        if length(repeat.body)[0] > 0:
            self._add(repeat.body, to)
            return
        watched = tuple(repeat.watched)
        slot = self._new_slots(1 + 2 * len(watched))
        to.append(_StartRound(slot, watched))
        self._add(repeat.body, to)
        to.append(_EndRound(slot, watched, len(to) + 2))

    def _add_written_out(self, repeat: Repeat, upper: int, to: list[_Instruction]) -> None:
        for _ in range(repeat.lower):
            self._add(repeat.body, to)
        choices = []
        for _ in range(upper - repeat.lower):
            choices.append(_reserve(to))
            self._add(repeat.body, to)
        for choice in choices:
            self._close(to, choice, repeat)

    def _add_counted(self, repeat: Repeat, to: list[_Instruction]) -> None:
        slot = self._new_slots(1)
        to.append(_Assign(slot, 0))
        choice = _reserve(to) if repeat.lower == 0 else None
        again = len(to)
        self._add_round(repeat, to)
        to.append(_CountRound(slot, repeat.lower, repeat.upper, repeat.greedy, again))
        if choice is not None:
            self._close(to, choice, repeat)


def _starts_behind(body: Node) -> CharacterPattern | None:
    shortest, longest = length(body)
    if shortest == 0 or longest is not None:  # of a limited number of starts, all can be tried
        return None
    return CharacterPattern("(?s:.*)[{first}]", first=partial(first_characters, body))


def _reserve(to: list[_Instruction]) -> int:
    """Add an instruction that is to be replaced, and return where it is."""
    to.append(_Done())
    return len(to) - 1


def _is_written_out(repeat: Repeat, operations: int) -> bool:
    """Return whether a bounded repeat of a body of so many operations is written out."""
    if not repeat.greedy:
        return (repeat.lower, repeat.upper) == (0, 1)
    return repeat.upper is not None and (repeat.upper == 1 or (operations + 1) * repeat.upper <= _MOST_WRITTEN_OUT)


def _operations(node: Node) -> int:
    """Return how many operations Oniguruma's machine has for ``node``."""
    match node:
        case Text(characters=text):
            return sum(1 for _ in groupby(len(character.encode(errors="surrogatepass")) for character in text))
        case Sequence(items):
            return sum(map(_operations, items))
        case Alternation(branches):
            return sum(map(_operations, branches)) + 2 * (len(branches) - 1)
        case Repeat():
            return _operations_of_repeat(node, _operations(node.body))
        case Capture(body=body) | Atomic(body):
            return _operations(body) + 2
        case Group(body):
            return _operations(body)
        case Look(body):
            return _operations(body) + _OPERATIONS_OF_LOOKS[node.direction, node.negative, has_one_length(body)]
        case Conditional(condition, then, otherwise):
            return sum(map(_operations, (condition, then, otherwise))) + 5
    return 1


_OPERATIONS_OF_LOOKS: Final = {
    (Direction.AHEAD, False, True): 2,
    (Direction.AHEAD, False, False): 2,
    (Direction.AHEAD, True, True): 5,
    (Direction.AHEAD, True, False): 5,
    (Direction.BEHIND, False, True): 3,
    (Direction.BEHIND, False, False): 12,
    (Direction.BEHIND, True, True): 6,
    (Direction.BEHIND, True, False): 14,
}
"""Direction, negative, body of one length -> operations besides those of the body."""


def _operations_of_repeat(repeat: Repeat, body: int) -> int:
    lower, upper = repeat.lower, repeat.upper
    checked = body if length(repeat.body)[0] > 0 else body + 2
    if body == 0 or upper == 0:
        return 0
    if upper is None and (lower <= 1 or body * lower <= _MOST_WRITTEN_OUT):
        if repeat.greedy and isinstance(repeat.body, CharacterSet) and size(complement(repeat.body.members)) <= 1:
            return body * lower + 1
        first = 1 if lower == 1 and body > _MOST_WRITTEN_OUT else body * lower
        return first + checked + 2
    if upper is not None and _is_written_out(repeat, body):
        return body * upper + (upper - lower if repeat.greedy else 2)
    return checked + 2


# Running --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Matcher:
    """A pattern that can be searched for."""

    program: Program
    slots: int

    @classmethod
    def for_tree(cls, tree: Node) -> Matcher:
        """Return the matcher of a resolved tree."""
        numbers = [node.number for node in nodes(tree) if isinstance(node, Capture)]
        for node in nodes(tree):
            if isinstance(node, Backreference | Captured):
                numbers.extend(node.numbers)
        compiler = _Compiler(max(numbers, default=0))
        return cls(compiler.program(tree), compiler.slots)

    def search(self, text: str, start: int) -> tuple[int, int] | None:
        """Return the first match that starts at ``start`` or later, as a span of ``text``; ``None`` if there is none.

        What stands before ``start`` is seen by look-behinds and anchors.
        """
        found = (self.match(text, start, at) for at in range(start, len(text) + 1))
        return next(filter(None, found), None)

    def match(self, text: str, start: int, at: int) -> tuple[int, int] | None:
        """Return the match that starts at ``at`` in a search that starts at ``start``."""
        slots: Slots = (None,) * self.slots
        found = _Run(text, start).first_match(self.program, _Thread(0, at, slots), len(text))
        if found is None:
            return None
        kept = found.slots[0]
        return min(at if kept is None else kept, found.at), found.at


class _Thread(NamedTuple):
    """A place in the program, a place in the text, and what is remembered."""

    place: int
    at: int
    slots: Slots


def _with(slots: Slots, slot: int, *values: int | None) -> Slots:
    """Return ``slots`` with ``values`` at ``slot`` and after it."""
    return (*slots[:slot], *values, *slots[slot + len(values) :])


@dataclass(frozen=True, slots=True)
class _Run:
    """One search: the text, and where the search starts."""

    text: str
    search_start: int

    def first_match(self, program: Program, thread: _Thread, limit: int) -> _Thread | None:
        """Return the thread at the end of ``program``, or none. The text is taken to end at ``limit``."""
        text = self.text
        choices: list[_Thread] = []
        place, at, slots = thread
        while True:
            instruction = program[place]
            place += 1
            match instruction:  # most are of the first four kinds, which make no list of threads
                case _MatchMember(members) if at < limit and contains(members, ord(text[at])):
                    at += 1
                    continue
                case _Match(expected) if text.startswith(expected, at, limit):
                    at += len(expected)
                    continue
                case _Choose(first, second):
                    choices.append(_Thread(second, at, slots))
                    place = first
                    continue
                case _Jump(target):
                    place = target
                    continue
                case _Match() | _MatchMember():
                    ways = []
                case _Done():
                    return _Thread(place - 1, at, slots)
                case _:
                    ways = self._ways(instruction, _Thread(place - 1, at, slots), limit)
            if ways:
                choices.extend(ways[:0:-1])
                place, at, slots = ways[0]
            elif choices:
                place, at, slots = choices.pop()
            else:
                return None

    def _ways(  # noqa: C901 - one case for each kind of instruction
        self, instruction: _RareInstruction, thread: _Thread, limit: int
    ) -> list[_Thread]:
        """Return the threads that ``instruction`` makes of ``thread``, the best first; none if it fails."""
        at, slots, following = thread.at, thread.slots, thread.place + 1
        match instruction:
            case _Stand() | _BeAtLimit():
                return [_Thread(following, at, slots)] if self._stands(instruction, thread, limit) else []
            case _Remember(slot):
                return [_Thread(following, at, _with(slots, slot, at))]
            case _Assign(slot, value):
                return [_Thread(following, at, _with(slots, slot, value))]
            case _StartRound(slot, watched):
                spans = (end for number in watched for end in _span(slots, number))
                return [_Thread(following, at, _with(slots, slot, at, *spans))]
            case _EndRound(slot, watched, end):
                return [_Thread(end if _is_empty_round(thread, slot, watched) else following, at, slots)]
            case _CountRound():
                return _ways_after_round(instruction, thread)
            case _MatchCapture(reference):
                end_of_capture = self._end_of_capture(reference, thread, limit)
                return [] if end_of_capture is None else [_Thread(following, end_of_capture, slots)]
            case _Once(inner):
                found = self.first_match(inner, thread._replace(place=0), limit)
                return [] if found is None else [found._replace(place=following)]
            case _Decide(inner, otherwise):
                found = self.first_match(inner, thread._replace(place=0), limit)
                return [thread._replace(place=otherwise) if found is None else found._replace(place=following)]
            case _LookAhead(inner, negative):
                found = self.first_match(inner, thread._replace(place=0), limit)
            case _LookBehind(negative=negative):
                found = self._match_behind(instruction, thread, limit)
        if negative:
            return [_Thread(following, at, slots)] if found is None else []
        return [] if found is None else [_Thread(following, at, found.slots)]

    def _match_behind(self, look: _LookBehind, thread: _Thread, limit: int) -> _Thread | None:
        """Return the match that starts nearest to the thread and ends at it."""
        at = thread.at
        if look.longest != look.shortest:
            limit = at
        farthest = 0 if look.longest is None else max(0, at - look.longest)
        start = self._start_behind(look, at - look.shortest, farthest)
        while start >= farthest:
            found = self.first_match(look.program, _Thread(0, start, thread.slots), limit)
            if found is not None:
                return found
            start = self._start_behind(look, start - 1, farthest)
        return None

    def _start_behind(self, look: _LookBehind, nearest: int, farthest: int) -> int:
        """Return the place from ``nearest`` back to ``farthest`` where a match can start; -1 where there is none."""
        if look.starts is None or nearest < farthest:
            return nearest
        found = look.starts.for_text(self.text).match(self.text, farthest, nearest + 1)
        return -1 if found is None else found.end() - 1

    # Places -----------------------------------------------------------------------------------------------------------

    def _stands(self, instruction: _Stand | _BeAtLimit, thread: _Thread, limit: int) -> bool:
        if isinstance(instruction, _BeAtLimit):
            return thread.at == limit
        match instruction.condition:
            case WordBoundary() as boundary:
                return self._is_word_boundary(boundary, thread.at, limit)
            case Captured(numbers):
                return any(_captured(thread.slots, number) for number in numbers)
            case Anchor(place):
                return self._is_place(place, thread.at)
            case Nowhere():
                return False

    def _is_place(self, place: Place, at: int) -> bool:
        text = self.text
        match place:
            case Place.TEXT_START:
                return at == 0
            case Place.TEXT_END:
                return at == len(text)
            case Place.TEXT_END_OR_LAST_NEWLINE:
                return text[at : at + 2] in ("", "\n")
            case Place.LINE_START:
                return at == 0 or (at < len(text) and text[at - 1] == "\n")
            case Place.LINE_END:
                return text[at : at + 1] in ("", "\n")
            case Place.SEARCH_START:
                return at == self.search_start
            case Place.GRAPHEME_BOUNDARY:
                return is_grapheme_boundary(text, at)
            case Place.NO_GRAPHEME_BOUNDARY:
                return not is_grapheme_boundary(text, at)

    def _is_word_boundary(self, boundary: WordBoundary, at: int, limit: int) -> bool:
        text = self.text
        end = limit if at == 0 else len(text)
        before = at > 0 and contains(boundary.word, ord(text[at - 1]))
        after = at < end and contains(boundary.word, ord(text[at]))
        return (before == after) is boundary.negative

    # Captures ---------------------------------------------------------------------------------------------------------

    def _end_of_capture(self, reference: Backreference, thread: _Thread, limit: int) -> int | None:
        """Return where the text of a capture ends that is repeated here.

        Of captures of one name, the last goes first.
        """
        for number in reversed(reference.numbers):
            span = _captured(thread.slots, number)
            if span is None:
                continue
            captured = self.text[slice(*span)]
            if reference.fold:
                end = _end_of_folded(captured, self.text[thread.at : min(limit, thread.at + 4 * len(captured))])
                if end is not None:
                    return thread.at + end
            elif thread.at + len(captured) <= limit and self.text.startswith(captured, thread.at):
                return thread.at + len(captured)
        return None


def _span(slots: Slots, capture: int) -> Slots:
    return slots[_start_slot(capture) : _end_slot(capture) + 1]


def _captured(slots: Slots, capture: int) -> tuple[int, int] | None:
    """Return the span of a capture that took part and is closed."""
    start, end = _span(slots, capture)
    return None if start is None or end is None else (start, end)


def _is_empty_round(thread: _Thread, slot: int, watched: tuple[int, ...]) -> bool:
    if thread.slots[slot] != thread.at:
        return False
    for index, capture in enumerate(watched):
        now = _captured(thread.slots, capture)
        start, end = thread.slots[slot + 1 + 2 * index : slot + 3 + 2 * index]
        if now is not None and now != (start, end) and not (now[0] == now[1] and start == end is not None):
            return False
    return True


def _ways_after_round(instruction: _CountRound, thread: _Thread) -> list[_Thread]:
    """Return the threads that start another round or leave, as the bounds allow."""
    rounds = (thread.slots[instruction.slot] or 0) + 1
    slots = _with(thread.slots, instruction.slot, rounds)
    again = _Thread(instruction.again, thread.at, slots)
    leave = _Thread(thread.place + 1, thread.at, slots)
    if instruction.upper is not None and rounds >= instruction.upper:
        return [leave]
    if rounds < instruction.lower:
        return [again]
    return [again, leave] if instruction.greedy else [leave, again]


def _end_of_folded(captured: str, text: str) -> int | None:
    """Return where the start of ``text`` ends that equals ``captured`` without case, character by character.

    Both have the same number of bytes in UTF-8, but what is left when all of ``captured`` has been used does not count.
    """
    bytes_left = len(captured.encode())
    if bytes_left > len(text.encode()):
        return None
    for at, (one, other) in enumerate(zip(captured, text, strict=False), start=1):
        bytes_left -= len(other.encode())
        if bytes_left < 0 or _folding(one) != _folding(other):
            return None
        if bytes_left == 0 and at < len(captured):
            return None
    return len(captured)


def _folding(character: str) -> str:
    return full_case_folding_16().get(ord(character), character)
