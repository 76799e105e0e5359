r"""Reading a pattern character by character, and the escapes for single characters.

These are the same inside and outside of brackets.

==========================  =====================================================================================
``\t \n \r \f \v \a \e``    the usual controls; ``\b`` is U+0008 in brackets
``\xHH``, ``\nnn``          one *byte* of UTF-8 (up to two hexadecimal, three octal digits; ``\x`` alone is NUL)
``\x{H…}``, ``\o{n…}``      a code point, or several with blanks between them, in brackets also ranges with ``-``
``\uHHHH``                  a code point
``\cx``, ``\C-x``, ``\M-x`` a control (``x & 0x9f``), "meta" (``x | 0x80``), also combined
==========================  =====================================================================================

Any other escaped character stands for itself. Source: Oniguruma's doc/RE, section 2, and tokenizers 0.23.3 as observed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tokenizer_reference.text.oniguruma.errors import InvalidRegexError, UnsupportedRegexError

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

CONTROL_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "a": "\a", "b": "\b", "e": "\x1b", "v": "\v"}

DIGITS: Final = frozenset("0123456789")
OCTAL_DIGITS: Final = frozenset("01234567")
HEXADECIMAL_DIGITS: Final = frozenset("0123456789abcdefABCDEF")

ENCODABLE: Final = 0x1FFFFF
"""The largest number that four bytes in the manner of UTF-8 hold: larger ones are no code points to Oniguruma."""

_DIVIDERS: Final = frozenset(" \n")


@dataclass(frozen=True, slots=True)
class RangeSign:
    r"""The ``-`` inside ``\x{61-63}``."""


class Reader:
    """A pattern and a place in it, ``at``."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    # Moving -----------------------------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Return whether nothing is left."""
        return self.at >= len(self.pattern)

    def peek(self) -> str:
        """Return the next character; empty at the end."""
        return self.pattern[self.at : self.at + 1]

    def take(self, needed_for: str) -> str:
        """Return the next character and go past it.

        :raises InvalidRegexError: there is none, and ``needed_for`` is not complete.
        """
        if self.ended:
            raise self.invalid(f"the pattern ends inside {needed_for}")
        self.at += 1
        return self.pattern[self.at - 1]

    def accept(self, expected: str) -> bool:
        """Go past ``expected`` if it is next, and tell so."""
        if not self.pattern.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def take_while(self, allowed: AbstractSet[str], most: int | None = None) -> str:
        """Return the next characters that are in ``allowed``, no more than ``most``, and go past them."""
        start = self.at
        end = len(self.pattern) if most is None else min(len(self.pattern), start + most)
        while self.at < end and self.pattern[self.at] in allowed:
            self.at += 1
        return self.pattern[start : self.at]

    # Complaints -------------------------------------------------------------------------------------------------------

    def invalid(self, message: str, position: int | None = None) -> InvalidRegexError:
        """Return the error for a pattern that the target refuses too."""
        return InvalidRegexError(self.pattern, self.at if position is None else position, message)

    def unsupported(self, construct: str, position: int | None = None) -> UnsupportedRegexError:
        """Return the error for a pattern that the target accepts, with a ``construct`` that is missing here."""
        return UnsupportedRegexError(
            self.pattern, self.at if position is None else position, f"{construct} is not supported"
        )

    # Escapes ----------------------------------------------------------------------------------------------------------

    def byte_escape(self) -> int:
        r"""Read what follows ``\x`` as one byte, or octal digits after a backslash. Nothing at all is 0."""
        start = self.at
        if self.pattern[start - 1] == "x":
            return int(self.take_while(HEXADECIMAL_DIGITS, 2) or "0", 16)
        value = int(self.take_while(OCTAL_DIGITS, 3) or "0", 8)
        if value > 0xFF:
            raise self.invalid("an octal escape is larger than 377", start)
        return value

    def four_digits(self) -> int:
        r"""Read what follows ``\u``."""
        start = self.at
        digits = self.take_while(HEXADECIMAL_DIGITS, 4)
        if len(digits) < 4:
            raise self.invalid(r"\u needs four hexadecimal digits", start)
        return int(digits, 16)

    def braced_code_points(self, *, ranges: bool, ends_range: bool = False) -> list[int | RangeSign]:
        r"""Read what follows ``\x`` or ``\o`` if it is code points in braces; else read nothing and return nothing.

        ``ranges`` allows ``-`` between two code points; not after the first one, if it ``ends_range`` already.
        """
        start = self.at
        if self.peek() != "{":
            return []
        base, allowed, most = (16, HEXADECIMAL_DIGITS, 8) if self.pattern[start - 1] == "x" else (8, OCTAL_DIGITS, 11)
        self.at += 1
        first = self.take_while(allowed, most)
        if self.peek() in (HEXADECIMAL_DIGITS if base == 16 else DIGITS):
            raise self.invalid("a code point in braces has too many digits, or one that is not octal", start)
        if not first:
            self.at = start
            return []
        code_points: list[int | RangeSign] = [int(first, base)]
        while not self.accept("}"):
            blanks = self.take_while(_DIVIDERS)
            if self.accept("}"):
                break
            may_start_range = RangeSign() not in code_points[-2:] and not (ends_range and len(code_points) == 1)
            if ranges and may_start_range and self.peek() == "-":
                self.at += 1
                code_points.append(RangeSign())
                continue
            digits = self.take_while(allowed, most)
            if not digits or not (blanks or code_points[-1] == RangeSign()):
                raise self.invalid("code points in braces are not well formed", start)
            code_points.append(int(digits, base))
        if code_points[-1] == RangeSign():
            raise self.invalid("a range of code points in braces has no end", start)
        return code_points

    def character_escape(self) -> int:
        """Read one character after a backslash: a control, a "meta" character, or one that stands for itself."""
        start = self.at
        letter = self.take("an escape")
        if letter == "M":
            if self.take("a meta escape") != "-":
                raise self.invalid(r"\M is not followed by -", start)
            return (self._escaped_operand("a meta escape") & 0xFF) | 0x80
        if letter == "C" and self.take("a control escape") != "-":
            raise self.invalid(r"\C is not followed by -", start)
        if letter in ("C", "c"):
            if self.accept("?"):
                return 0x7F
            return self._escaped_operand("a control escape") & 0x9F
        return ord(CONTROL_ESCAPES.get(letter, letter))

    def _escaped_operand(self, needed_for: str) -> int:
        character = self.take(needed_for)
        return self.character_escape() if character == "\\" else ord(character)
