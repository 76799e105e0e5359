"""The numbers in a document of Markdown, and the sentences that bind them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

NO_PROSE: Final = re.compile(
    r"""(?ms)
    ^[ ]*(?P<fence>```+|~~~+)[^\n]*\n.*?^[ ]*(?P=fence)[ ]*$   # a block of code
    | (?P<ticks>`+)(?:(?!\n[ ]*\n).)+?(?P=ticks)               # code in a line, or over two
    | (?<=\]\()[^)\s]+(?=\))                                   # where a link goes
    | <!--.*?-->
    | ^\ {4}\S[^\n]*$                                          # an indented block
    """,
    re.VERBOSE,
)

NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")

WORDS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
"""Numbers that are written as words, from zero."""

HOLE: Final = re.compile(r"\{(\w+)\}")

SHOWN: Final = rf"{NUMBER.pattern}|(?i:{'|'.join(sorted(WORDS, key=len, reverse=True))})"


class UnboundError(Exception):
    """A sentence that a document does not have, or has twice."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A number as a document shows it: under the name of its hole, from ``start`` to ``end`` of the document."""

    hole: str
    words: str
    start: int
    end: int

    @property
    def decimals(self) -> int:
        """How many digits it has after the point."""
        return len(self.words.rpartition(".")[2]) if "." in self.words else 0

    @property
    def value(self) -> float:
        """The number."""
        if self.words.lower() in WORDS:
            return float(WORDS.index(self.words.lower()))
        return float(self.words.replace(",", ""))


def shown_in(text: str, sentence: str) -> list[Shown]:
    """Return the numbers that stand in the holes of ``sentence`` in a document's ``text``.

    A hole is a name in braces; white space of the sentence is any white space of the document. Raises
    :class:`UnboundError` where the sentence is not there exactly once.
    """
    parts = HOLE.split(sentence)
    literal = [re.sub(r"(?:\\\s|\s)+", r"\\s+", re.escape(part)) for part in parts[::2]]
    pattern = literal[0] + "".join(
        f"(?P<{hole}>{SHOWN}){after}" for hole, after in zip(parts[1::2], literal[1:], strict=True)
    )
    found = list(re.finditer(pattern, text))
    if len(found) != 1:
        times = "is not there" if not found else f"is there {len(found)} times"
        raise UnboundError(f"the sentence {sentence!r} {times}")
    return [Shown(hole, found[0][hole], *found[0].span(hole)) for hole in parts[1::2]]


def numbers_in(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers in the prose of a document's ``text``; code and the targets of links are none.

    >>> [found[0] for found in numbers_in("907 of `tokenizers 0.23`, [see](page-2.md)")]
    ['907']
    """
    prose = NO_PROSE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    yield from NUMBER.finditer(prose)


def line_at(text: str, place: int) -> int:
    """Return the number of the line (from 1) of ``text`` in which ``place`` is."""
    return text.count("\n", 0, place) + 1
