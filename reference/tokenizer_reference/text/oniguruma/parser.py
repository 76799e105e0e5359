r"""The parser of patterns: from the text of a pattern to its syntax tree.

Grammar (Oniguruma's doc/RE, and tokenizers 0.23.3 as observed)::

    alternatives = branch *("|" branch)
    branch       = *( literal / atom / repeated / options-to-the-end )
    repeated     = ( literal / atom ) 1*quantifier
    quantifier   = ( "?" / "*" / "+" ) ["?" / "+"]
                 / "{n}" / ( "{n,m}" / "{n,}" / "{,m}" ) ["?"]
    atom         = "." / bracket / escape / anchor / group
    group        = "(" alternatives ")" / "(?:" … / "(?>" … / "(?=" … / "(?!" … / "(?<=" … / "(?<!" …
                 / "(?<name>" … / "(?'name'" … / "(?imx-imx:" … / "(?(" condition ")" alternatives ")"
    options-to-the-end = "(?imx-imx)" alternatives

Oddities:

* ``(?i)`` covers the rest of the group *with its later alternatives*: ``a(?i)b|c`` is ``a(?i:b|c)``.
* ``{n}?`` is ``(?:{n})?``, ``{n,m}+`` is ``(?:{n,m})+``; ``{n,m}`` with n > m is the possessive ``(?>{m,n})``.
* ``{`` that starts no interval is a character. ``{,}`` is none.
* ``(?:ab){1}*`` is ``ab*``: ``{1}`` drops the group and leaves its text.
* A quantifier after an anchor is an error, also if the anchor is a whole alternative: ``(?:^|a)*``; ``(^|a)*`` is none.
* The name of a capture starts with a word character and can go on with any: ``(?<a b>…)``; ``\k<a b>`` is an error,
  though.
* A quantifier on a quantifier directly inside is joined with it by the table `_NESTED`: ``(?:a+)?`` is ``a*``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Final

from tokenizer_reference.text.code_point_sets import EVERYTHING, Ranges, complement, contains, from_characters
from tokenizer_reference.text.oniguruma.case_folding import closed_over_ascii_case, closed_over_case, folded_set
from tokenizer_reference.text.oniguruma.character_class import (
    SET_ESCAPES,
    decoded,
    posix_set,
    read_bracket,
    read_property,
    utf8_length,
    word_characters,
)
from tokenizer_reference.text.oniguruma.options import SWITCHABLE, WHOLE_PATTERN, Options
from tokenizer_reference.text.oniguruma.reader import (
    CONTROL_ESCAPES,
    DIGITS,
    ENCODABLE,
    OCTAL_DIGITS,
    RangeSign,
    Reader,
)
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
    Place,
    Repeat,
    Sequence,
    Text,
    WordBoundary,
)

MOST_REPEATS: Final = 100_000
MOST_BACKREFERENCE: Final = 1000
_LARGEST_INTEGER: Final = 2**31 - 1

_NEWLINE: Final = from_characters("\n")
_NOT_NEWLINE: Final = complement(_NEWLINE)
_LINE_BREAKS: Final = from_characters("\n\v\f\r\x85\u2028\u2029")

_GRAPHEME: Final = Atomic(
    Sequence(
        (
            CharacterSet(EVERYTHING),
            Repeat(Sequence((Anchor(Place.NO_GRAPHEME_BOUNDARY), CharacterSet(EVERYTHING))), 0, None),
        )
    )
)
_ANY_NEWLINE: Final = Conditional(Text("\r\n"), then=EMPTY_TEXT, otherwise=CharacterSet(_LINE_BREAKS))

_ESCAPES: Final[dict[str, Node]] = {
    "N": CharacterSet(_NOT_NEWLINE),
    "O": CharacterSet(EVERYTHING),
    "R": _ANY_NEWLINE,
    "K": Keep(),
    "A": Anchor(Place.TEXT_START),
    "Z": Anchor(Place.TEXT_END_OR_LAST_NEWLINE),
    "z": Anchor(Place.TEXT_END),
    "G": Anchor(Place.SEARCH_START),
}
_SEGMENT_ESCAPES: Final[dict[str, Node]] = {
    "X": _GRAPHEME,
    "y": Anchor(Place.GRAPHEME_BOUNDARY),
    "Y": Anchor(Place.NO_GRAPHEME_BOUNDARY),
}
_ANCHORS: Final = {"^": Anchor(Place.LINE_START), "$": Anchor(Place.LINE_END)}

_LOOKS: Final = {
    "=": (Direction.AHEAD, False),
    "!": (Direction.AHEAD, True),
    "<=": (Direction.BEHIND, False),
    "<!": (Direction.BEHIND, True),
}

_QUANTIFIERS: Final[dict[str, tuple[int, int | None]]] = {"?": (0, 1), "*": (0, None), "+": (1, None)}

_EXTENDED_BLANKS: Final = frozenset(" \t\n\r\f")


# Nested quantifiers ---------------------------------------------------------------------------------------------------

_Simple = tuple[int, int | None, bool]
_KINDS: Final[dict[_Simple, str]] = {
    (0, 1, True): "?",
    (0, None, True): "*",
    (1, None, True): "+",
    (0, 1, False): "??",
    (0, None, False): "*?",
    (1, None, False): "+?",
}
_SIMPLE: Final = {kind: simple for simple, kind in _KINDS.items()}

_NESTED: Final = {
    #        ?      *     +     ??      *?      +?    <- outer; inner below
    "?": ("?", "*", "*", "??", "*?", None),
    "*": ("*", "*", "*", "+ ??", "+ ??", "*"),
    "+": ("*", "*", "+", None, "+ ??", "+"),
    "??": ("??", "*?", "*?", "??", "*?", "*?"),
    "*?": ("*?", "*?", "*?", "*?", "*?", "*?"),
    "+?": (None, "*", "+", "*?", "*?", "+?"),
}
"""One quantifier for two: ``(?:a+)?`` is ``a*``. ``+ ??`` is ``(?:a+)??``; ``None`` leaves the two as they are."""

_OUTER: Final = ("?", "*", "+", "??", "*?", "+?")


def nested_repeat(reader: Reader, inner: Repeat, outer: Repeat) -> Node:
    """Return ``outer``, whose body is ``inner``, as Oniguruma simplifies it."""
    inner_kind = _KINDS.get((inner.lower, inner.upper, inner.greedy))
    outer_kind = _KINDS.get((outer.lower, outer.upper, outer.greedy))
    if inner_kind is None or outer_kind is None:
        if inner.lower != inner.upper or outer.lower != outer.upper:
            return outer
        times = inner.lower * outer.lower
        if times > _LARGEST_INTEGER:
            raise reader.invalid("a repetition is too long")
        return replace(outer, body=inner.body, lower=times, upper=times)
    joined = _NESTED[inner_kind][_OUTER.index(outer_kind)]
    if joined is None:
        return outer
    if joined == "+ ??":
        return Repeat(Repeat(inner.body, 1, None), 0, 1, greedy=False)
    lower, upper, greedy = _SIMPLE[joined]
    return Repeat(inner.body, lower, upper, greedy)


def _repeat(reader: Reader, body: Node, lower: int, upper: int | None, *, greedy: bool) -> Node:
    outer = Repeat(body, lower, upper, greedy)
    if not isinstance(body, Repeat):
        return outer
    inner_is_simple = (body.lower, body.upper, body.greedy) in _KINDS
    outer_is_simple = (lower, upper, greedy) in _KINDS
    if inner_is_simple and not outer_is_simple:
        if body.greedy and body.upper is None and greedy and upper is not None and upper > 1:
            return replace(outer, upper=lower or 1)
        return outer
    return nested_repeat(reader, body, outer)


# The tree and what was counted on the way -----------------------------------------------------------------------------


@dataclass(slots=True)
class ParsedPattern:
    """The tree of a pattern, and what later steps need to know of it."""

    reader: Reader
    tree: Node = EMPTY_TEXT
    captures: int = 0
    numbers_by_name: dict[str, list[int]] = field(default_factory=dict)
    whole_options: frozenset[str] = frozenset()
    whole_options_at: int = 0


def parse(pattern: str) -> ParsedPattern:
    """Read ``pattern``.

    :raises InvalidRegexError: the target refuses it too.
    :raises UnsupportedRegexError: the target accepts it.
    """
    parser = _Parser(Reader(pattern))
    parser.parsed.tree = parser.alternatives(Options(), closed=False)
    return parser.parsed


@dataclass(frozen=True, slots=True)
class _Quantifier:
    """How often an atom is repeated; ``upper`` is ``None`` without limit."""

    lower: int
    upper: int | None
    greedy: bool = True
    possessive: bool = False
    can_be_lazy: bool = True


class _Parser:
    """A parser by recursive descent: each method reads one construct of the grammar."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.parsed = ParsedPattern(reader)

    # Alternatives, branches -------------------------------------------------------------------------------------------

    def alternatives(self, options: Options, *, closed: bool) -> Node:
        """Read to the end of the pattern, or if ``closed`` past the closing parenthesis."""
        node = self._alternatives_to_end(options, closed=closed)
        if closed:
            self._reader.take("a group")
        return node

    def _alternatives_to_end(self, options: Options, *, closed: bool) -> Node:
        """Read up to the end of the pattern, or if ``closed`` up to the closing parenthesis."""
        return _in_alternation(self._branches(options, closed=closed))

    def _branches(self, options: Options, *, closed: bool, keeps_group: bool = False) -> list[Node]:
        """Read alternatives. With ``keeps_group``, a plain group at their start is not joined with what follows it."""
        reader = self._reader
        branches = [self._branch(options, closed=closed, keeps_group=keeps_group)]
        while reader.accept("|"):
            branches.append(self._branch(options, closed=closed))
        if closed and reader.ended:
            raise reader.invalid("a group is not closed")
        return branches

    def _branch(self, options: Options, *, closed: bool, keeps_group: bool = False) -> Node:
        items: list[Node] = []
        while True:
            self._skip_ignored(options)
            following = self._reader.peek()
            if following in ("", "|", ")"):
                if following == ")" and not closed:
                    raise self._reader.invalid("a closing parenthesis has no opening one")
                break
            item = self._item(options, closed=closed, keeps_group=keeps_group and not items)
            if isinstance(item, Sequence) and items:
                items.extend(item.items)
            else:
                items.append(item)
        if not items:
            return EMPTY_TEXT
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _skip_ignored(self, options: Options) -> None:
        """Go past comments, and if the option is on past blanks."""
        reader = self._reader
        while not reader.ended:
            if reader.accept("(?#"):
                while (character := reader.take("a comment")) != ")":
                    if character == "\\" and not reader.ended:
                        reader.at += 1
            elif options.extended and reader.peek() in _EXTENDED_BLANKS:
                reader.at += 1
            elif options.extended and reader.accept("#"):
                while not reader.ended and reader.take("a comment") != "\n":
                    pass
            else:
                return

    # Items and quantifiers --------------------------------------------------------------------------------------------

    def _item(self, options: Options, *, closed: bool, keeps_group: bool) -> Node:
        """Read text, or one thing that is not text, with its quantifiers."""
        start = self._reader.at
        literal = self._literal(options)
        if literal:
            node: Node = Text(literal, fold=options.ignore_case)
            return self._quantified(node, options, start, is_group=False)
        if self._quantifier() is not None:
            raise self._reader.invalid("a quantifier has nothing to repeat", start)
        if self._reader.peek() == "(":
            return self._parenthesis(options, closed=closed, keeps_group=keeps_group)
        *before, last = self._atom(options)
        last = self._quantified(last, options, start, is_group=False)
        return Sequence((*before, last)) if before else last

    def _literal(self, options: Options) -> str:
        """Read characters that stand for themselves, as many as there are."""
        reader = self._reader
        literal = ""
        while True:
            self._skip_ignored(options)
            character = reader.peek()
            if character == "\\":
                escaped = reader.pattern[reader.at + 1 : reader.at + 2]
                if not self._is_literal_escape(escaped):
                    return literal
                reader.at += 2
                literal += escaped
                continue
            if character in ("", ".", "*", "+", "?", "|", "(", ")", "^", "$", "["):
                return literal
            if character == "{" and self._interval(reader.at) is not None:
                return literal
            reader.at += 1
            literal += character

    def _is_literal_escape(self, escaped: str) -> bool:
        """Return whether a backslash and the character ``escaped``, and what follows, stand for the character."""
        following = self._reader.pattern[self._reader.at + 2 : self._reader.at + 3]
        match escaped:
            case "":
                return False
            case "x":
                return not following or (following == "{" and not self._has_braced_code_point())
            case "o":
                return following != "{" or not self._has_braced_code_point()
            case "u":
                return not following
            case "p" | "P":
                return following != "{"
            case "k" | "g":
                return following not in ("<", "'")
            case "b" | "B" | "C" | "c" | "M":
                return False
        if escaped in DIGITS or escaped.lower() in SET_ESCAPES:
            return False
        return escaped not in _ESCAPES and escaped not in _SEGMENT_ESCAPES and escaped not in CONTROL_ESCAPES

    def _has_braced_code_point(self) -> bool:
        reader = self._reader
        start = reader.at
        reader.at += 2
        found = bool(reader.braced_code_points(ranges=False))
        reader.at = start
        return found

    def _quantified(
        self, node: Node, options: Options, start: int, *, is_group: bool, keeps_group: bool = False
    ) -> Node:
        """Read the quantifiers that follow ``node``. With ``keeps_group``, any group can be repeated."""
        before: tuple[Node, ...] = ()
        while True:
            self._skip_ignored(options)
            quantifier = self._quantifier()
            if quantifier is None:
                break
            if _cannot_be_repeated(node) and not keeps_group:
                raise self._reader.invalid("a quantifier repeats what cannot be repeated", start)
            if (quantifier.lower, quantifier.upper) != (1, 1):
                if isinstance(node, Text) and len(node.characters) > 1 and not is_group:
                    before = (replace(node, characters=node.characters[:-1]),)
                    node = replace(node, characters=node.characters[-1])
                node = _repeat(self._reader, node, quantifier.lower, quantifier.upper, greedy=quantifier.greedy)
                if quantifier.possessive:
                    node = Atomic(node)
            is_group = keeps_group = False
        return Sequence((*before, node)) if before or keeps_group else node

    def _quantifier(self) -> _Quantifier | None:
        reader = self._reader
        if reader.peek() == "{":
            found = self._interval(reader.at)
            if found is None:
                return None
            quantifier, reader.at = found
            return replace(quantifier, greedy=False) if quantifier.can_be_lazy and reader.accept("?") else quantifier
        if reader.peek() not in _QUANTIFIERS or reader.ended:
            return None
        lower, upper = _QUANTIFIERS[reader.take("a quantifier")]
        if reader.accept("?"):
            return _Quantifier(lower, upper, greedy=False)
        return _Quantifier(lower, upper, possessive=reader.accept("+"))

    def _interval(self, start: int) -> tuple[_Quantifier, int] | None:
        """Return the interval that the brace at ``start`` opens, and where it ends.

        Returns ``None`` if the brace opens no interval.
        """
        reader = self._reader
        saved, reader.at = reader.at, start + 1
        try:
            lower = self._count()
            is_exact = not reader.accept(",")
            upper = lower if is_exact else self._count()
            if (lower is None and upper is None) or not reader.accept("}"):
                return None
            least = lower or 0
            if upper is not None and least > upper:
                return _Quantifier(upper, least, possessive=True, can_be_lazy=False), reader.at
            return _Quantifier(least, upper, can_be_lazy=not is_exact), reader.at
        finally:
            reader.at = saved

    def _count(self) -> int | None:
        start = self._reader.at
        digits = self._reader.take_while(DIGITS)
        if digits and int(digits) > MOST_REPEATS:
            raise self._reader.invalid(f"a repetition has more than {MOST_REPEATS} rounds", start)
        return int(digits) if digits else None

    # Atoms ------------------------------------------------------------------------------------------------------------

    def _atom(self, options: Options) -> list[Node]:
        """Read one thing that is neither text nor a group; code points in braces are several."""
        reader = self._reader
        character = reader.take("a pattern")
        match character:
            case ".":
                return [CharacterSet(EVERYTHING if options.dot_matches_newline else _NOT_NEWLINE)]
            case "^" | "$":
                return [_ANCHORS[character]]
            case "[":
                return [self._bracket(options)]
        return self._escape(options)

    def _bracket(self, options: Options) -> Node:
        bracket = read_bracket(self._reader, options)
        if not options.ignore_case:
            return CharacterSet(bracket.matched)
        if "I" in self.parsed.whole_options:
            return CharacterSet(replace(bracket, members=closed_over_ascii_case(bracket.members)).matched)
        if bracket.negated:
            return CharacterSet(replace(bracket, members=closed_over_case(bracket.members)).matched)
        return folded_set(bracket.members)

    def _escape(self, options: Options) -> list[Node]:
        reader = self._reader
        start = reader.at - 1
        letter = reader.take("an escape")
        if letter in _ESCAPES:
            return [_ESCAPES[letter]]
        if letter in _SEGMENT_ESCAPES:
            if options.segment_words:
                raise reader.unsupported(f"\\{letter} for words, (?y{{w}}),", start)
            return [_SEGMENT_ESCAPES[letter]]
        if letter in ("b", "B"):
            return [WordBoundary(word_characters(options), negative=letter == "B")]
        if letter.lower() in SET_ESCAPES:
            return [_set_escape(letter, options)]
        if letter in ("p", "P"):
            return [self._property(options, negated=letter == "P")]
        if letter == "k":
            return [self._backreference(options, start)]
        if letter == "g":
            return [self._call(start)]
        if letter in DIGITS:
            return [self._digits(letter, options, start)]
        return [Text(chr(code_point), fold=options.ignore_case) for code_point in self._code_points(letter, start)]

    def _code_points(self, letter: str, start: int) -> list[int]:
        """Read the code points of an escape for characters."""
        reader = self._reader
        braced = reader.braced_code_points(ranges=False) if letter in ("x", "o") else []
        if braced:
            return [self._checked(part, start) for part in braced if not isinstance(part, RangeSign)]
        if letter == "x":
            return [self._bytes(start)]
        if letter == "u":
            return [reader.four_digits()]
        reader.at -= 1
        return [reader.character_escape()]

    def _checked(self, code_point: int, start: int) -> int:
        """Return a code point that text can have.

        For one beyond Unicode, which Oniguruma accepts, one that no text has.
        """
        if code_point > ENCODABLE or utf8_length(0xF0 | code_point >> 18) == 1:
            raise self._reader.invalid("a code point is too large", start)
        return code_point if code_point <= 0x10FFFF else 0xDFFF

    def _property(self, options: Options, *, negated: bool) -> Node:
        reader = self._reader
        reader.at += 1
        negated = reader.accept("^") != negated
        name, members = read_property(reader, options)
        if name == "word":
            members = word_characters(options)
        return CharacterSet(complement(members) if negated else members)

    def _digits(self, first: str, options: Options, start: int) -> Node:
        """Read a backreference by number, a byte in octal, or the digit 8 or 9."""
        reader = self._reader
        reader.at -= 1
        if first != "0":
            number = int(reader.take_while(DIGITS))
            if number <= MOST_BACKREFERENCE and (number <= self.parsed.captures or number <= 9):
                return Backreference((number,), options.ignore_case, by_name=False, position=start)
            reader.at = start + 1
            if first in ("8", "9"):
                return Text(reader.take("an escape"), fold=options.ignore_case)
        return Text(chr(self._bytes(start)), fold=options.ignore_case)

    def _bytes(self, start: int) -> int:
        """Read one character from byte escapes that stand one after the other."""
        reader = self._reader
        encoded = bytes([self._byte()])
        length = utf8_length(encoded[0])
        if length == 1 and 0x80 <= encoded[0] < 0xC0:
            raise reader.invalid("a byte is no character", start)
        while len(encoded) < length:
            if not self._another_byte():
                raise reader.invalid("the bytes of a character are not complete", start)
            encoded += bytes([self._byte()])
        if length > 1:
            return decoded(reader, encoded, start)
        return encoded[0] if encoded[0] < 0x80 else 0xDFFF

    def _byte(self) -> int:
        reader = self._reader
        if reader.pattern[reader.at - 1] == "x":
            return reader.byte_escape()
        return int(reader.take_while(OCTAL_DIGITS, 3) or "0", 8) & 0xFF

    def _another_byte(self) -> bool:
        reader = self._reader
        following = reader.pattern[reader.at + 1 : reader.at + 3]
        if reader.peek() != "\\" or following in ("x{", "x") or not following:
            return False
        if following[0] == "x":
            reader.at += 2
            return True
        if following[0] in OCTAL_DIGITS and (following[0] == "0" or self._is_octal(reader.at + 1)):
            reader.at += 1
            return True
        return False

    def _is_octal(self, at: int) -> bool:
        """Return whether the digits at ``at`` are too many for a backreference."""
        reader = self._reader
        saved, reader.at = reader.at, at
        number = int(reader.take_while(DIGITS))
        reader.at = saved
        return number > 9 and (number > self.parsed.captures or number > MOST_BACKREFERENCE)

    # References to captures -------------------------------------------------------------------------------------------

    def _backreference(self, options: Options, start: int) -> Node:
        opening = self._reader.take("a backreference")
        numbers, by_name = self._reference(_CLOSING[opening])
        return Backreference(numbers, options.ignore_case, by_name, start)

    def _reference(self, closing: str) -> tuple[tuple[int, ...], bool]:
        """Read a name or a number and what closes it; return the numbers of captures, and whether it was a name."""
        reader = self._reader
        begin = reader.at
        name = self._name_until(frozenset((closing, ")", "+", "-")), begin)
        sign = ""
        if name == "" and reader.peek() in ("+", "-"):
            sign = reader.take("a reference")
            name = self._name_until(frozenset((closing, ")", "+", "-")), begin)
            if not _is_number(name):
                raise reader.invalid("a relative reference needs a number", begin)
        if name == "":
            raise reader.invalid("the name of a capture is empty", begin)
        if not all(map(_is_word, name)) or (name[0] in DIGITS and not _is_number(name)):
            raise reader.invalid("a name starts with a digit, or has a character that is not a word character", begin)
        if reader.peek() in ("+", "-"):
            self._level(closing, begin)
        if not reader.accept(closing):
            raise reader.invalid("the name of a capture is not closed", begin)
        if not _is_number(name):
            if name not in self.parsed.numbers_by_name:
                raise reader.invalid(f"no capture before here is named {name!r}", begin)
            return tuple(self.parsed.numbers_by_name[name]), True
        return (self._absolute(sign, name, begin),), False

    def _level(self, closing: str, begin: int) -> None:
        reader = self._reader
        reader.at += 1
        if not reader.take_while(DIGITS) or reader.peek() != closing:
            raise reader.invalid("the level of a reference is not well formed", begin)
        raise reader.unsupported("a reference to a level of recursion", begin)

    def _absolute(self, sign: str, digits: str, position: int) -> int:
        """Return the number of a capture from a number as written, which a sign makes relative to this place."""
        number = int(digits)
        if number > _LARGEST_INTEGER or (sign and number == 0):
            raise self._reader.invalid("a reference has no such number", position)
        if sign == "+":
            return self.parsed.captures + number
        absolute = self.parsed.captures + 1 - number if sign == "-" else number
        if absolute <= 0:
            raise self._reader.invalid("a reference goes to no capture", position)
        return absolute

    def _name_until(self, ends: frozenset[str], position: int) -> str:
        """Read up to one of ``ends``. Only the first character is sure to be a word character."""
        reader = self._reader
        name = ""
        while not reader.ended and reader.peek() not in ends:
            name += reader.take("a name")
        if not all(map(_is_word, name[:1])):
            raise reader.invalid("a name does not start with a word character", position)
        return name

    def _call(self, start: int) -> Node:
        reader = self._reader
        closing = _CLOSING[reader.take("a call")]
        begin = reader.at
        sign = reader.take("a call") if reader.peek() in ("+", "-") and not reader.ended else ""
        name = self._name_until(frozenset((closing, ")")), begin)
        if not name or not reader.accept(closing):
            raise reader.invalid("the name of a call is empty or not closed", begin)
        if not _is_number(name):
            if sign or name[0] in DIGITS:
                raise reader.invalid("the name of a call starts with a digit or a sign", begin)
            return Call(name, start)
        if int(name) == {"": 0, "-": self.parsed.captures + 1}.get(sign):  # the whole pattern
            return Call(0, start)
        return Call(self._absolute(sign, name, begin), start)

    # Groups -----------------------------------------------------------------------------------------------------------

    def _parenthesis(self, options: Options, *, closed: bool, keeps_group: bool) -> Node:
        """Read what a parenthesis opens, with its quantifiers."""
        reader = self._reader
        start = reader.at
        reader.at += 1
        if reader.peek() == "*":
            raise reader.unsupported("a callout, (*name),", start)
        if not reader.accept("?"):
            node = self._unnamed(options)
            is_group = "C" in self.parsed.whole_options
            return self._quantified(node, options, start, is_group=is_group, keeps_group=is_group and keeps_group)
        if reader.accept(":"):
            node = self.alternatives(options, closed=True)
            return self._quantified(node, options, start, is_group=True, keeps_group=keeps_group)
        if reader.peek() in SWITCHABLE | WHOLE_PATTERN | {"-", "y"} and not reader.ended:
            return self._options(options, start, closed=closed)
        return self._quantified(self._special(options, start), options, start, is_group=False)

    def _unnamed(self, options: Options) -> Node:
        if "C" in self.parsed.whole_options:
            return self.alternatives(options, closed=True)
        self.parsed.captures += 1
        number = self.parsed.captures
        return Capture(number, self.alternatives(options, closed=True))

    def _special(self, options: Options, start: int) -> Node:
        reader = self._reader
        for opening, (direction, negative) in _LOOKS.items():
            if reader.accept(opening):
                return Look(self.alternatives(options, closed=True), direction, negative, start)
        if reader.accept(">"):
            return Atomic(self.alternatives(options, closed=True))
        if reader.accept("<") or reader.accept("'"):
            return self._named(_CLOSING[reader.pattern[reader.at - 1]], options)
        if reader.accept("("):
            return self._conditional(options, start)
        if reader.accept("~"):
            raise reader.unsupported("an absent function, (?~…),", start)
        if reader.accept("{"):
            raise reader.unsupported("a callout, (?{…}),", start)
        raise reader.invalid("a group of unknown kind", start)

    def _named(self, closing: str, options: Options) -> Node:
        reader = self._reader
        begin = reader.at
        name = self._name_until(frozenset((closing, ")")), begin)
        if not name or name[0] in DIGITS or not reader.accept(closing):
            raise reader.invalid("the name of a capture is empty, starts with a digit, or is not closed", begin)
        self.parsed.captures += 1
        number = self.parsed.captures
        self.parsed.numbers_by_name.setdefault(name, []).append(number)
        return Capture(number, self.alternatives(options, closed=True), named=True)

    def _options(self, options: Options, start: int, *, closed: bool) -> Node:
        """Read ``imx-imx)`` and the rest of the group around, or ``imx-imx:`` and the group."""
        reader = self._reader
        inside = options
        on = True
        whole: set[str] = set()
        while (letter := reader.take("a group")) not in (":", ")"):
            if letter == "-":
                on = False
            elif letter in SWITCHABLE:
                inside = inside.switched(letter, on)
            elif letter in WHOLE_PATTERN and on:
                whole.add(letter)
            elif letter == "y" and on:
                inside = replace(inside, segment_words=self._segments_words())
            else:
                raise reader.invalid("an option is unknown, or cannot be switched off", reader.at - 1)
        if whole:
            self._set_whole(whole, start)
        if letter == ")":
            return Group(self._alternatives_to_end(inside, closed=closed), whole=bool(whole))
        node = Group(self.alternatives(inside, closed=True), whole=True)
        return self._quantified(node, options, start, is_group=False)

    def _segments_words(self) -> bool:
        reader = self._reader
        start = reader.at
        if reader.accept("{g}"):
            return False
        if reader.accept("{w}"):
            return True
        raise reader.invalid("option y needs {g} or {w}", start)

    def _set_whole(self, letters: set[str], start: int) -> None:
        if self.parsed.whole_options:
            raise self._reader.invalid("options of the whole pattern stand twice", start)
        if "L" in letters:
            raise self._reader.unsupported("the search for the longest match, (?L),", start)
        self.parsed.whole_options = frozenset(letters)
        self.parsed.whole_options_at = start

    # Conditions -------------------------------------------------------------------------------------------------------

    def _conditional(self, options: Options, start: int) -> Node:
        reader = self._reader
        if reader.peek() == "*" or reader.pattern.startswith("?{", reader.at):
            raise reader.unsupported("a callout as a condition", start)
        condition = self._condition(options, start)
        if reader.ended:
            raise reader.invalid("a conditional group is not closed", start)
        if reader.accept(")"):
            if not isinstance(condition, Captured):
                raise reader.invalid("a conditional group has only a condition", start)
            return condition
        then_is_empty = reader.accept("|")
        branches = self._branches(options, closed=True, keeps_group=True)
        reader.take("a conditional group")
        if then_is_empty:
            branches.insert(0, EMPTY_TEXT)
        one_sided = len(branches) == 1
        return Conditional(condition, branches[0], _in_alternation(branches[1:] or [EMPTY_TEXT]), one_sided, start)

    def _condition(self, options: Options, start: int) -> Node:
        """Read a condition past the parenthesis that closes it: a name in ``<>`` or quotes, a number, or a pattern."""
        reader = self._reader
        begin = reader.at
        if reader.peek() in _CLOSING and not reader.ended:
            numbers, by_name = self._reference(_CLOSING[reader.take("a condition")])
            if not reader.accept(")"):
                raise reader.invalid("a condition is not closed", start)
            return Captured(numbers, by_name, begin)
        if _NUMERIC_CONDITION.match(reader.pattern, begin):
            numbers, by_name = self._reference(")")
            return Captured(numbers, by_name, begin)
        return self.alternatives(options, closed=True)


_CLOSING: Final = {"<": ">", "'": "'"}
_NUMERIC_CONDITION: Final = re.compile(r"[+-]?[0-9]+(?:[+-][0-9]+)?\)")


def _in_alternation(branches: list[Node]) -> Node:
    return branches[0] if len(branches) == 1 else Alternation(tuple(branches))


def _set_escape(letter: str, options: Options) -> Node:
    name = SET_ESCAPES[letter.lower()]
    members = word_characters(options) if name == "word" else posix_set(name, options)
    return CharacterSet(complement(members) if letter.isupper() else members)


def _cannot_be_repeated(node: Node) -> bool:
    match node:
        case Anchor() | WordBoundary() | Look() | Keep():
            return True
        case Alternation(branches):
            return any(map(_cannot_be_repeated, branches))
    return False


def _is_number(name: str) -> bool:
    return bool(name) and all(character in DIGITS for character in name)


def _is_word(character: str) -> bool:
    return contains(_word(), ord(character))


def _word() -> Ranges:
    return word_characters(Options())
