"""Ends of texts and lengths: marks at the beginning, line ends of every kind, long words and long runs."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced

if TYPE_CHECKING:
    from collections.abc import Callable

ODD = (
    "\ufeff", "\x00", "\r\n", "\n", "\r", "\t", " ", "  ", "\n\n", "\n\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029",
    "\xa0", "\u200b", "\u200d", "\u3000", "\u0301", "\ufffe", "\ufffd", "\u2581", "\u0120", "##", "</w>",
    "\\", "\\n", "\x1a",
    "\x1b[0m", "\u202e", "\U000e0001", "<", "'", "’s", ".", "0", "😀", "é", "ß", "中", "가",
)  # fmt: skip
"""What means something to some tokenizer at an end of a text or of a line."""

PLACES = (
    "{}", "{}a", "a{}", "a{}b", "{0}a{0}", " {}", "{} ", " {} ", "{} a", "a {}", "{0}{0}", "{0}{0}a", "a{0}{0}b",
    "{0} {0}", "Hello {}world", "Hello{} world", "Hello, {}", "{0}Hello, world!{0}", "\n{}", "{}\n", "one\n{}two\n",
    "{0}a{0}b{0}",
)  # fmt: skip
"""Where it stands, ``{}``."""

UNITS = ("a", "x9", "ab", "é", "中", "가", "я", "😀", "e\u0301", "A", "0", "ﬁ", "-a", "ẞ", "\u0301", "क्ष")
"""What long words are made of."""

RUNS = (
    " ", "\n", "\t", "\r\n", ".", "!", "-", "_", "=", "'", '"', "0", "12", "\u00a0", "\u3000", "\u200b", "\u200d",
    "\u0301", "\u0323\u0301", "a ", " a", ". ", "\ufeff", "\x00", "\u2581", "\u0120", "#", "##", "<", "👩\u200d", "🇫",
    "\u1161", "'s", "`",
)  # fmt: skip
"""What long runs are made of."""

LENGTHS = (
    2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 49, 50, 51, 63, 64, 65, 99, 100, 101, 127, 128, 129, 199, 200, 201,
    254, 255, 256, 257, 510, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 4095, 4097,
)  # fmt: skip
"""How many code points a long word or run has: around powers of two, and limits of words and of texts."""

LONGEST_LENGTHS = (8191, 8193, 16385, 65535, 65537)
"""Lengths that come last, for a few units only: a step that takes the square of the length takes seconds of them."""

AROUND = ("{}", "a {} b", "{}b")
"""What a long word or run stands in."""


def _at_ends(number: int) -> str:
    place, odd = divmod(number, len(ODD))
    return PLACES[place].format(ODD[odd])


@cache
def _long() -> tuple[tuple[str, int, str], ...]:
    """Return the long texts as a unit, a length and what is around; short ones first."""
    units = (*UNITS, *RUNS)
    usual = tuple((unit, length, around) for length in LENGTHS for around in AROUND for unit in units)
    return usual + tuple((unit, length, AROUND[0]) for length in LONGEST_LENGTHS for unit in ("a", "é", " ", "中"))


def _long_text(number: int) -> str:
    unit, length, around = _long()[number]
    return around.format((unit * -(-length // len(unit)))[:length])


def _made(count: Callable[[], int], text: Callable[[int], str], _material: Material) -> Produced:
    return Produced(count(), text)


EDGES = (
    Generator(
        "ends of texts",
        "byte order marks, U+0000, line ends, spaces and marks at the ends of texts, lines and words",
        partial(_made, lambda: len(ODD) * len(PLACES), _at_ends),
    ),
)

LONG = (
    Generator(
        "long words and runs",
        "one unit many times over, lengths around powers of two and limits of words",
        partial(_made, lambda: len(_long()), _long_text),
    ),
)
