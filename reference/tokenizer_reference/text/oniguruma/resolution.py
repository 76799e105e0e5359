r"""Resolution of references, names and case: from the tree as written to the tree that is matched.

The steps, in Oniguruma's order:

1. Neighbouring texts are joined, so that ``(?i)s\x73`` is ``(?i)ss`` and matches ``ß``.
2. With named captures, unnamed ones are plain groups, and references by number are errors.
3. What look-behinds contain is checked.
4. ``\g<…>`` is replaced by the capture it calls.
5. Text without case is spelled out.
6. Repeats learn which captures keep them going after an empty round.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.code_point_sets import EVERYTHING, complement, from_characters
from tokenizer_reference.text.oniguruma.case_folding import ascii_folded_text, folded_text, folded_text_behind
from tokenizer_reference.text.oniguruma.parser import ParsedPattern, nested_repeat, parse
from tokenizer_reference.text.oniguruma.syntax_tree import (
    EMPTY_TEXT,
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
    children,
    has_one_length,
    length,
    mapped,
    nodes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST_LOOK_BEHIND: Final = 65_535
_LONGEST_WRITTEN_OUT: Final = 100
"""Rounds and bytes of a repeat of text that Oniguruma writes out."""

_PLACES_IN_NO_LOOK_BEHIND: Final = (Place.TEXT_END, Place.TEXT_END_OR_LAST_NEWLINE)


def resolve(pattern: str) -> Node:
    """Return the tree that ``pattern`` matches by. It has no ``Call`` and no text to be folded.

    :raises InvalidRegexError: the target refuses the pattern too.
    :raises UnsupportedRegexError: the target accepts the pattern.
    """
    parsed = parse(pattern)
    if parsed.whole_options and not _starts_with_whole_options(parsed.tree):
        raise parsed.reader.invalid("options of the whole pattern do not stand at its start", parsed.whole_options_at)
    tree = _joined(parsed.tree)
    if parsed.numbers_by_name:
        tree = _without_unnamed_captures(parsed, tree)
    _check_numbers(parsed, tree)
    _check_look_behinds(parsed, tree)
    _check_conditionals(parsed, tree, at_end=True)
    tree = _Calls(parsed, tree).replaced(tree)
    tree = _folded(parsed, tree, behind=False)
    return _watching(tree)


# Options of the whole pattern -----------------------------------------------------------------------------------------


def _starts_with_whole_options(tree: Node) -> bool:
    is_first_of_several = False
    while isinstance(tree, Sequence):
        is_first_of_several = True
        tree = tree.items[0]
    return isinstance(tree, Group) and tree.whole and not is_first_of_several


# Texts ----------------------------------------------------------------------------------------------------------------


def _joined(node: Node) -> Node:
    """Return ``node`` with neighbouring texts as one."""
    if not isinstance(node, Sequence):
        return mapped(node, _joined)
    items: list[Node] = []
    for item in node.items:
        last = items[-1] if items else None
        if isinstance(item, Text) and isinstance(last, Text) and item.fold == last.fold:
            items[-1] = replace(last, characters=last.characters + item.characters)
        else:
            items.append(_joined(item))
    return replace(node, items=tuple(items))


# Captures -------------------------------------------------------------------------------------------------------------


def _without_unnamed_captures(parsed: ParsedPattern, node: Node) -> Node:
    def without(node: Node) -> Node:
        match node:
            case Capture(named=False):
                return without(node.body)
            case Backreference(by_name=False) | Captured(by_name=False) | Call(target=int()):
                raise parsed.reader.invalid("references by number do not go with named captures", node.position)
            case Repeat(body=Capture(named=False)):
                body = without(node.body)
                repeat = replace(node, body=body)
                return nested_repeat(parsed.reader, body, repeat) if isinstance(body, Repeat) else repeat
        return mapped(node, without)

    return without(node)


def _check_numbers(parsed: ParsedPattern, tree: Node) -> None:
    for node in nodes(tree):
        if isinstance(node, (Backreference, Captured)) and max(node.numbers) > parsed.captures:
            raise parsed.reader.invalid("a reference goes to no capture", node.position)


def _check_conditionals(parsed: ParsedPattern, node: Node, *, at_end: bool) -> None:
    """Refuse a conditional without another side before anything else.

    Oniguruma's search takes it to match nothing and so looks for what follows in the wrong place: it finds no match of
    ``(?(ab)c)d`` in ``abcd`` before the ``d`` (observed, tokenizers 0.23.3). It does not search for what is behind or
    not there.
    """
    match node:
        case Conditional(one_sided=True) if not at_end and length(node)[1] != 0:
            raise parsed.reader.unsupported(
                "a conditional without another side, and with something after,", node.position
            )
        case Conditional(one_sided=True) | Look(direction=Direction.BEHIND) | Look(negative=True):
            return
        case Look(body):
            _check_conditionals(parsed, body, at_end=True)
        case Sequence((*items, last)):
            for item in items:
                _check_conditionals(parsed, item, at_end=False)
            _check_conditionals(parsed, last, at_end=at_end)
        case Conditional(condition, then, otherwise):
            _check_conditionals(parsed, condition, at_end=False)
            _check_conditionals(parsed, then, at_end=at_end)
            _check_conditionals(parsed, otherwise, at_end=at_end)
        case _:
            for child in children(node):
                _check_conditionals(parsed, child, at_end=at_end)


# Calls ----------------------------------------------------------------------------------------------------------------


class _Calls:
    r"""The captures that ``\g`` can call."""

    def __init__(self, parsed: ParsedPattern, tree: Node) -> None:
        self._parsed = parsed
        self._captures = {node.number: node for node in nodes(tree) if isinstance(node, Capture)}
        self._active: list[int] = []

    def replaced(self, node: Node) -> Node:
        """Return ``node`` with the captures themselves in place of the calls."""
        match node:
            case Call():
                return self._called(node)
            case Capture():
                self._active.append(node.number)
                result = mapped(node, self.replaced)
                self._active.pop()
                return result
        return mapped(node, self.replaced)

    def _called(self, call: Call) -> Node:
        number = self._number(call)
        if number == 0 or number in self._active:
            raise self._parsed.reader.unsupported("a recursive call", call.position)
        return self.replaced(self._captures[number])

    def _number(self, call: Call) -> int:
        if isinstance(call.target, int):
            if call.target > self._parsed.captures:
                raise self._parsed.reader.invalid("a call goes to no capture", call.position)
            return call.target
        numbers = self._parsed.numbers_by_name.get(call.target, [])
        if len(numbers) != 1:
            raise self._parsed.reader.invalid(f"{len(numbers)} captures are named {call.target!r}", call.position)
        return numbers[0]


# Look-behinds and letters without case --------------------------------------------------------------------------------


def _check_look_behinds(parsed: ParsedPattern, tree: Node) -> None:
    folded_later: set[int] = set()
    """Captures after the place that is checked, with text without case: nothing in a look-behind can refer to them."""
    for look in reversed(list(nodes(tree))):
        if isinstance(look, Capture) and "I" not in parsed.whole_options and any(map(_is_folded, nodes(look.body))):
            folded_later.add(look.number)
        if isinstance(look, Look) and look.direction is Direction.BEHIND:
            inside = {node.number for node in nodes(look.body) if isinstance(node, Capture)}
            later = folded_later - inside
            for node in nodes(look.body):
                if isinstance(node, Keep):
                    # Such a match can end where it starts again: the target finds it for ever, until memory is used up.
                    raise parsed.reader.unsupported(r"\K in a look-behind", look.position)
                if not (_is_allowed_behind(node, look) and later.isdisjoint(_referred(parsed, node))):
                    message = "a look-behind has a construct that is not allowed in it"
                    raise parsed.reader.invalid(message, look.position)


def _is_folded(node: Node) -> bool:
    return isinstance(node, Text) and node.fold


def _referred(parsed: ParsedPattern, node: Node) -> tuple[int, ...]:
    """Return the captures whose text or body ``node`` repeats."""
    match node:
        case Backreference(numbers):
            return numbers
        case Call(int() as number):
            return (number,)
        case Call(str() as name):
            return tuple(parsed.numbers_by_name.get(name, ()))
    return ()


def _is_allowed_behind(node: Node, look: Look) -> bool:
    match node:
        case Look(direction=Direction.AHEAD):
            return False
        case Look(negative=True):
            return look.negative
        case Capture():
            return not look.negative
        case Anchor(place):
            return place not in _PLACES_IN_NO_LOOK_BEHIND
    return True


def _folded(parsed: ParsedPattern, node: Node, *, behind: bool) -> Node:
    """Return ``node`` with text without case and short repeats of text spelled out."""

    def folded(node: Node) -> Node:
        match node:
            case Text(fold=True) if "I" in parsed.whole_options:
                return ascii_folded_text(node.characters)
            case Text(fold=True):
                return folded_text_behind(node.characters) if behind else folded_text(node.characters)
            case Look(direction=Direction.BEHIND):
                return _folded_look_behind(parsed, node)
            case Repeat():
                return _written_out(replace(node, body=folded(node.body)))
        return mapped(node, folded)

    return folded(node)


def _written_out(repeat: Repeat) -> Node:
    """Return the text that ``repeat`` repeats, so many times, if it repeats text and is short."""
    match repeat:
        case Repeat(Text(characters), lower, upper) if lower == upper and 1 < lower <= _LONGEST_WRITTEN_OUT:
            written_out = characters * lower
            if len(written_out.encode(errors="surrogatepass")) <= _LONGEST_WRITTEN_OUT:
                return Text(written_out)
    return repeat


def _folded_look_behind(parsed: ParsedPattern, look: Look) -> Node:
    """Return a look-behind; one for each alternative, if their lengths differ and each but the first has one length."""
    body = _folded(parsed, look.body, behind=True)
    if any(map(_vanishes_behind, body.branches if isinstance(body, Alternation) else (body,))):
        raise parsed.reader.invalid("an alternative of a look-behind has only repeats that can be empty", look.position)
    body = _reduced_behind(body)
    if _least_length(body) == (0, True):
        return Nowhere() if look.negative else EMPTY_TEXT
    shortest, longest = length(body)
    if shortest > LONGEST_LOOK_BEHIND or (longest is not None and longest > LONGEST_LOOK_BEHIND):
        raise parsed.reader.invalid(f"a look-behind is longer than {LONGEST_LOOK_BEHIND}", look.position)
    if shortest != longest and isinstance(body, Alternation) and all(map(has_one_length, body.branches[1:])):
        looks = tuple(_with_hint(replace(look, body=branch)) for branch in body.branches)
        return Sequence(looks) if look.negative else Alternation(looks)
    return _with_hint(replace(look, body=body))


def _with_hint(look: Look) -> Node:
    r"""Return a look-behind of varying length together with one for the text at the end of its body.

    Oniguruma looks for that text first. If it is in a condition, that is wrong: ``(?<=\R)``, where CR LF is the
    condition and a single line break the other side, is only true after CR LF (observed, tokenizers 0.23.3).
    """
    hint = None if has_one_length(look.body) else _condition_at_end(look.body)
    if hint is None:
        return look
    looks = (replace(look, body=hint), look)
    return Alternation(looks) if look.negative else Sequence(looks)


def _condition_at_end(node: Node, *, in_condition: bool = False) -> Node | None:
    """Return the text or set that Oniguruma takes for the end of ``node``, if it is in a condition."""
    match node:
        case Sequence(items):
            ends = [item for item in items if not _is_no_end(item)]
            return _condition_at_end(ends[-1], in_condition=in_condition) if ends else None
        case Repeat(body=body, lower=lower) if lower > 0:
            return _condition_at_end(body, in_condition=in_condition)
        case Capture(body=body) | Atomic(body) | Group(body):
            return _condition_at_end(body, in_condition=in_condition)
        case Conditional(condition):
            return _condition_at_end(condition, in_condition=True)
        case Text() | CharacterSet() if in_condition and not _is_no_end(node) and node not in _ANY_CHARACTER:
            return node
    return None


_ANY_CHARACTER: Final = (CharacterSet(EVERYTHING), CharacterSet(complement(from_characters("\n"))))


def _is_no_end(node: Node) -> bool:
    """Return whether ``node`` is passed over in search of the end of a look-behind."""
    match node:
        case Sequence(items):
            return all(map(_is_no_end, items))
        case Capture(body=body) | Atomic(body) | Group(body) | Conditional(condition=body):
            return _is_no_end(body)
        case Repeat(body=body, lower=lower):
            return lower > 0 and _is_no_end(body)
    return node == EMPTY_TEXT or isinstance(node, Anchor | WordBoundary | Look | Keep | Nowhere)


def _vanishes_behind(branch: Node) -> bool:
    """Return whether several items in a row leave nothing: an error in the target (observed, tokenizers 0.23.3)."""
    return isinstance(branch, Sequence) and all(map(_is_left_out_behind, branch.items))


def _is_left_out_behind(node: Node) -> bool:
    match node:
        case Repeat(body=Text() | CharacterSet() | Backreference(), lower=0):
            return True
    return False


def _least_length(node: Node) -> tuple[int, bool]:
    """Return how long the shortest match is, and whether Oniguruma takes it for sure that there is one.

    A look-behind with a sure match of length 0 needs no look. What it takes for sure is wrong for conditions that have
    no other side: ``(?<!(?(a)b))`` matches nowhere (observed, tokenizers 0.23.3).
    """
    match node:
        case Sequence(items):
            lengths = list(map(_least_length, items))
            return sum(least for least, _ in lengths), all(sure for _, sure in lengths)
        case Alternation(branches):
            return _shortest(map(_least_length, branches))
        case Repeat(body, lower, upper):
            least, sure = _least_length(body)
            return (0, True) if upper == 0 else (least * lower, sure)
        case Conditional(condition, then, otherwise):
            return _shortest([_least_length(Sequence((condition, then))), _least_length(otherwise)])
        case Atomic(body) | Group(body):
            return _least_length(body)
        case Text() | CharacterSet() | Nowhere():
            return length(node)[0], True
    return length(node)[0], False


def _shortest(lengths: Iterable[tuple[int, bool]]) -> tuple[int, bool]:
    all_lengths = list(lengths)
    least = min(least for least, _ in all_lengths)
    return least, (least, True) in all_lengths


def _reduced_behind(body: Node) -> Node:
    """Return the body of a look-behind with as few rounds as possible of a repeat at its start: more never matter."""
    match body:
        case Alternation(branches):
            return Alternation(tuple(map(_reduced_behind, branches)))
        case Sequence((Repeat(body=Text() | CharacterSet() | Backreference(), lower=0), second, *rest)):
            return _reduced_behind(Sequence((second, *rest)))
        case Sequence((first, *rest)):
            return Sequence((_reduced_behind(first), *rest)) if isinstance(first, Repeat) else body
        case Repeat(body=Text() | CharacterSet() | Backreference(), lower=lower):
            return replace(body, upper=lower)
    return body


# Empty rounds ---------------------------------------------------------------------------------------------------------


def _watching(tree: Node) -> Node:
    """Return ``tree`` with the repeats told which captures to watch: those inside that are referred to from outside."""
    home_of = dict(_homes(tree, None))
    watched: dict[int, set[int]] = {}
    for number, around in _references(tree, frozenset()):
        home = home_of.get(number)
        if home is not None and home not in around:
            watched.setdefault(home, set()).add(number)

    def watching(node: Node) -> Node:
        result = mapped(node, watching)
        if isinstance(result, Repeat) and id(node) in watched:
            return replace(result, watched=frozenset(watched[id(node)]))
        return result

    return watching(tree) if watched else tree


def _homes(node: Node, home: int | None) -> Iterator[tuple[int, int]]:
    """Give the number of each capture, and which repeat is the innermost around it that can have an empty round."""
    match node:
        case Look():
            home = None
        case Repeat() if length(node.body)[0] == 0 and node.upper != 0:
            home = id(node)
        case Capture(number) if home is not None:
            yield number, home
    for child in children(node):
        yield from _homes(child, home)


def _references(node: Node, around: frozenset[int]) -> Iterator[tuple[int, frozenset[int]]]:
    """Give the number of each capture that is referred to, and which repeats are around the reference."""
    if isinstance(node, Repeat):
        around |= {id(node)}
    if isinstance(node, (Backreference, Captured)):
        yield from ((number, around) for number in node.numbers)
    for child in children(node):
        yield from _references(child, around)
