r"""Bracket expressions (``[a-z&&[^aeiou]]``), and the sets that have names (``\\w``, ``\\p{…}``, ``[:alpha:]``).

Grammar (Oniguruma's doc/RE, section 6, and tokenizers 0.23.3 as observed)::

    bracket   = "[" ["^"] operand *("&&" operand) "]"
    operand   = *( member / range / named set / bracket )
    range     = member "-" member
    named set = "\w" "\d" "\s" "\h" "\p{…}" "[:…:]" and their negations

``&&`` intersects what stands on its two sides and binds less than juxtaposition; ``^`` binds least. Oddities:

* ``]`` directly after ``[`` or ``[^`` is a member, if there is a ``]`` later.
* ``-`` is a member where no range can be: at either end, before ``&&``, after a range or a nested bracket.
  After a named set it is an error, except at the end: ``[\w-]``, but not ``[\w-z]``.
* ``[a-[b]]`` is ``[b]``: the unfinished range is lost.
* A byte escape that is a character of its own but not ASCII, ``[\xff]``, is accepted and matches nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.code_point_sets import (
    EMPTY,
    MAX_CODE_POINT,
    Ranges,
    complement,
    from_ranges,
    intersection,
    union,
)
from tokenizer_reference.text.oniguruma.reader import DIGITS, ENCODABLE, OCTAL_DIGITS, RangeSign, Reader
from tokenizer_reference.text.unicode_properties import unicode_property

if TYPE_CHECKING:
    from tokenizer_reference.text.oniguruma.options import Options

# Named sets -----------------------------------------------------------------------------------------------------------

ASCII: Final[Ranges] = ((0, 0x7F),)

POSIX_NAMES: Final = (
    "alnum",
    "alpha",
    "ascii",
    "blank",
    "cntrl",
    "digit",
    "graph",
    "lower",
    "print",
    "punct",
    "space",
    "upper",
    "word",
    "xdigit",
)

SET_ESCAPES: Final = {"w": "word", "d": "digit", "s": "space", "h": "xdigit"}
r"""The sets of ``\w \d \s \h``; capitals negate."""

_NUMBERS_THAT_ARE_WORD_CHARACTERS: Final[Ranges] = ((0xB2, 0xB3), (0xB9, 0xB9), (0xBC, 0xBE))
r"""²³¹¼½¾: in ``\w``, ``\b`` and names of groups, not in ``[\w]`` (observed, tokenizers 0.23.3)."""


def posix_set(name: str, options: Options) -> Ranges:
    """Return the set of ``[:name:]``. Unlike the property of that name, ``punct`` has the symbols."""
    members = unicode_property(name)
    if name == "punct":
        members = union(members, unicode_property("S"))
    return intersection(members, ASCII) if options.is_ascii(name) else members


def word_characters(options: Options) -> Ranges:
    r"""Return the set of ``\w`` outside brackets."""
    if options.is_ascii("word"):
        return posix_set("word", options)
    return union(posix_set("word", options), _NUMBERS_THAT_ARE_WORD_CHARACTERS)


def read_property(reader: Reader, options: Options) -> tuple[str, Ranges]:
    r"""Read what follows ``\p{`` or ``\p{^``.

    Return the name, without blanks, ``_``, ``-`` and capitals, and the set.
    """
    start = reader.at
    end = next((at for at in range(start, len(reader.pattern)) if reader.pattern[at] in "}(){|"), None)
    if end is None or reader.pattern[end] != "}":
        raise reader.invalid("a property has no closing brace", start)
    written = reader.pattern[start:end]
    reader.at = end + 1
    try:
        members = unicode_property(written)
    except KeyError:
        raise reader.invalid(f"there is no property {written!r}", start) from None
    name = written.translate({ord(ignored): None for ignored in " _-"}).lower()
    is_posix = name in POSIX_NAMES and name != "punct"
    return name, intersection(members, ASCII) if is_posix and options.is_ascii(name) else members


# Tokens inside brackets -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Member:
    """One character; ``is_byte`` for one byte of an escape."""

    code_point: int
    is_byte: bool = False


@dataclass(frozen=True, slots=True)
class _Set:
    """A named set, or a bracket expression inside this one."""

    members: Ranges


class _Sign(Enum):
    """What is no member: ``-``, ``&&``, ``[`` and ``]``."""

    DASH = auto()
    AND = auto()
    OPEN = auto()
    CLOSE = auto()


_Token = _Member | _Set | _Sign


class _State(Enum):
    """What has just been read of an operand."""

    START = auto()
    MEMBER = auto()
    SET = auto()
    RANGE_SIGN = auto()
    COMPLETE = auto()


@dataclass(frozen=True, slots=True)
class Bracket:
    """A bracket expression as written: ``negated`` has not been applied to ``members``."""

    members: Ranges
    negated: bool

    @property
    def matched(self) -> Ranges:
        """Return the characters that the expression matches."""
        return complement(self.members) if self.negated else self.members


def read_bracket(reader: Reader, options: Options) -> Bracket:
    """Read what follows ``[``, to the ``]`` that closes it."""
    return _BracketReader(reader, options).read()


class _BracketReader:
    """Reads one bracket expression; those inside it are read by readers of their own."""

    def __init__(self, reader: Reader, options: Options) -> None:
        self._reader = reader
        self._options = options
        self._start = reader.at - 1
        self._ahead: list[_Token] = []
        """Tokens read and not used yet, the next one last."""
        self._operands: list[Ranges] = []
        self._members: list[Ranges] = []
        self._pending = _Member(0)
        self._state = _State.START
        self._ends_range = False
        """Whether the token that is being read follows the ``-`` of a range."""

    # The expression ---------------------------------------------------------------------------------------------------

    def read(self) -> Bracket:
        negated = self._reader.accept("^")
        if self._reader.peek() == "]":
            if "]" not in self._reader.pattern[self._reader.at + 1 :]:
                raise self._reader.invalid("a bracket expression is empty", self._start)
            self._reader.at += 1
            self._add_member(_Member(ord("]")))
        while (token := self._next()) is not _Sign.CLOSE:
            self._use(token)
        self._finish_operand()
        members = self._operands[0]
        for operand in self._operands[1:]:
            members = intersection(members, operand)
        return Bracket(members, negated)

    def _use(self, token: _Token) -> None:
        match token:
            case _Member():
                self._add_member(token)
            case _Set():
                self._add_set(token.members)
            case _Sign.OPEN:
                self._finish_member()
                self._members.append(read_bracket(self._reader, self._options).matched)
                self._state = _State.COMPLETE
            case _Sign.AND:
                self._finish_operand()
            case _Sign.DASH:
                self._use_dash()

    def _use_dash(self) -> None:
        if self._state is _State.RANGE_SIGN:
            self._add_member(_Member(ord("-")))
            return
        self._ends_range = self._state in (_State.MEMBER, _State.SET)
        following = self._next()
        self._ends_range = False
        self._ahead.append(following)
        at_end = following in (_Sign.CLOSE, _Sign.AND)
        if self._state in (_State.START, _State.COMPLETE) or at_end:
            self._add_member(_Member(ord("-")))
        elif self._state is _State.SET:
            raise self._reader.invalid("a named set cannot start a range in a bracket expression")
        else:
            self._state = _State.RANGE_SIGN

    def _add_member(self, member: _Member) -> None:
        if self._state is _State.RANGE_SIGN:
            self._members.append(self._range(self._pending, member))
            self._state = _State.COMPLETE
            return
        if member.code_point > ENCODABLE:
            raise self._reader.invalid("a code point is too large")
        self._finish_member()
        self._pending = member
        self._state = _State.MEMBER

    def _add_set(self, members: Ranges) -> None:
        if self._state is _State.RANGE_SIGN:
            raise self._reader.invalid("a named set cannot end a range in a bracket expression")
        self._finish_member()
        self._members.append(members)
        self._state = _State.SET

    def _finish_member(self) -> None:
        if self._state is _State.MEMBER:
            self._members.append(self._range(self._pending, self._pending))

    def _finish_operand(self) -> None:
        self._finish_member()
        self._operands.append(union(*self._members))
        self._members = []
        self._state = _State.START

    def _range(self, first: _Member, last: _Member) -> Ranges:
        """Return the code points of a range. Between two bytes only those that are characters of one byte count."""
        if first.code_point > last.code_point:
            raise self._reader.invalid("a range in a bracket expression is empty")
        most = 0x7F if _is_one_byte(first) and _is_one_byte(last) else MAX_CODE_POINT
        if first.code_point > most:
            return EMPTY
        return from_ranges([(first.code_point, min(last.code_point, most))])

    # The tokens -------------------------------------------------------------------------------------------------------

    def _next(self) -> _Token:
        if self._ahead:
            return self._ahead.pop()
        reader = self._reader
        if reader.ended:
            raise reader.invalid("a bracket expression is not closed", self._start)
        character = reader.take("a bracket expression")
        match character:
            case "]":
                return _Sign.CLOSE
            case "-":
                return _Sign.DASH
            case "&" if reader.accept("&"):
                return _Sign.AND
            case "[":
                return self._posix_or_nested()
            case "\\":
                return self._escape()
        return _Member(ord(character))

    def _posix_or_nested(self) -> _Token:
        reader = self._reader
        if not _starts_posix_bracket(reader):
            return _Sign.OPEN
        start = reader.at - 1
        reader.at += 1
        negated = reader.accept("^")
        name = next((name for name in POSIX_NAMES if reader.accept(f"{name}:]")), None)
        if name is None:
            raise reader.invalid("there is no POSIX bracket of that name", start)
        return self._named(posix_set(name, self._options), negated=negated)

    def _named(self, members: Ranges, *, negated: bool) -> _Set:
        return _Set(complement(members) if negated else members)

    def _escape(self) -> _Token:
        reader = self._reader
        letter = reader.take("an escape")
        following = reader.peek()
        if letter.lower() in SET_ESCAPES:
            return self._named(posix_set(SET_ESCAPES[letter.lower()], self._options), negated=letter.isupper())
        if letter in ("p", "P") and following == "{":
            reader.at += 1
            negated = reader.accept("^") != (letter == "P")
            return self._named(read_property(reader, self._options)[1], negated=negated)
        if letter in ("x", "o") and following == "{":
            return self._braced()
        if (letter == "x" and following) or letter in OCTAL_DIGITS:
            return self._bytes(letter)
        if letter == "u" and following:
            return _Member(reader.four_digits())
        if letter in ("x", "o", "u", "p", "P") or letter in DIGITS:
            return _Member(ord(letter))
        reader.at -= 1
        return _Member(reader.character_escape())

    def _braced(self) -> _Token:
        letter = self._reader.pattern[self._reader.at - 1]
        read = self._reader.braced_code_points(ranges=True, ends_range=self._ends_range)
        tokens: list[_Token] = [_Sign.DASH if isinstance(part, RangeSign) else _Member(part) for part in read]
        self._ahead.extend(reversed(tokens[1:]))
        return tokens[0] if tokens else _Member(ord(letter))

    def _bytes(self, letter: str) -> _Token:
        """Read one character from byte escapes of one kind, hexadecimal or octal, that stand one after the other."""
        reader = self._reader
        start = reader.at
        reader.at -= letter in OCTAL_DIGITS
        encoded = bytes([reader.byte_escape()])
        length = utf8_length(encoded[0])
        while len(encoded) < length:
            if not self._byte_follows(letter):
                raise reader.invalid("the bytes of a character are not complete", start)
            encoded += bytes([reader.byte_escape()])
        if length == 1:
            return _Member(encoded[0], is_byte=True)
        return _Member(decoded(reader, encoded, start))

    def _byte_follows(self, letter: str) -> bool:
        reader = self._reader
        if letter in OCTAL_DIGITS:
            if reader.peek() == "\\" and reader.pattern[reader.at + 1 : reader.at + 2] in OCTAL_DIGITS:
                return reader.accept("\\")
            return False
        return not reader.pattern.startswith("\\x{", reader.at) and reader.accept("\\x")


def _is_one_byte(member: _Member) -> bool:
    return member.is_byte or member.code_point <= 0x7F


def _starts_posix_bracket(reader: Reader) -> bool:
    """Return whether ``:``, perhaps ``^``, letters and ``:]`` are next."""
    if reader.peek() != ":":
        return False
    at = reader.at + 1
    letters = unicode_property("alpha")
    end = reader.pattern.find(":", at)
    if end <= at or not reader.pattern.startswith(":]", end):
        return False
    inside = reader.pattern[at:end].removeprefix("^")
    return all(intersection(letters, ((ord(letter), ord(letter)),)) for letter in inside)


# Bytes ----------------------------------------------------------------------------------------------------------------


def utf8_length(first: int) -> int:
    """Return how many bytes a character that starts with the byte ``first`` has; 1 where no character starts so."""
    if first < 0xC0 or first > 0xF4:
        return 1
    return 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def decoded(reader: Reader, encoded: bytes, start: int) -> int:
    """Return the code point that ``encoded`` is the UTF-8 of."""
    if any(byte & 0xC0 != 0x80 for byte in encoded[1:]):
        raise reader.invalid("bytes are not UTF-8", start)
    try:
        return ord(encoded.decode(errors="surrogatepass"))
    except UnicodeDecodeError:
        raise reader.unsupported("a sequence of bytes that has the form of UTF-8 and is no character", start) from None
